// Hearthstone: legal actions and their targets.
#pragma once

#include <bit>
#include <cstdint>

#include "common/fixed_vector.hpp"
#include "common/random.hpp"
#include "hearthstone/costs.hpp"
#include "hearthstone/select.hpp"
#include "hearthstone/setup.hpp"
#include "hearthstone/targets.hpp"

namespace deckatlas::hearthstone {

enum class ActionKind : std::uint8_t { end_turn, play, power, attack, choose, keep };

inline constexpr std::uint8_t kRightmost = kBoardLimit;  // the position at the right end

struct Action {
    ActionKind kind = ActionKind::end_turn;
    // Place in the hand; attacker: 0 the hero, 1 to 7 minions; place among choices; mask of places in the hand to keep.
    std::uint8_t source = 0;
    std::uint8_t choice = 0;  // 1 or 2 for a card with choices
    TargetCode target = kNoTarget;
    std::uint8_t position = kRightmost;

    friend constexpr bool operator==(const Action&, const Action&) = default;
};

// Ten cards with two choices at sixteen targets, seven attackers and a hero at eight, a hero power at sixteen.
inline constexpr std::size_t kMostActions = 1 + kHandLimit * 2 * 16 + (kBoardLimit + 1) * (kBoardLimit + 1) + 17;
using ActionList = FixedVector<Action, kMostActions>;

class Options {
public:
    Options(const CardSet& cards, const State& state) : cards_(cards), state_(state) {}

    // Every legal action, with all positions of a played minion merged into one.
    void list(ActionList& out) const {
        if (state_.phase != Phase::main) return list_outside_main(out);
        const Sight sight = look_around();
        const Offers offers = find_offers(sight);
        out.push_back({});
        for (std::uint32_t cards = offers.cards; cards != 0; cards &= cards - 1) {
            const int place = std::countr_zero(cards);
            for (Ways left = offers.of_card[place]; left != 0; left &= left - 1)
                out.push_back(play_action(place, std::countr_zero(left)));
        }
        for (Ways left = offers.of_power; left != 0; left &= left - 1)
            out.push_back(power_action(std::countr_zero(left)));
        const int attacks = sight.attacks.count();
        for (int i = 0; i < attacks; ++i) out.push_back(sight.attacks[i]);
    }

    // One of these, uniformly at random. They are counted, not listed.
    Action random(Rng& rng) const {
        if (state_.phase != Phase::main) {
            ActionList actions;
            list_outside_main(actions);
            return actions[rng.below(static_cast<std::uint32_t>(actions.size()))];
        }
        const Sight sight = look_around();
        const Offers offers = find_offers(sight);
        const int powers = std::popcount(offers.of_power);
        const int count = 1 + offers.plays + powers + sight.attacks.count();
        int chosen = static_cast<int>(rng.below(static_cast<std::uint32_t>(count))) - 1;
        if (chosen < 0) return {};
        if (chosen < offers.plays) return offers.play_at(chosen);
        chosen -= offers.plays;
        return chosen < powers ? power_action(nth_bit(offers.of_power, chosen)) : sight.attacks[chosen - powers];
    }

    // How a card is played now: with its combo, with a choice, or normally.
    const Play& play_of(const Card& card, int choice) const {
        if (choice > 0) return card.choice[choice - 1];
        if (card.has_combo && state_.players[state_.active].cards_played > 0) return card.combo;
        return card.play;
    }

private:
    // The ways to play a card: a TargetMask without a choice, above it the mask of the first choice, then of the
    // second.
    using Ways = std::uint64_t;
    static constexpr int kWaysOfChoice = kNobodyAt + 1;

    // All plays of a turn and uses of the hero power.
    struct Offers {
        std::uint32_t cards = 0;  // mask of places in the hand
        int plays = 0;            // ways to play them in total
        Ways of_card[kHandLimit];
        Ways of_power = 0;

