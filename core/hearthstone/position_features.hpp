// Hearthstone: a position as one player sees it, as a list of active features for a network.
//
// A feature may be listed twice: two copies of a card. Only what the player can see is used. A position in the middle
// of a turn is listed as if the turn ended now and the next one had begun: effects for this turn, mana spent and
// attacks made do not count, and the player to move next has drawn its card. What that card is, and the effects that
// the end and the start of a turn trigger, are not foreseen.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "common/fixed_vector.hpp"
#include "common/inlining.hpp"
#include "hearthstone/card_reach.hpp"
#include "hearthstone/costs.hpp"
#include "hearthstone/feature_zones.hpp"
#include "hearthstone/turn_end.hpp"
#include "hearthstone/view.hpp"

namespace deckatlas::hearthstone {

using Feature = std::uint16_t;

// Who moves next: the enemy, or the player.
enum class Moment : std::uint8_t { turn_ended, turn_begins };

// The worst case: for each of 14 minions its card, stats, states, taunt and shield; each card in the own hand twice (as
// a card and by its cost); the own deck; known and seen cards of the enemy; own and enemy secrets; for each side at
// most twelve of health, hero state, weapon twice, hand, crystals, overload, deck, fatigue, secrets, margin and hero
// power; and the margin in reach, moment, half-turn, class and pairing.
inline constexpr std::size_t kMostFeatures = std::size_t{2 * kBoardLimit} * (4 + kMinionStates) + 2 * kHandLimit +
                                             kDeckLimit + kHandLimit + kMostSeen + 2 * kSecretLimit + 2 * 12 + 5;
using FeatureList = FixedVector<Feature, kMostFeatures>;

// The features of an edition: a feature's number is the start of its zone plus a card or the place of a number.
class PositionFeatures {
public:
    static constexpr std::size_t kMostCardsInEdition = (65535 - kFirstCardFeature) / kCardZones;

    // The edition has at most kMostCardsInEdition cards, and lives as long as this.
    explicit PositionFeatures(const CardSet& cards)
        : cards_(&cards), size_(static_cast<int>(cards.cards.size())), reach_(cards) {}

    std::size_t count() const {
        return static_cast<std::size_t>(kFirstCardFeature + static_cast<int>(kCardZones) * size_);
    }

    int first_of(FeatureZone zone) const {
        const auto at = static_cast<std::size_t>(zone);
        return at < kNumberZones ? kNumberZoneStarts[at]
                                 : kFirstCardFeature + static_cast<int>(at - kNumberZones) * size_;
    }
    int size_of(FeatureZone zone) const {
        const auto at = static_cast<std::size_t>(zone);
        return at < kNumberZones ? kZoneShapes[at].size() : size_;
    }
    FeatureZone zone_of(Feature feature) const {
        if (feature >= kFirstCardFeature)
            return static_cast<FeatureZone>(static_cast<int>(kNumberZones) + (feature - kFirstCardFeature) / size_);
        const auto* const next = std::upper_bound(kNumberZoneStarts.begin(), kNumberZoneStarts.end(), feature);
        return static_cast<FeatureZone>(next - kNumberZoneStarts.begin() - 1);
    }

    // For people: the zone, and the card's title or the number.
    std::string name_of(Feature feature) const {
        const FeatureZone zone = zone_of(feature);
        const FeatureZoneShape& shape = kZoneShapes[static_cast<std::size_t>(zone)];
        return std::string(shape.name) + ": " + entry_name(shape, feature - first_of(zone));
    }

    // Replaces the contents of `out`.
    void list(const State& state, int player, Moment moment, FeatureList& out) const;

    // The same without the cards of the own deck and those seen of the enemy's, for callers that keep their sums.
    void list_what_changes(const State& state, int player, Moment moment, FeatureList& out) const;
    Feature of_card(FeatureZone zone, CardId card) const { return static_cast<Feature>(first_of(zone) + card); }

    const CardSet& cards() const { return *cards_; }

private:
    class Listing;

