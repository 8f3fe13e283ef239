// The ratings of what a state of Hearthstone leads to, for other states of the same turn that differ from it only in
// the order of the own minions.
//
// A beam often keeps the same state several times, with the last played minion at different positions. Where no effect
// depends on the order, an action leads to the same rating from all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "common/fixed_vector.hpp"
#include "hearthstone/actions.hpp"
#include "hearthstone/state.hpp"

namespace deckatlas::hearthstone {

// Whether two states of a player's turn are the same except for the order of its minions. May be false too often: bytes
// without meaning are compared too.
inline bool differ_in_order_alone(const State& a, const State& b, int player) {
    if (a.occupied != b.occupied || a.players[player].board_size != b.players[player].board_size) return false;
    const auto same = [&](std::size_t begin, std::size_t end) {
        return std::memcmp(reinterpret_cast<const unsigned char*>(&a) + begin,
                           reinterpret_cast<const unsigned char*>(&b) + begin, end - begin) == 0;
    };
    const auto places_of = [player](const State& state) {
        const Player& own = state.players[player];
        std::uint32_t places = 0;
        for (int i = 0; i < own.board_size; ++i) places |= 1u << own.board[i];
        return places;
    };
    const std::size_t board = static_cast<std::size_t>(player) * sizeof(Player) + offsetof(Player, board);
    constexpr std::size_t tail = offsetof(State, minions) + sizeof(State::minions);
    return same(tail, sizeof(State)) && same(0, board) && same(board + kBoardLimit, used_bytes(a)) &&
           places_of(a) == places_of(b);
}

class ReorderedRatings {
public:
    // Starts with a state that others differ from in order alone; returns whether they can use its ratings.
    bool begin(const CardSet& cards, const State& state) {
        rated_.clear();
        next_ = 0;
        for (const Player& player : state.players) {
            if (cards[player.weapon.card].minds_order) return false;
            for (int i = 0; i < player.secret_count; ++i) {
                if (cards[player.secrets[i].card].minds_order) return false;
            }
            for (int i = 0; i < player.hand_size; ++i) {
                if (player.hand[i].attached > 0) return false;
            }
        }
        return !has_ordered(cards, state, 0);
    }

    // Records the rating of what an action leads to, if nothing in it was random.
    void note(const CardSet& cards, const State& before, const Action& action, const State& after, int score) {
        const Player& own = before.players[before.active];
        if (action.kind == ActionKind::play && cards[own.hand[action.source].card].minds_own_order) return;
        if (action.kind == ActionKind::power && cards[own.power].minds_own_order) return;
        if (after.next_stamp != before.next_stamp) {  // something entered play
            if (has_ordered(cards, after, before.next_stamp)) return;
            for (const Player& player : after.players) {
                if (cards[player.weapon.card].minds_order) return;
            }
        }
        rated_.push_back({key_of(before, action), score});
    }

    // The rating after an action in a state that differs in order alone, or null.
    const int* find(const State& state, const Action& action) {
        const Key key = key_of(state, action);
        for (std::size_t i = 0; i < rated_.size(); ++i) {  // mostly in the order in which they were noted
            if (next_ >= rated_.size()) next_ = 0;
            const Rated& rated = rated_[next_++];
            if (rated.key == key) return &rated.score;
        }
        return nullptr;
    }

private:
    using Key = std::uint32_t;
    struct Rated {
        Key key;
        int score;
    };

    // An action without its position, independent of the order of minions.
    static Key key_of(const State& state, const Action& action) {
        const bool by_minion = action.kind == ActionKind::attack && action.source > 0;
        const std::uint32_t source =
            by_minion ? 1u + state.players[state.active].board[action.source - 1] : std::uint32_t{action.source};
        return static_cast<Key>(action.kind) | source << 8 | std::uint32_t{action.choice} << 16 |
               std::uint32_t{ref_of(state, action.target).raw()} << 24;
    }

    // Whether the order may matter to a minion that is in play or just left it, among those from a stamp on.
    static bool has_ordered(const CardSet& cards, const State& state, std::uint16_t first_stamp) {
        bool found = false;
        each_place(state.occupied, [&](int place) {
            const Minion& minion = state.minions[place];
            found |= minion.stamp >= first_stamp && (cards[minion.card].minds_order || minion.attached > 0);
        });
        return found;
    }

    FixedVector<Rated, kMostActions> rated_;
    std::size_t next_ = 0;  // where the search for an action starts
};

}  // namespace deckatlas::hearthstone
