// Hearthstone: how much damage cards can add to a hero in one turn, and the most of it with the mana of a turn.
//
// An estimate of what a card does by itself: damage that may hit the hero, minions with Charge, weapons, attack for own
// characters. Cards that strengthen each other are counted one by one.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "hearthstone/state.hpp"

namespace deckatlas::hearthstone {

struct CardReach {
    std::uint8_t damage = 0;       // with nothing in play
    std::uint8_t per_minion = 0;   // more for each own minion in play
    std::uint8_t with_minion = 0;  // more if there is one
    std::uint8_t weapon = 0;       // the attack of the weapon that it equips

    constexpr int total() const { return damage + per_minion + with_minion + weapon; }
};

// The reach of all cards of an edition.
class CardReaches {
public:
    explicit CardReaches(const CardSet& cards) {
        for (std::size_t id = 0; id < cards.cards.size(); ++id)
            reaches_.push_back(of(cards, cards[static_cast<CardId>(id)]));
    }

    const CardReach& operator[](CardId card) const { return reaches_[card]; }

private:
    static CardReach of(const CardSet& cards, const Card& card) {
        CardReach best;
        for (const Play* const play : {&card.play, &card.combo, &card.choice[0], &card.choice[1]}) {
            const CardReach reach = of_play(cards, *play);
            if (reach.total() > best.total()) best = reach;
        }
        if (card.type == CardType::minion && (card.keywords & kCharge) != 0)
            best.damage = sum(best.damage, card.attack);
        if (card.type == CardType::weapon) best.weapon = sum(0, card.attack);
        return best;
    }

    static CardReach of_play(const CardSet& cards, const Play& play) {
        CardReach reach;
        for (std::size_t at = play.program; play.program != 0 && cards.instructions[at].op != Op::end; ++at)
            add(cards, play, cards.instructions[at], reach);
        return reach;
    }

    static void add(const CardSet& cards, const Play& play, const Instruction& instruction, CardReach& reach) {
        const Selector& selector = cards.selectors[instruction.selector];
        const Number& number = cards.numbers[instruction.amount];
        const int amount = number.kind == NumberKind::constant ? std::max<int>(0, number.offset) : 0;
        switch (instruction.op) {
            case Op::damage:
            case Op::damage_from:
            case Op::split_damage:
                if (may_hit_hero(selector, play)) reach.damage = sum(reach.damage, amount);
                break;
            case Op::buff:
                if (selector.base == Base::target) {
                    reach.with_minion = sum(reach.with_minion, amount);
                } else if (selector.side == Side::mine && selector.pick == Pick::all) {
                    const bool all = selector.base == Base::characters;
                    if (all || selector.base == Base::hero) reach.damage = sum(reach.damage, amount);
                    if (all || selector.base == Base::minions) reach.per_minion = sum(reach.per_minion, amount);
                }
                break;
            case Op::equip: reach.weapon = sum(0, cards[instruction.card].attack); break;
            case Op::buff_weapon: reach.damage = sum(reach.damage, amount); break;
            case Op::summon:
                if (instruction.choice == Choice::card && (cards[instruction.card].keywords & kCharge) != 0)
                    reach.damage = sum(reach.damage, amount * cards[instruction.card].attack);
                break;
            default: break;
        }
    }

    static bool may_hit_hero(const Selector& selector, const Play& play) {
        if (selector.base == Base::target) return play.target.heroes;
        return selector.side != Side::mine && (selector.base == Base::hero || selector.base == Base::characters);
    }

    static std::uint8_t sum(int a, int b) { return static_cast<std::uint8_t>(std::clamp(a + b, 0, 60)); }

    std::vector<CardReach> reaches_;
};

// The most damage that cards add with the mana of a turn.
class ReachWithMana {
public:
    ReachWithMana(int mana, int minions, int weapon_attack)
        : mana_(std::clamp(mana, 0, kMostMana)), minions_(minions), weapon_attack_(weapon_attack) {}

    void add(int cost, const CardReach& reach) {
        if (reach.total() == 0 || cost > mana_) return;
        const int gain = reach.damage + reach.per_minion * minions_ + (minions_ > 0 ? reach.with_minion : 0) +
                         std::max(0, reach.weapon - weapon_attack_);
        for (int left = mana_; left >= std::max(0, cost); --left) {
            const int with = most_[static_cast<std::size_t>(left - std::max(0, cost))] + gain;
            int& most = most_[static_cast<std::size_t>(left)];
            most = std::max(most, with);
        }
    }

    int most() const { return most_[static_cast<std::size_t>(mana_)]; }

private:
    static constexpr int kMostMana = kCrystalLimit;

    int mana_;
    int minions_;
    int weapon_attack_;
    std::array<int, kMostMana + 1> most_{};  // with so much mana
};

}  // namespace deckatlas::hearthstone
