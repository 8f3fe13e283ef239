// The contest's two baseline programs for Legends of Code and Magic, as the referee sees them.
//
// Both plan their whole turn from the state at its start, without search or budget. Their quirks, good or bad, are
// kept, because published results are measured against them. There is one exception: where the first would loop
// forever, without any card, it passes here.
#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstdint>
#include <optional>

#include "agents/locm_command_plan.hpp"
#include "common/fixed_vector.hpp"
#include "locm/battle_game.hpp"

namespace deckatlas::locm {

// Goes over the cards in listed order (hand, own board, enemy board) and uses each if it can; goes over them again only
// if it could use every card, including the enemy's. Summons of one pass share a lane, and passes alternate lanes. A
// creature attacks the first Guard in its lane, even if it is dead by then, else the face. It uses one item per turn:
// green on its first creature, red on the enemy's first, blue on the player. Removing a used item from the list makes
// it skip the next card.
class Baseline1Agent {
public:
    template <std::same_as<BattleGame> G>
    Action choose(const BattleContext& context, const Battle& battle, Rng&) {
        if (!plan_.is_for(battle)) write_turn(context, battle);
        return plan_.next(context.deal, battle);
    }

private:
    enum class Place : std::uint8_t { hand, own, enemy };
    struct Listed {
        Place place;
        CardType type;
        std::uint8_t position;
        std::uint8_t cost;
        std::int8_t lane;  // -1 for a card from the hand, even when it is on the board
        bool charge;
        bool guard;
        bool can_attack;
    };

    // The cards as the program knows them while it plans its turn.
    struct Table {
        Listed cards[kHandLimit + 2 * kSlots];
        int count = 0;
        int mana = 0;
        bool item_used = false;

        void add(const Listed& card) { cards[count++] = card; }
        void remove(int index) { std::copy(cards + index + 1, cards + count--, cards + index); }

        std::optional<int> first(Place place) const {
            for (int i = 0; i < count; ++i) {
                if (cards[i].place == place) return cards[i].position;
            }
            return std::nullopt;
        }
        int attack_target(const Listed& attacker) const {
            for (int i = 0; i < count; ++i) {
                const Listed& card = cards[i];
                if (card.place == Place::enemy && card.guard && card.lane == attacker.lane) return card.position;
            }
            return CommandPlan::kNoCard;
        }
    };

    static Table read(const BattleContext& context, const Battle& battle) {
        Table table;
        table.mana = battle.own().mana;
        for (std::uint32_t hand = battle.own().hand; hand != 0; hand &= hand - 1) {
            const int position = std::countr_zero(hand);
            const Card& card = context.cards[context.deal.decks[battle.active()][position]];
            table.add({Place::hand, card.type, static_cast<std::uint8_t>(position), card.cost, -1,
                       (card.keywords & kCharge) != 0, (card.keywords & kGuard) != 0, false});
        }
        for (const Place place : {Place::own, Place::enemy}) {
            const Side& side = place == Place::own ? battle.own() : battle.enemy();
            for (const Slot slot : slots_in_summoning_order(side)) {
                const Creature creature = side.at(slot);
                table.add({place, CardType::creature, static_cast<std::uint8_t>(creature.position()), 0,
                           static_cast<std::int8_t>(lane_of(slot)), creature.has(kCharge), creature.has(kGuard),
                           place == Place::own});
            }
        }
        return table;
    }

    // The program counts passes in a variable that its draft uses too: its value after the last offer decides the lane
    // of the first creatures.
    static int passes_after_draft(const BattleContext& context) {
        if (!context.draft.has_offers()) return -1;
        const Card& middle = context.cards[context.draft.offers[kPicks - 1][1]];
        return middle.type == CardType::creature && (middle.keywords & kGuard) != 0 ? 1 : 2;
    }

