// The enemy's answer to a turn, as Coac expects it: only attacks, one after the other, each the best at that moment.
#pragma once

#include <bit>
#include <cstdint>

#include "locm/battle_game.hpp"
#include "locm/evaluation_coac.hpp"

namespace deckatlas::locm {

template <CoacModel model>
class CoacReply {
public:
    // `battle` is the position at the end of the turn of the player to move; `new_cards` are the cards of that player's
    // hand at the start of the turn, by deck position. On ties its new creatures are attacked first, because the
    // published program lists them first.
    CoacReply(const BattleContext& context, const Battle& battle, const CoacStanding<model>& standing,
              std::uint32_t new_cards)
        : standing_(standing), target_(battle.own()), deck_size_(context.deal.sizes[battle.active()]) {
        const Side& own = battle.own();
        for (int lane = 0; lane < kLanes; ++lane) line_up(own, lane, new_cards);
        const Side& enemy = battle.enemy();
        int next[kLanes] = {0, 0};
        for (; attackers_ < enemy.creatures(); ++attackers_) {
            const int lane = enemy.order >> attackers_ & 1;
            const Creature creature = enemy.lanes[lane][next[lane]++];
            theirs_[attackers_] = creature;
            lanes_[attackers_] = lane;
            attack_left_ += creature.attack();
            if (creature.attack() > 0) willing_ |= 1u << attackers_;
        }
    }

    // The value of the standing after the answer. Once it is known not to exceed `alpha`, any such value may be
    // returned.
    int value(int alpha) {
        // A certain loss has a fixed value that may exceed the values of other losses: then there is no cut.
        const bool may_cut = alpha > -kCoacDeath / 2;
        for (int value = standing_.value();;) {
            if (coac_is_lethal<model>(target_, deck_size_, guards_ != 0, attack_left_)) return -kCoacDeath;
            if (may_cut && value <= alpha) return value;
            const Choice choice = best_attack(value);
            if (choice.attacker < 0) return value;
            carry_out(choice);
            value = choice.value;
        }
    }

private:
    struct Choice {
        int attacker = -1;
        int target = 0;
        int value = 0;
    };

    void line_up(const Side& own, int lane, std::uint32_t new_cards) {
        const Creature(&row)[kLaneSize] = own.lanes[lane];
        const int count = own.count[lane];
        int old = 0;
        while (old < count && (new_cards >> row[old].position() & 1u) == 0) ++old;
        Creature* const out = mine_ + slot_of(lane, 0);
        int placed = 0;
        for (int i = old; i < count; ++i) {
            int at = placed++;
            for (; at > 0 && out[at - 1].position() > row[i].position(); --at) out[at] = out[at - 1];
            out[at] = row[i];
        }
        for (int i = 0; i < old; ++i) out[placed++] = row[i];
        for (int i = 0; i < count; ++i) {
            alive_ |= 1 << slot_of(lane, i);
            if (out[i].has(kGuard)) guards_ |= 1 << slot_of(lane, i);
        }
    }

    CoacStanding<model> after_fight_of(int attacker, Slot slot) const {
        const Creature theirs = theirs_[attacker];
        const Creature mine = mine_[slot];
        const Fight fight = resolve_fight(theirs, mine);
        CoacStanding<model> after = standing_;
        after.board +=
            coac_worth(theirs) - coac_worth_after(theirs, fight.taken, mine.attack() > 0, fight.attacker_dies);
        after.board -= coac_worth(mine) - coac_worth_after(mine, fight.dealt, theirs.attack() > 0, fight.defender_dies);
        after.enemy_health += fight.heal;
        after.change_own_health(coac_excess<model>(fight));
        return after;
    }

    CoacStanding<model> after_strike_at_face(int attacker) const {
        const Creature theirs = theirs_[attacker];
        CoacStanding<model> after = standing_;
        if (model == CoacModel::rules && theirs.has(kDrain)) after.enemy_health += theirs.attack();
        after.change_own_health(-theirs.attack());
        return after;
    }

    // The first of the attacks with the lowest resulting value, if that is not above the current one. Before an attack
    // that changes nothing, all earlier attackers have declined for good.
    Choice best_attack(int now) {
        Choice best;
        best.value = now + 1;
        for (unsigned left = willing_; left != 0; left &= left - 1) {
            const int attacker = std::countr_zero(left);
            const int shift = 4 * lanes_[attacker];
            const int guards = guards_ & 15 << shift;
            for (int targets = guards != 0 ? guards : alive_ & 15 << shift; targets != 0; targets &= targets - 1) {
                const Slot slot = std::countr_zero(static_cast<unsigned>(targets));
                const int value = after_fight_of(attacker, slot).value();
                if (value < best.value) best = {attacker, slot, value};
            }
            if (guards == 0) {
                const int value = after_strike_at_face(attacker).value();
                if (value < best.value) best = {attacker, kFace, value};
            }
        }
        if (best.attacker >= 0 && best.value == now) willing_ &= ~((1u << best.attacker) - 1);
        return best;
    }

    void carry_out(const Choice& choice) {
        willing_ &= ~(1u << choice.attacker);
        Creature& theirs = theirs_[choice.attacker];
        attack_left_ -= theirs.attack();
        if (choice.target == kFace) {
            standing_ = after_strike_at_face(choice.attacker);
            hurt(-theirs.attack());
            return;
        }
        standing_ = after_fight_of(choice.attacker, choice.target);
        Creature& mine = mine_[choice.target];
        const Fight fight = resolve_fight(theirs, mine);
        hurt(coac_excess<model>(fight));
        if (fight.defender_dies) {
            alive_ &= ~(1 << choice.target);
            guards_ &= alive_;
        } else {
            mine = after_fight(mine, fight.dealt, theirs.attack() > 0);
        }
    }

    void hurt(int change) {
        if constexpr (model == CoacModel::rules) {
            change_health(target_, change);
        } else {
            target_.health += change;
        }
    }

    CoacStanding<model> standing_;
    Side target_;  // the player under attack: health, runes, hand and deck
    int deck_size_;
    Creature mine_[kLanes * 4];  // by slot, without moving up when one dies
    Creature theirs_[kSlots];    // in the order of their summoning
    int lanes_[kSlots] = {};
    int attackers_ = 0;
    int attack_left_ = 0;  // of the attackers that have not struck
    unsigned willing_ = 0;
    int alive_ = 0;
    int guards_ = 0;
};

}  // namespace deckatlas::locm
