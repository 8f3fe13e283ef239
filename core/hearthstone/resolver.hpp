// Hearthstone: resolves effects. Programs run on an explicit stack: what an instruction sets off is pushed above its
// own program and runs before the next instruction. Deaths wait for the end of a phase.
//
// Random is a source of draws: below(n), and pick(n, card_at) for a draw among cards, which a replay answers by card.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "common/fixed_vector.hpp"
#include "hearthstone/auras.hpp"
#include "hearthstone/costs.hpp"
#include "hearthstone/select.hpp"
#include "hearthstone/state.hpp"

namespace deckatlas::hearthstone {

inline constexpr std::size_t kFrames = 96;   // programs that wait for those above them
inline constexpr std::size_t kPending = 64;  // triggers that one instruction can set off
inline constexpr int kMostSteps = 4096;      // instructions of one action; a loop of effects ends as void

template <class Random>
class Resolver {
public:
    Resolver(const CardSet& cards, State& state, Random& random) : cards_(cards), state_(state), random_(random) {}

    // ---- phases --------------------------------------------------------------------------------------------------

    // Runs a program to its end, with everything it sets off.
    void run(ProgramCounter program, const Scope& scope) {
        if (program == 0) return;
        push(Frame{.scope = scope, .program = program});
        drain();
    }

    // Lets everybody who listens hear of an event, and runs what they do.
    void announce(Event event, int whose, const Scope& scope) {
        if (is_heard(event) || !pending_.empty() || !stack_.empty()) resolve(event, whose, scope);
    }

    // The end of a phase: who is mortally wounded dies, all at once; then their deathrattles, until nobody dies.
    void end_phase() {
        if (stale_ || wounds_) settle_deaths();
        if (!heroes_hurt_) return;
        heroes_hurt_ = false;
        judge();
        if (!has_rule(kDeathEndsAction)) check_heroes();
    }

    // Who has won by now: the first deaths decide, whatever else happens before the game ends.
    void judge();
    // Whether a hero is dead, and with it the game over.
    void check_heroes();

    bool is_countered() const { return countered_; }
    Ref defender() const { return defender_; }
    Ref spell_target() const { return spell_target_; }
    void begin_attack(Ref defender) { defender_ = defender; }
    void begin_spell(Ref target) {
        spell_target_ = target;
        first_new_stamp_ = state_.next_stamp;
        countered_ = false;
    }

    // ---- what those in play may need ------------------------------------------------------------------------------

    void heed(CardId id) {
        const Card& card = cards_[id];
        state_.heard |= card.events;
        state_.auras |= card.auras.count > 0;
        state_.cost_auras |= card.cost_auras.count > 0;
        state_.auras_see_stats |= card.aura_sees_stats;
    }
    void heed(const Minion& minion) {
        if (!minion.is_silent()) heed(minion.card);
        for (int i = 0; i < minion.attached; ++i) heed_attachment(minion.attachments[i]);
    }
    // Works out anew what is listened to: who left play needs nothing.
    void heed_all() {
        state_.heard = 0;
        state_.cost_auras = false;
        state_.auras_see_stats = false;
        for (const Player& player : state_.players) {
            for (int i = 0; i < player.board_size; ++i) heed(state_.minions[player.board[i]]);
            heed(player.weapon.card);
            for (int i = 0; i < player.secret_count; ++i) heed(player.secrets[i].card);
            for (int i = 0; has_rule(kEnchantmentsFollow) && i < player.hand_size; ++i) {
                const HandCard& held = player.hand[i];
                for (int k = 0; k < held.attached; ++k) heed_attachment(held.attachments[k]);
            }
        }
    }

    // ---- things that happen, for sequences and instructions alike ---------------------------------------------------

