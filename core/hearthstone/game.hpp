// Hearthstone: the sequence of phases of every action.
#pragma once

#include "hearthstone/actions.hpp"
#include "hearthstone/resolver.hpp"

namespace deckatlas::hearthstone {

inline constexpr int kTurnsToHeed = 4;  // after this many turns the listeners are recomputed

template <class Random>
class Sequence {
public:
    Sequence(const CardSet& cards, State& state, Random& random)
        : cards_(cards), state_(state), random_(random), resolver_(cards, state, random) {}

    // Carries out a legal action.
    void apply(const Action& action) {
        forget_the_dead();
        if (has_rule(kAurasWait) && state_.auras) resolver_.touch();
        switch (action.kind) {
            case ActionKind::end_turn: end_turn(); break;
            case ActionKind::play: play(action); break;
            case ActionKind::power: use_power(action); break;
            case ActionKind::attack: attack(action); break;
            case ActionKind::choose: choose(action.source); break;
            case ActionKind::keep: keep(action.source); break;
        }
        resolver_.refresh();
        resolver_.check_heroes();
        if (state_.choice_count > 0 && state_.phase == Phase::main) state_.phase = Phase::choice;
    }

    void begin_turn(int player);

private:
    bool has_rule(RuleFlag rule) const { return (cards_.rules & rule) != 0; }

    // Nothing refers to minions that left play in an earlier action, or before a turn starts.
    void forget_the_dead() {
        state_.occupied &= ~state_.graves;
        state_.graves = 0;
    }

    void pay(Player& own, int cost) {
        const int extra = std::min<int>(own.extra, cost);
        own.extra = static_cast<std::uint8_t>(own.extra - extra);
        own.used = static_cast<std::uint8_t>(own.used + cost - extra);
    }

    void use_up_enchantments(Player& own, const Card& card) {
        int kept = 0;
        for (int i = 0; i < own.enchantment_count; ++i) {
            const Duration duration = own.enchantments[i].duration;
            const bool used = (duration == Duration::until_next_spell && card.type == CardType::spell) ||
                              (duration == Duration::until_next_secret && card.secret);
            if (!used) own.enchantments[kept++] = own.enchantments[i];
        }
        own.enchantment_count = static_cast<std::uint8_t>(kept);
    }

    void play(const Action& action) {
        Player& own = state_.players[state_.active];
        const HandCard held = own.hand[action.source];
        const CardId id = held.card;
        const Card& card = cards_[id];
        const Play& way = Options(cards_, state_).play_of(card, action.choice);
        Scope scope;
        scope.controller = state_.active;
        scope.target = ref_of(state_, action.target);
        scope.card = id;
        scope.played_card = id;
        pay(own, cost_in_hand(cards_, state_, state_.active, action.source));
        remove_from_hand(own, action.source);
        if (held.origin == Origin::drawn && !card.secret) note_seen(own, id);
        own.cards_played = fit<std::uint8_t>(state_, own.cards_played + 1);
        own.overload_owed = fit<std::uint8_t>(state_, own.overload_owed + card.overload);
        use_up_enchantments(own, card);
        switch (card.type) {
            case CardType::minion: play_minion(held, way, action.position, scope); break;
            case CardType::spell: play_spell(card, way, scope); break;
            case CardType::weapon: play_weapon(way, scope); break;
            case CardType::none:
            case CardType::hero:
            case CardType::power: break;
        }
    }

