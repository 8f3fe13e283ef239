// Hearthstone: resolves effects. Programs run on an explicit stack: whatever an instruction triggers is pushed above
// its own program and runs before the next instruction. Deaths wait for the end of a phase.
//
// Random is a source of draws: below(n), and pick(n, card_at) for a draw among cards, which a replay answers by card.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "common/fixed_vector.hpp"
#include "common/inlining.hpp"
#include "hearthstone/auras.hpp"
#include "hearthstone/costs.hpp"
#include "hearthstone/heed.hpp"
#include "hearthstone/select.hpp"
#include "hearthstone/state.hpp"

namespace deckatlas::hearthstone {

inline constexpr std::size_t kPending = 256;  // triggers of one instruction or death
inline constexpr std::size_t kFrames = 320;   // programs waiting for those above them: triggers, and those around them
inline constexpr int kMostSteps = 4096;       // instructions, draws and so on per action; an endless loop is void

template <class Random>
class Resolver {
public:
    Resolver(const CardSet& cards, State& state, Random& random) : cards_(cards), state_(state), random_(random) {}

    // ---- phases --------------------------------------------------------------------------------------------------

    // Runs a program to its end, with everything it triggers.
    void run(ProgramCounter program, const Scope& scope) {
        if (program == 0) return;
        push(Frame{.scope = scope, .program = program});
        drain();
    }

    // Notifies all listeners of an event, and runs their effects. Usually there are none, and nothing else to run.
    DECKATLAS_INLINE void announce(Event event, int whose, const Scope& scope, Ref source = Ref(), Ref target = Ref()) {
        if (is_heard(event) || !pending_.empty() || !stack_.empty()) resolve(event, whose, scope, source, target);
    }

    // The end of a phase: all mortally wounded minions die at once; then their deathrattles run, until no minion dies.
    DECKATLAS_INLINE void end_phase() {
        if (is_heard(kSummonWaits)) announce_summons();
        if (stale_ || wounded_ != 0) settle_deaths();
        if (heroes_hurt_) judge_phase();
    }

    // The winner so far: the first deaths decide, whatever else happens before the game ends.
    void judge();
    // Whether a hero is dead and the game is over.
    void check_heroes();

    bool is_countered() const { return countered_; }
    Ref defender() const { return defender_; }
    Ref spell_target() const { return spell_target_; }
    // `unharmed` takes no damage while the attack is carried out.
    void begin_attack(Ref defender, Ref unharmed) {
        defender_ = defender;
        unharmed_ = unharmed;
    }
    void begin_spell(Ref target) {
        spell_target_ = target;
        first_new_stamp_ = state_.next_stamp;
        countered_ = false;
    }

    // ---- things that happen, for sequences and instructions alike ---------------------------------------------------

    void heed(CardId card) { hearthstone::heed(cards_, state_, card); }
    void heed(const Minion& minion) { hearthstone::heed(cards_, state_, minion); }
    Look look(const Scope& scope) const { return Look(cards_, state_, scope); }
    // After every change; under one rule not before the phase ends.
    DECKATLAS_INLINE void refresh() {
        if (!has_rule(kAurasWait)) work_out_auras();
    }
    DECKATLAS_INLINE void work_out_auras() {
        if (stale_ && state_.auras) renew_auras();
        stale_ = false;
    }
    // Call after any change in play; auras are then recomputed.
    void touch() { stale_ = true; }
    // The same if no minion entered or left play, and no minion's controller, card or silence changed.
    void touch_stats() { stale_ |= state_.auras_see_stats; }
    // The same if a character may have died from it.
    void wound() {
        stale_ = true;
        wounded_ = kAnybody;
        heroes_hurt_ = true;
    }
    // A capacity would be exceeded; stops everything in progress.
    void give_up() { end_as_void(state_); }
    // Whether one more step is allowed in this action.
    bool take_step() {
        if (++steps_ > kMostSteps) give_up();
        return !state_.is_void;
    }
    std::uint16_t new_stamp() {
        const std::uint16_t stamp = state_.next_stamp;
        state_.next_stamp = fit<std::uint16_t>(stamp + 1);
        return stamp;
    }

