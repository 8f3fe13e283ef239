// Hearthstone: the words that texts of states use for keywords, durations, phases and flags.
#pragma once

#include <cstdint>
#include <string_view>

#include "hearthstone/program.hpp"

namespace deckatlas::hearthstone {

inline constexpr std::string_view kStateWord = "hearthstone";
inline constexpr std::string_view kPhaseWords[] = {"mulligan", "main", "choice", "over"};
inline constexpr std::string_view kDurationWords[] = {"permanent",        "this-turn",         "until-my-next-turn",
                                                      "until-next-spell", "until-next-secret", "opponents-next-turn"};

struct KeywordWord {
    Keyword keyword;
    std::string_view word;
};
inline constexpr KeywordWord kKeywordWords[] = {
    {kTaunt, "taunt"},
    {kDivineShield, "divine-shield"},
    {kStealth, "stealth"},
    {kWindfury, "windfury"},
    {kCharge, "charge"},
    {kPoisonous, "poisonous"},
    {kCantAttack, "cant-attack"},
    {kElusive, "elusive"},
    {kImmune, "immune"},
    {kCantAttackHeroes, "cant-attack-heroes"},
    {kImmuneWhileAttacking, "immune-while-attacking"},
    {kAttackEqualsHealth, "attack-equals-health"},
    {kSpellDamage, "spell-damage"},
    {kMinimumHealthOne, "minimum-health-one"},
    {kSpendsAttack, "spends-attack"},
    {kHealingIsDamage, "healing-is-damage"},
    {kDoubleMagic, "double-magic"},
    {kFreezes, "freezes"},
    {kFrozen, "frozen"},
    {kSilenced, "silenced"},
    {kStealthUntilTurn, "stealth-until-turn"},
    {kSpeaks, "speaks"},
    {kSummonUnheard, "summon-unheard"},
    {kRattleMark, "rattle-mark"},
};

// Flags are letters in this order.
inline constexpr std::string_view kHeroFlags = "fdxuas";      // frozen, destroyed, exhausted, power used; has ever
                                                              // attacked, been attacked
inline constexpr std::string_view kMinionFlags = "xdbewoas";  // exhausted, destroyed, borrowed, enraged, for the weapon
                                                              // that is there, ordered; the same two
inline constexpr std::string_view kWeaponFlags = "d";         // destroyed
inline constexpr std::string_view kHandFlags = "mr";          // made, revealed
inline constexpr std::string_view kFollowed = "f";            // of an attachment that came back with its host

}  // namespace deckatlas::hearthstone
