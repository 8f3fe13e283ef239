// Legends of Code and Magic 1.2: the rules of a battle, exactly as the official referee plays them.
//
// Free functions over (cards and deal, battle). Everything is constexpr, so the compiler can play games and the same
// code can be compiled for a GPU.
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>

#include "common/random.hpp"
#include "locm/actions.hpp"
#include "locm/battle.hpp"
#include "locm/cards.hpp"

namespace deckatlas::locm {

// ---- the end of a game -------------------------------------------------------------------------------------------

constexpr bool is_over(const Battle& battle) { return battle.sides[0].health <= 0 || battle.sides[1].health <= 0; }

// 0 or 1, or -1 while the game continues. If both are dead, the player to move wins.
constexpr int winner(const Battle& battle) {
    if (battle.enemy().health <= 0) return battle.active();
    return battle.own().health <= 0 ? battle.active() ^ 1 : -1;
}

// ---- sides -------------------------------------------------------------------------------------------------------

// Changes health; damage breaks every rune at or above the new health, and each broken rune gives its owner a card.
constexpr void change_health(Side& side, int change) {
    side.health += change;
    if (change >= 0) return;
    const int standing = side.health > 0 ? (side.health - 1) / kRuneStep : 0;
    if (standing < side.runes) {
        side.next_draw = static_cast<std::uint8_t>(side.next_draw + side.runes - standing);
        side.runes = static_cast<std::uint8_t>(standing);
    }
}

// Removes the bit of `slot` from a set of slots; the bits above it in the same lane move down by one.
constexpr std::uint8_t drop_slot(int slots, Slot slot) {
    const int lane = 15 << (lane_of(slot) * 4);
    const int above = lane & ~((2 << slot) - 1);
    const int from_slot = lane & ~((1 << slot) - 1);
    return static_cast<std::uint8_t>((slots & ~from_slot) | (slots & above) >> 1);
}

constexpr void add_creature(Side& side, int lane, Creature creature) {
    assert(side.count[lane] < kLaneSize);
    const Slot slot = slot_of(lane, side.count[lane]);
    side.order = static_cast<std::uint8_t>(side.order | lane << side.creatures());
    side.at(slot) = creature;
    ++side.count[lane];
    if (creature.has(kCharge)) side.ready = static_cast<std::uint8_t>(side.ready | 1 << slot);
    if (creature.has(kGuard)) side.guards = static_cast<std::uint8_t>(side.guards | 1 << slot);
}

// Removes a creature from its row; those behind it move up.
constexpr void close_gap(Creature (&row)[kLaneSize], int index) {
    static_assert(kLaneSize == 3);
    row[0] = index < 1 ? row[1] : row[0];
    row[1] = index < 2 ? row[2] : row[1];
    row[2] = Creature();
}

constexpr void remove_creature(Side& side, Slot slot) {
    const int lane = lane_of(slot);
    const int index = index_of(slot);
    close_gap(side.lanes[lane], index);

    std::uint32_t in_lane = lane == 1 ? side.order : ~static_cast<std::uint32_t>(side.order);
    in_lane = index > 0 ? in_lane & (in_lane - 1) : in_lane;
    in_lane = index > 1 ? in_lane & (in_lane - 1) : in_lane;
    const int age = std::countr_zero(in_lane);
    const int younger = side.order >> (age + 1) << age;
    side.order = static_cast<std::uint8_t>((side.order & ((1 << age) - 1)) | younger);

    --side.count[lane];
    side.ready = drop_slot(side.ready, slot);
    side.attacked = drop_slot(side.attacked, slot);
    side.guards = drop_slot(side.guards, slot);
}

// ---- turns -------------------------------------------------------------------------------------------------------

constexpr void draw_cards(const Deal& deal, Battle& battle, int player) {
    Side& side = battle.sides[player];
    const bool no_cards_left = battle.turn / 2 >= kTurnLimit;
    for (int n = side.next_draw; n > 0; --n) {
        if (no_cards_left || side.drawn == deal.sizes[player]) {
            // An empty deck costs the top rune, or the game if no rune is left; a full hand does not protect from it.
            side.health = kRuneStep * side.runes;
            if (side.runes > 0) --side.runes;
        } else if (side.hand_size() == kHandLimit) {
            break;
        } else {
            side.hand |= 1u << side.drawn++;
        }
    }
    side.shown_draw = side.next_draw;
    side.next_draw = 1;
}

constexpr void refill_mana(Side& side) {
    if (side.max_mana < kMaxMana + side.bonus_mana) ++side.max_mana;
    if (side.bonus_mana > 0 && side.mana == 0) {
        side.bonus_mana = 0;
        --side.max_mana;
    }
    side.mana = side.max_mana;
}

// Ends the turn of the player to move (if any) and starts the next one.
constexpr void next_turn(const Deal& deal, Battle& battle) {
    if (battle.turn >= 0) {
        Side& finished = battle.sides[battle.active()];
        finished.ready = 0;
        finished.attacked = 0;
        finished.shown_draw = finished.next_draw;
    }
    ++battle.turn;
    Side& side = battle.sides[battle.active()];
    refill_mana(side);
    side.ready = static_cast<std::uint8_t>(side.occupied());
    draw_cards(deal, battle, battle.active());
}

// Deals the opening hands; the first turn has not started.
constexpr Battle deal_hands(const Deal& deal) {
    Battle battle;
    for (int player = 0; player < 2; ++player) {
        Side& side = battle.sides[player];
        const int cards = kOpeningHand + player;
        side.drawn = static_cast<std::uint8_t>(cards < deal.sizes[player] ? cards : deal.sizes[player]);
        side.hand = (1u << side.drawn) - 1;
    }
    battle.sides[1].max_mana = battle.sides[1].mana = battle.sides[1].bonus_mana = 1;
    return battle;
}

// ---- what is legal -----------------------------------------------------------------------------------------------

constexpr std::uint32_t playable(const Deal& deal, const Battle& battle, CardType type) {
    const Side& own = battle.own();
    const int player = battle.active();
    return own.hand & deal.affordable[player][own.mana] & deal.of_type[player][static_cast<int>(type)];
}

// The targets of an attacker in `lane`: bits 0 to 2 are the enemy's creatures there, bit 3 is the face. Guards come
// first. Written without a branch, because random play calls it at every decision.
inline constexpr int kFaceBit = 1 << kLaneSize;
constexpr int attack_targets(const Side& enemy, int lane) {
    const int guards = lane_bits(enemy.guards, lane);
    const int anything = ((1 << enemy.count[lane]) - 1) | kFaceBit;
    return guards | (anything & -static_cast<int>(guards == 0));
}

constexpr bool is_legal(const Deal& deal, const Battle& battle, Action action) {
    if (is_over(battle)) return false;
    const Side& own = battle.own();
    const Side& enemy = battle.enemy();
    const auto holds = [&](CardType type) {
        return action.source < kDeckSize && (playable(deal, battle, type) >> action.source & 1u) != 0;
    };
    const bool on_face = action.target == kFace;
    switch (action.kind) {
        case ActionKind::pass: return true;
        case ActionKind::summon:
            return action.target < kLanes && holds(CardType::creature) && own.count[action.target] < kLaneSize;
        case ActionKind::attack: {
            if (action.source >= 8 || (own.ready >> action.source & 1) == 0) return false;
            const int lane = lane_of(action.source);
            if (on_face) return (attack_targets(enemy, lane) & kFaceBit) != 0;
            return lane_of(action.target) == lane && index_of(action.target) < kLaneSize &&
                   (attack_targets(enemy, lane) >> index_of(action.target) & 1) != 0;
        }
        case ActionKind::use: break;
    }
    if (on_face) return holds(CardType::blue);
    if (action.target >= 8) return false;
    if ((own.occupied() >> action.target & 1) != 0 && holds(CardType::green)) return true;
    return (enemy.occupied() >> action.target & 1) != 0 && (holds(CardType::red) || holds(CardType::blue));
}

// All legal actions: PASS; summons lane by lane in hand order; attacks lane by lane, for each attacker the face before
// the creatures; items in hand order, creatures lane by lane before the face. Agents that break ties by "the first"
// rely on this order.
constexpr void legal_actions(const Deal& deal, const Battle& battle, ActionList& actions) {
    actions.clear();
    if (is_over(battle)) return;
    const Side& own = battle.own();
    const Side& enemy = battle.enemy();
    actions.push_back(pass_action());
    for (int lane = 0; lane < kLanes; ++lane) {
        if (own.count[lane] == kLaneSize) continue;
        for (std::uint32_t cards = playable(deal, battle, CardType::creature); cards != 0; cards &= cards - 1) {
            actions.push_back(summon_action(std::countr_zero(cards), lane));
        }
    }
    for (int lane = 0; lane < kLanes; ++lane) {
        const int targets = attack_targets(enemy, lane) & ~kFaceBit;
        const bool open = (attack_targets(enemy, lane) & kFaceBit) != 0;
        for (int ready = lane_bits(own.ready, lane); ready != 0; ready &= ready - 1) {
            const Slot attacker = slot_of(lane, std::countr_zero(static_cast<unsigned>(ready)));
            if (open) actions.push_back(attack_action(attacker, kFace));
            for (int left = targets; left != 0; left &= left - 1) {
                actions.push_back(
                    attack_action(attacker, slot_of(lane, std::countr_zero(static_cast<unsigned>(left)))));
            }
        }
    }
    const std::uint32_t green = playable(deal, battle, CardType::green);
    const std::uint32_t blue = playable(deal, battle, CardType::blue);
    for (std::uint32_t items = green | blue | playable(deal, battle, CardType::red); items != 0; items &= items - 1) {
        const int position = std::countr_zero(items);
        const int targets = (green >> position & 1u) != 0 ? own.occupied() : enemy.occupied();
        for (int left = targets; left != 0; left &= left - 1) {
            actions.push_back(use_action(position, std::countr_zero(static_cast<unsigned>(left))));
        }
        if ((blue >> position & 1u) != 0) actions.push_back(use_action(position, kFace));
    }
}

// A uniformly random legal action without listing them: counts each kind, draws one number, finds its action.
constexpr Action random_action(const Deal& deal, const Battle& battle, Rng& rng) {
    const Side& own = battle.own();
    const Side& enemy = battle.enemy();
    const auto count = [](std::uint32_t set) { return static_cast<std::uint32_t>(std::popcount(set)); };
    const std::uint32_t creatures = playable(deal, battle, CardType::creature);
    const std::uint32_t green = playable(deal, battle, CardType::green);
    const std::uint32_t red = playable(deal, battle, CardType::red);
    const std::uint32_t blue = playable(deal, battle, CardType::blue);
    const bool left_open = own.count[0] < kLaneSize;
    const auto open_lanes = static_cast<std::uint32_t>(left_open + (own.count[1] < kLaneSize));
    const auto left_targets = static_cast<std::uint32_t>(attack_targets(enemy, 0));
    const auto right_targets = static_cast<std::uint32_t>(attack_targets(enemy, 1));
    const std::uint32_t left_attacks = count(own.ready & 15u) * count(left_targets);
    const std::uint32_t attacks = left_attacks + count(own.ready & ~15u) * count(right_targets);
    const std::uint32_t summons = count(creatures) * open_lanes;
    const auto own_creatures = static_cast<std::uint32_t>(own.creatures());
    const auto enemy_creatures = static_cast<std::uint32_t>(enemy.creatures());
    const std::uint32_t on_own = count(green) * own_creatures;
    const std::uint32_t on_enemy = count(red) * enemy_creatures;
    const std::uint32_t on_any = count(blue) * (enemy_creatures + 1);
    const auto in_order = [](const Side& side, std::uint32_t n) {
        return n < side.count[0] ? static_cast<int>(n) : slot_of(1, static_cast<int>(n) - side.count[0]);
    };

    std::uint32_t n = rng.below(1 + summons + attacks + on_own + on_enemy + on_any);
    if (n == 0) return pass_action();
    --n;
    if (n < summons) {
        const std::uint32_t both = open_lanes - 1;  // 1 if both lanes are open
        const int lane = both != 0 ? static_cast<int>(n & 1u) : static_cast<int>(!left_open);
        return summon_action(nth_bit(creatures, static_cast<int>(n >> both)), lane);
    }
    n -= summons;
    if (n < attacks) {
        const int lane = n < left_attacks ? 0 : 1;
        n -= lane == 0 ? 0 : left_attacks;
        const std::uint32_t targets = lane == 0 ? left_targets : right_targets;
        const int attacker = nth_of_four(static_cast<std::uint32_t>(lane_bits(own.ready, lane)), n / count(targets));
        const int target = nth_of_four(targets, n % count(targets));
        return attack_action(slot_of(lane, attacker), target == kLaneSize ? kFace : slot_of(lane, target));
    }
    n -= attacks;
    if (n < on_own) {
        return use_action(nth_bit(green, static_cast<int>(n / own_creatures)), in_order(own, n % own_creatures));
    }
    n -= on_own;
    if (n < on_enemy) {
        return use_action(nth_bit(red, static_cast<int>(n / enemy_creatures)), in_order(enemy, n % enemy_creatures));
    }
    n -= on_enemy;
    const std::uint32_t target = n % (enemy_creatures + 1);
    return use_action(nth_bit(blue, static_cast<int>(n / (enemy_creatures + 1))),
                      target == enemy_creatures ? kFace : in_order(enemy, target));
}

// ---- what actions do ---------------------------------------------------------------------------------------------

// Takes a card from the hand of the player to move and pays for it.
constexpr const Card& play_card(const CardTable& cards, const Deal& deal, Battle& battle, int position) {
    Side& own = battle.sides[battle.active()];
    const Card& card = cards[deal.decks[battle.active()][position]];
    own.hand &= ~(1u << position);
    own.mana = static_cast<std::uint8_t>(own.mana - card.cost);
    return card;
}

constexpr void change_both(Battle& battle, const Card& card, int enemy_change) {
    Side& own = battle.sides[battle.active()];
    change_health(own, card.player_health);
    change_health(battle.sides[battle.active() ^ 1], enemy_change);
    own.next_draw = static_cast<std::uint8_t>(own.next_draw + card.draw);
}

constexpr void summon(const CardTable& cards, const Deal& deal, Battle& battle, int position, int lane) {
    const Card& card = play_card(cards, deal, battle, position);
    add_creature(battle.sides[battle.active()], lane, Creature(card.attack, card.defense, card.keywords, position));
    change_both(battle, card, card.enemy_health);
}

constexpr void mark_attacked(Side& side, Slot slot) {
    side.at(slot).touch();
    side.ready = static_cast<std::uint8_t>(side.ready & ~(1 << slot));
    side.attacked = static_cast<std::uint8_t>(side.attacked | 1 << slot);
}

constexpr void attack_face(Battle& battle, Slot slot) {
    Side& own = battle.sides[battle.active()];
    const Creature attacker = own.at(slot);
    mark_attacked(own, slot);
    if (attacker.has(kDrain)) change_health(own, attacker.attack());
    change_health(battle.sides[battle.active() ^ 1], -attacker.attack());
}

// The results of a fight: both sides use the values they had before.
struct Fight {
    int dealt;
    int taken;
    bool defender_dies;
    bool attacker_dies;
    int heal;    // Drain: the attacker's full attack, if it dealt any damage
    int excess;  // Breakthrough: the excess damage, as a change of the defending player's health
};

constexpr Fight resolve_fight(Creature attacker, Creature defender) {
    const int dealt = defender.has(kWard) ? 0 : attacker.attack();
    const int taken = attacker.has(kWard) ? 0 : defender.attack();
    const bool overpowered = dealt >= defender.defense();
    return {.dealt = dealt,
            .taken = taken,
            .defender_dies = overpowered || (dealt > 0 && attacker.has(kLethal)),
            .attacker_dies = taken >= attacker.defense() || (taken > 0 && defender.has(kLethal)),
            .heal = dealt > 0 && attacker.has(kDrain) ? attacker.attack() : 0,
            .excess = overpowered && attacker.has(kBreakthrough) ? defender.defense() - dealt : 0};
}

// A creature after an item: keywords first, so that removing Ward lets the damage through. It is dead if its defence is
// not positive.
struct Altered {
    int attack;
    int defense;
    int keywords;
};

constexpr Altered resolve_item(const Card& item, Creature before) {
    const bool green = item.type == CardType::green;
    const int keywords = green ? before.keywords() | item.keywords : before.keywords() & ~item.keywords;
    const bool shielded = (keywords & kWard) != 0 && item.defense < 0;
    return {.attack = before.attack() + item.attack > 0 ? before.attack() + item.attack : 0,
            .defense = before.defense() + (shielded ? 0 : item.defense),
            .keywords = shielded ? keywords & ~kWard : keywords};
}

// A creature that survives a fight: it takes `damage`, and any hit removes Ward.
constexpr void wound(Creature& creature, int damage, bool hit) {
    creature.touch();
    creature.change_defense(-damage);
    if (hit) creature.lose(kWard);
}

// Applies one side's results of a fight.
constexpr void suffer(Side& side, Slot slot, int damage, bool hit, bool dies) {
    if (dies) {
        remove_creature(side, slot);
    } else {
        wound(side.at(slot), damage, hit);
    }
}

constexpr void attack_creature(Battle& battle, Slot from, Slot to) {
    Side& own = battle.sides[battle.active()];
    Side& enemy = battle.sides[battle.active() ^ 1];
    const Creature attacker = own.at(from);
    const Creature defender = enemy.at(to);
    const Fight fight = resolve_fight(attacker, defender);
    mark_attacked(own, from);
    suffer(enemy, to, fight.dealt, attacker.attack() > 0, fight.defender_dies);
    suffer(own, from, fight.taken, defender.attack() > 0, fight.attacker_dies);
    change_health(own, fight.heal);
    change_health(enemy, fight.excess);
}

constexpr void use_on_creature(Battle& battle, const Card& item, Slot slot) {
    const bool green = item.type == CardType::green;
    Side& side = battle.sides[green ? battle.active() : battle.active() ^ 1];
    const Altered altered = resolve_item(item, side.at(slot));
    if (altered.defense <= 0) {
        remove_creature(side, slot);
        return;
    }
    assert(altered.attack <= Creature::kMaxStat && altered.defense <= Creature::kMaxStat);
    side.at(slot) = Creature(altered.attack, altered.defense, altered.keywords, side.at(slot).position());
    side.at(slot).touch();
    const int bit = 1 << slot;
    side.guards = static_cast<std::uint8_t>((altered.keywords & kGuard) != 0 ? side.guards | bit : side.guards & ~bit);
    if (green && (item.keywords & kCharge) != 0 && (side.attacked & bit) == 0) {
        side.ready = static_cast<std::uint8_t>(side.ready | bit);
    }
}

constexpr void use(const CardTable& cards, const Deal& deal, Battle& battle, int position, int target) {
    const Card& item = play_card(cards, deal, battle, position);
    if (target == kFace) {
        change_both(battle, item, item.defense + item.enemy_health);
        return;
    }
    use_on_creature(battle, item, target);
    change_both(battle, item, item.enemy_health);
}

// Carries out a legal action. PASS ends the turn and starts the next one.
constexpr void apply(const CardTable& cards, const Deal& deal, Battle& battle, Action action) {
    assert(is_legal(deal, battle, action));
    switch (action.kind) {
        case ActionKind::pass: next_turn(deal, battle); break;
        case ActionKind::summon: summon(cards, deal, battle, action.source, action.target); break;
        case ActionKind::attack:
            if (action.target == kFace) {
                attack_face(battle, action.source);
            } else {
                attack_creature(battle, action.source, action.target);
            }
            break;
        case ActionKind::use: use(cards, deal, battle, action.source, action.target); break;
    }
}

}  // namespace deckatlas::locm
