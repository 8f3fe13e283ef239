// Legends of Code and Magic: helpers for searches over whole turns.
//
// A search that looks past the end of its turn must not draw: decks are hidden.
#pragma once

#include "locm/battle.hpp"
#include "locm/rules.hpp"

namespace deckatlas::locm {

// In a turn each card of the hand is played at most once and each creature attacks at most once; then PASS.
inline constexpr int kMaxTurnActions = kHandLimit + kSlots + kHandLimit + 1;
inline constexpr int kAllSlots = 0xFF;

// Ends the turn of the player to move and starts the next one without draws.
constexpr void pass_without_drawing(Battle& battle) {
    Side& finished = battle.sides[battle.active()];
    finished.ready = 0;
    finished.attacked = 0;
    ++battle.turn;
    Side& side = battle.sides[battle.active()];
    refill_mana(side);
    side.ready = static_cast<std::uint8_t>(side.occupied());
}

// Whether the player to move has a legal action other than PASS.
constexpr bool can_act(const Deal& deal, const Battle& battle) {
    if (is_over(battle)) return false;
    const Side& own = battle.own();
    if (own.ready != 0) return true;
    const bool has_room = own.creatures() < kLanes * kLaneSize;
    return (has_room && playable(deal, battle, CardType::creature) != 0) ||
           (own.creatures() > 0 && playable(deal, battle, CardType::green) != 0) ||
           (battle.enemy().creatures() > 0 && playable(deal, battle, CardType::red) != 0) ||
           playable(deal, battle, CardType::blue) != 0;
}

// A uniformly random legal action that does not end the turn; there must be one.
constexpr Action random_active_action(const Deal& deal, const Battle& battle, Rng& rng) {
    assert(can_act(deal, battle));
    Action action = random_action(deal, battle, rng);
    while (action.kind == ActionKind::pass) action = random_action(deal, battle, rng);
    return action;
}

// Attacks the opponent with every creature among `slots` that can attack and has any attack, even after its death, and
// passes each action to `note`.
template <class Note>
constexpr void attack_face_with_all(Battle& battle, int slots, const Note& note) {
    for (int ready = battle.own().ready & slots; ready != 0; ready &= ready - 1) {
        const Slot slot = std::countr_zero(static_cast<unsigned>(ready));
        const bool open = lane_bits(battle.enemy().guards, lane_of(slot)) == 0;
        if (!open || battle.own().at(slot).attack() == 0) continue;
        attack_face(battle, slot);
        note(attack_action(slot, kFace));
    }
}

}  // namespace deckatlas::locm
