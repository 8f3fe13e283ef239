// Bindings of readable parts of a Hearthstone state: each player's hero, board, hand and the rest.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "hearthstone/actions.hpp"
#include "hearthstone/text_words.hpp"
#include "hearthstone_state.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace deckatlas::bindings {
namespace {

using namespace hearthstone;

struct HearthstoneMinion {
    std::string card, name;
    int attack, health, max_health;
    std::vector<std::string> keywords;
    int spell_damage;
    bool can_attack;
    int instance;
};

struct HearthstoneHandCard {
    std::string card, name;
    std::optional<int> cost;
    bool made, revealed;
};

struct HearthstoneWeapon {
    std::string card, name;
    int attack, durability;
};

struct HearthstoneSide {
    std::string hero, hero_name, hero_class;
    int health, max_health, armor, attack;
    bool frozen, immune, can_attack;
    std::string power, power_name;
    int power_cost;
    bool power_used;
    int mana, crystals, overload_locked, overload_owed, fatigue, cards_played, spell_damage;
    std::optional<HearthstoneWeapon> weapon;
    std::vector<HearthstoneMinion> board;
    std::vector<HearthstoneHandCard> hand;
    std::vector<std::string> deck, secrets, died, seen;
};

// The player's characters that can attack now; 0 is the hero.
std::vector<bool> attackers(const HearthstoneState& self, int player) {
    std::vector<bool> able(kBoardLimit + 1);
    if (self.value.active != player) return able;
    ActionList actions;
    Options(*self.cards, self.value).list(actions);
    for (const Action& action : actions) {
        if (action.kind == ActionKind::attack) able[action.source] = true;
    }
    return able;
}

HearthstoneSide side_of(const HearthstoneState& self, int player) {
    const CardSet& cards = *self.cards;
    const State& state = self.value;
    const Player& own = state.players[checked_player(player)];
    const Names& names = cards.names;
    const std::vector<bool> able = attackers(self, player);
    HearthstoneSide side{};
    side.hero = names.cards[own.hero];
    side.hero_name = names.titles[own.hero];
    side.hero_class = kClassNames[static_cast<int>(own.hero_class)];
    side.health = own.health;
    side.max_health = own.max_health;
    side.armor = own.armor;
    side.attack = hero_attack(state, player);
    side.frozen = own.frozen;
    side.immune = (own.hero_keywords_this_turn & kImmune) != 0;
    side.can_attack = able[0];
    side.power = names.cards[own.power];
    side.power_name = names.titles[own.power];
    side.power_cost = cards[own.power].cost;
    side.power_used = own.power_used;
    side.mana = mana_of(cards, own);
    side.crystals = own.crystals;
    side.overload_locked = own.overload_locked;
    side.overload_owed = own.overload_owed;
    side.fatigue = own.fatigue;
    side.cards_played = own.cards_played;
    side.spell_damage = spell_damage_of(state, player);
    if (own.weapon.card != 0)
        side.weapon = HearthstoneWeapon{names.cards[own.weapon.card], names.titles[own.weapon.card],
                                        weapon_attack(own.weapon), own.weapon.durability};
    for (int i = 0; i < own.board_size; ++i) {
        const Minion& minion = state.on_board(player, i);
        side.board.push_back({names.cards[minion.card], names.titles[minion.card], minion.current_attack(),
                              minion.current_health(), minion.max_health(), words_of(minion.all_keywords() & ~kMarks),
                              minion.spell_damage, able[static_cast<std::size_t>(i) + 1], minion.stamp});
    }
    for (int i = 0; i < own.hand_size; ++i) {
        const CardId card = own.hand[i].card;
        const std::optional<int> cost =
            cards.is_known(card) ? std::optional(cost_in_hand(cards, state, player, i)) : std::nullopt;
        side.hand.push_back({names.cards[card], names.titles[card], cost, own.hand[i].origin == Origin::made,
                             own.hand[i].origin == Origin::revealed});
    }
    for (int i = own.deck_size; i > 0; --i) side.deck.push_back(names.cards[own.deck[i - 1]]);
    for (int i = 0; i < own.secret_count; ++i) side.secrets.push_back(names.cards[own.secrets[i].card]);
    for (int i = 0; i < own.died_count; ++i) side.died.push_back(names.cards[own.died[i]]);
    for (int i = 0; i < own.seen_count; ++i) side.seen.push_back(names.cards[own.seen[i]]);
    return side;
}

std::vector<std::string> choices_of(const HearthstoneState& self) {
    std::vector<std::string> choices;
    for (int i = 0; i < self.value.choice_count; ++i) choices.push_back(self.cards->names.cards[self.value.choices[i]]);
    return choices;
}

std::optional<int> winner_of(const HearthstoneState& self) {
    return self.value.winner == kNobody ? std::nullopt : std::optional<int>(self.value.winner);
}

}  // namespace

