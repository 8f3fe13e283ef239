// Hearthstone: evaluates selectors, filters, numbers and conditions; changes nothing.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "common/fixed_vector.hpp"
#include "hearthstone/state.hpp"

namespace deckatlas::hearthstone {

// The point of view of an effect.
struct Scope {
    std::uint8_t controller = 0;
    Ref self;
    Ref target;
    Ref event_source;
    Ref event_target;
    Ref last_summoned;
    Ref each;
    std::int16_t amount = 0;
    CardId card = 0;              // the card of the effect
    CardId played_card = 0;       // the card being played or cast, if the event has one
    std::int8_t hand_place = -1;  // of a card whose own cost is computed
    std::int8_t last_drawn = -1;  // place in the hand of `last_drawn_by`
    std::uint8_t last_drawn_by = 0;
    CardId last_drawn_card = 0;  // even if a full hand burnt it
};

inline constexpr std::size_t kMostSelected = 2 * kBoardLimit + 2;  // all characters
using Selection = FixedVector<Ref, kMostSelected>;

// A card in a hand or a deck.
struct CardPlace {
    std::uint8_t player;
    std::uint8_t index;
};
inline constexpr std::size_t kMostCards = 2 * kDeckLimit;  // both decks
inline constexpr int kMostAmount = 1'000'000;              // limit of numbers: no field could store a larger one
using CardSelection = FixedVector<CardPlace, kMostCards>;

// The cost of a card in a hand without changes by others (costs.hpp).
inline int base_cost_in_hand(const CardSet& cards, const State& state, int player, int index);

class Look {
public:
    Look(const CardSet& cards, const State& state, const Scope& scope) : cards_(cards), state_(state), scope_(scope) {}

    // Everything that a selector selects, before any random pick.
    void select(const Selector& selector, Selection& out) const {
        const auto add = [&](Ref ref) {
            if (ref.exists() && !is_excepted(selector.except, ref) && passes(selector, ref)) out.push_back(ref);
        };
        switch (selector.base) {
            case Base::self: add(scope_.self); break;
            case Base::target: add(scope_.target); break;
            case Base::event_source: add(scope_.event_source); break;
            case Base::event_target: add(scope_.event_target); break;
            case Base::last_summoned: add(scope_.last_summoned); break;
            case Base::each: add(scope_.each); break;
            case Base::minions: each_side(selector.side, [&](int player) { each_minion(player, add); }); break;
            case Base::characters: each_character(selector.side, add); break;
            case Base::hero: each_side(selector.side, [&](int player) { add(Ref::hero(player)); }); break;
            case Base::weapon:
                each_side(selector.side, [&](int player) {
                    if (state_.players[player].weapon.card != 0) add(Ref::weapon(player));
                });
                break;
            case Base::adjacent_to_self: each_adjacent(scope_.self, add); break;
            case Base::adjacent_to_target: each_adjacent(scope_.target, add); break;
            case Base::target_and_adjacent:
                add(scope_.target);
                each_adjacent(scope_.target, add);
                break;
            case Base::none:
            case Base::last_drawn:
            case Base::hand:
            case Base::deck:
            case Base::died_this_turn:
            case Base::secrets: break;
        }
    }

    // The same for cards in hands and decks.
    void select_cards(const Selector& selector, CardSelection& out) const {
        const auto add = [&](int player, int index, CardId card) {
            if (passes_as_card(selector.filters[0], card) && passes_as_card(selector.filters[1], card))
                out.push_back({static_cast<std::uint8_t>(player), static_cast<std::uint8_t>(index)});
        };
        if (selector.base == Base::last_drawn) {
            const Player& drawer = state_.players[scope_.last_drawn_by];
            if (scope_.last_drawn >= 0 && scope_.last_drawn < drawer.hand_size)
                add(scope_.last_drawn_by, scope_.last_drawn, drawer.hand[scope_.last_drawn].card);
            return;
        }
        each_side(selector.side, [&](int player) {
            const Player& owner = state_.players[player];
            if (selector.base == Base::hand) {
                for (int i = 0; i < owner.hand_size; ++i) {
                    if (selector.except == Except::self && player == scope_.controller && i == scope_.hand_place)
                        continue;
                    add(player, i, owner.hand[i].card);
                }
            } else if (selector.base == Base::deck) {
                for (int i = 0; i < owner.deck_size; ++i) add(player, i, owner.deck[i]);
            } else if (selector.base == Base::died_this_turn) {
                for (int i = 0; i < owner.died_count; ++i) add(player, i, owner.died[i]);
            }
        });
    }