        Action play_at(int index) const {
            std::uint32_t left = cards;
            for (; index >= std::popcount(of_card[std::countr_zero(left)]); left &= left - 1)
                index -= std::popcount(of_card[std::countr_zero(left)]);
            const int place = std::countr_zero(left);
            return play_action(place, nth_bit(of_card[place], index));
        }
    };

    // All attacks of a turn: every attacker can attack the same minions.
    struct Attacks {
        std::uint32_t able = 0;     // mask of own minions that can attack
        std::uint32_t sparing = 0;  // the ones among them that cannot attack heroes
        std::uint32_t open = 0;     // mask of enemy minions that can be attacked
        bool hero_able = false;
        bool hero_open = false;

        int count() const {
            const int attackers = std::popcount(able) + hero_able;
            return attackers * std::popcount(open) + (hero_open ? attackers - std::popcount(able & sparing) : 0);
        }
        // Attackers from the left, the hero last; targets are minions from the left, then the hero.
        Action operator[](int index) const {
            const int minions = std::popcount(open);
            Action action{ActionKind::attack};
            for (std::uint32_t left = able; left != 0; left &= left - 1) {
                const int place = std::countr_zero(left);
                const int targets = minions + (hero_open && (sparing >> place & 1) == 0);
                if (index < targets) {
                    action.source = static_cast<std::uint8_t>(1 + place);
                    break;
                }
                index -= targets;
            }
            action.target =
                index < minions ? static_cast<TargetCode>(kEnemyHero + 1 + nth_bit(open, index)) : kEnemyHero;
            return action;
        }
    };

    // The relevant facts about both boards, computed once for all actions.
    struct Sight {
        TargetMask aimable = 0;           // possible targets of cards
        TargetMask aimable_by_magic = 0;  // possible targets of spells and hero powers
        Attacks attacks;
    };

    // Which minions can attack, under either rule about exhaustion.
    class AttackRule {
    public:
        explicit AttackRule(bool exhaustion_is_mark)
            : waking_(exhaustion_is_mark ? 0 : std::uint32_t{kCharge}), counted_(exhaustion_is_mark ? 0 : 0xFF) {}

        // As numbers, one of which is negative if it cannot attack: signs compile to code without branches.
        bool can_attack(const Minion& minion, std::uint32_t keywords, int attack) const {
            const bool asleep = minion.exhausted & ((keywords & waking_) == 0);
            const auto held = static_cast<int>((keywords & (kFrozen | kCantAttack)) | asleep);
            const int left = ((keywords & kWindfury) != 0) - (minion.attacks & counted_);
            return (-held | left | (attack - 1)) >= 0;
        }

    private:
        std::uint32_t waking_;  // keywords that lift exhaustion
        int counted_;           // mask for the number of attacks made, where it matters
    };

    bool hero_can_attack() const {
        const Player& own = state_.players[state_.active];
        if (hero_attack(state_, state_.active) == 0 || own.frozen) return false;
        if ((cards_.rules & kExhaustionIsMark) != 0) return !own.hero_exhausted;
        return own.attacks < ((cards_[own.weapon.card].keywords & kWindfury) != 0 ? 2 : 1);
    }

