// Hearthstone: continuous effects, recomputed whenever something that they may depend on has changed.
#pragma once

#include <algorithm>

#include "hearthstone/select.hpp"

namespace deckatlas::hearthstone {

// What a minion gains while it is damaged.
inline bool is_enrage(const CardSet& cards, const Aura& aura) {
    const Condition& condition = cards.conditions[aura.condition];
    const Selector& selector = cards.selectors[condition.selector];
    return condition.kind == ConditionKind::at_least && !condition.negated && selector.base == Base::self &&
           selector.filters[0].kind == FilterKind::damaged;
}

inline bool gives_health(const CardSet& cards, CardId card) {
    const Range range = cards[card].auras;
    for (int k = 0; k < range.count; ++k) {
        const Number& health = cards.numbers[cards.auras[static_cast<std::size_t>(range.first + k)].health];
        if (health.kind != NumberKind::constant || health.offset != 0) return true;
    }
    return false;
}

inline constexpr std::uint16_t kNoStamp = 0xFFFF;  // no minion's stamp

// Under one rule exhaustion is a mark, and gaining these keywords lifts it.
inline void gain(const CardSet& cards, Minion& minion, std::uint32_t keywords) {
    if ((cards.rules & kExhaustionIsMark) == 0) return;
    const bool awake = minion.attacks == 0 ? (keywords & kCharge) != 0 : (keywords & kWindfury) != 0;
    if (awake) minion.exhausted = false;
}

class Auras {
public:
    Auras(const CardSet& cards, State& state) : cards_(cards), state_(state) {}

    // Returns whether a character may have died from it. Under the rule that auras wait, minions that came after one
    // whose aura ended (given by its stamp) are tested for damage before that aura's health, and damage with it, is
    // removed.
    bool refresh(std::uint16_t ended = kNoStamp) {
        const bool waits = (cards_.rules & kAurasWait) != 0;
        const bool gives_rage = (cards_.rules & kEnrageIsGiven) != 0;
        const Marks before = marks();
        const bool wakes = (cards_.rules & kExhaustionIsMark) != 0 && may_change_keywords(before);
        const Wakers wakers = wakes ? find_wakers() : Wakers{};
        Outcome outcome = work_out(before);
        if (outcome.healed) outcome = work_out(marks());  // a minion that is no longer damaged may no longer be enraged
        if (gives_rage) {
            each_place(before.with_aura, [&](int place) {
                Minion& minion = state_.minions[place];
                const bool damaged_before = (before.damaged >> place & 1) != 0;
                give_rage(minion, waits && minion.stamp > ended ? damaged_before : minion.damage > 0);
            });
        }
        if (wakes) wake(wakers);
        return outcome.dead;
    }

    // Removes what a minion gained while damaged, when its ability ends; twice, if it is no longer damaged.
    void end_rage(Minion& minion) {
        if (!minion.enraged) return;
        minion.enraged = false;
        each_rage(minion, [&](const Aura& aura, std::int16_t attack) {
            if (cards_.selectors[aura.selector].base == Base::weapon) {
                Weapon& weapon = state_.players[minion.owner].weapon;
                if (weapon.card == 0 || weapon.stamp != minion.enraged_for) return;
                weapon.attack = fit(state_, weapon.attack - attack);
            } else {
                take_rage(minion, aura, attack);
            }
            if (minion.damage == 0) take_rage(minion, aura, attack);
        });
    }

private:
    // Which minions in play have what, one bit for each place of the pool.
    struct Marks {
        std::uint32_t concerned = 0;  // by auras: all others have none, and got nothing from one
        std::uint32_t with_aura = 0;
        std::uint32_t damaged = 0;  // among these
        std::uint32_t with_given_keywords = 0;
    };
    // Keywords that may lift exhaustion.
    struct Wakers {
        std::uint32_t with_charge = 0;
        std::uint32_t with_windfury = 0;
    };
    struct Outcome {
        bool healed = false;
        bool dead = false;
    };
    struct Holder {
        std::uint16_t stamp;
        std::uint8_t place;
    };
    using Holders = FixedVector<Holder, 2 * kBoardLimit>;
    struct Strengthened {
        std::uint8_t place;
        std::int16_t health;  // given by auras
    };
    using AllStrengthened = FixedVector<Strengthened, 2 * kBoardLimit>;

