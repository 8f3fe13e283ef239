// The match runner of Legends of Code and Magic.
#include "play/locm_match.hpp"

#include <bit>

#include "locm/battle_game.hpp"
#include "play/locm_game.hpp"

namespace deckatlas::locm {
namespace {

int mana_spent(const CardTable& cards, const Deal& deal, const Side& side, int seat) {
    int total = 0;
    for (std::uint32_t played = ((1u << side.drawn) - 1) & ~side.hand; played != 0; played &= played - 1) {
        total += cards[deal.decks[seat][std::countr_zero(played)]].cost;
    }
    return total;
}

// Counts the actions of both players.
struct ActionCount : Bystander<BattleGame> {
    int actions = 0;

    void before(const Battle&, const Action&) { ++actions; }
};

void write_row(const MatchColumns& columns, std::int64_t row, const Pairing& pairing, const BattleContext& context,
               const Battle& battle, int actions) {
    write_outcome<BattleGame>(columns, row, pairing, battle);
    columns.turns[row] = static_cast<std::int16_t>(battle.turn + 1);
    columns.actions[row] = static_cast<std::int16_t>(actions);
    for (int seat = 0; seat < 2; ++seat) {
        const Side& side = battle.sides[seat];
        const int entrant = seat ^ pairing.first;
        columns.health[row][entrant] = side.health;
        columns.cards_drawn[row][entrant] = side.drawn;
        columns.cards_played[row][entrant] = static_cast<std::int16_t>(side.drawn - side.hand_size());
        columns.mana_spent[row][entrant] =
            static_cast<std::int16_t>(mana_spent(context.cards, context.deal, side, seat));
    }
}

}  // namespace

bool play_match(const CardTable& cards, const Entrant (&entrants)[2], const MatchOptions& options,
                const MatchColumns& columns, const MatchTimes& times, const Poll& poll) {
    const auto play_row = [&](std::int64_t row, const Pairing& pairing, TurnTimes* seat_times,
                              const std::atomic<bool>&) {
        const Entrant* const seats[2] = {&entrants[pairing.first], &entrants[pairing.first ^ 1]};
        const Seeds seeds = derive_seeds(pairing.seed);
        GameStreams streams(pairing.seed);
        const Draft draft = play_draft(cards, options.format, seeds.draft, seats, streams);
        const Deal deal = shuffle_decks(cards, draft, seeds.shuffle);
        const BattleContext context{cards, deal, draft};
        Timed<ActionCount> watcher(seat_times);
        const Battle battle = play_battle(context, seats, streams, watcher);
        write_row(columns, row, pairing, context, battle, watcher.actions);
    };
    return play_rows(options, kQuickGames, times, play_row, poll);
}

}  // namespace deckatlas::locm
