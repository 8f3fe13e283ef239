// Counts events of a game of Hearthstone while it is played.
//
// There are plain counts, and the counts of the programs that published evaluations of decks, which counted some things
// differently. Evaluations have both, so that readers can choose.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <iterator>
#include <limits>

#include "play/hearthstone_game.hpp"

namespace deckatlas::hearthstone {

// Cards in hand at the start of each of a player's turns, after the draw; -1 for turns that did not start. The size is
// the most turns of a player by the rules of the game; an edition without a turn limit may have longer games.
inline constexpr int kHandTurns = kTurnLimit / 2;
using HandsOfTurns = std::int8_t[kHandTurns];

// The counts of one player.
struct Counters {
    int cards_played = 0;
    int mana_spent = 0;
    int mana_wasted = 0;             // left at the ends of turns
    std::int64_t minion_damage = 0;  // attack of minions when they attack
    int hands_before = 0;            // cards in hand, summed over the starts of the player's turns, after the draw
    HandsOfTurns hands;              // the same turn by turn

    Counters() { std::fill(std::begin(hands), std::end(hands), std::int8_t{-1}); }
};

// Counts what both players do.
class Counting : public Bystander<HearthstoneGame> {
public:
    explicit Counting(const CardSet& cards) : cards_(cards) {}

    const Counters& of(int player) const { return counters_[player]; }
    int actions() const { return actions_; }  // of both players, without the mulligan

    void turn_begins(const State& state) {
        const std::uint8_t hand = state.players[state.active].hand_size;
        const int turn = (state.turn - 1) / 2;  // this player's turn, from 0
        Counters& own = counters_[state.active];
        own.hands_before += hand;
        if (turn < kHandTurns) own.hands[turn] = static_cast<std::int8_t>(hand);
    }

    void before(const State& state, const Action& action) {
        const int player = state.active;
        const Player& mover = state.players[player];
        Counters& own = counters_[player];
        switch (action.kind) {
            case ActionKind::keep: return;
            case ActionKind::play:
                ++own.cards_played;
                own.mana_spent += cost_in_hand(cards_, state, player, action.source);
                break;
            case ActionKind::power: own.mana_spent += cards_[mover.power].cost; break;
            case ActionKind::attack:
                if (action.source > 0) own.minion_damage += state.on_board(player, action.source - 1).current_attack();
                break;
            case ActionKind::end_turn: own.mana_wasted += mover.mana(); break;
            case ActionKind::choose: break;
        }
        ++actions_;
    }

protected:
    const CardSet& cards_;

private:
    Counters counters_[2];
    int actions_ = 0;
};

// The published programs' counts of one player.
struct PublishedCounters {
    int hands_after = 0;  // cards in hand, summed over the ends of the player's turns
    // Attack of minions after they have attacked; for minions that left play, the printed attack.
    std::int64_t damage_after = 0;
    int draws_seen = 0;            // cards drawn in own turns before the last action of each; at least one per turn
    int plan_mana_spent = 0;       // crystals used so far in the turn, summed over the ends of plans
    int plan_mana_wasted = 0;      // the other crystals, in the same way
    std::int64_t plan_scores = 0;  // ratings of plans, except those that win or lose
};

// What happened to one card of a deck in a game, over all copies of it.
struct CardEvents {
    std::uint8_t offered = 0;      // copies in the opening hand before the mulligan
    std::uint8_t kept = 0;         // of these, the copies that were kept
    std::uint8_t drawn = 0;        // copies that left the deck, in the opening hand or later
    std::uint8_t turn_played = 0;  // the player's turn in which the first drawn copy was played; 0 if none was
};

// Also counts these for the player of a deck, and what happens to each card of the deck.
class EvaluationCounting : public Counting {
public:
    EvaluationCounting(const CardSet& cards, const DeckList& deck, int seat)
        : Counting(cards), deck_(deck), seat_(seat) {}

    const PublishedCounters& published() const { return published_; }
    // For the card at each place of the deck; copies count at the first place.
    const int (&plays() const)[kDeckLimit] { return plays_; }

    // Adds up what happened to the card at each place of the deck, from the player's side at the end of the game;
    // copies count at the first place. Only the mulligan puts cards back, so what is not in the deck at the end was
    // drawn.
    void write_events(const Player& own, CardEvents (&events)[kDeckLimit]) const {
        for (int i = 0; i < opening_size_; ++i) {
            CardEvents& of_card = events[known_place_of(opening_[i])];
            of_card.offered += 1;
            if (kept_ >> i & 1) ++of_card.kept;
        }
        for (int i = 0; i < deck_.size; ++i) events[known_place_of(deck_.cards[i])].drawn += 1;
        for (int i = 0; i < own.deck_size; ++i) events[known_place_of(own.deck[i])].drawn -= 1;
        for (int i = 0; i < deck_.size; ++i) events[i].turn_played = turns_played_[i];
    }

