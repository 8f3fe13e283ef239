// The recorder of Hearthstone positions.
#include "play/hearthstone_positions.hpp"

#include <atomic>
#include <iterator>
#include <utility>

#include "play/outcomes.hpp"

namespace deckatlas::hearthstone {

namespace {

constexpr std::uint64_t kRecordingStream = 0x905171055ull;  // of draws that concern only the recording

struct Position {
    std::size_t end;  // of its features among those of the game
    Moment moment;
    std::uint8_t player;
    std::uint16_t half_turn;
    std::int32_t plan_score;
};

struct GamePositions {
    std::vector<Feature> features;
    std::vector<Position> positions;
};

// Records the positions of a game.
class Recording : public Bystander<HearthstoneGame> {
public:
    Recording(const PositionFeatures& features, double share, Rng& rng)
        : features_(features), share_(share), rng_(rng) {}

    GamePositions take() { return std::move(recorded_); }

    // The next turn is not the pilots' own: nothing before its end counts.
    void explore() {
        recorded_.features.clear();
        recorded_.positions.clear();
        explored_ = true;
    }

    void turn_begins(const State& state) {
        begun_ = !explored_ && record(state, state.active, Moment::turn_begins);
        explored_ = false;
        before_end_ = rng_.below(2) == 0;
        plans_ = 0;
    }
    void plan_begins(const State&, int score) {
        score_ = score;
        if (plans_++ == 0 && begun_) recorded_.positions.back().plan_score = score;
    }
    void before(const State& state, const Action& action) {
        if (action.kind == ActionKind::end_turn && before_end_) record(state, state.active, Moment::turn_ended);
    }
    void turn_ended(const State& state, int player) {
        if (!before_end_ && !HearthstoneGame::is_over(state)) record(state, player, Moment::turn_ended);
    }

private:
    bool record(const State& state, int player, Moment moment) {
        if (!(rng_.unit() < share_)) return false;
        FeatureList listed;
        features_.list(state, player, moment, listed);
        recorded_.features.insert(recorded_.features.end(), listed.begin(), listed.end());
        // After the end of a turn, the state already counts the next one.
        const int half_turn = state.turn - (state.active != player);
        recorded_.positions.push_back({recorded_.features.size(), moment, static_cast<std::uint8_t>(player),
                                       static_cast<std::uint16_t>(half_turn), score_});
        return true;
    }

    const PositionFeatures& features_;
    double share_;
    Rng& rng_;
    GamePositions recorded_;
    // of the turn
    bool explored_ = false;    // whether it will be
    bool begun_ = false;       // whether its beginning was recorded
    bool before_end_ = false;  // whether its end is recorded before it happens
    int plans_ = 0;
    int score_ = 0;
};

// Explored too, so that opening hands are seen that no pilot keeps.
constexpr Mulligan kMulligans[] = {Mulligan::cheap, Mulligan::inverted, Mulligan::all};

class Recorder {
public:
    Recorder(const CardSet& cards, const RecordedGames& games, const RecordingOptions& options)
        : cards_(cards), games_(games), options_(options), features_(cards) {}

    State play(std::size_t game, const std::atomic<bool>& stop, GamePositions& positions) const {
        const auto& [first, second] = games_.decks_of_game[game];
        const DeckList decks[2] = {games_.decks[static_cast<std::size_t>(first)],
                                   games_.decks[static_cast<std::size_t>(second)]};
        PlayAgent pilots[2] = {pilot(game, 0), pilot(game, 1)};
        PlayAgent explorer = options_.explorer == nullptr ? PlayAgent(RandomAgent()) : *options_.explorer;
        for (PlayAgent& each : pilots) heed(each, stop);
        heed(explorer, stop);
        Rng rng{hash_combine(games_.seeds[game], kRecordingStream)};
        Recording recording(features_, options_.share, rng);
        const auto agent_of = [&](const State& state) -> PlayAgent& {
            if (options_.explorer == nullptr || !(rng.unit() < options_.explored)) return pilots[state.active];
            recording.explore();
            return explorer;
        };
        GameStreams streams(games_.seeds[game]);
        const Mulligan mulligan =
            rng.unit() < options_.explored ? kMulligans[rng.below(std::size(kMulligans))] : options_.mulligan;
        State state = open_game(cards_, decks, pilots, streams, mulligan, recording);
        play_turns_of<HearthstoneGame>(cards_, state, agent_of, streams, recording);
        positions = recording.take();
        return state;
    }

private:
    const PlayAgent& pilot(std::size_t game, int seat) const {
        return games_.pilots[static_cast<std::size_t>(games_.pilots_of_game[game][seat])];
    }

    const CardSet& cards_;
    const RecordedGames& games_;
    const RecordingOptions& options_;
    PositionFeatures features_;
};

// The outcomes of a game for both players.
struct SeatOutcomes {
    std::uint8_t of[2];
};

RecordedPositions joined(const std::vector<GamePositions>& games, const std::vector<SeatOutcomes>& outcomes) {
    RecordedPositions all;
    std::size_t positions = 0, features = 0;
    for (const GamePositions& game : games) {
        positions += game.positions.size();
        features += game.features.size();
    }
    all.features.reserve(features);
    all.offsets.reserve(positions + 1);
    all.offsets.push_back(0);
    for (std::size_t number = 0; number < games.size(); ++number) {
        const auto start = static_cast<std::int64_t>(all.features.size());
        all.features.insert(all.features.end(), games[number].features.begin(), games[number].features.end());
        for (const Position& position : games[number].positions) {
            all.offsets.push_back(start + static_cast<std::int64_t>(position.end));
            all.moments.push_back(static_cast<std::uint8_t>(position.moment));
            all.outcomes.push_back(outcomes[number].of[position.player]);
            all.games.push_back(static_cast<std::int32_t>(number));
            all.half_turns.push_back(position.half_turn);
            all.plan_scores.push_back(position.plan_score);
        }
    }
    return all;
}

}  // namespace

RecordedPositions record_positions(const CardSet& cards, const RecordedGames& games, const RecordingOptions& options,
                                   const RecordedOutcomes& outcomes, const Poll& poll) {
    const Recorder recorder(cards, games, options);
    std::vector<GamePositions> recorded(games.seeds.size());
    std::vector<SeatOutcomes> by_seat(games.seeds.size());
    const auto play_one = [&](std::int64_t row, const std::atomic<bool>& stop) {
        const auto game = static_cast<std::size_t>(row);
        const State state = recorder.play(game, stop, recorded[game]);
        if (state.is_void) recorded[game] = {};
        for (int seat = 0; seat < 2; ++seat)
            by_seat[game].of[seat] = static_cast<std::uint8_t>(outcome_of<HearthstoneGame>(state, seat));
        outcomes.winner[game] = static_cast<std::uint8_t>(state.winner);
        outcomes.is_void[game] = state.is_void;
        outcomes.turns[game] = state.turn;
    };
    run_each_game({static_cast<std::int64_t>(games.seeds.size()), options.threads, kSlowGames}, play_one, poll);
    return joined(recorded, by_seat);
}

}  // namespace deckatlas::hearthstone
