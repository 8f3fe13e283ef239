// The match runner of Hearthstone.
#include "play/hearthstone_match.hpp"

#include <algorithm>
#include <iterator>

namespace deckatlas::hearthstone {

SeatDecks::SeatDecks(const std::span<const DeckList> (&decks)[2], const Pairing& pairing) {
    for (int seat = 0; seat < 2; ++seat) {
        const std::span<const DeckList> own = decks[seat ^ pairing.first];
        by_seat[seat] = own[static_cast<std::size_t>(pairing.number) % own.size()];
    }
}

void write_row(const MatchColumns& columns, std::int64_t row, const Pairing& pairing, const SeatDecks& decks,
               const State& state, const Counting& counting) {
    write_outcome<HearthstoneGame>(columns, row, pairing, state);
    columns.is_void[row] = state.is_void;
    columns.turns[row] = state.turn;
    columns.actions[row] = counting.actions();
    for (int seat = 0; seat < 2; ++seat) {
        const Player& player = state.players[seat];
        const Counters& counters = counting.of(seat);
        const int entrant = seat ^ pairing.first;
        columns.health[row][entrant] = player.health;
        columns.armor[row][entrant] = player.armor;
        columns.cards_drawn[row][entrant] = static_cast<std::int16_t>(decks.by_seat[seat].size - player.deck_size);
        columns.cards_played[row][entrant] = counters.cards_played;
        columns.mana_spent[row][entrant] = counters.mana_spent;
        columns.mana_wasted[row][entrant] = counters.mana_wasted;
        columns.minion_damage[row][entrant] = counters.minion_damage;
        columns.hand_sizes[row][entrant] = counters.hands_before;
        std::copy(std::begin(counters.hands), std::end(counters.hands), columns.hands[row][entrant]);
    }
}

bool play_match(const CardSet& cards, const Entrant (&entrants)[2], const MatchOptions& options,
                const MatchColumns& columns, const MatchTimes& times, const Poll& poll) {
    const auto play_row = [&](std::int64_t row, const Pairing& pairing, TurnTimes* seat_times,
                              const std::atomic<bool>& stop) {
        const SeatDecks decks({entrants[0].decks, entrants[1].decks}, pairing);
        PlayAgent agents[2] = {entrants[pairing.first].agent, entrants[pairing.first ^ 1].agent};
        for (PlayAgent& agent : agents) heed(agent, stop);
        Timed<Counting> counting(seat_times, cards);
        const State state = play_game(cards, decks.by_seat, agents, pairing.seed, options.mulligan, counting);
        write_row(columns, row, pairing, decks, state, counting);
        for (int seat = 0; seat < 2; ++seat) columns.nodes[row][seat ^ pairing.first] = nodes_of(agents[seat]);
    };
    const bool slow = searches(entrants[0].agent) || searches(entrants[1].agent);
    return play_rows(options, slow ? kSlowGames : kQuickGames, times, play_row, poll);
}

}  // namespace deckatlas::hearthstone