    void turn_begins(const State& state) {
        Counting::turn_begins(state);
        plans_ = 0;
        drawn_ = 1;
        set_aside_ = 0;
    }

    void plan_begins(const State& state, int score) {
        if (state.active != seat_) return;
        if (plans_++ > 0) end_plan(state.players[seat_]);
        const bool open = score > std::numeric_limits<int>::min() && score < std::numeric_limits<int>::max();
        if (open) published_.plan_scores += score;
    }

    void before(const State& state, const Action& action) {
        Counting::before(state, action);
        const Player& own = state.players[seat_];
        if (state.active != seat_) {
            if (HearthstoneGame::ends_turn(action)) deck_before_turn_ = own.deck_size;
            return;
        }
        if (action.kind == ActionKind::keep) {
            deck_before_turn_ = own.deck_size;  // the second player keeps cards last
            note_opening(state, action);
            return;
        }
        drawn_ = std::max(drawn_, deck_before_turn_ - own.deck_size - set_aside_);
        deck_before_action_ = own.deck_size;
        if (action.kind == ActionKind::play) count_play(own.hand[action.source], state.turn);
        if (action.kind == ActionKind::attack && action.source > 0) attacker_ = own.board[action.source - 1];
    }

    void after(const State& state, const Action& action, int player) {
        if (player != seat_) return;
        if (action.kind == ActionKind::attack && action.source > 0) {
            const Minion& attacker = state.minions[attacker_];
            const bool there = attacker.zone == Zone::board && attacker.owner == seat_;
            published_.damage_after += there ? attacker.current_attack() : cards_[attacker.card].attack;
        }
        // Cards of the deck to choose from are not drawn.
        if (state.phase == Phase::choice) set_aside_ += deck_before_action_ - state.players[seat_].deck_size;
    }

    void turn_ended(const State& state, int player) {
        if (player != seat_) return;
        end_plan(state.players[seat_]);
        published_.hands_after += state.players[seat_].hand_size;
        published_.draws_seen += drawn_;
    }

private:
    void end_plan(const Player& own) {
        published_.plan_mana_spent += own.used;
        published_.plan_mana_wasted += own.crystals - own.used;
    }

    // The first place of a card in the deck; the deck's size if it is not there.
    int place_of(CardId card) const {
        return static_cast<int>(std::find(deck_.cards, deck_.cards + deck_.size, card) - deck_.cards);
    }

    // The same for a card that comes from the deck.
    int known_place_of(CardId card) const {
        const int place = place_of(card);
        assert(place < deck_.size);
        return place;
    }

    void note_opening(const State& state, const Action& keep) {
        opening_size_ = replaceable_cards(state);
        for (int i = 0; i < opening_size_; ++i) opening_[i] = state.players[seat_].hand[i].card;
        kept_ = keep.source;
    }

    void count_play(const HandCard& held, int half_turn) {
        const int place = place_of(held.card);
        if (place == deck_.size) return;
        ++plays_[place];
        // Other copies came from effects, or were played before.
        if (held.origin == Origin::drawn && turns_played_[place] == 0)
            turns_played_[place] = static_cast<std::uint8_t>(std::min((half_turn + 1) / 2, kMostTurnNoted));
    }

    static constexpr int kMostTurnNoted = std::numeric_limits<std::uint8_t>::max();

    const DeckList& deck_;
    int seat_;
    PublishedCounters published_;
    int plays_[kDeckLimit] = {};
    std::uint8_t turns_played_[kDeckLimit] = {};  // see CardEvents
    CardId opening_[kOpeningHands[1]] = {};       // the opening hand before the mulligan
    int opening_size_ = 0;
    unsigned kept_ = 0;  // a mask of its cards
    // of the turn
    int plans_ = 0;
    int drawn_ = 0;
    int set_aside_ = 0;         // cards that left the deck without a draw
    int deck_before_turn_ = 0;  // cards in the deck before the turn
    // of the action
    int deck_before_action_ = 0;
    int attacker_ = 0;  // its place in the pool
};

}  // namespace deckatlas::hearthstone