    // Few minions have anything to do with auras: one test finds them.
    Marks marks() const {
        std::uint32_t concerned = 0;
        each_place(state_.in_play(), [&](int place) {
            const Minion& minion = state_.minions[place];
            const std::uint32_t bonus = minion.aura_keywords | static_cast<std::uint16_t>(minion.aura_attack) |
                                        static_cast<std::uint16_t>(minion.aura_health);
            concerned |= bit_if((bonus | minion.has_aura) != 0, place);
        });
        Marks marks;
        each_place(concerned, [&](int place) {
            const Minion& minion = state_.minions[place];
            marks.with_aura |= bit_if(minion.has_aura, place);
            marks.damaged |= bit_if(minion.has_aura & (minion.damage > 0), place);
            marks.with_given_keywords |= bit_if(minion.aura_keywords != 0, place);
        });
        marks.concerned = concerned;
        return marks;
    }

    // Whether a refresh may give or remove keywords, those for being damaged too; usually none does.
    bool may_change_keywords(const Marks& before) const {
        bool may = before.with_given_keywords != 0 || players_give_keywords();
        each_place(before.with_aura, [&](int place) { may |= cards_[state_.minions[place].card].aura_gives_keywords; });
        return may;
    }

    Wakers find_wakers() const {
        Wakers wakers;
        each_place(state_.in_play(), [&](int place) {
            const std::uint32_t keywords = state_.minions[place].all_keywords();
            wakers.with_charge |= bit_if((keywords & kCharge) != 0, place);
            wakers.with_windfury |= bit_if((keywords & kWindfury) != 0, place);
        });
        return wakers;
    }

    // Lifts the exhaustion of minions that gained a keyword which does so.
    void wake(const Wakers& before) {
        const Wakers after = find_wakers();
        const std::uint32_t charge = before.with_charge ^ after.with_charge;
        const std::uint32_t windfury = before.with_windfury ^ after.with_windfury;
        each_place(charge | windfury, [&](int place) {
            Minion& minion = state_.minions[place];
            const std::uint32_t changed = (charge >> place & 1) * kCharge | (windfury >> place & 1) * kWindfury;
            gain(cards_, minion, changed & minion.all_keywords());
            // Where a minion's own charge ends (Southsea Deckhand), the mark is set again, to none.
            if (minion.has_aura) gain(cards_, minion, changed & ~minion.all_keywords() & kCharge);
        });
    }

    Outcome work_out(const Marks& marks) {
        AllStrengthened before;
        clear(marks, before);
        Holders holders;  // the minions with auras, in order of play
        each_place(marks.with_aura, [&](int place) {
            insert({state_.minions[place].stamp, static_cast<std::uint8_t>(place)}, holders);
        });
        const bool gives_keywords = players_give_keywords();
        state_.auras = !holders.empty() || gives_keywords;
        if (gives_keywords) give_player_keywords();
        Outcome outcome;
        // Keywords first: others may depend on them.
        for (const Holder& holder : holders) {
            if (cards_[state_.minions[holder.place].card].aura_gives_keywords) give_keywords(holder);
        }
        for (const Holder& holder : holders) outcome.dead |= give_stats(holder);
        for (const Strengthened& strengthened : before) outcome.healed |= heal_what_is_lost(strengthened);
        return outcome;
    }

    // Removes all aura bonuses.
    void clear(const Marks& marks, AllStrengthened& before) {
        for (Player& player : state_.players) player.weapon.aura_attack = 0;
        each_place(marks.concerned, [&](int place) {
            Minion& minion = state_.minions[place];
            if (minion.aura_health != 0) before.push_back({static_cast<std::uint8_t>(place), minion.aura_health});
            minion.aura_attack = 0;
            minion.aura_health = 0;
            minion.aura_keywords = 0;
        });
    }

    static void insert(Holder holder, Holders& holders) {
        std::size_t at = holders.size();
        holders.push_back(holder);
        for (; at > 0 && holders[at - 1].stamp > holder.stamp; --at) holders[at] = holders[at - 1];
        holders[at] = holder;
    }

    bool players_give_keywords() const {
        for (const Player& player : state_.players) {
            for (int i = 0; i < player.enchantment_count; ++i) {
                if (cards_.player_enchantments[player.enchantments[i].index].keywords != 0) return true;
            }
        }
        return false;
    }

    void give_player_keywords() {
        for (Player& player : state_.players) {
            for (int i = 0; i < player.enchantment_count; ++i) {
                const std::uint32_t keywords = cards_.player_enchantments[player.enchantments[i].index].keywords;
                for (int k = 0; k < player.board_size; ++k) state_.minions[player.board[k]].aura_keywords |= keywords;
            }
        }
    }