    void play_minion(const HandCard& held, const Play& way, int position, Scope scope) {
        Player& own = state_.players[state_.active];
        own.minions_played = fit<std::uint8_t>(state_, own.minions_played + 1);
        const Ref self = resolver_.put_on_board(state_.active, scope.card, position);
        if (!self.exists()) return;
        resolver_.keep_enchantments(held, state_.minions[self.place()]);
        resolver_.refresh();
        resolver_.announce(Event::play_card, state_.active, scope, Ref::played(state_.active), self);
        resolver_.announce(Event::summon, state_.active, scope, Ref::played(state_.active), self);
        resolver_.end_phase();
        if (state_.phase == Phase::over) return;
        scope.self = self;
        // A battlecry that needs a target does nothing without one.
        const bool wants_target = way.target.minions || way.target.heroes;
        if (!wants_target || scope.target.exists()) resolver_.run(way.program, scope);
        resolver_.end_phase();
        if (state_.phase == Phase::over) return;
        const bool became_hero = own.hero != 0 && cards_[scope.card].type == CardType::minion &&
                                 state_.minions[self.place()].zone != Zone::board && own.hero == hero_from(way);
        const Ref played = became_hero && !has_rule(kNewHeroIsFresh) ? Ref::hero(state_.active) : self;
        if (became_hero || state_.minions[self.place()].zone == Zone::board)
            resolver_.announce(Event::after_play_minion, state_.active, scope, self, played);
        if (!became_hero) resolver_.announce(Event::after_summon, state_.active, scope, self, self);
        resolver_.end_phase();
    }

    // The hero that a battlecry replaces the minion with, or none.
    CardId hero_from(const Play& way) const {
        for (std::size_t i = way.program; way.program != 0 && cards_.instructions[i].op != Op::end; ++i) {
            if (cards_.instructions[i].op == Op::replace_hero) return cards_.instructions[i].card;
        }
        return 0;
    }

    void play_spell(const Card& card, const Play& way, Scope scope) {
        Player& own = state_.players[state_.active];
        const Ref spell = Ref::played(state_.active);
        resolver_.begin_spell(scope.target);
        if (!has_rule(kSpellHeardFirst)) resolver_.announce(Event::play_card, state_.active, scope, spell);
        resolver_.announce(Event::cast_spell, state_.active, scope, spell, scope.target);
        if (has_rule(kSpellHeardFirst) && !resolver_.is_countered())
            resolver_.announce(Event::play_card, state_.active, scope, spell);
        resolver_.end_phase();
        if (resolver_.is_countered()) own.overload_owed = static_cast<std::uint8_t>(own.overload_owed - card.overload);
        if (state_.phase == Phase::over || resolver_.is_countered()) return;
        if (scope.target.is_minion() && state_.minions[scope.target.place()].zone == Zone::board)
            resolver_.announce(Event::spell_targets_minion, state_.active, scope, spell, scope.target);
        scope.target = resolver_.spell_target();
        if (card.secret) {
            own.secrets[own.secret_count++] = {scope.card, resolver_.new_stamp()};
            resolver_.heed(scope.card);
        } else {
            resolver_.run(way.program, scope);
        }
        resolver_.end_phase();
        if (state_.phase == Phase::over) return;
        resolver_.announce(Event::after_spell, state_.active, scope, spell);
        resolver_.end_phase();
    }

    void play_weapon(const Play& way, Scope scope) {
        resolver_.announce(Event::play_card, state_.active, scope, Ref::played(state_.active));
        resolver_.end_phase();
        if (state_.phase == Phase::over) return;
        resolver_.equip(state_.active, scope.card);
        resolver_.flush();
        resolver_.drain();
        resolver_.refresh();
        scope.self = Ref::weapon(state_.active);
        resolver_.run(way.program, scope);
        resolver_.end_phase();
    }

    void use_power(const Action& action) {
        Player& own = state_.players[state_.active];
        const Card& power = cards_[own.power];
        pay(own, power.cost);
        own.power_used = true;
        Scope scope;
        scope.controller = state_.active;
        scope.self = Ref::hero(state_.active);
        scope.target = ref_of(state_, action.target);
        scope.card = own.power;
        resolver_.run(power.play.program, scope);
        resolver_.end_phase();
    }

    void attack(const Action& action) {
        const Ref attacker = ref_of(state_, static_cast<TargetCode>(kOwnHero + action.source));
        const bool unharmed = is_immune_attacking(attacker) && !has_rule(kImmuneToBlowsAlone);
        resolver_.begin_attack(ref_of(state_, action.target), unharmed ? attacker : Ref());
        state_.attackers |= mark_of(attacker);
        state_.defenders |= mark_of(resolver_.defender());
        Scope scope;
        scope.controller = state_.active;
        scope.self = attacker;
        carry_out_attack(attacker, scope);
    }