void bind_hearthstone_sides(nb::module_& m, BoundState& bound) {
    nb::class_<HearthstoneMinion>(m, "Minion", "A minion in play.")
        .def_ro("card", &HearthstoneMinion::card)
        .def_ro("name", &HearthstoneMinion::name)
        .def_ro("attack", &HearthstoneMinion::attack)
        .def_ro("health", &HearthstoneMinion::health)
        .def_ro("max_health", &HearthstoneMinion::max_health)
        .def_ro("keywords", &HearthstoneMinion::keywords)
        .def_ro("spell_damage", &HearthstoneMinion::spell_damage)
        .def_ro("can_attack", &HearthstoneMinion::can_attack)
        .def_ro("instance", &HearthstoneMinion::instance,
                "Its number in the order of play; it stays the same while the minion is in play as the same card.");
    nb::class_<HearthstoneHandCard>(m, "HandCard",
                                    "A card in hand; card `?` is hidden from the viewer, and its cost is None.")
        .def_ro("card", &HearthstoneHandCard::card)
        .def_ro("name", &HearthstoneHandCard::name)
        .def_ro("cost", &HearthstoneHandCard::cost)
        .def_ro("made", &HearthstoneHandCard::made, "Whether an effect created it and the opponent does not know it.")
        .def_ro("revealed", &HearthstoneHandCard::revealed, "Whether the opponent knows it.");
    nb::class_<HearthstoneWeapon>(m, "Weapon", "A weapon in play.")
        .def_ro("card", &HearthstoneWeapon::card)
        .def_ro("name", &HearthstoneWeapon::name)
        .def_ro("attack", &HearthstoneWeapon::attack)
        .def_ro("durability", &HearthstoneWeapon::durability);
    nb::class_<HearthstoneSide>(m, "Side", "One player in a game.")
        .def_ro("hero", &HearthstoneSide::hero)
        .def_ro("hero_name", &HearthstoneSide::hero_name)
        .def_ro("hero_class", &HearthstoneSide::hero_class)
        .def_ro("health", &HearthstoneSide::health)
        .def_ro("max_health", &HearthstoneSide::max_health)
        .def_ro("armor", &HearthstoneSide::armor)
        .def_ro("attack", &HearthstoneSide::attack)
        .def_ro("frozen", &HearthstoneSide::frozen)
        .def_ro("immune", &HearthstoneSide::immune)
        .def_ro("can_attack", &HearthstoneSide::can_attack)
        .def_ro("power", &HearthstoneSide::power)
        .def_ro("power_name", &HearthstoneSide::power_name)
        .def_ro("power_cost", &HearthstoneSide::power_cost)
        .def_ro("power_used", &HearthstoneSide::power_used)
        .def_ro("mana", &HearthstoneSide::mana)
        .def_ro("crystals", &HearthstoneSide::crystals)
        .def_ro("overload_locked", &HearthstoneSide::overload_locked)
        .def_ro("overload_owed", &HearthstoneSide::overload_owed)
        .def_ro("fatigue", &HearthstoneSide::fatigue)
        .def_ro("cards_played", &HearthstoneSide::cards_played, "This turn.")
        .def_ro("spell_damage", &HearthstoneSide::spell_damage)
        .def_ro("weapon", &HearthstoneSide::weapon)
        .def_ro("board", &HearthstoneSide::board)
        .def_ro("hand", &HearthstoneSide::hand)
        .def_ro("deck", &HearthstoneSide::deck,
                "Card ids, the next one to be drawn first; in the own view in the order of the card table, `?` in the "
                "opponent's.")
        .def_ro("secrets", &HearthstoneSide::secrets, "Card ids; in the opponent's view `?` and the class.")
        .def_ro("died", &HearthstoneSide::died, "Ids of the minions that died this turn.")
        .def_ro(
            "seen", &HearthstoneSide::seen,
            "Ids of the cards that its opponent has seen: played, discarded and burned cards of its deck, and revealed "
            "secrets.");
    bound.def("side", &side_of, "player"_a)
        .def_prop_ro(
            "phase", [](const HearthstoneState& self) { return kPhaseWords[static_cast<int>(self.value.phase)]; },
            "mulligan, main, choice or over.")
        .def_prop_ro(
            "turn", [](const HearthstoneState& self) { return static_cast<int>(self.value.turn); },
            "Half-turns begun; odd ones belong to player 0.")
        .def_prop_ro("player_to_move", [](const HearthstoneState& self) { return static_cast<int>(self.value.active); })
        .def_prop_ro("is_over", [](const HearthstoneState& self) { return self.value.phase == Phase::over; })
        .def_prop_ro(
            "is_void", [](const HearthstoneState& self) { return self.value.is_void; },
            "Whether the game ended because a capacity of the core was passed.")
        .def_prop_ro("winner", &winner_of, "0 or 1; None while the game goes on, and if nobody won.")
        .def_prop_ro("choices", &choices_of, "Ids of the cards to choose from; empty if there is no choice.")
        .def_prop_ro(
            "viewer",
            [](const HearthstoneState& self) {
                return self.value.viewer == kSeesAll ? std::nullopt : std::optional<int>(self.value.viewer);
            },
            "The player whose view this is; None for the whole state.");
}

}  // namespace deckatlas::bindings