    void write_turn(const BattleContext& context, const Battle& battle) {
        plan_.begin(battle);
        if (!passes_) passes_ = passes_after_draft(context);
        Table table = read(context, battle);
        bool again = true;
        while (again && table.count > 0) {
            ++*passes_;
            again = write_pass(table, *passes_ % kLanes);
        }
    }

    // Returns whether it could use every card.
    bool write_pass(Table& table, int lane) {
        const std::optional<int> own = table.first(Place::own);
        const std::optional<int> enemy = table.first(Place::enemy);
        bool all_of_use = true;
        for (int i = 0; i < table.count; ++i) {
            Listed& card = table.cards[i];
            const bool playable = card.place == Place::hand && card.cost <= table.mana;
            if (playable && card.type == CardType::creature) {
                plan_.summon(card.position, lane);
                table.mana -= card.cost;
                card.place = Place::own;
                card.can_attack = card.charge;
            } else if (card.place == Place::own && card.can_attack) {
                plan_.attack(card.position, table.attack_target(card));
                card.can_attack = false;
            } else if (const auto target = item_target(card, own, enemy); playable && !table.item_used && target) {
                plan_.use(card.position, *target);
                table.mana -= card.cost;
                table.item_used = true;
                table.remove(i);
            } else {
                all_of_use = false;
            }
        }
        return all_of_use;
    }

    static std::optional<int> item_target(const Listed& card, std::optional<int> own, std::optional<int> enemy) {
        switch (card.type) {
            case CardType::green: return own;
            case CardType::red: return enemy;
            case CardType::blue: return CommandPlan::kNoCard;
            default: return std::nullopt;
        }
    }

    CommandPlan plan_;
    std::optional<int> passes_;
};

// Attacks with all creatures, the strongest first: each tries the face, then every Guard, the toughest first. Then it
// summons, the strongest first, in the left lane if there is room, else in the right one. It never uses items.
class Baseline2Agent {
public:
    template <std::same_as<BattleGame> G>
    Action choose(const BattleContext& context, const Battle& battle, Rng&) {
        if (!plan_.is_for(battle)) write_turn(context, battle);
        return plan_.next(context.deal, battle);
    }

private:
    // Deck positions by descending key, in insertion order where keys are equal.
    class Ranked {
    public:
        void add(int key, int position) {
            int place = count_++;
            for (; place > 0 && keys_[place - 1] < key; --place) {
                keys_[place] = keys_[place - 1];
                positions_[place] = positions_[place - 1];
            }
            keys_[place] = key;
            positions_[place] = position;
        }
        const int* begin() const { return positions_; }
        const int* end() const { return positions_ + count_; }

    private:
        int keys_[std::max(kHandLimit, kSlots)];
        int positions_[std::max(kHandLimit, kSlots)];
        int count_ = 0;
    };

    void write_turn(const BattleContext& context, const Battle& battle) {
        const Side& own = battle.own();
        const Side& enemy = battle.enemy();
        Ranked attackers, guards, hand;
        for (const Slot slot : slots_in_summoning_order(own)) {
            attackers.add(own.at(slot).attack(), own.at(slot).position());
        }
        for (const Slot slot : slots_in_summoning_order(enemy)) {
            if (enemy.at(slot).has(kGuard)) guards.add(enemy.at(slot).defense(), enemy.at(slot).position());
        }
        for (std::uint32_t left = own.hand; left != 0; left &= left - 1) {
            const int position = std::countr_zero(left);
            const Card& card = context.cards[context.deal.decks[battle.active()][position]];
            if (card.type == CardType::creature) hand.add(card.attack, position);
        }
        plan_.begin(battle);
        for (const int attacker : attackers) {
            plan_.attack(attacker, CommandPlan::kNoCard);
            for (const int guard : guards) plan_.attack(attacker, guard);
        }
        for (const int position : hand) {
            for (int lane = 0; lane < kLanes; ++lane) plan_.summon(position, lane);
        }
    }

    CommandPlan plan_;
};

}  // namespace deckatlas::locm