    bool holds_cards(const Selector& selector) const {
        return selector.base == Base::hand || selector.base == Base::deck || selector.base == Base::last_drawn ||
               selector.base == Base::died_this_turn;
    }

    int count(const Selector& selector) const {
        if (selector.base == Base::secrets) {
            int total = 0;
            each_side(selector.side, [&](int player) { total += state_.players[player].secret_count; });
            return total;
        }
        if (holds_cards(selector)) {
            CardSelection chosen;
            select_cards(selector, chosen);
            return static_cast<int>(chosen.size());
        }
        Selection chosen;
        select(selector, chosen);
        return static_cast<int>(chosen.size());
    }

    // Whether a selector selects something, in play or not: dead minions can be tested too.
    bool describes(const Selector& selector, Ref ref) const {
        if (!ref.exists() || is_excepted(selector.except, ref) || !passes(selector, ref)) return false;
        const int controller = controller_of(ref);
        const bool on_side =
            selector.side == Side::all || (selector.side == Side::mine) == (controller == scope_.controller);
        switch (selector.base) {
            case Base::minions: return ref.is_minion() && on_side;
            case Base::characters: return ref.is_character() && on_side;
            case Base::hero: return ref.is_hero() && on_side;
            case Base::weapon: return ref.is_weapon() && on_side;
            case Base::hand: return on_side;  // where a played card was
            case Base::event_source:
            case Base::event_target: return true;
            default: {
                Selection chosen;
                select(selector, chosen);
                for (const Ref each : chosen) {
                    if (each == ref) return true;
                }
                return false;
            }
        }
    }

    // A number; callers with a random source handle `random_between`.
    int value(const Number& number) const {
        if (number.kind == NumberKind::constant) return number.offset;
        const std::int64_t exact = std::int64_t{number.factor} * quantity(number) + number.offset;
        return static_cast<int>(std::clamp<std::int64_t>(exact, -kMostAmount, kMostAmount));
    }

    bool holds(const Condition& condition) const {
        if (condition.kind == ConditionKind::always) return !condition.negated;
        return fact(condition) != condition.negated;
    }

    int attack_of(Ref ref) const {
        if (ref.is_minion()) return state_.minions[ref.place()].current_attack();
        if (ref.is_hero()) return hero_attack(state_, ref.player());
        if (ref.is_weapon()) return weapon_attack(state_.players[ref.player()].weapon);
        return 0;
    }

    int own_attack_of(Ref ref) const {
        if (!ref.is_minion()) return attack_of(ref);
        const Minion& minion = state_.minions[ref.place()];
        return minion.attack + minion.attack_this_turn;
    }

    int health_of(Ref ref) const {
        if (ref.is_minion()) return state_.minions[ref.place()].current_health();
        if (ref.is_hero()) return state_.players[ref.player()].health;
        return 0;
    }

    int max_health_of(Ref ref) const {
        if (ref.is_minion()) return state_.minions[ref.place()].max_health();
        return ref.is_hero() ? state_.players[ref.player()].max_health : 0;
    }

    // The card at a place of a hand, a deck or among the dead.
    CardId card_at(Base base, CardPlace place) const {
        const Player& owner = state_.players[place.player];
        if (base == Base::deck) return owner.deck[place.index];
        if (base == Base::died_this_turn) return owner.died[place.index];
        return owner.hand[place.index].card;
    }

    int controller_of(Ref ref) const { return ref.is_minion() ? state_.minions[ref.place()].owner : ref.player(); }

