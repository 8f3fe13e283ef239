// Hearthstone: the zones of the features that describe a position to a network.
//
// A feature is a zone and an entry of it: a card, or a number such as a hero's health. Zones of numbers come first, so
// that their features are the same in every edition; zones of cards have one feature for each card of the edition.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "hearthstone/state.hpp"

namespace deckatlas::hearthstone {

enum class FeatureKind : std::uint8_t {
    flags,     // facts without an order
    numbers,   // one row per number, from `low`
    grid,      // attack times health, or attack times durability
    classes,   // of one hero
    pairings,  // of the own class with the enemy's
    cards,
};

enum class FeatureZone : std::uint8_t {
    moment,
    half_turn,
    // For each side and moment.
    own_stats_ended,
    own_stats_begins,
    enemy_stats_ended,
    enemy_stats_begins,
    own_states_ended,
    own_states_begins,
    enemy_states_ended,
    enemy_states_begins,
    own_taunt_ended,
    own_taunt_begins,
    enemy_taunt_ended,
    enemy_taunt_begins,
    own_shield_ended,
    own_shield_begins,
    enemy_shield_ended,
    enemy_shield_begins,
    // For each side.
    own_life,
    enemy_life,
    own_hero_state,
    enemy_hero_state,
    own_weapon_stats,
    enemy_weapon_stats,
    own_hand_size,
    enemy_hand_size,
    own_crystals,
    enemy_crystals,
    own_overload,
    enemy_overload,
    own_deck_size,
    enemy_deck_size,
    own_fatigue,
    enemy_fatigue,
    own_secret_count,
    enemy_secret_count,
    own_margin,
    enemy_margin,
    // The others.
    enemy_margin_in_reach,
    hand_cost,
    enemy_secret_class,
    enemy_class,
    pairing,
    // Zones of cards.
    hand_affordable,
    hand_one_short,
    hand_few_short,
    hand_far_off,
    deck,
    own_board,
    enemy_board,
    own_weapon,
    enemy_weapon,
    own_power,
    enemy_power,
    own_secret,
    enemy_revealed,
    enemy_seen,
};
inline constexpr std::size_t kFeatureZones = static_cast<std::size_t>(FeatureZone::enemy_seen) + 1;
inline constexpr std::size_t kNumberZones = static_cast<std::size_t>(FeatureZone::hand_affordable);
inline constexpr std::size_t kCardZones = kFeatureZones - kNumberZones;

// Limits of the numbers that have rows; larger ones share the last row.
inline constexpr int kMostStat = 12;
inline constexpr int kMostLife = 60;
inline constexpr int kMostHalfTurn = 40;
inline constexpr int kMostWeaponAttack = 9;
inline constexpr int kMostDurability = 8;
inline constexpr int kMostCost = 10;
inline constexpr int kMostFatigue = 10;
inline constexpr int kLeastMargin = -10;
inline constexpr int kMostMargin = 30;

inline constexpr const char* kMomentNames[] = {"turn ended", "turn begins"};
inline constexpr const char* kHeroStateNames[] = {"frozen"};

enum class MinionState : std::uint8_t {
    taunt,
    divine_shield,
    stealth,
    windfury,
    poisonous,
    elusive,
    cannot_attack,
    frozen,
    spell_damage,
    immune,
    gained_effect,
    silenced,
};
inline constexpr int kMinionStates = static_cast<int>(MinionState::silenced) + 1;
inline constexpr const char* kMinionStateNames[kMinionStates] = {
    "taunt",         "divine shield", "stealth",      "windfury", "poisonous",     "elusive",
    "cannot attack", "frozen",        "spell damage", "immune",   "gained effect", "silenced"};

struct FeatureZoneShape {
    const char* name;
    FeatureKind kind;
    int low = 0;   // the first number, or the first of a grid's rows
    int high = 0;  // the last
    int low2 = 0;  // the same for a grid's columns
    int high2 = 0;
    const char* const* words = nullptr;  // of flags

