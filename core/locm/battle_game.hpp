// The battle of Legends of Code and Magic as a `Game`: the interface for agents and runners.
#pragma once

#include <cstdint>

#include "common/game.hpp"
#include "locm/actions.hpp"
#include "locm/battle.hpp"
#include "locm/cards.hpp"
#include "locm/draft.hpp"
#include "locm/rules.hpp"

namespace deckatlas::locm {

// The constants of a battle. Agents that reason about hidden cards use the draft: they know its offers and their own
// picks, but not the opponent's picks.
struct BattleContext {
    const CardTable& cards;
    const Deal& deal;
    const Draft& draft;
};

// Hash of one side: a sum over its creatures, which is the same in any order, and its numbers and cards.
constexpr std::uint64_t hash_side(const Side& side) {
    std::uint64_t board = 0;
    for (int lane = 0; lane < kLanes; ++lane) {
        for (int i = 0; i < side.count[lane]; ++i) {
            const Slot slot = slot_of(lane, i);
            const auto flags = static_cast<std::uint64_t>((side.ready >> slot & 1) | (side.attacked >> slot & 1) << 1);
            const std::uint64_t creature =
                side.lanes[lane][i].bits() | flags << 32 | static_cast<std::uint64_t>(lane + 1) << 40;
            board += folded_product(creature ^ 0x9E3779B97F4A7C15ull, 0xBF58476D1CE4E5B9ull);
        }
    }
    const std::uint64_t numbers =
        static_cast<std::uint64_t>(side.mana) | static_cast<std::uint64_t>(side.max_mana) << 8 |
        static_cast<std::uint64_t>(side.bonus_mana) << 16 | static_cast<std::uint64_t>(side.runes) << 24 |
        static_cast<std::uint64_t>(side.next_draw) << 32 | static_cast<std::uint64_t>(side.drawn) << 40;
    const std::uint64_t hand_and_health =
        side.hand | static_cast<std::uint64_t>(static_cast<std::uint32_t>(side.health)) << 32;
    return board + folded_product(hand_and_health ^ 0x94D049BB133111EBull, numbers ^ 0xD1B54A32D192ED03ull);
}

// A hash of everything that matters for the rest of the battle. The creatures of a lane are hashed as a set: summoning
// order only affects listings, so transposed turns get the same hash. The two sides are hashed independently, so that
// neither waits for the other; different constants in the last product distinguish the sides.
constexpr std::uint64_t hash_battle(const Battle& battle) {
    const std::uint64_t sides = folded_product(hash_side(battle.sides[0]) ^ 0xA0761D6478BD642Full,
                                               hash_side(battle.sides[1]) ^ 0xE7037ED1A0B428DBull);
    return mix64(sides + static_cast<std::uint64_t>(battle.turn) * 0x9E3779B97F4A7C15ull);
}

struct BattleGame {
    using Context = BattleContext;
    using State = Battle;
    using Action = locm::Action;
    using ActionList = locm::ActionList;

    static constexpr int player_to_move(const State& state) { return state.active(); }
    static constexpr bool is_over(const State& state) { return locm::is_over(state); }
    static constexpr int winner(const State& state) { return locm::winner(state); }
    static constexpr bool ends_turn(Action action) { return action.kind == ActionKind::pass; }
    static constexpr std::uint64_t hash(const State& state) { return hash_battle(state); }
    static constexpr void legal_actions(const Context& context, const State& state, ActionList& actions) {
        locm::legal_actions(context.deal, state, actions);
    }
    static constexpr Action random_action(const Context& context, const State& state, Rng& rng) {
        return locm::random_action(context.deal, state, rng);
    }
    // A battle draws no random numbers: its shuffles are part of the deal.
    static constexpr void apply(const Context& context, State& state, Action action, Rng&) {
        locm::apply(context.cards, context.deal, state, action);
    }
};
static_assert(SamplesActions<BattleGame>);

}  // namespace deckatlas::locm