    // Sets are built from the right end, one shift per minion, without branches: which minions can attack is hard to
    // predict. So is their number: the left four places of both boards are always read, empty or not.
    Sight look_around() const {
        const Player& own = state_.players[state_.active];
        const Player& enemy = state_.players[state_.active ^ 1];
        Sight sight;
        Attacks& attacks = sight.attacks;
        const AttackRule rule((cards_.rules & kExhaustionIsMark) != 0);
        const std::uint32_t all_own = (1u << own.board_size) - 1;
        const std::uint32_t all_enemy = (1u << enemy.board_size) - 1;
        std::uint32_t taunts = 0;
        std::uint32_t of_own = 0;
        std::uint32_t of_enemy = 0;
        std::uint32_t able = 0;
        std::uint32_t open = 0;
        const int most = (all_own | all_enemy) >> 4 != 0 ? kBoardLimit : 4;
        for (int i = most - 1; i >= 0; --i) {
            const Minion& minion = state_.minions[own.board[i]];
            const std::uint32_t keywords = minion.all_keywords();
            able = able << 1 | rule.can_attack(minion, keywords, minion.usual_attack());
            of_own |= keywords;
        }
        for (int i = most - 1; i >= 0; --i) {
            const std::uint32_t keywords = state_.minions[enemy.board[i]].all_keywords();
            open = open << 1 | ((keywords & (kStealth | kImmune)) == 0);
            taunts = taunts << 1 | ((keywords & kTaunt) != 0);
            of_enemy |= keywords;
        }
        attacks.able = able & all_own;
        attacks.open = open & all_enemy;
        taunts &= attacks.open;
        attacks.hero_able = hero_can_attack();
        const bool hero_seen = (enemy.hero_keywords_this_turn & kImmune) == 0;
        sight.aimable = kOwnHeroMask | (hero_seen ? kEnemyHeroMask : 0) | attacks.open << kEnemyMinionsAt |
                        all_own << kOwnMinionsAt;
        sight.aimable_by_magic = sight.aimable;
        // Few minions have these: usually no minion is checked again.
        if ((of_own & kAttackEqualsHealth) != 0) {
            for (int i = 0; i < own.board_size; ++i) {
                const Minion& minion = state_.minions[own.board[i]];
                attacks.able &= ~(1u << i);
                attacks.able |= bit_if(rule.can_attack(minion, minion.all_keywords(), minion.current_attack()), i);
            }
        }
        if ((of_own & kCantAttackHeroes) != 0) attacks.sparing = those_with(own, kCantAttackHeroes);
        if (((of_own | of_enemy) & kElusive) != 0)
            sight.aimable_by_magic &=
                ~(those_with(own, kElusive) << kOwnMinionsAt | those_with(enemy, kElusive) << kEnemyMinionsAt);
        if (taunts != 0) attacks.open = taunts;
        attacks.hero_open = taunts == 0 && hero_seen;
        return sight;
    }

    std::uint32_t those_with(const Player& player, std::uint32_t keyword) const {
        std::uint32_t found = 0;
        for (int i = player.board_size - 1; i >= 0; --i)
            found = found << 1 | state_.minions[player.board[i]].has(keyword);
        return found;
    }

    void list_outside_main(ActionList& out) const {
        if (state_.phase == Phase::choice) {
            for (int i = 0; i < state_.choice_count; ++i)
                out.push_back({ActionKind::choose, static_cast<std::uint8_t>(i)});
        } else if (state_.phase == Phase::mulligan) {
            for (int kept = 0; kept < 1 << replaceable_cards(state_); ++kept)
                out.push_back({ActionKind::keep, static_cast<std::uint8_t>(kept)});
        }
    }

    static Action power_action(int way) { return {.kind = ActionKind::power, .target = code_at(way)}; }
    static Action play_action(int place, int way) {
        return {.kind = ActionKind::play,
                .source = static_cast<std::uint8_t>(place),
                .choice = static_cast<std::uint8_t>(way / kWaysOfChoice),
                .target = code_at(way % kWaysOfChoice)};
    }

    Offers find_offers(const Sight& sight) const {
        const Player& own = state_.players[state_.active];
        const int mana = mana_of(cards_, own);
        const Affordable affordable = Costs(cards_, state_, state_.active).affordable(mana);
        Offers offers;
        offers.cards = affordable.cards;
        if (own.board_size == kBoardLimit) offers.cards &= ~minions_in_hand(own);
        offers.plays = std::popcount(offers.cards & affordable.plain);
        for (Ways& ways : offers.of_card) ways = kNobodyMask;
        for (std::uint32_t left = offers.cards & ~affordable.plain; left != 0; left &= left - 1) {
            const int place = std::countr_zero(left);
            const Ways ways = ways_to_play(own.hand[place].card, sight);
            offers.of_card[place] = ways;
            offers.plays += std::popcount(ways);
        }
        const Card& power = cards_[own.power];
        const bool usable = (own.power != 0) & !own.power_used & (power.cost <= mana);
        const TargetMask power_targets = targets_of(power.play, sight.aimable_by_magic);  // computed even if unused,
        offers.of_power = usable ? power_targets : 0;                                     // to avoid a branch
        return offers;
    }