    constexpr int columns() const { return high2 - low2 + 1; }
    // Without cards, whose number depends on the edition.
    constexpr int size() const { return (high - low + 1) * columns(); }
};

namespace zones {

constexpr FeatureZoneShape flags(const char* name, const char* const* words, int count) {
    return {.name = name, .kind = FeatureKind::flags, .high = count - 1, .words = words};
}
constexpr FeatureZoneShape numbers(const char* name, int low, int high) {
    return {.name = name, .kind = FeatureKind::numbers, .low = low, .high = high};
}
constexpr FeatureZoneShape stats(const char* name) {
    return {.name = name, .kind = FeatureKind::grid, .high = kMostStat, .low2 = 1, .high2 = kMostStat};
}
constexpr FeatureZoneShape weapon(const char* name) {
    return {.name = name, .kind = FeatureKind::grid, .high = kMostWeaponAttack, .low2 = 1, .high2 = kMostDurability};
}
constexpr FeatureZoneShape cards(const char* name) { return {.name = name, .kind = FeatureKind::cards}; }

}  // namespace zones

// In the order of the enumeration.
inline constexpr std::array<FeatureZoneShape, kFeatureZones> kZoneShapes = {{
    zones::flags("moment", kMomentNames, 2),
    zones::numbers("half-turn", 0, kMostHalfTurn),
    zones::stats("own minion, turn ended"),
    zones::stats("own minion, turn begins"),
    zones::stats("enemy minion, turn ended"),
    zones::stats("enemy minion, turn begins"),
    zones::flags("own minion state, turn ended", kMinionStateNames, kMinionStates),
    zones::flags("own minion state, turn begins", kMinionStateNames, kMinionStates),
    zones::flags("enemy minion state, turn ended", kMinionStateNames, kMinionStates),
    zones::flags("enemy minion state, turn begins", kMinionStateNames, kMinionStates),
    zones::numbers("own taunt health, turn ended", 1, kMostStat),
    zones::numbers("own taunt health, turn begins", 1, kMostStat),
    zones::numbers("enemy taunt health, turn ended", 1, kMostStat),
    zones::numbers("enemy taunt health, turn begins", 1, kMostStat),
    zones::numbers("own shield attack, turn ended", 0, kMostStat),
    zones::numbers("own shield attack, turn begins", 0, kMostStat),
    zones::numbers("enemy shield attack, turn ended", 0, kMostStat),
    zones::numbers("enemy shield attack, turn begins", 0, kMostStat),
    zones::numbers("own health and armor", 0, kMostLife),
    zones::numbers("enemy health and armor", 0, kMostLife),
    zones::flags("own hero", kHeroStateNames, 1),
    zones::flags("enemy hero", kHeroStateNames, 1),
    zones::weapon("own weapon stats"),
    zones::weapon("enemy weapon stats"),
    zones::numbers("own hand size", 0, kHandLimit),
    zones::numbers("enemy hand size", 0, kHandLimit),
    zones::numbers("own crystals", 0, kCrystalLimit),
    zones::numbers("enemy crystals", 0, kCrystalLimit),
    zones::numbers("own overload", 1, kCrystalLimit),
    zones::numbers("enemy overload", 1, kCrystalLimit),
    zones::numbers("own deck size", 0, kDeckLimit),
    zones::numbers("enemy deck size", 0, kDeckLimit),
    zones::numbers("own fatigue", 1, kMostFatigue),
    zones::numbers("enemy fatigue", 1, kMostFatigue),
    zones::numbers("own secrets", 1, kSecretLimit),
    zones::numbers("enemy secrets", 1, kSecretLimit),
    zones::numbers("own margin", kLeastMargin, kMostMargin),
    zones::numbers("enemy margin", kLeastMargin, kMostMargin),
    zones::numbers("enemy margin in reach", kLeastMargin, kMostMargin),
    zones::numbers("hand cost", 0, kMostCost),
    {.name = "enemy secret of class", .kind = FeatureKind::classes, .high = kClasses},
    {.name = "enemy class", .kind = FeatureKind::classes, .high = kClasses},
    {.name = "pairing", .kind = FeatureKind::pairings, .high = kClasses, .high2 = kClasses},
    zones::cards("hand, affordable"),
    zones::cards("hand, one mana short"),
    zones::cards("hand, two or three mana short"),
    zones::cards("hand, four or more mana short"),
    zones::cards("deck"),
    zones::cards("own board"),
    zones::cards("enemy board"),
    zones::cards("own weapon"),
    zones::cards("enemy weapon"),
    zones::cards("own hero power"),
    zones::cards("enemy hero power"),
    zones::cards("own secret"),
    zones::cards("enemy hand"),
    zones::cards("enemy seen"),
}};

// The first feature of each zone of numbers, and then of the zones of cards.
inline constexpr std::array<int, kNumberZones + 1> kNumberZoneStarts = [] {
    std::array<int, kNumberZones + 1> starts{};
    for (std::size_t zone = 0; zone < kNumberZones; ++zone) starts[zone + 1] = starts[zone] + kZoneShapes[zone].size();
    return starts;
}();
inline constexpr int kFirstCardFeature = kNumberZoneStarts[kNumberZones];

// The zone of the same thing for the other side or the other moment.
constexpr FeatureZone of_side(FeatureZone own, int side) {
    return static_cast<FeatureZone>(static_cast<int>(own) + side);
}
constexpr FeatureZone of_side_and_moment(FeatureZone own, int side, int moment) {
    return static_cast<FeatureZone>(static_cast<int>(own) + 2 * side + moment);
}

}  // namespace deckatlas::hearthstone