    void draw(int player, int count, Scope* scope, bool until_fatigue = false);
    void add_to_hand(int player, CardId card, int cost_change, Scope* scope, Origin origin);
    Ref put_on_board(int player, CardId card, int position);
    void remove_from_board(int place, Zone to);
    void take_to_grave(int place);
    void equip(int player, CardId card);
    void destroy_weapon(int player, const Scope& scope);
    void damage(Ref target, int amount, Ref source, const Scope& scope);
    void heal(Ref target, int amount, const Scope& scope);
    void silence(Minion& minion);
    void end_presence(Minion& minion);
    void drop_waiting(Minion& minion);
    void keep_enchantments(const HandCard& held, Minion& minion);
    void hold_still(Minion& minion);
    void find_voice(Minion& minion);
    void lose_durability(int player, int amount);
    void take_control(int place, int player, bool borrowed);
    void raise(Event event, int whose, const Scope& scope) {
        if (is_heard(event)) note_listeners(event, whose, scope);
    }
    // Pushes what was triggered, so that the first runs first.
    DECKATLAS_INLINE void flush() {
        if (!pending_.empty()) push_pending();
    }
    // Runs everything on the stack, with everything it triggers.
    DECKATLAS_INLINE void drain() {
        if (!stack_.empty()) run_stack();
    }

private:
    enum class Holder : std::uint8_t { none, minion, attachment, weapon, secret, held };

    struct Frame {
        Scope scope;
        ProgramCounter program = 0;
        Holder holder = Holder::none;   // the listener, which must still be there when its turn comes
        std::uint8_t holder_place = 0;  // a minion's place in the pool, a card's place in the hand
        std::uint16_t holder_stamp = 0;
        TableIndex trigger = 0;
        std::int16_t repeats = -1;  // for an instruction that works step by step
        std::int16_t done = 0;      // steps done
        bool begun = false;
    };

    void push(const Frame& frame) {
        if (stack_.size() == kFrames) return give_up();
        stack_.push_back(frame);
    }
    void set_off(const Frame& frame) {
        if (pending_.size() == kPending) return give_up();
        pending_.push_back(frame);
    }
    template <class Field = std::int16_t>
    Field fit(int value) {
        return hearthstone::fit<Field>(state_, value);
    }

    DECKATLAS_OUTLINE void resolve(Event event, int whose, const Scope& scope, Ref source, Ref target);
    DECKATLAS_OUTLINE void settle_deaths();
    DECKATLAS_OUTLINE void judge_phase();
    DECKATLAS_OUTLINE void renew_auras();
    DECKATLAS_OUTLINE void run_stack();
    DECKATLAS_OUTLINE void push_pending();
    DECKATLAS_OUTLINE void announce_summons();

    static Scope event_of(const Scope& scope, Ref source, Ref target, std::int16_t amount = 0) {
        Scope event = scope;
        event.event_source = source;
        event.event_target = target;
        event.amount = amount;
        return event;
    }
    bool is_heard(Event event) const { return (state_.heard & bit_of(event)) != 0; }
    DECKATLAS_OUTLINE void note_listeners(Event event, int whose, const Scope& scope);
    bool begin(Frame& frame);
    bool still_there(const Frame& frame) const;
    bool listens(const Trigger& trigger, int whose, const Scope& scope, int viewpoint) const;
    void consider(Event event, int whose, const Scope& event_scope, Holder holder, int place, std::uint16_t stamp,
                  int controller, Ref self, CardId card, TableIndex trigger);
    bool bury();
    void delay_crowds();
    bool is_dying(const Minion& minion) const {
        return minion.destroyed || (!has_rule(kMortalWoundsAreFinal) && minion.current_health() <= 0);
    }
    void mourn(int place);
    void bury_held(int player, int index);
    void rattle(int place, bool own = true);
    void raise_summon(int player, const Scope& event);
    void execute(const Instruction& instruction, Frame& frame);