    std::uint32_t minions_in_hand(const Player& own) const {
        std::uint32_t minions = 0;
        for (int i = 0; i < own.hand_size; ++i) minions |= bit_if(cards_[own.hand[i].card].type == CardType::minion, i);
        return minions;
    }

    Ways ways_to_play(CardId id, const Sight& sight) const {
        const Card& card = cards_[id];
        if (card.secret && !can_add_secret(id)) return 0;
        const TargetMask aimable = card.type == CardType::spell ? sight.aimable_by_magic : sight.aimable;
        if (card.choices == 0) return targets_of(play_of(card, 0), aimable);
        return Ways{targets_of(card.choice[0], aimable)} << kWaysOfChoice | Ways{targets_of(card.choice[1], aimable)}
                                                                                << 2 * kWaysOfChoice;
    }

    // Only the bit for no target if there is none; empty if it cannot be played.
    TargetMask targets_of(const Play& play, TargetMask aimable) const {
        if (play.requirement != Requirement::nothing && !requirement_holds(play)) return 0;
        const Target& target = play.target;
        if (target.reach == 0 || !asks_for_target(play)) return kNobodyMask;
        TargetMask targets = target.reach & aimable;
        // The second filter is only used after the first.
        if (target.filters[0].kind != FilterKind::anything) targets = filtered(target, targets);
        return targets == 0 && !target.required ? kNobodyMask : targets;
    }

    TargetMask filtered(const Target& target, TargetMask targets) const {
        Scope scope;
        scope.controller = state_.active;
        const Look look(cards_, state_, scope);
        TargetMask passing = 0;
        for (TargetMask left = targets; left != 0; left &= left - 1) {
            const Ref ref = ref_of(state_, code_at(std::countr_zero(left)));
            if (look.passes(target.filters[0], ref) && look.passes(target.filters[1], ref))
                passing |= left & (0u - left);
        }
        return passing;
    }

    bool can_add_secret(CardId card) const {
        const Player& own = state_.players[state_.active];
        if (own.secret_count == kSecretLimit) return false;
        for (int i = 0; i < own.secret_count; ++i) {
            if (own.secrets[i].card == card) return false;
        }
        return true;
    }

    bool requirement_holds(const Play& play) const {
        const Player& own = state_.players[state_.active];
        const Player& enemy = state_.players[state_.active ^ 1];
        switch (play.requirement) {
            case Requirement::nothing: return true;
            case Requirement::board_space: return own.board_size < kBoardLimit;
            case Requirement::enemy_minions: return enemy.board_size >= play.requirement_value;
            case Requirement::minions: return own.board_size + enemy.board_size >= play.requirement_value;
            case Requirement::weapon: return own.weapon.card != 0;
            case Requirement::enemy_minions_and_space:
                return enemy.board_size >= play.requirement_value && own.board_size < kBoardLimit;
            case Requirement::no_odd_cost_in_deck:
            case Requirement::no_even_cost_in_deck: return true;  // tested for the target only
            case Requirement::one_not_in_play: {
                if (own.board_size == kBoardLimit) return false;
                for (const CardId card : cards_.lists[play.requirement_value]) {
                    bool there = false;
                    for (int i = 0; i < own.board_size; ++i) there |= state_.on_board(state_.active, i).card == card;
                    if (!there) return true;
                }
                return false;
            }
        }
        return false;
    }

    bool asks_for_target(const Play& play) const {
        if (play.requirement < Requirement::no_odd_cost_in_deck) return true;
        const int parity = play.requirement == Requirement::no_odd_cost_in_deck ? 1 : 0;
        const Player& own = state_.players[state_.active];
        for (int i = 0; i < own.deck_size; ++i) {
            if (cards_[own.deck[i]].cost % 2 == parity) return false;
        }
        return true;
    }

    const CardSet& cards_;
    const State& state_;
};

}  // namespace deckatlas::hearthstone
