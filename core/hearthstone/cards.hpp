// Hearthstone: the card type of the core, and the tables that all effects refer to.
//
// A CardSet is a compiled edition: immutable, shared by all games that play it.
#pragma once

#include <bit>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "hearthstone/program.hpp"

namespace deckatlas::hearthstone {

enum class CardType : std::uint8_t { none, minion, spell, weapon, hero, power };

// Whether such a card can be in a hand or a deck.
constexpr bool is_for_hand(CardType type) {
    return type == CardType::minion || type == CardType::spell || type == CardType::weapon;
}

enum class Race : std::uint8_t { none, beast, demon, dragon, elemental, mechanical, murloc, pirate, totem };

enum class HeroClass : std::uint8_t { neutral, druid, hunter, mage, paladin, priest, rogue, shaman, warlock, warrior };
inline constexpr int kClasses = 9;
inline constexpr const char* kClassNames[kClasses + 1] = {"neutral", "druid", "hunter", "mage",    "paladin",
                                                          "priest",  "rogue", "shaman", "warlock", "warrior"};

// A set of possible targets, one bit each, seen from the player to move.
using TargetMask = std::uint32_t;

// The possible targets of a card; Side and filters as in selectors.
struct Target {
    bool minions = false;
    bool heroes = false;
    bool required = false;  // whether the card needs a target to be played
    Side side = Side::all;
    Filter filters[2];
    TargetMask reach = 0;  // derived: what these flags and the side admit; empty if there is no target
};

// What else must be true for a card to be played.
enum class Requirement : std::uint8_t {
    nothing,
    board_space,
    enemy_minions,  // value: the least number
    minions,        // value: the least total number
    weapon,
    one_not_in_play,  // value: a list with a card that is not on my board; and board space
    enemy_minions_and_space,
    no_odd_cost_in_deck,  // for a battlecry: otherwise it has no target
    no_even_cost_in_deck,
};

// One way to play a card: its effect, one of its choices, or its combo.
struct Play {
    Target target;
    Requirement requirement = Requirement::nothing;
    std::uint8_t requirement_value = 0;
    ProgramCounter program = 0;
};

struct Range {
    TableIndex first = 0;
    std::uint8_t count = 0;
};

struct Card {
    CardType type = CardType::none;
    HeroClass hero_class = HeroClass::neutral;
    Race race = Race::none;
    bool legendary = false;
    bool collectible = false;
    bool secret = false;
    bool has_combo = false;
    std::uint8_t choices = 0;  // 0 or 2
    std::int8_t cost = 0;
    std::int8_t attack = 0;
    std::int8_t health = 0;  // for a weapon, its durability
    std::uint8_t overload = 0;
    std::uint8_t spell_damage = 0;
    std::int16_t premium = 0;  // derived: its cost beyond its numbers, if it does anything while in play
    std::uint32_t keywords = 0;
    std::uint32_t events = 0;  // bit of each event that one of its triggers listens to
    CardId choice_cards[2] = {0, 0};
    Play play;   // without choices and combo
    Play combo;  // instead of it if another card was played this turn
    Play choice[2];
    ProgramCounter deathrattle = 0;
    Range triggers;
    Range auras;
    Range cost_auras;
    TableIndex own_cost = 0;  // a number that is added to its cost
    CardId power = 0;         // for a hero
    // Derived from the rest.
    bool aura_sees_stats = false;  // an aura depends on more than which minions are in play
    bool minds_own_place = false;  // its effect when played may depend on its position
    bool minds_places = false;     // its effects in play may depend on the positions of minions
    bool minds_own_order = false;  // its effect when played may depend on the order of the own minions
    bool minds_order = false;      // its effects in play, or when it leaves, may depend on the order of minions
    bool aura_gives_keywords = false;