    // Whether an instruction changes play only by damage, healing and cards that go to a hand, which report their
    // changes themselves.
    static constexpr bool is_quiet(Op op) {
        switch (op) {
            case Op::end:
            case Op::jump:
            case Op::skip_unless:
            case Op::damage:
            case Op::split_damage:
            case Op::damage_from:
            case Op::heal:
            case Op::heal_fully:
            case Op::draw:
            case Op::draw_filtered:
            case Op::add_to_hand:
            case Op::summon:
            case Op::summon_around:
            case Op::summon_at_end:
            case Op::gain_mana: return true;
            default: return false;
        }
    }

    static constexpr std::uint32_t kAnybody = 0xFFFFFFFF;

    // Instructions.
    bool condition_holds(const Condition& condition, const Scope& scope);
    int amount(TableIndex number, const Scope& scope);
    bool is_nothing(TableIndex number, const Scope& scope) const;
    template <class Items, class CardAt>
    void pick_some(const Items& all, std::size_t count, const CardAt& card_at, Items& out);
    void choose(const Selector& selector, const Scope& scope, Selection& out);
    void choose_cards(const Selector& selector, const Scope& scope, CardSelection& out);
    CardId card_for(const Instruction& instruction, const Scope& scope, std::size_t which = 0);
    bool rule_holds(int player, std::uint32_t keyword) const;
    int doublings(int player) const;
    int player_of(Side side, const Scope& scope) const {
        return side == Side::enemy ? scope.controller ^ 1 : scope.controller;
    }
    void do_damage(const Instruction& instruction, Scope& scope);
    void do_split(const Instruction& instruction, Frame& frame);
    void do_heal(const Instruction& instruction, Scope& scope);
    void do_buff(const Instruction& instruction, Scope& scope);
    void do_destroy(const Instruction& instruction, Scope& scope);
    void do_bounce(const Instruction& instruction, Scope& scope);
    void do_transform(const Instruction& instruction, Scope& scope);
    void do_summon(const Instruction& instruction, Frame& frame);
    void do_discard(const Instruction& instruction, Scope& scope);
    void do_copy_to_hand(const Instruction& instruction, Scope& scope);
    void do_attach(const Instruction& instruction, Scope& scope);
    void do_look(const Instruction& instruction, Scope& scope);
    void do_swap_with_hand(const Instruction& instruction, Scope& scope);
    void do_enchant_player(const Instruction& instruction, Scope& scope);
    void draw_filtered(const Instruction& instruction, Scope& scope);
    Ref summon(int player, CardId card, int position, Scope& scope);
    void become(Minion& minion, CardId card);
    void transform(Minion& minion, CardId card);
    void become_copy(Minion& copy, const Minion& original);
    void discard(int player, int index);
    void destroy_secrets(const Selector& selector, Scope& scope);
    void hide_again(const Frame& frame);
    void move_to_right(int place);
    void follow(const Minion& minion, HandCard& held);
    bool has_rule(RuleFlag rule) const { return (cards_.rules & rule) != 0; }

    const CardSet& cards_;
    State& state_;
    Random& random_;
    FixedVector<Frame, kFrames> stack_;
    FixedVector<Frame, kPending> pending_;
    Ref defender_;
    Ref unharmed_;
    Ref spell_target_;
    bool countered_ = false;
    std::uint16_t first_new_stamp_ = 0;  // of minions that entered play after a spell was cast
    bool judged_ = false;
    bool stale_ = false;         // something changed since auras were computed
    std::uint32_t wounded_ = 0;  // places of the pool that include all dead minions
    bool heroes_hurt_ = false;
    std::uint16_t ended_aura_ = kNoStamp;  // of the last minion whose aura of health ended
    int steps_ = 0;
};

}  // namespace deckatlas::hearthstone

#include "hearthstone/resolver_basics.hpp"
#include "hearthstone/resolver_choices.hpp"
#include "hearthstone/resolver_events.hpp"
#include "hearthstone/resolver_instructions.hpp"
#include "hearthstone/resolver_steps.hpp"