    Look look(const Scope& scope) const { return Look(cards_, state_, scope); }
    void refresh() {
        if (!stale_) return;
        stale_ = false;
        if (state_.auras) wounds_ |= Auras(cards_, state_).refresh();
    }
    // Whoever changes anything in play says so, and auras are worked out anew.
    void touch() { stale_ = true; }
    // The same where nobody came into play or left it, and nobody's controller, card or silence changed.
    void touch_stats() { stale_ |= state_.auras_see_stats; }
    // The same where somebody may be dead of it.
    void wound() {
        stale_ = true;
        wounds_ = true;
        heroes_hurt_ = true;
    }
    void give_up() {
        state_.is_void = true;
        state_.phase = Phase::over;
        stack_.clear();
        pending_.clear();
    }

    void draw(int player, int count, Scope* scope, bool until_fatigue = false);
    void add_to_hand(int player, CardId card, int cost_change, Scope* scope);
    Ref put_on_board(int player, CardId card, int position);
    void remove_from_board(int place, Zone to);
    void equip(int player, CardId card);
    void destroy_weapon(int player, const Scope& scope);
    void damage(Ref target, int amount, Ref source, Source kind, const Scope& scope);
    void heal(Ref target, int amount, Source kind, const Scope& scope);
    void silence(Minion& minion);
    void end_presence(Minion& minion);
    void lose_durability(int player, int amount);
    void take_control(int place, int player, bool borrowed);
    void raise(Event event, int whose, const Scope& scope);
    void flush();
    void drain();

private:
    enum class Holder : std::uint8_t { none, minion, attachment, weapon, secret, held };

    struct Frame {
        Scope scope;
        ProgramCounter program = 0;
        Holder holder = Holder::none;   // who listens, and must still be there when its turn comes
        std::uint8_t holder_place = 0;  // of a minion in the pool, of a card in the hand
        std::uint16_t holder_stamp = 0;
        TableIndex trigger = 0;
        std::int16_t repeats = -1;  // of an instruction that does its work one by one
        std::int16_t done = 0;      // of them
        bool begun = false;
    };

    void push(const Frame& frame) {
        if (stack_.size() == kFrames) return give_up();
        stack_.push_back(frame);
    }

    void resolve(Event event, int whose, const Scope& scope) {
        raise(event, whose, scope);
        flush();
        drain();
    }
    void settle_deaths() {
        while (!state_.is_void) {
            refresh();
            if (!wounds_ || !bury()) break;
            flush();
            drain();
            if (state_.phase == Phase::over) break;
        }
    }

    bool is_heard(Event event) const { return (state_.heard >> static_cast<int>(event) & 1) != 0; }
    void heed_attachment(std::uint8_t entry) {
        const TableIndex trigger = cards_.attachments[entry & kAttachmentIndex].trigger;
        state_.heard |= 1u << static_cast<int>(cards_.triggers[trigger].event);
    }
    bool begin(Frame& frame);
    bool still_there(const Frame& frame) const;
    bool listens(const Trigger& trigger, int whose, const Scope& scope, int viewpoint) const;
    void consider(Event event, int whose, const Scope& event_scope, Holder holder, int place, std::uint16_t stamp,
                  int controller, Ref self, CardId card, TableIndex trigger);
    bool bury();
    void execute(const Instruction& instruction, Frame& frame);

    // Whether an instruction changes nothing in play but by damage, healing and cards that come to a hand, which say so
    // themselves.
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

    // Instructions.
    bool condition_holds(const Condition& condition, const Scope& scope);
    int amount(TableIndex number, const Scope& scope);
    bool is_nothing(TableIndex number, const Scope& scope) const;
    void choose(const Selector& selector, const Scope& scope, Selection& out);
    void choose_cards(const Selector& selector, const Scope& scope, CardSelection& out);
    CardId card_for(const Instruction& instruction, const Scope& scope, std::size_t which = 0);
    int spell_damage(int player) const;
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
    bool has_rule(RuleFlag rule) const { return (cards_.rules & rule) != 0; }