    std::string entry_name(const FeatureZoneShape& shape, int entry) const {
        const int row = entry / shape.columns();
        const int column = entry % shape.columns();
        switch (shape.kind) {
            case FeatureKind::flags: return shape.words[entry];
            case FeatureKind::numbers: return std::to_string(shape.low + entry);
            case FeatureKind::grid: return std::to_string(shape.low + row) + "/" + std::to_string(shape.low2 + column);
            case FeatureKind::classes: return kClassNames[entry];
            case FeatureKind::pairings: return std::string(kClassNames[row]) + " against " + kClassNames[column];
            case FeatureKind::cards: return cards_->names.titles[static_cast<std::size_t>(entry)];
        }
        return {};
    }

    const CardSet* cards_;
    int size_;  // cards of the edition, with those that stand for hidden ones
    CardReaches reach_;
};

// Lists one position.
class PositionFeatures::Listing {
public:
    Listing(const PositionFeatures& features, const State& state, int player, Moment moment, FeatureList& out)
        : features_(features),
          cards_(*features.cards_),
          state_(state),
          player_(player),
          moment_(static_cast<int>(moment)),
          next_(moment == Moment::turn_begins ? player : player ^ 1),
          begun_(state.active == next_),
          out_(out) {}

    void list_what_changes() {
        add_number(FeatureZone::moment, moment_);
        add_number(FeatureZone::half_turn, state_.turn + !begun_);
        list_board(player_);
        list_board(player_ ^ 1);
        list_side(player_, 0);
        list_side(player_ ^ 1, 1);
        list_hand();
        list_own_secrets();
        list_hidden_cards();
        list_classes();
    }

    void list_the_rest() {
        const Player& own = state_.players[player_];
        const Player& enemy = state_.players[player_ ^ 1];
        for (int i = 0; i < own.deck_size; ++i) add_card(FeatureZone::deck, own.deck[i]);
        for (int i = 0; i < enemy.seen_count; ++i) add_card(FeatureZone::enemy_seen, enemy.seen[i]);
    }

private:
    // What a side can do and stop, to see how close the heroes are to death.
    struct Forces {
        int attack = 0;
        int wall = 0;
    };

    void add(FeatureZone zone, int entry) {
        out_.push_back(static_cast<Feature>(kNumberZoneStarts[static_cast<std::size_t>(zone)] + entry));
    }
    void add_number(FeatureZone zone, int number) {
        const FeatureZoneShape& shape = kZoneShapes[static_cast<std::size_t>(zone)];
        add(zone, std::clamp(number, shape.low, shape.high) - shape.low);
    }
    // Zero needs no row.
    void add_positive(FeatureZone zone, int number) {
        if (number > 0) add_number(zone, number);
    }
    void add_pair(FeatureZone zone, int row, int column) {
        const FeatureZoneShape& shape = kZoneShapes[static_cast<std::size_t>(zone)];
        add(zone, (std::clamp(row, shape.low, shape.high) - shape.low) * shape.columns() +
                      std::clamp(column, shape.low2, shape.high2) - shape.low2);
    }
    void add_card(FeatureZone zone, CardId card) {
        const int place = static_cast<int>(zone) - static_cast<int>(kNumberZones);
        out_.push_back(static_cast<Feature>(kFirstCardFeature + place * features_.size_ + card));
    }

    // Whether this player's turn is taken as ended, though it has not.
    bool is_ending(int player) const { return !begun_ && player != next_; }

    void list_board(int owner) {
        for (int i = 0; i < state_.players[owner].board_size; ++i) {
            const Minion& minion = state_.on_board(owner, i);
            const int holder = minion.borrowed && is_ending(owner) ? owner ^ 1 : owner;
            list_minion(minion, owner, holder == player_ ? 0 : 1);
        }
    }

    void list_minion(const Minion& minion, int owner, int side) {
        std::uint32_t keywords = minion.keywords | minion.aura_keywords | minion.lasting_keywords;
        if (is_ending(owner) && thaws(cards_, minion)) keywords &= ~kFrozen;
        if (!begun_ && owner == next_ && (keywords & kStealthUntilTurn) != 0) keywords &= ~kStealth;
        const int health = minion.current_health();
        const int attack =
            std::max(0, (keywords & kAttackEqualsHealth) != 0 ? health : minion.attack + minion.aura_attack);
        if (!minion.is_silent()) add_card(of_side(FeatureZone::own_board, side), minion.card);
        add_pair(of_side_and_moment(FeatureZone::own_stats_ended, side, moment_), attack, health);
        if ((keywords & kListed) != 0 || minion.spell_damage > 0 || minion.attached > 0)
            list_states(minion, keywords, attack, health, side);
        count_forces(keywords, attack, health, side);
    }