    // Whether a hero has a weapon that makes it immune while it attacks.
    bool is_immune_attacking(Ref attacker) const {
        const Weapon& weapon = state_.players[state_.active].weapon;
        return attacker.is_hero() && (cards_[weapon.card].keywords & kImmuneWhileAttacking) != 0;
    }

    // Secrets come first; redirecting an attack proposes another one.
    void propose_attack(Ref attacker, const Scope& scope) {
        Ref proposed;
        while (!(proposed == resolver_.defender())) {
            proposed = resolver_.defender();
            resolver_.announce(Event::attack_proposed, state_.active, scope, attacker, proposed);
        }
    }

    void carry_out_attack(Ref attacker, const Scope& scope) {
        const Ref attacked = resolver_.defender();
        propose_attack(attacker, scope);
        resolver_.announce(Event::attack, state_.active, scope, attacker, resolver_.defender());
        if (!has_rule(kAurasWait)) resolver_.end_phase();
        if (state_.phase == Phase::over) return;
        const Look look = resolver_.look(scope);
        const Ref defender = has_rule(kAurasWait) ? attacked : resolver_.defender();
        const bool stopped = !look.is_alive(attacker) || !look.is_alive(defender);
        if (stopped && has_rule(kAurasWait)) resolver_.end_phase();
        if (stopped && has_rule(kExhaustionIsMark)) return;
        resolver_.touch_stats();
        count_attack(attacker);
        if (stopped) return;
        state_.defenders |= mark_of(resolver_.defender());
        strike(attacker, resolver_.defender(), scope);
        resolver_.end_phase();
    }

    void count_attack(Ref attacker) {
        if (attacker.is_minion()) {
            Minion& minion = state_.minions[attacker.place()];
            minion.keywords &= ~kStealth;
            minion.keywords_this_turn &= ~kStealth;
            minion.attacks = fit<std::uint8_t>(state_, minion.attacks + 1);
            if (minion.attacks >= (minion.has(kWindfury) ? 2 : 1) && has_rule(kExhaustionIsMark))
                minion.exhausted = true;
        } else {
            Player& own = state_.players[state_.active];
            own.attacks = fit<std::uint8_t>(state_, own.attacks + 1);
            if (own.attacks >= ((cards_[own.weapon.card].keywords & kWindfury) != 0 ? 2 : 1)) own.hero_exhausted = true;
        }
    }

    void strike(Ref attacker, Ref defender, const Scope& scope) {
        Player& own = state_.players[state_.active];
        const Look look = resolver_.look(scope);
        const int dealt = look.attack_of(attacker);
        const int taken = defender.is_minion() ? look.attack_of(defender) : 0;
        const std::uint32_t weapon = cards_[own.weapon.card].keywords;
        resolver_.damage(defender, dealt, attacker, scope);
        if (!is_immune_attacking(attacker)) resolver_.damage(attacker, taken, defender, scope);
        if (attacker.is_hero() && own.weapon.card != 0) {
            if ((weapon & kSpendsAttack) != 0 && defender.is_minion()) {
                own.weapon.attack = fit(state_, own.weapon.attack - 1);
                if (own.weapon.attack <= 0 && !has_rule(kSpentWeaponStays)) own.weapon.destroyed = true;
            } else {
                resolver_.lose_durability(state_.active, 1);
            }
            resolver_.wound();
        }
        resolver_.flush();
        resolver_.drain();
    }

    void choose(int index) {
        const CardId chosen = state_.choices[index];
        state_.choice_count = 0;
        state_.phase = Phase::main;
        resolver_.add_to_hand(state_.active, chosen, 0, nullptr, Origin::drawn);
    }

    // The mulligan of a player; after the second one the first turn starts.
    void keep(std::uint32_t kept);
    void end_turn();
    void give_back_cards(int player);
    void end_what_was_for_this_turn(int player);
    void give_back_minions(int player);

    const CardSet& cards_;
    State& state_;
    Random& random_;
    Resolver<Random> resolver_;
};

template <class Random>
void apply(const CardSet& cards, State& state, const Action& action, Random& random) {
    Sequence<Random>(cards, state, random).apply(action);
}

}  // namespace deckatlas::hearthstone

#include "hearthstone/game_turns.hpp"