    bool is_alive(Ref ref) const {
        if (ref.is_minion()) {
            const Minion& minion = state_.minions[ref.place()];
            const bool has_health = minion.current_health() > 0 || (cards_.rules & kMortalWoundsAreFinal) != 0;
            return minion.zone == Zone::board && !minion.destroyed && has_health;
        }
        return ref.is_hero() && state_.players[ref.player()].health > 0;
    }

    bool passes(const Filter& filter, Ref ref) const {
        const int value = filter.value;
        switch (filter.kind) {
            case FilterKind::anything: return true;
            case FilterKind::damaged: return is_damaged(ref);
            case FilterKind::undamaged: return !is_damaged(ref);
            case FilterKind::attack_at_most: return attack_of(ref) <= value;
            case FilterKind::attack_at_least: return attack_of(ref) >= value;
            case FilterKind::health_at_most: return health_of(ref) <= value;
            case FilterKind::has_keyword: return has_keyword(ref, 1u << value);
            case FilterKind::alive: return is_alive(ref);
            case FilterKind::friendly: return controller_of(ref) == scope_.controller;
            default: return passes_as_card(filter, card_of(ref));
        }
    }

    CardId card_of(Ref ref) const {
        if (ref.is_minion()) return state_.minions[ref.place()].card;
        if (ref.is_hero()) return state_.players[ref.player()].hero;
        if (ref.is_weapon()) return state_.players[ref.player()].weapon.card;
        if (ref.is_held()) return state_.players[ref.player()].hand[ref.hand_index()].card;
        return scope_.played_card;
    }

    bool passes_as_card(const Filter& filter, CardId id) const {
        const Card& card = cards_[id];
        switch (filter.kind) {
            case FilterKind::anything: return true;
            case FilterKind::race: return card.race == static_cast<Race>(filter.value);
            case FilterKind::type: return card.type == static_cast<CardType>(filter.value);
            case FilterKind::secret: return card.secret;
            case FilterKind::has_overload: return card.overload > 0;
            case FilterKind::not_card: return id != static_cast<CardId>(filter.value);
            case FilterKind::odd_cost: return card.cost % 2 == 1;
            case FilterKind::even_cost: return card.cost % 2 == 0;
            case FilterKind::attack_at_most: return card.attack <= filter.value;
            case FilterKind::attack_at_least: return card.attack >= filter.value;
            default: return false;
        }
    }

private:
    template <class Do>
    void each_side(Side side, const Do& act) const {
        if (side != Side::enemy) act(scope_.controller);
        if (side != Side::mine) act(scope_.controller ^ 1);
    }

    template <class Do>
    void each_minion(int player, const Do& act) const {
        const Player& owner = state_.players[player];
        for (int i = 0; i < owner.board_size; ++i) act(Ref::minion(owner.board[i]));
    }

    template <class Do>
    void each_character(Side side, const Do& act) const {
        if (side != Side::all) {
            const int player = side == Side::mine ? scope_.controller : scope_.controller ^ 1;
            act(Ref::hero(player));
            each_minion(player, act);
            return;
        }
        each_side(side, [&](int player) { each_minion(player, act); });
        each_side(side, [&](int player) { act(Ref::hero(player)); });
    }

    template <class Do>
    void each_adjacent(Ref middle, const Do& act) const {
        if (!middle.is_minion()) return;
        const Player& owner = state_.players[state_.minions[middle.place()].owner];
        for (int i = 0; i < owner.board_size; ++i) {
            if (owner.board[i] != middle.place()) continue;
            if (i > 0) act(Ref::minion(owner.board[i - 1]));
            if (i + 1 < owner.board_size) act(Ref::minion(owner.board[i + 1]));
        }
    }

    bool is_excepted(Except except, Ref ref) const {
        switch (except) {
            case Except::nothing: return false;
            case Except::self: return ref == scope_.self;
            case Except::target: return ref == scope_.target;
            case Except::attacker_and_defender: return ref == scope_.event_source || ref == scope_.event_target;
        }
        return false;
    }

