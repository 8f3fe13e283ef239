// Rules computed by hand and checked at compile time: a constant expression cannot have undefined behaviour, so the
// compiler acts as a sanitizer. The program itself does nothing.
#include "agents/locm_drafters.hpp"
#include "locm/resample.hpp"
#include "locm/state.hpp"

namespace deckatlas::locm::tests {
namespace {

// ---- java.util.Random, values printed by a Java runtime ----------------------------------------------------------

template <int N>
struct Numbers {
    std::uint32_t values[N];
    constexpr bool operator==(const Numbers&) const = default;
};

template <int N>
constexpr Numbers<N> first_ints(std::int64_t seed, std::uint32_t bound) {
    JavaRandom random(seed);
    Numbers<N> numbers{};
    for (auto& value : numbers.values) value = random.next_int(bound);
    return numbers;
}

static_assert(first_ints<5>(0, 100) == Numbers<5>{{60, 48, 29, 47, 15}});
static_assert(first_ints<5>(42, 100) == Numbers<5>{{30, 63, 48, 84, 70}});
static_assert(first_ints<5>(-1, 100) == Numbers<5>{{13, 25, 79, 39, 4}});
static_assert(first_ints<4>(42, 16) == Numbers<4>{{11, 0, 10, 0}});  // a power of two takes the high bits
// A bound just above 2^30 rejects almost half of the draws.
static_assert(first_ints<3>(42, (1u << 30) + 1) == Numbers<3>{{117392763, 102948884, 662969970}});

constexpr bool next_longs_are(std::int64_t seed, std::int64_t first, std::int64_t second) {
    JavaRandom random(seed);
    return random.next_long() == first && random.next_long() == second;
}
static_assert(next_longs_are(0, -4962768465676381896, 4437113781045784766));
static_assert(next_longs_are(42, -5025562857975149833, -5843495416241995736));
static_assert(next_longs_are(-1, 4961115982468162243, 226341162490527646));

// ---- health and runes --------------------------------------------------------------------------------------------

constexpr Side hit(int health, int runes, int change) {
    Side side;
    side.health = health;
    side.runes = static_cast<std::uint8_t>(runes);
    change_health(side, change);
    return side;
}
constexpr bool is(const Side& side, int health, int runes, int next_draw) {
    return side.health == health && side.runes == runes && side.next_draw == next_draw;
}

static_assert(is(hit(30, 5, -4), 26, 5, 1));    // the rune at 25 stays
static_assert(is(hit(30, 5, -5), 25, 4, 2));    // a reached rune breaks
static_assert(is(hit(30, 5, -16), 14, 2, 4));   // three runes, three cards
static_assert(is(hit(30, 5, -30), 0, 0, 6));    // death breaks all
static_assert(is(hit(30, 5, -99), -69, 0, 6));  // and below zero as well
static_assert(is(hit(12, 2, 9), 21, 2, 1));     // healing restores no rune
static_assert(is(hit(21, 2, -9), 12, 2, 1));    // and a rune breaks only once
static_assert(is(hit(30, 5, 0), 30, 5, 1));

// ---- fights: lane 0, the first player attacks --------------------------------------------------------------------

constexpr CardTable kNoCards{};
constexpr Deal kNoDeal{};

constexpr Battle fight(Creature attacker, Creature defender) {
    Battle battle;
    battle.turn = 0;
    add_creature(battle.sides[0], 0, attacker);
    add_creature(battle.sides[1], 0, defender);
    battle.sides[0].ready = 1;
    apply(kNoCards, kNoDeal, battle, attack_action(0, 0));
    return battle;
}

// Defence left (0: dead) and keywords of both creatures, and the health of both players.
struct Outcome {
    int attacker, attacker_keywords, defender, defender_keywords, own_health, enemy_health;
    constexpr bool operator==(const Outcome&) const = default;
};
constexpr Outcome outcome(const Battle& battle) {
    const Creature& attacker = battle.sides[0].at(0);
    const Creature& defender = battle.sides[1].at(0);
    return {attacker.defense(),  attacker.keywords(),    defender.defense(),
            defender.keywords(), battle.sides[0].health, battle.sides[1].health};
}
constexpr Outcome fought(int attack, int defense, int keywords, int enemy_attack, int enemy_defense,
                         int enemy_keywords) {
    return outcome(
        fight(Creature(attack, defense, keywords, 0), Creature(enemy_attack, enemy_defense, enemy_keywords, 0)));
}

static_assert(fought(3, 4, 0, 2, 5, 0) == Outcome{2, 0, 2, 0, 30, 30});
static_assert(fought(5, 2, 0, 2, 5, 0) == Outcome{0, 0, 0, 0, 30, 30});
static_assert(fought(1, 1, kLethal, 1, 9, 0) == Outcome{0, 0, 0, 0, 30, 30});
static_assert(fought(0, 9, kLethal, 1, 9, 0) == Outcome{8, kLethal, 9, 0, 30, 30});      // needs damage
static_assert(fought(1, 9, kLethal, 0, 9, kWard) == Outcome{9, kLethal, 9, 0, 30, 30});  // Ward stops it
static_assert(fought(3, 9, 0, 1, 9, kLethal) == Outcome{0, 0, 6, kLethal, 30, 30});      // strikes back
static_assert(fought(0, 9, 0, 0, 9, kWard) == Outcome{9, 0, 9, kWard, 30, 30});          // no hit, Ward stays
static_assert(fought(2, 1, kWard, 7, 9, 0) == Outcome{1, 0, 7, 0, 30, 30});
static_assert(fought(7, 9, kBreakthrough, 0, 3, 0) == Outcome{9, kBreakthrough, 0, 0, 30, 26});      // four go through
static_assert(fought(3, 9, kBreakthrough, 0, 3, 0) == Outcome{9, kBreakthrough, 0, 0, 30, 30});      // exact
static_assert(fought(7, 9, kBreakthrough, 0, 3, kWard) == Outcome{9, kBreakthrough, 3, 0, 30, 30});  // not through Ward
static_assert(fought(2, 9, kBreakthrough | kLethal, 0, 3, 0).enemy_health == 30);  // only Lethal killed
static_assert(fought(4, 1, kDrain, 9, 1, 0) == Outcome{0, 0, 0, 0, 34, 30});       // the whole attack, even when dying
static_assert(fought(4, 9, kDrain, 0, 9, kWard).own_health == 30);
static_assert(fight(Creature(1, 9, 0, 0), Creature(0, 9, 0, 0)).sides[0].ready == 0);
static_assert(fight(Creature(1, 9, 0, 0), Creature(0, 9, 0, 0)).sides[0].attacked == 1);

constexpr Battle face_attack(Creature attacker) {
    Battle battle;
    battle.turn = 0;
    add_creature(battle.sides[0], 1, attacker);
    battle.sides[0].ready = 1 << slot_of(1, 0);
    apply(kNoCards, kNoDeal, battle, attack_action(slot_of(1, 0), kFace));
    return battle;
}
static_assert(is(face_attack(Creature(6, 1, 0, 0)).sides[1], 24, 4, 2));
static_assert(face_attack(Creature(6, 1, kDrain, 0)).sides[0].health == 36);
static_assert(winner(face_attack(Creature(30, 1, 0, 0))) == 0);
static_assert(winner(face_attack(Creature(29, 1, 0, 0))) == -1);

// ---- lanes close up when a creature leaves -----------------------------------------------------------------------

constexpr Side closed_up(Slot leaves) {
    Side side;
    add_creature(side, 0, Creature(1, 1, kGuard, 1));
    add_creature(side, 1, Creature(2, 1, kCharge, 2));
    add_creature(side, 0, Creature(3, 1, 0, 3));
    add_creature(side, 0, Creature(4, 1, kGuard, 4));
    side.attacked = 1 << slot_of(0, 2);
    remove_creature(side, leaves);
    return side;
}
static_assert(closed_up(0).guards == 0b010 && closed_up(0).attacked == 0b010 && closed_up(0).ready == 0x10);
static_assert(closed_up(0).at(0).position() == 3 && closed_up(0).at(1).position() == 4 &&
              closed_up(0).at(2).bits() == 0);
static_assert(closed_up(0).order == 0b001 && closed_up(4).order == 0b000 && closed_up(1).order == 0b010);
static_assert(closed_up(4).ready == 0 && closed_up(4).guards == 0b101 && closed_up(4).count[1] == 0);

// ---- whole games -------------------------------------------------------------------------------------------------

// A table with every type of card, every keyword and every effect.
constexpr CardTable mixed_cards() {
    CardTable table;
    for (int id = 1; id <= kCards; ++id) {
        Card& card = table.cards[id];
        const bool creature = id % 5 < 2;
        card.type = creature ? CardType::creature : static_cast<CardType>(id % 5 - 1);
        const int sign = card.type == CardType::red || card.type == CardType::blue ? -1 : 1;
        card.cost = static_cast<std::uint8_t>(id % 7);
        card.attack = static_cast<std::int8_t>(sign * (id % 6));
        card.defense = static_cast<std::int8_t>(sign * (id % 4 + 1));
        card.keywords = static_cast<std::uint8_t>(id % 64);
        card.player_health = static_cast<std::int8_t>(id % 9 == 0 ? -2 : id % 3);
        card.enemy_health = static_cast<std::int8_t>(id % 8 == 0 ? 1 : -(id % 3));
        card.draw = static_cast<std::uint8_t>(id % 11 == 0);
    }
    return table;
}
constexpr CardTable kMixedCards = mixed_cards();

// Plays at random from the first pick, with one view of each player; returns the winner.
constexpr int random_game(DraftFormat format, std::uint64_t seed) {
    Rng rng{seed};
    State state = new_game(format, seed);
    while (!state.in_battle) apply_pick(kMixedCards, state, static_cast<int>(rng.below(kOffered)));
    for (int step = 0; !is_over(state.battle); ++step) {
        if (step == 40) {
            for (int viewer = 0; viewer < 2; ++viewer) {
                State guess;
                const State view = view_of(kMixedCards, state, viewer);
                if (!resample(kMixedCards, view, PickPrior::uniform(), rng, guess)) return -1;
                if (hash_state(view_of(kMixedCards, guess, viewer)) != hash_state(view)) return -1;
            }
        }
        apply(kMixedCards, state.deal, state.battle, random_action(state.deal, state.battle, rng));
    }
    return winner(state.battle);
}
static_assert(random_game(DraftFormat::referee, 1) >= 0);
static_assert(random_game(DraftFormat::distinct, 2) >= 0);

// ---- six cards of a cost are wanted, at the tenth pick: two are on the way, one is too few, three too many ---------

static_assert(!PatternDraft::is_urgent(6, 2, 10));
static_assert(PatternDraft::is_urgent(6, 1, 10));
static_assert(!PatternDraft::is_urgent(6, 3, 10));

// The tenth pick of a policy that wants six cards of cost 2 and none of cost 5, after a number of picks of cost 2 and
// the others of cost 5; the offer has costs 5, 2 and 5, and all scores are equal.
constexpr int tenth_pick(int picked) {
    CardTable cards;
    cards.cards[1].cost = 5;
    cards.cards[2].cost = 2;
    Draft draft;
    draft.made[0] = 9;
    for (int i = 0; i < 9; ++i) draft.chosen[0][i] = i < picked ? 2 : 1;
    draft.offers[9][0] = 1;
    draft.offers[9][1] = 2;
    draft.offers[9][2] = 1;
    PatternDraft policy;
    policy.wanted[0][1] = 6;
    Rng rng;
    return policy.choose(cards, draft, 0, rng);
}
static_assert(tenth_pick(1) == 1);
static_assert(tenth_pick(2) == 0);
static_assert(tenth_pick(3) == 0);

}  // namespace
}  // namespace deckatlas::locm::tests

int main() {}