    void list_states(const Minion& minion, std::uint32_t keywords, int attack, int health, int side) {
        const FeatureZone zone = of_side_and_moment(FeatureZone::own_states_ended, side, moment_);
        const auto note = [&](MinionState state, bool has) {
            if (has) add(zone, static_cast<int>(state));
        };
        note(MinionState::taunt, (keywords & kTaunt) != 0);
        note(MinionState::divine_shield, (keywords & kDivineShield) != 0);
        note(MinionState::stealth, (keywords & kStealth) != 0);
        note(MinionState::windfury, (keywords & kWindfury) != 0);
        note(MinionState::poisonous, (keywords & kPoisonous) != 0);
        note(MinionState::elusive, (keywords & kElusive) != 0);
        note(MinionState::cannot_attack, (keywords & kCantAttack) != 0);
        note(MinionState::frozen, (keywords & kFrozen) != 0);
        note(MinionState::spell_damage, minion.spell_damage > 0 || (keywords & kSpellDamage) != 0);
        note(MinionState::immune, (keywords & kImmune) != 0);
        note(MinionState::gained_effect, minion.attached > 0);
        note(MinionState::silenced, (keywords & kSilenced) != 0);
        if ((keywords & kTaunt) != 0)
            add_number(of_side_and_moment(FeatureZone::own_taunt_ended, side, moment_), health);
        if ((keywords & kDivineShield) != 0)
            add_number(of_side_and_moment(FeatureZone::own_shield_ended, side, moment_), attack);
    }

    void count_forces(std::uint32_t keywords, int attack, int health, int side) {
        if ((keywords & (kCantAttack | kCantAttackHeroes | kFrozen)) == 0)
            forces_[side].attack += attack * ((keywords & kWindfury) != 0 ? 2 : 1);
        if ((keywords & kTaunt) != 0 && (keywords & (kStealth | kImmune)) == 0)
            forces_[side].wall += health + ((keywords & kDivineShield) != 0);
    }

    // The heroes and what belongs to them; both boards were listed before.
    void list_side(int player, int side) {
        const Player& own = state_.players[player];
        const bool frozen = own.frozen && !(is_ending(player) && thaws(own));
        if (frozen) add(of_side(FeatureZone::own_hero_state, side), 0);
        if (own.weapon.card != 0) {
            const int attack = weapon_attack(own.weapon);
            add_card(of_side(FeatureZone::own_weapon, side), own.weapon.card);
            add_pair(of_side(FeatureZone::own_weapon_stats, side), attack, own.weapon.durability);
            if (!frozen) forces_[side].attack += attack;
        }
        add_card(of_side(FeatureZone::own_power, side), own.power);
        list_mana(own, player, side);
        add_positive(of_side(FeatureZone::own_secret_count, side), own.secret_count);
        // The card that the next turn starts with.
        const bool draws = !begun_ && player == next_;
        const bool tires = draws && own.deck_size == 0;
        const int fatigue = own.fatigue + tires;
        const int life = own.health + own.armor - (tires ? fatigue : 0);
        add_number(of_side(FeatureZone::own_hand_size, side), own.hand_size + (draws && !tires));
        add_number(of_side(FeatureZone::own_deck_size, side), own.deck_size - (draws && !tires));
        add_positive(of_side(FeatureZone::own_fatigue, side), fatigue);
        add_number(of_side(FeatureZone::own_life, side), life);
        lives_[side] = life;
        if (side == 1) list_margins();
    }

    // What remains of a hero after everything that can attack it does, with Taunts in the way.
    void list_margins() {
        for (int side = 0; side < 2; ++side) {
            const int damage = std::max(0, forces_[side ^ 1].attack - forces_[side].wall);
            margins_[side] = lives_[side] - damage;
            add_number(of_side(FeatureZone::own_margin, side), margins_[side]);
        }
    }