    constexpr bool is_plain() const {
        return choices == 0 && !has_combo && !secret && !play.target.minions && !play.target.heroes &&
               play.requirement == Requirement::nothing;
    }
};

// Where editions differ in the rules themselves; the default is the real game.
enum RuleFlag : std::uint64_t {
    kPoisonousKillsHeroes = 1ull << 0,
    kCoinBeforeMulligan = 1ull << 1,
    kSwapIsSummon = 1ull << 2,  // a minion swapped in from the hand is put at the right end and counts as summoned
    kReturnsAtEndOfSameTurn = 1ull << 3,
    kSilenceKeepsRestraint = 1ull << 4,  // silence does not remove freezing and "cannot attack"
    kExhaustionIsMark = 1ull << 5,  // set by entering play and by the last attack, lifted by gaining charge or windfury
    kDeathEndsAction = 1ull << 6,   // a dead hero ends the game at the end of the action, not before
    kMortalWoundsAreFinal = 1ull << 7,  // a character without health at any moment dies, whatever follows
    kDrawStopsAtFatigue = 1ull << 8,    // for a fixed number of cards to draw
    kCrowdedSecretStays = 1ull << 9,    // a secret without room for all its summons is not used up
    kTransformKeepsState = 1ull << 10,  // gifts stay, and temporary attack is still removed
    kCopySpeaks = 1ull << 11,           // a copy of a silenced minion has the abilities of its card
    kEnchantmentsFollow = 1ull << 12,   // attachments stay with a minion that returns to a hand, and work there,
    // except those that wait for its own actions
    kAuraChargeStays = 1ull << 13,         // charge that a minion gives others is never lost
    kSpentWeaponStays = 1ull << 14,        // a weapon with no attack left is not destroyed
    kRuleEndsWithAnyHolder = 1ull << 15,   // healing heals again as soon as one minion that made it damage leaves
    kSilenceCountsAuras = 1ull << 16,      // silence removes the health of auras, and damage with it
    kControlRenewsOrder = 1ull << 17,      // a minion that changes sides comes last in the order of play
    kNoDamageEndsEffect = 1ull << 18,      // computed damage of zero ends the card's effect
    kCardBeforeRoom = 1ull << 19,          // a random card is drawn before the check for room
    kEnrageIsGiven = 1ull << 20,           // a damaged minion's gift is given once and removed once, or twice
    kSpellHeardFirst = 1ull << 21,         // the event of casting a spell comes before that of playing a card
    kTurnEndOfBothLast = 1ull << 22,       // effects at the end of every turn come after those of one player's turns
    kMulliganPutsBackAtOnce = 1ull << 23,  // each replaced card goes back before the next is drawn
    kImmuneToBlowsAlone = 1ull << 24,      // immunity while attacking does not cover what the attack triggers
    kArmorKeepsFrostOff = 1ull << 25,      // damage that armor absorbs completely does not freeze
    kAurasWait = 1ull << 26,  // auras are recomputed, and the dead leave, at the end of a phase; an attack is one phase
    kFullHandBuries = 1ull << 27,    // a minion that returns to a full hand leaves play without dying
    kCopyHoldsStill = 1ull << 28,    // a copy's attachments never trigger; it keeps what it has for this turn
    kDeathHeardFirst = 1ull << 29,   // the event of a death comes before its deathrattle
    kSummonsHeardLate = 1ull << 30,  // the event of a summon comes at the end of the phase
    kNewHeroIsFresh = 1ull << 31,    // a replacement hero has not attacked and has no fatigue
    kNoTurnLimit = 1ull << 32,       // a game continues until a hero dies
    kOverloadIsDebt = 1ull << 33,    // mana can be negative, and then even a free card cannot be played
};
inline constexpr int kRuleFlags = std::bit_width(std::uint64_t{kOverloadIsDebt});  // the last of them

inline constexpr CardId kUnknownCard = 0;  // a hidden card

// Names of an edition and its table entries in texts: words of letters, digits and _%.~- only.
struct Names {
    std::string edition;
    std::vector<std::string> cards;   // ids; the unknown card is `?`, unknown secrets are `?` and a class
    std::vector<std::string> titles;  // readable names of cards
    std::vector<std::string> attachments;
    std::vector<std::string> player_enchantments;
    std::map<std::string, CardId, std::less<>> numbers;  // of cards, by id
};

inline constexpr int kCardCostAuras = 2;  // limit for one card

// The facts about cards in a hand that every action needs, kept apart so that they stay in the nearest cache.
struct CardFace {
    std::int32_t cost = 0;
    std::uint32_t marks = 0;
};
inline constexpr std::uint32_t kPlain = 1u << 0;  // always played in the same way, without target or requirement
inline constexpr std::uint32_t kHasOwnCost = 1u << 16;

struct CardSet {
    std::uint64_t rules = 0;
    std::uint64_t serial = 0;  // another one for every card set of this process
    CardId coin = 0;
    bool auras_see_cards = false;  // an aura depends on what is in hands or decks
    std::vector<Card> cards;       // entry 0 is no card; the last ones stand for hidden secrets, one per class
    std::vector<CardFace> faces;   // one per card, derived
    CardId unknown_secrets = 0;    // the first of the hidden secrets
    std::vector<CardId> copies[kClasses + 1];  // every copy that a deck of a class may have, derived
    std::vector<Instruction> instructions;
    std::vector<Selector> selectors;
    std::vector<Number> numbers;
    std::vector<Condition> conditions;
    std::vector<Trigger> triggers;
    std::vector<Aura> auras;
    std::vector<CostAura> cost_auras;
    std::vector<PlayerEnchantment> player_enchantments;
    std::vector<Attachment> attachments;
    std::vector<std::vector<CardId>> lists;
    Names names;

    const Card& operator[](CardId id) const { return cards[id]; }
    const std::vector<CardId>& copies_for(HeroClass hero_class) const { return copies[static_cast<int>(hero_class)]; }
    bool is_known(CardId id) const { return id != kUnknownCard && id < unknown_secrets; }
    CardId unknown_secret(HeroClass hero_class) const {
        return static_cast<CardId>(unknown_secrets + static_cast<int>(hero_class));
    }
};

}  // namespace deckatlas::hearthstone
