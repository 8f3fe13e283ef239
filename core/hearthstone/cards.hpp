// Hearthstone: what a card is, as the core sees it, and the tables that all effects refer to.
//
// A CardSet is an edition compiled: immutable, shared by all games that play it.
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

// A set of those who can be aimed at, a bit each, seen from the player to move.
using TargetMask = std::uint32_t;

// What may be the target of a card; Side and filters as in selectors.
struct Target {
    bool minions = false;
    bool heroes = false;
    bool required = false;  // without one the card cannot be played; otherwise it is played without
    Side side = Side::all;
    Filter filters[2];
    TargetMask reach = 0;  // worked out: whom these flags and the side admit; nobody if no target is asked for
};

// What else must hold for a card to be played.
enum class Requirement : std::uint8_t {
    nothing,
    board_space,
    enemy_minions,  // value: at least so many
    minions,        // value: at least so many in all
    weapon,
    one_not_in_play,  // value: a list of which one is not on my board; and board space
    enemy_minions_and_space,
    no_odd_cost_in_deck,  // of a battlecry: without it, it asks for no target
    no_even_cost_in_deck,
};

// One way to play a card: its effect, or one of its choices, or its combo.
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
    std::int8_t health = 0;  // of a weapon, its durability
    std::uint8_t overload = 0;
    std::uint8_t spell_damage = 0;
    std::int16_t premium = 0;  // worked out: what it costs beyond its numbers, if it does anything while it is in play
    std::uint32_t keywords = 0;
    std::uint32_t events = 0;  // bit of each event that one of its triggers listens to
    CardId choice_cards[2] = {0, 0};
    Play play;   // without choices and combo
    Play combo;  // instead of it when another card was played this turn
    Play choice[2];
    ProgramCounter deathrattle = 0;
    Range triggers;
    Range auras;
    Range cost_auras;
    TableIndex own_cost = 0;  // a number that is added to its cost
    CardId power = 0;         // of a hero
    // Worked out from the rest.
    bool aura_sees_stats = false;  // an aura depends on more than on who is in play
    bool minds_own_place = false;  // what it does when played may depend on where it is put
    bool minds_places = false;     // what it does in play may depend on where minions stand
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
    kSwapIsSummon = 1ull << 2,  // a minion swapped in from the hand comes at the right end, and as summoned
    kReturnsAtEndOfSameTurn = 1ull << 3,
    kSilenceKeepsRestraint = 1ull << 4,    // silence leaves what freezes and what cannot attack
    kExhaustionIsMark = 1ull << 5,         // set by coming and by the last attack, lifted by gaining charge or windfury
    kDeathEndsAction = 1ull << 6,          // a dead hero ends the game when the action is over, not before
    kMortalWoundsAreFinal = 1ull << 7,     // who has had no health left for a moment dies, whatever comes then
    kDrawStopsAtFatigue = 1ull << 8,       // of a fixed number of cards to draw
    kCrowdedSecretStays = 1ull << 9,       // a secret that finds no room for all it summons is not used up
    kTransformKeepsState = 1ull << 10,     // what effects gave stays, and passing attack is taken back all the same
    kCopySpeaks = 1ull << 11,              // a copy of a silenced minion has the abilities of its card
    kEnchantmentsFollow = 1ull << 12,      // attachments stay with a minion that returns to a hand, and work there, but
                                           // for those that wait for what it does itself
    kAuraChargeStays = 1ull << 13,         // charge that a minion gives others is never lost
    kSpentWeaponStays = 1ull << 14,        // a weapon with no attack left is not destroyed
    kRuleEndsWithAnyHolder = 1ull << 15,   // healing that is damage heals again as soon as one who made it so leaves
    kSilenceCountsAuras = 1ull << 16,      // health of auras counts as lost by silence, and damage goes with it
    kControlRenewsOrder = 1ull << 17,      // who changes sides comes last in the order of play
    kNoDamageEndsEffect = 1ull << 18,      // damage that is worked out and comes to nothing ends what a card does
    kCardBeforeRoom = 1ull << 19,          // a random card is drawn before it is known that there is no room for it
    kEnrageIsGiven = 1ull << 20,           // what a damaged minion has is given once and taken back once, or twice
    kSpellHeardFirst = 1ull << 21,         // that a spell is cast, before that a card is played
    kTurnEndOfBothLast = 1ull << 22,       // what happens at the end of each turn comes after what is for one player's
    kMulliganPutsBackAtOnce = 1ull << 23,  // each card that is replaced, before the next is drawn
    kImmuneToBlowsAlone = 1ull << 24,      // who is immune while attacking is not immune to what the attack sets off
    kArmorKeepsFrostOff = 1ull << 25,      // damage that armor takes whole freezes nobody
    kAurasWait = 1ull << 26,  // auras are worked out, and the dead leave, when a phase ends; an attack is one phase
    kFullHandBuries = 1ull << 27,    // who returns to a full hand leaves play without dying
    kCopyHoldsStill = 1ull << 28,    // a copy's attachments wait for nothing; what it has for this turn it keeps
    kDeathHeardFirst = 1ull << 29,   // that somebody dies, before its deathrattle
    kSummonsHeardLate = 1ull << 30,  // that somebody was summoned, at the end of the phase
    kNewHeroIsFresh = 1ull << 31,    // one that takes a hero's place has not attacked and never drew from an empty deck
    kNoTurnLimit = 1ull << 32,       // a game goes on until a hero dies
    kOverloadIsDebt = 1ull << 33,    // mana can be below nothing, and then a card that is free cannot be played either
};
inline constexpr int kRuleFlags = std::bit_width(std::uint64_t{kOverloadIsDebt});  // the last of them

inline constexpr CardId kUnknownCard = 0;  // that somebody cannot see

// What texts call an edition and the entries of its tables: words of letters, digits and _%.~- alone.
struct Names {
    std::string edition;
    std::vector<std::string> cards;   // ids; the unknown card is `?`, unknown secrets are `?` and a class
    std::vector<std::string> titles;  // of cards, for people
    std::vector<std::string> attachments;
    std::vector<std::string> player_enchantments;
    std::map<std::string, CardId, std::less<>> numbers;  // of cards, by id
};

inline constexpr int kCardCostAuras = 2;  // that one card may have

// What is asked of every card in a hand before every action, apart from the rest so that it stays in the nearest cache.
struct CardFace {
    std::int32_t cost = 0;
    std::uint32_t marks = 0;
};
inline constexpr std::uint32_t kPlain = 1u << 0;  // always played in the same way, without target or requirement
inline constexpr std::uint32_t kHasOwnCost = 1u << 16;

struct CardSet {
    std::uint64_t rules = 0;
    CardId coin = 0;
    bool auras_see_cards = false;  // an aura depends on what is in hands or decks
    std::vector<Card> cards;  // entry 0 is no card; the last stand for secrets that somebody cannot see, one a class
    std::vector<CardFace> faces;               // one a card, worked out
    CardId unknown_secrets = 0;                // the first of these
    std::vector<CardId> copies[kClasses + 1];  // every copy that a deck of a class may hold, worked out
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