    // Calls `give(look, aura)` for each active aura of a minion.
    template <class Give>
    void each_aura(const Holder& holder, const Give& give) {
        const Minion& source = state_.minions[holder.place];
        Scope scope;
        scope.controller = source.owner;
        scope.self = Ref::minion(holder.place);
        scope.card = source.card;
        const Look look(cards_, state_, scope);
        const Range range = cards_[source.card].auras;
        for (int k = 0; k < range.count; ++k) {
            const Aura& aura = cards_.auras[static_cast<std::size_t>(range.first + k)];
            if ((cards_.rules & kEnrageIsGiven) != 0 && is_enrage(cards_, aura)) continue;
            if (look.holds(cards_.conditions[aura.condition])) give(look, aura);
        }
    }

    void give_keywords(const Holder& holder) {
        each_aura(holder, [&](const Look& look, const Aura& aura) {
            if (aura.keywords == 0) return;
            Selection reached;
            look.select(cards_.selectors[aura.selector], reached);
            const bool stays =
                (cards_.rules & kAuraChargeStays) != 0 && cards_.selectors[aura.selector].base != Base::self;
            for (const Ref ref : reached) {
                if (!ref.is_minion()) continue;
                Minion& minion = state_.minions[ref.place()];
                minion.aura_keywords |= aura.keywords;
                if (stays) minion.lasting_keywords |= aura.keywords & kCharge;
            }
        });
    }

    // Returns whether a character may have died from it.
    bool give_stats(const Holder& holder) {
        bool weakened = false;
        each_aura(holder, [&](const Look& look, const Aura& aura) {
            const int attack = look.value(cards_.numbers[aura.attack]);
            const int health = look.value(cards_.numbers[aura.health]);
            if (attack == 0 && health == 0) return;
            Selection reached;
            look.select(cards_.selectors[aura.selector], reached);
            weakened |= health < 0;
            for (const Ref ref : reached) {
                if (ref.is_weapon()) {
                    Weapon& weapon = state_.players[ref.player()].weapon;
                    weapon.aura_attack = fit(state_, weapon.aura_attack + attack);
                } else if (ref.is_minion()) {
                    Minion& minion = state_.minions[ref.place()];
                    minion.aura_attack = fit(state_, minion.aura_attack + attack);
                    minion.aura_health = fit(state_, minion.aura_health + health);
                }
            }
        });
        return weakened;
    }

    template <class Do>
    void each_rage(const Minion& minion, const Do& act) {
        const Range range = cards_[minion.card].auras;
        for (int k = 0; k < range.count; ++k) {
            const Aura& aura = cards_.auras[static_cast<std::size_t>(range.first + k)];
            if (is_enrage(cards_, aura)) act(aura, cards_.numbers[aura.attack].offset);
        }
    }

    void give_rage(Minion& minion, bool damaged) {
        if (!minion.has_aura) return;
        each_rage(minion, [&](const Aura& aura, std::int16_t attack) {
            const bool for_weapon = cards_.selectors[aura.selector].base == Base::weapon;
            Weapon& weapon = state_.players[minion.owner].weapon;
            if (for_weapon && weapon.card == 0) return;
            minion.enraged_for = weapon.stamp;
            if (minion.enraged == damaged) return;
            minion.enraged = damaged;
            if (!minion.enraged) {
                take_rage(minion, aura, attack);
            } else if (for_weapon) {
                weapon.attack = fit(state_, weapon.attack + attack);
            } else {
                minion.attack = fit(state_, minion.attack + attack);
                minion.keywords |= aura.keywords;
            }
        });
    }

    void take_rage(Minion& minion, const Aura& aura, std::int16_t attack) {
        minion.attack = fit(state_, minion.attack - attack);
        minion.keywords &= ~aura.keywords;
    }

    // When an aura ends, the health it gave is removed, but never kills: damage is removed with it. Returns whether so.
    bool heal_what_is_lost(const Strengthened& before) {
        Minion& minion = state_.minions[before.place];
        const int lost = before.health - minion.aura_health;
        if (lost <= 0 || minion.damage <= 0) return false;
        minion.damage = static_cast<std::int16_t>(std::max(0, minion.damage - lost));
        return true;
    }

    const CardSet& cards_;
    State& state_;
};

}  // namespace deckatlas::hearthstone
