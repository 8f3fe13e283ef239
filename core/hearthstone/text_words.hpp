// Hearthstone: the words that texts of states use for keywords, durations, phases and flags.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hearthstone/program.hpp"

namespace deckatlas::hearthstone {

inline constexpr std::string_view kStateWord = "hearthstone";
inline constexpr std::string_view kPhaseWords[] = {"mulligan", "main", "choice", "over"};
inline constexpr std::string_view kDurationWords[] = {"permanent",        "this-turn",         "until-my-next-turn",
                                                      "until-next-spell", "until-next-secret", "opponents-next-turn"};

// The word of a keyword in texts. Each has one: the compiler warns if a case is missing.
constexpr std::string_view word_of(Keyword keyword) {
    switch (keyword) {
        case kTaunt: return "taunt";
        case kDivineShield: return "divine-shield";
        case kStealth: return "stealth";
        case kWindfury: return "windfury";
        case kCharge: return "charge";
        case kPoisonous: return "poisonous";
        case kCantAttack: return "cant-attack";
        case kElusive: return "elusive";
        case kImmune: return "immune";
        case kCantAttackHeroes: return "cant-attack-heroes";
        case kImmuneWhileAttacking: return "immune-while-attacking";
        case kAttackEqualsHealth: return "attack-equals-health";
        case kSpellDamage: return "spell-damage";
        case kMinimumHealthOne: return "minimum-health-one";
        case kSpendsAttack: return "spends-attack";
        case kHealingIsDamage: return "healing-is-damage";
        case kDoubleMagic: return "double-magic";
        case kFreezes: return "freezes";
        case kFrozen: return "frozen";
        case kSilenced: return "silenced";
        case kStealthUntilTurn: return "stealth-until-turn";
        case kSpeaks: return "speaks";
        case kSummonUnheard: return "summon-unheard";
        case kRattleMark: return "rattle-mark";
    }
    return {};
}

constexpr Keyword keyword_at(int bit) { return static_cast<Keyword>(1u << bit); }

inline constexpr std::uint32_t kAllKeywords = [] {
    std::uint32_t all = 0;
    for (int bit = 0; bit < 32; ++bit) {
        if (!word_of(keyword_at(bit)).empty()) all |= keyword_at(bit);
    }
    return all;
}();
static_assert([] {
    for (int a = 0; a < 32; ++a) {
        for (int b = 0; b < a; ++b) {
            const std::string_view word = word_of(keyword_at(a));
            if (!word.empty() && word == word_of(keyword_at(b))) return false;
        }
    }
    return true;
}());

// The words of a set of keywords, in the order of their bits.
inline std::vector<std::string> words_of(std::uint32_t keywords) {
    std::vector<std::string> words;
    for (; keywords != 0; keywords &= keywords - 1) words.emplace_back(word_of(keyword_at(std::countr_zero(keywords))));
    return words;
}

// Flags are letters in this order.
inline constexpr std::string_view kHeroFlags = "fdxuas";      // frozen, destroyed, exhausted, power used; has
                                                              // ever attacked, been attacked
inline constexpr std::string_view kMinionFlags = "xdbewoas";  // exhausted, destroyed, borrowed, enraged, for the weapon
                                                              // in play, ordered; the same two
inline constexpr std::string_view kWeaponFlags = "d";         // destroyed
inline constexpr std::string_view kHandFlags = "mr";          // made, revealed
inline constexpr std::string_view kFollowed = "f";            // for an attachment that returned with its host

}  // namespace deckatlas::hearthstone