    bool passes(const Selector& selector, Ref ref) const {
        if (selector.filters[0].kind == FilterKind::anything && selector.filters[1].kind == FilterKind::anything)
            return true;
        return passes(selector.filters[0], ref) && passes(selector.filters[1], ref);
    }

    bool is_damaged(Ref ref) const {
        if (ref.is_minion()) return state_.minions[ref.place()].damage > 0;
        if (!ref.is_hero()) return false;
        const Player& owner = state_.players[ref.player()];
        return owner.health < owner.max_health;
    }

    bool has_keyword(Ref ref, std::uint32_t keyword) const {
        if (ref.is_minion()) return state_.minions[ref.place()].has(keyword);
        if (!ref.is_hero()) return (cards_[card_of(ref)].keywords & keyword) != 0;
        const Player& owner = state_.players[ref.player()];
        return keyword == kFrozen ? owner.frozen : (owner.hero_keywords_this_turn & keyword) != 0;
    }

    template <class Of>
    int sum(TableIndex selector, const Of& of) const {
        Selection chosen;
        select(cards_.selectors[selector], chosen);
        int total = 0;
        for (const Ref ref : chosen) total += of(ref);
        return total;
    }

    int quantity(const Number& number) const {
        const int player = number.side == Side::enemy ? scope_.controller ^ 1 : scope_.controller;
        const Player& owner = state_.players[player];
        switch (number.kind) {
            case NumberKind::constant:
            case NumberKind::random_between: return 0;
            case NumberKind::count: return count(cards_.selectors[number.selector]);
            case NumberKind::attack: return sum(number.selector, [this](Ref ref) { return attack_of(ref); });
            case NumberKind::own_attack: return sum(number.selector, [this](Ref ref) { return own_attack_of(ref); });
            case NumberKind::health: return sum(number.selector, [this](Ref ref) { return health_of(ref); });
            case NumberKind::drawn_cost: return cards_[scope_.last_drawn_card].cost;
            case NumberKind::base_cost: return sum_of_cards(number.selector, base_cost_in_hand);
            case NumberKind::armor: return owner.armor;
            case NumberKind::durability: return owner.weapon.card != 0 ? owner.weapon.durability : 0;
            case NumberKind::hand_size: return owner.hand_size;
            case NumberKind::played_before: return owner.cards_played - 1;
            case NumberKind::free_slots: return kBoardLimit - owner.board_size;
            case NumberKind::event_amount: return scope_.amount;
            case NumberKind::damage_taken: return owner.max_health - owner.health;
            case NumberKind::max_health: return sum(number.selector, [this](Ref ref) { return max_health_of(ref); });
            case NumberKind::hand_difference: {
                const int more =
                    state_.players[scope_.controller ^ 1].hand_size - state_.players[scope_.controller].hand_size;
                return more > 0 ? more : 0;
            }
        }
        return 0;
    }

    template <class Of>
    int sum_of_cards(TableIndex selector, const Of& of) const {
        CardSelection chosen;
        select_cards(cards_.selectors[selector], chosen);
        int total = 0;
        for (const CardPlace place : chosen) total += of(cards_, state_, place.player, place.index);
        return total;
    }

    bool fact(const Condition& condition) const {
        const Player& owner = state_.players[scope_.controller];
        switch (condition.kind) {
            case ConditionKind::always: return true;
            case ConditionKind::at_least: return count(cards_.selectors[condition.selector]) >= condition.value;
            case ConditionKind::board_space: return owner.board_size < kBoardLimit;
            case ConditionKind::full_mana: return owner.crystals >= kCrystalLimit;
            case ConditionKind::power_is: return owner.power == static_cast<CardId>(condition.value);
            case ConditionKind::no_minion_played: return owner.minions_played == 0;
            case ConditionKind::holding_weapon: return owner.weapon.card != 0;
            case ConditionKind::nobody_played_minion:
                return state_.players[0].minions_played + state_.players[1].minions_played == 0;
            case ConditionKind::coin_flip: return false;  // callers with a random source handle it
        }
        return false;
    }

    const CardSet& cards_;
    const State& state_;
    const Scope& scope_;
};

}  // namespace deckatlas::hearthstone