    // Of a player's next turn, or of the one that has just begun.
    void list_mana(const Player& own, int player, int side) {
        const bool begun = begun_ && player == next_;
        const int crystals = begun ? own.crystals : std::min(own.crystals + 1, kCrystalLimit);
        const int overload = begun ? own.overload_locked : own.overload_owed;
        add_number(of_side(FeatureZone::own_crystals, side), crystals);
        add_positive(of_side(FeatureZone::own_overload, side), overload);
        if (side == 0) mana_ = begun ? mana_of(cards_, own) : crystals - overload;
    }

    void list_hand() {
        const Player& own = state_.players[player_];
        const bool now = begun_ && player_ == next_;
        bool all_last = true;
        for (int i = 0; i < own.enchantment_count; ++i) all_last &= now || outlasts_turn(own.enchantments[i]);
        if (all_last) {
            list_hand(Costs(cards_, state_, player_));
        } else {
            list_hand_without_temporary_costs();
        }
    }

    DECKATLAS_OUTLINE void list_hand_without_temporary_costs() {
        State later;
        copy_state(state_, later);
        Player& own = later.players[player_];
        int kept = 0;
        for (int i = 0; i < own.enchantment_count; ++i) {
            if (outlasts_turn(own.enchantments[i])) own.enchantments[kept++] = own.enchantments[i];
        }
        own.enchantment_count = static_cast<std::uint8_t>(kept);
        list_hand(Costs(cards_, later, player_));
    }

    void list_hand(const Costs& costs) {
        const Player& own = state_.players[player_];
        ReachWithMana reach(mana_, own.board_size, weapon_attack(own.weapon));
        reach.add(cards_[own.power].cost, features_.reach_[own.power]);
        for (int i = 0; i < own.hand_size; ++i) {
            const int cost = costs.of(i);
            const int missing = cost - mana_;
            reach.add(cost, features_.reach_[own.hand[i].card]);
            const int zone = (missing > 0) + (missing > 1) + (missing > 3);
            add_card(static_cast<FeatureZone>(static_cast<int>(FeatureZone::hand_affordable) + zone), own.hand[i].card);
            add_number(FeatureZone::hand_cost, cost);
        }
        add_number(FeatureZone::enemy_margin_in_reach, margins_[1] - reach.most());
    }

    void list_own_secrets() {
        const Player& own = state_.players[player_];
        for (int i = 0; i < own.secret_count; ++i) add_card(FeatureZone::own_secret, own.secrets[i].card);
    }

    void list_hidden_cards() {
        const Player& enemy = state_.players[player_ ^ 1];
        for (int i = 0; i < enemy.hand_size; ++i) {
            if (!is_hidden(enemy.hand[i])) add_card(FeatureZone::enemy_revealed, enemy.hand[i].card);
        }
        for (int i = 0; i < enemy.secret_count; ++i)
            add(FeatureZone::enemy_secret_class, static_cast<int>(cards_[enemy.secrets[i].card].hero_class));
    }

    void list_classes() {
        const int own = static_cast<int>(state_.players[player_].hero_class);
        const int enemy = static_cast<int>(state_.players[player_ ^ 1].hero_class);
        add(FeatureZone::enemy_class, enemy);
        add_pair(FeatureZone::pairing, own, enemy);
    }

    static constexpr std::uint32_t kListed = kTaunt | kDivineShield | kStealth | kWindfury | kPoisonous | kElusive |
                                             kCantAttack | kFrozen | kSpellDamage | kImmune | kSilenced;

    const PositionFeatures& features_;
    const CardSet& cards_;
    const State& state_;
    const int player_;
    const int moment_;
    const int next_;    // the player who moves next
    const bool begun_;  // whether its turn has begun
    FeatureList& out_;
    Forces forces_[2];
    int lives_[2] = {};
    int margins_[2] = {};
    int mana_ = 0;  // for the own hand
};

inline void PositionFeatures::list(const State& state, int player, Moment moment, FeatureList& out) const {
    list_what_changes(state, player, moment, out);
    Listing(*this, state, player, moment, out).list_the_rest();
}

inline void PositionFeatures::list_what_changes(const State& state, int player, Moment moment, FeatureList& out) const {
    out.clear();
    Listing(*this, state, player, moment, out).list_what_changes();
}

}  // namespace deckatlas::hearthstone