    const CardSet& cards_;
    State& state_;
    Random& random_;
    FixedVector<Frame, kFrames> stack_;
    FixedVector<Frame, kPending> pending_;
    Ref defender_;
    Ref spell_target_;
    bool countered_ = false;
    std::uint16_t first_new_stamp_ = 0;  // of those who came into play after a spell was cast
    bool judged_ = false;
    bool stale_ = false;   // something changed since auras were worked out
    bool wounds_ = false;  // a minion may be dead
    bool heroes_hurt_ = false;
    int steps_ = 0;
};

// ---- events --------------------------------------------------------------------------------------------------------

template <class Random>
void Resolver<Random>::drain() {
    while (!stack_.empty() && !state_.is_void) {
        Frame& frame = stack_[stack_.size() - 1];
        if (!frame.begun && !begin(frame)) {
            stack_.pop_back();
            continue;
        }
        const Instruction& instruction = cards_.instructions[frame.program];
        if (instruction.op == Op::end) {
            stack_.pop_back();
            continue;
        }
        if (++steps_ > kMostSteps) return give_up();
        if (!is_quiet(instruction.op)) wound();
        execute(instruction, frame);
        flush();
    }
}

// Pushes what was set off, so that the first runs first.
template <class Random>
void Resolver<Random>::flush() {
    for (std::size_t i = pending_.size(); i > 0; --i) push(pending_[i - 1]);
    pending_.clear();
}

template <class Random>
bool Resolver<Random>::still_there(const Frame& frame) const {
    switch (frame.holder) {
        case Holder::none: return true;
        case Holder::minion:
        case Holder::attachment: {
            const Minion& minion = state_.minions[frame.holder_place];
            if (minion.zone != Zone::board || minion.stamp != frame.holder_stamp) return false;
            return frame.holder == Holder::attachment ? minion.attached > 0 : !minion.is_silent();
        }
        case Holder::weapon: {
            const Weapon& weapon = state_.players[frame.scope.controller].weapon;
            return weapon.card != 0 && weapon.stamp == frame.holder_stamp;
        }
        case Holder::secret: {
            const Player& owner = state_.players[frame.scope.controller];
            for (int i = 0; i < owner.secret_count; ++i) {
                if (owner.secrets[i].stamp == frame.holder_stamp) return true;
            }
            return false;
        }
        case Holder::held: {
            const Player& owner = state_.players[frame.scope.self.player()];
            return frame.holder_place < owner.hand_size && owner.hand[frame.holder_place].attached > 0;
        }
    }
    return false;
}

// Makes sure, when its turn has come, that a trigger still applies; a secret is revealed by it.
template <class Random>
bool Resolver<Random>::begin(Frame& frame) {
    frame.begun = true;
    if (frame.trigger == 0) return true;
    const Trigger& trigger = cards_.triggers[frame.trigger];
    if (!still_there(frame)) return false;
    if (trigger.event == Event::attack) frame.scope.event_target = defender_;
    if (!listens(trigger, trigger.whose == Side::enemy ? frame.scope.controller ^ 1 : frame.scope.controller,
                 frame.scope, frame.scope.controller))
        return false;
    if (trigger.event == Event::cast_spell && countered_) return false;
    if (frame.holder != Holder::secret) return true;
    Player& owner = state_.players[frame.scope.controller];
    for (int i = 0; i < owner.secret_count; ++i) {
        if (owner.secrets[i].stamp != frame.holder_stamp) continue;
        for (int k = i; k + 1 < owner.secret_count; ++k) owner.secrets[k] = owner.secrets[k + 1];
        --owner.secret_count;
        break;
    }
    Scope revealed;
    revealed.controller = frame.scope.controller;
    raise(Event::secret_revealed, frame.scope.controller, revealed);
    return true;
}

// Whether a trigger applies to an event as `viewpoint` sees it.
template <class Random>
bool Resolver<Random>::listens(const Trigger& trigger, int whose, const Scope& scope, int viewpoint) const {
    if (trigger.whose != Side::all && (trigger.whose == Side::mine) != (whose == viewpoint)) return false;
    if (trigger.own_source && !(scope.event_source == scope.self)) return false;
    if (trigger.own_target && !(scope.event_target == scope.self)) return false;
    if (trigger.event == Event::play_card && scope.event_target == scope.self)
        return false;  // a card does not hear itself
    const Look sight = look(scope);
    if (trigger.source != 0 && !sight.describes(cards_.selectors[trigger.source], scope.event_source)) return false;
    if (trigger.target != 0 && !sight.describes(cards_.selectors[trigger.target], scope.event_target)) return false;
    return sight.holds(cards_.conditions[trigger.condition]);
}

template <class Random>
void Resolver<Random>::consider(Event event, int whose, const Scope& event_scope, Holder holder, int place,
                                std::uint16_t stamp, int controller, Ref self, CardId card, TableIndex index) {
    const Trigger& trigger = cards_.triggers[index];
    if (trigger.event != event) return;
    if (event == Event::after_spell && stamp >= first_new_stamp_) return;  // it came with the spell
    Frame frame;
    frame.scope = event_scope;
    frame.scope.controller = static_cast<std::uint8_t>(controller);
    frame.scope.self = self;
    frame.scope.card = card;
    frame.scope.target = Ref();
    frame.program = trigger.program;
    frame.holder = holder;
    frame.holder_place = static_cast<std::uint8_t>(place);
    frame.holder_stamp = stamp;
    frame.trigger = index;
    if (!listens(trigger, whose, frame.scope, controller)) return;
    if (pending_.size() == kPending) return give_up();
    pending_.push_back(frame);
}

// Notes down everybody who listens to an event, in the order they came into play.
template <class Random>
void Resolver<Random>::raise(Event event, int whose, const Scope& scope) {
    const std::uint32_t bit = 1u << static_cast<int>(event);
    if (!is_heard(event)) return;
    const std::size_t before = pending_.size();
    for (int side = 0; side < 2; ++side) {
        const Player& owner = state_.players[side];
        for (int i = 0; i < owner.board_size; ++i) {
            const int place = owner.board[i];
            const Minion& minion = state_.minions[place];
            if (!minion.is_silent() && (cards_[minion.card].events & bit) != 0) {
                const Range range = cards_[minion.card].triggers;
                for (int k = 0; k < range.count; ++k) {
                    consider(event, whose, scope, Holder::minion, place, minion.stamp, side, Ref::minion(place),
                             minion.card, static_cast<TableIndex>(range.first + k));
                }
            }
            for (int k = 0; k < minion.attached; ++k) {
                const std::uint8_t entry = minion.attachments[k];
                const Attachment& attachment = cards_.attachments[entry & kAttachmentIndex];
                if (attachment.trigger == 0) continue;
                const bool casters = cards_.triggers[attachment.trigger].casters;
                const int controller = casters ? (entry & kCasterBit) != 0 : side;
                consider(event, whose, scope, Holder::attachment, place, minion.stamp, controller, Ref::minion(place),
                         minion.card, attachment.trigger);
            }
        }
        for (int i = 0; has_rule(kEnchantmentsFollow) && i < owner.hand_size; ++i) {
            const HandCard& held = owner.hand[i];
            for (int k = 0; k < held.attached; ++k) {
                const TableIndex trigger = cards_.attachments[held.attachments[k] & kAttachmentIndex].trigger;
                const bool casters = cards_.triggers[trigger].casters;
                const int controller = casters ? (held.attachments[k] & kCasterBit) != 0 : side;
                if (trigger != 0)
                    consider(event, whose, scope, Holder::held, i, 0, controller, Ref::held(side, i), held.card,
                             trigger);
            }
        }
        if (owner.weapon.card != 0 && (cards_[owner.weapon.card].events & bit) != 0) {
            const Range range = cards_[owner.weapon.card].triggers;
            for (int k = 0; k < range.count; ++k) {
                consider(event, whose, scope, Holder::weapon, 0, owner.weapon.stamp, side, Ref::weapon(side),
                         owner.weapon.card, static_cast<TableIndex>(range.first + k));
            }
        }
        if (side == state_.active) continue;  // secrets work in the opponent's turn
        for (int i = 0; i < owner.secret_count; ++i) {
            const Secret& secret = owner.secrets[i];
            if ((cards_[secret.card].events & bit) == 0) continue;
            const Range range = cards_[secret.card].triggers;
            for (int k = 0; k < range.count; ++k) {
                consider(event, whose, scope, Holder::secret, 0, secret.stamp, side, Ref::hero(side), secret.card,
                         static_cast<TableIndex>(range.first + k));
            }
        }
    }
    // A spell can be countered before anybody else hears of it.
    const bool secrets_first = event == Event::cast_spell;
    const bool both_last = event == Event::turn_end && has_rule(kTurnEndOfBothLast);
    const auto comes_before = [&](const Frame& a, const Frame& b) {
        const bool last_a = both_last && cards_.triggers[a.trigger].whose == Side::all;
        const bool last_b = both_last && cards_.triggers[b.trigger].whose == Side::all;
        if (last_a != last_b) return last_b;
        const bool secret_a = secrets_first && a.holder == Holder::secret;
        const bool secret_b = secrets_first && b.holder == Holder::secret;
        return secret_a != secret_b ? secret_a : a.holder_stamp < b.holder_stamp;
    };
    for (std::size_t i = before + 1; i < pending_.size(); ++i) {
        const Frame moved = pending_[i];
        std::size_t at = i;
        for (; at > before && comes_before(moved, pending_[at - 1]); --at) pending_[at] = pending_[at - 1];
        pending_[at] = moved;
    }
}

// ---- deaths --------------------------------------------------------------------------------------------------------

// Takes the dead off the board and notes down what their deaths set off; returns whether there were any.
template <class Random>
bool Resolver<Random>::bury() {
    FixedVector<std::uint8_t, 2 * kBoardLimit> dead;
    for (const Player& player : state_.players) {
        for (int i = 0; i < player.board_size; ++i) {
            const Minion& minion = state_.minions[player.board[i]];
            if (minion.destroyed || minion.current_health() <= 0) dead.push_back(player.board[i]);
        }
    }
    std::sort(dead.begin(), dead.end(),
              [this](std::uint8_t a, std::uint8_t b) { return state_.minions[a].stamp < state_.minions[b].stamp; });
    bool any = !dead.empty();
    wounds_ = false;
    for (const std::uint8_t place : dead) remove_from_board(place, Zone::graveyard);
    for (const std::uint8_t place : dead) {
        const Minion& minion = state_.minions[place];
        Player& owner = state_.players[minion.owner];
        if (owner.died_count < kDied) owner.died[owner.died_count++] = minion.card;
        Scope scope;
        scope.controller = minion.owner;
        scope.self = Ref::minion(place);
        scope.event_target = scope.self;
        scope.card = minion.card;
        const auto rattle = [&](ProgramCounter program) {
            if (program == 0) return;
            if (pending_.size() == kPending) return give_up();
            pending_.push_back(Frame{.scope = scope, .program = program});
        };
        if ((minion.keywords & kSilenced) == 0) rattle(cards_[minion.card].deathrattle);
        for (int k = 0; k < minion.attached; ++k) {
            rattle(cards_.attachments[minion.attachments[k] & kAttachmentIndex].deathrattle);
        }
        raise(Event::dies, minion.owner, scope);
    }
    for (int player = 0; player < 2; ++player) {
        Weapon& weapon = state_.players[player].weapon;
        if (weapon.card == 0 || (!weapon.destroyed && weapon.durability > 0)) continue;
        Scope scope;
        scope.controller = static_cast<std::uint8_t>(player);
        destroy_weapon(player, scope);
        any = true;
    }
    return any;
}

template <class Random>
void Resolver<Random>::judge() {
    const auto is_dead = [](const Player& player) { return player.health <= 0 || player.destroyed; };
    const bool dead[2] = {is_dead(state_.players[0]), is_dead(state_.players[1])};
    if ((!dead[0] && !dead[1]) || judged_) return;
    judged_ = true;
    state_.winner = dead[0] && dead[1] ? kNobody : static_cast<std::uint8_t>(dead[0] ? 1 : 0);
}

template <class Random>
void Resolver<Random>::check_heroes() {
    if (state_.phase == Phase::over) return;
    judge();
    if (judged_) state_.phase = Phase::over;
}

}  // namespace deckatlas::hearthstone

#include "hearthstone/resolver_basics.hpp"
#include "hearthstone/resolver_ops.hpp"
