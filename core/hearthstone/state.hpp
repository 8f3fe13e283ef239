// Hearthstone: a game as a plain value of fixed size; copying it is a memcpy.
//
// Minions are stored in a pool and keep their place there while anything can refer to them; boards are lists of places
// in the pool from left to right. Every capacity has a name and a worst case; a game that would exceed one ends as void
// (docs/hearthstone-limits.md).
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "common/game.hpp"
#include "hearthstone/cards.hpp"

namespace deckatlas::hearthstone {

inline constexpr int kBoardLimit = 7;
inline constexpr int kHandLimit = 10;
inline constexpr int kDeckLimit = 30;  // only the mulligan puts cards back into a deck
inline constexpr int kSecretLimit = 5;
inline constexpr int kCrystalLimit = 10;
inline constexpr int kTurnLimit = 90;  // at the start of this half-turn the game is a draw
// Our own capacities. Cards can exceed the first six: then the game is void.
inline constexpr int kMinionPool = 28;      // two boards, and the same number that left play in one half of an action
inline constexpr int kAttachments = 17;     // deathrattles and triggers given to one minion
inline constexpr int kHeldAttachments = 3;  // limit for a card in a hand
inline constexpr int kPlayerEnchantments = 8;  // temporary effects of a player
inline constexpr int kReturns = 4;             // cards of a player that come back later
inline constexpr int kDied = 14;               // minions of a player that died in one turn
inline constexpr int kChoices = 3;             // cards to choose from; no card may show more
inline constexpr int kMostSeen = kDeckLimit;   // cards of a deck that both players have seen

// A reference of an effect: nothing, a minion by its place in the pool, a hero, a weapon, a card being played.
class Ref {
public:
    constexpr Ref() = default;
    static constexpr Ref minion(int place) { return Ref(static_cast<std::uint8_t>(1 + place)); }
    static constexpr Ref hero(int player) { return Ref(static_cast<std::uint8_t>(kHeroes + player)); }
    static constexpr Ref weapon(int player) { return Ref(static_cast<std::uint8_t>(kHeroes + 2 + player)); }
    static constexpr Ref played(int player) { return Ref(static_cast<std::uint8_t>(kHeroes + 4 + player)); }
    static constexpr Ref held(int player, int index) {
        return Ref(static_cast<std::uint8_t>(kHeld + 2 * index + player));
    }

    constexpr bool exists() const { return value_ != 0; }
    constexpr bool is_minion() const { return value_ >= 1 && value_ <= kMinionPool; }
    constexpr bool is_hero() const { return value_ == kHeroes || value_ == kHeroes + 1; }
    constexpr bool is_weapon() const { return value_ == kHeroes + 2 || value_ == kHeroes + 3; }
    constexpr bool is_held() const { return value_ >= kHeld; }  // a card in a hand
    constexpr bool is_character() const { return is_minion() || is_hero(); }
    constexpr int place() const { return value_ - 1; }
    constexpr int hand_index() const { return (value_ - kHeld) / 2; }
    constexpr int player() const { return (value_ - kHeroes) & 1; }  // for all except minions
    constexpr std::uint8_t raw() const { return value_; }
    friend constexpr bool operator==(Ref, Ref) = default;

private:
    explicit constexpr Ref(std::uint8_t value) : value_(value) {}

    static constexpr std::uint8_t kHeroes = 64;
    static constexpr std::uint8_t kHeld = 80;
    std::uint8_t value_ = 0;
};

enum class Zone : std::uint8_t { nowhere, board, graveyard };

struct Minion {
    CardId card = 0;
    std::uint16_t stamp = 0;  // order of play
    std::int16_t attack = 0;  // with all permanent changes, in the order they came
    std::int16_t health = 0;  // maximum, likewise
    std::int16_t damage = 0;
    std::int16_t attack_this_turn = 0;
    std::int16_t aura_attack = 0;
    std::int16_t aura_health = 0;
    std::uint32_t keywords = 0;
    std::uint32_t keywords_this_turn = 0;
    std::uint32_t aura_keywords = 0;
    std::uint32_t lasting_keywords = 0;           // that nothing removes
    std::uint8_t attachments[kAttachments] = {};  // index of the attachment, with bits below
    std::uint8_t attached = 0;
    std::uint8_t owner = 0;
    Zone zone = Zone::nowhere;
    std::uint8_t attacks = 0;       // made this turn
    std::uint8_t spell_damage = 0;  // printed, while it is not silenced
    bool exhausted = false;         // entered play this turn
    bool destroyed = false;         // dies in the next death step
    bool borrowed = false;          // returns to its owner at the end of the turn
    std::uint8_t position = 0;      // its position when it left
    bool enraged = false;           // has received its gift for being damaged
    std::uint16_t enraged_for = 0;  // stamp of the weapon that received the gift
    bool ordered = false;           // has effects that depend on the order of play
    bool has_aura = false;          // its card has one, and it is not silenced

    constexpr std::uint32_t all_keywords() const {
        return keywords | keywords_this_turn | aura_keywords | lasting_keywords;
    }
    constexpr bool is_silent() const { return (keywords & kSilenced) != 0 && (keywords & kSpeaks) == 0; }
    constexpr bool has(std::uint32_t keyword) const { return (all_keywords() & keyword) != 0; }
    constexpr int max_health() const { return health + aura_health; }
    constexpr int current_health() const { return max_health() - damage; }
    constexpr int usual_attack() const { return attack + attack_this_turn + aura_attack; }
    constexpr int current_attack() const {
        const int total = has(kAttackEqualsHealth) ? current_health() : usual_attack();
        return total > 0 ? total : 0;
    }
};
inline constexpr std::uint8_t kCasterBit = 0x80;    // for an attachment: cast by player 1
inline constexpr std::uint8_t kFollowedBit = 0x40;  // it returned with its host from a hand
inline constexpr std::uint8_t kAttachmentIndex = 0x3F;

struct Weapon {
    CardId card = 0;
    std::int16_t attack = 0;
    std::int16_t durability = 0;
    std::int16_t aura_attack = 0;
    std::uint16_t stamp = 0;
    bool destroyed = false;
};

// The origin of a card in hand, which the opponent sees.
enum class Origin : std::uint8_t {
    drawn,     // the own deck
    made,      // an effect created it, and the opponent does not know it
    revealed,  // the opponent knows the card
};

struct HandCard {
    CardId card = 0;
    std::int8_t cost_change = 0;
    std::int8_t attack_change = 0;
    std::uint8_t attached : 6 = 0;
    Origin origin : 2 = Origin::drawn;
    std::uint8_t attachments[kHeldAttachments] = {};  // like a minion's
};

struct Secret {
    CardId card = 0;
    std::uint16_t stamp = 0;
};

struct ActiveEnchantment {
    std::uint8_t index = 0;  // into CardSet::player_enchantments
    Duration duration = Duration::permanent;
    std::uint8_t begun = 0;  // whether its turn has started
};

struct Player {
    // hero
    CardId hero = 0;
    CardId power = 0;
    std::int16_t health = 30;
    std::int16_t max_health = 30;
    std::int16_t armor = 0;
    std::int16_t attack_this_turn = 0;
    std::uint32_t hero_keywords_this_turn = 0;
    bool frozen = false;
    bool destroyed = false;       // dies regardless of its health
    bool hero_exhausted = false;  // has made all its attacks
    std::uint8_t attacks = 0;
    bool power_used = false;
    HeroClass hero_class = HeroClass::neutral;
    Weapon weapon;
    // mana
    std::uint8_t crystals = 0;
    std::uint8_t used = 0;
    std::uint8_t extra = 0;  // this turn only
    std::uint8_t overload_locked = 0;
    std::uint8_t overload_owed = 0;
    // this turn
    std::uint8_t cards_played = 0;
    std::uint8_t minions_played = 0;
    std::uint8_t fatigue = 0;
    // zones
    std::uint8_t board_size = 0;
    std::uint8_t hand_size = 0;
    std::uint8_t deck_size = 0;
    std::uint8_t secret_count = 0;
    std::uint8_t enchantment_count = 0;
    std::uint8_t return_count = 0;
    std::uint8_t board[kBoardLimit] = {};  // places in the pool
    HandCard hand[kHandLimit];
    CardId deck[kDeckLimit] = {};  // the last is drawn next
    Secret secrets[kSecretLimit];
    ActiveEnchantment enchantments[kPlayerEnchantments];
    CardId returns[kReturns] = {};
    CardId died[kDied] = {};  // this turn
    std::uint8_t died_count = 0;
    // Cards that the opponent has seen in this game: played, discarded or burned ones of the own deck, and revealed
    // secrets. No rule uses it. Cards that effects put into play are not noted; secrets that effects made are.
    std::uint8_t seen_count = 0;
    CardId seen[kMostSeen] = {};

    constexpr int mana() const { return std::max(0, mana_or_debt()); }
    // Negative if overload locks more crystals than there are.
    constexpr int mana_or_debt() const { return crystals - used - overload_locked + extra; }
};

// In State::heard, the event of a summon that comes at the end of the phase (kSummonsHeardLate).
inline constexpr Event kSummonWaits = Event::none;

constexpr std::uint32_t bit_of(Event event) { return 1u << static_cast<int>(event); }

enum class Phase : std::uint8_t { mulligan, main, choice, over };
inline constexpr std::int8_t kSeesAll = -1;

// The bit of a character in State::attackers and State::defenders.
constexpr std::uint32_t mark_of(Ref character) {
    return 1u << (character.is_minion() ? character.place() : kMinionPool + character.player());
}

struct State {
    Player players[2];
    Minion minions[kMinionPool];
    CardId choices[kChoices] = {};
    std::uint8_t choice_count = 0;
    Phase phase = Phase::main;
    std::uint8_t active = 0;
    std::uint8_t winner = kNobody;  // of a finished game; kNobody for a draw or a void game
    bool is_void = false;           // a capacity was exceeded
    std::uint16_t turn = 0;         // number of started half-turns
    std::uint16_t next_stamp = 1;
    std::uint32_t occupied = 0;  // places of the pool with a minion, in play or not
    std::uint32_t graves = 0;    // those that left play in this action; free places have meaningless contents
    // Which characters have attacked and been attacked since they entered play: one bit for each place of the pool and
    // then for each hero. No rule uses it; the papers' planner distinguishes states by it.
    std::uint32_t attackers = 0;
    std::uint32_t defenders = 0;
    std::uint64_t fallen = 0;  // a sum over minions that left play for good (remains.hpp), for the same purpose
    // Cached facts about the cards in play, to skip checks. They may say too much, never too little.
    std::uint32_t heard = 0;        // one bit for each event that may have a listener, and for kSummonWaits
    bool auras = false;             // an aura may be active
    bool cost_auras = false;        // an aura may change costs
    bool auras_see_stats = false;   // an aura may depend on more than which minions are in play
    std::int8_t viewer = kSeesAll;  // in a player's view: which player; see view.hpp

    constexpr std::uint32_t in_play() const { return occupied & ~graves; }  // places of the pool
    constexpr Minion& on_board(int player, int index) { return minions[players[player].board[index]]; }
    constexpr const Minion& on_board(int player, int index) const { return minions[players[player].board[index]]; }
};

static_assert(std::is_trivially_copyable_v<State>);

// Ends a game that would exceed a capacity; it has no winner.
constexpr void end_as_void(State& state) {
    state.is_void = true;
    state.phase = Phase::over;
    state.winner = kNobody;
}

// A number converted to the type of a state's field. If it does not fit, the game ends as void.
template <class Field = std::int16_t>
constexpr Field fit(State& state, int value) {
    const auto held = static_cast<Field>(value);
    if (held == value) [[likely]]
        return held;
    end_as_void(state);
    return value < 0 ? std::numeric_limits<Field>::min() : std::numeric_limits<Field>::max();
}

// The size of a state up to the last used place of the pool. What follows the pool is used too.
constexpr std::size_t used_bytes(const State& state) {
    const auto places = static_cast<std::size_t>(32 - std::countl_zero(state.occupied));
    return offsetof(State, minions) + places * sizeof(Minion);
}

// Copies the used part of a state: places of the pool behind the last used one are left unchanged. Several times as
// fast as a full copy if few minions are in play.
inline void copy_state(const State& from, State& to) {
    const auto* const source = reinterpret_cast<const unsigned char*>(&from);
    auto* const target = reinterpret_cast<unsigned char*>(&to);
    constexpr std::size_t tail = offsetof(State, minions) + sizeof(State::minions);
    std::memcpy(target, source, used_bytes(from));
    std::memcpy(target + tail, source + tail, sizeof(State) - tail);
}

// Without a branch, for unpredictable conditions.
constexpr std::uint32_t bit_if(bool set, int place) { return static_cast<std::uint32_t>(set) << place; }

// Calls `act(place)` for each place of a set, in an order without meaning in the game.
template <class Do>
constexpr void each_place(std::uint32_t places, const Do& act) {
    for (; places != 0; places &= places - 1) act(std::countr_zero(places));
}

// The three below go through all places, used or not: a mispredicted loop length costs more than the extra moves.
constexpr void remove_from_hand(Player& owner, int index) {
    for (int i = 0; i + 1 < kHandLimit; ++i) owner.hand[i] = owner.hand[i + (i >= index)];
    --owner.hand_size;
}
constexpr void insert_into_board(Player& owner, int at, int place) {
    for (int i = kBoardLimit - 1; i > 0; --i) owner.board[i] = owner.board[i - (i > at)];
    owner.board[at] = static_cast<std::uint8_t>(place);
    ++owner.board_size;
}
constexpr void remove_from_board(Player& owner, int at) {
    for (int i = 0; i + 1 < kBoardLimit; ++i) owner.board[i] = owner.board[i + (i >= at)];
    --owner.board_size;
}
// The position of a minion; kBoardLimit if it is not on the board.
constexpr int position_on_board(const Player& owner, int place) {
    std::uint32_t found = 1u << kBoardLimit;
    for (int i = 0; i < kBoardLimit; ++i) found |= bit_if((i < owner.board_size) & (owner.board[i] == place), i);
    return std::countr_zero(found);
}

constexpr void note_seen(Player& owner, CardId card) {
    if (owner.seen_count < kMostSeen) owner.seen[owner.seen_count++] = card;
}

// The place of a secret among the owner's; past the end if it is not there.
constexpr int position_of_secret(const Player& owner, std::uint16_t stamp) {
    int at = 0;
    while (at < owner.secret_count && owner.secrets[at].stamp != stamp) ++at;
    return at;
}
constexpr void remove_secret(Player& owner, int at) {
    --owner.secret_count;
    for (int i = at; i < owner.secret_count; ++i) owner.secrets[i] = owner.secrets[i + 1];
}

constexpr int spell_damage_of(const State& state, int player) {
    int total = 0;
    for (int i = 0; i < state.players[player].board_size; ++i) total += state.on_board(player, i).spell_damage;
    return total;
}

constexpr int weapon_attack(const Weapon& weapon) {
    const int total = weapon.attack + weapon.aura_attack;
    return weapon.card != 0 && total > 0 ? total : 0;
}

// A weapon is only active in its owner's turn.
constexpr int hero_attack(const State& state, int player) {
    const Player& owner = state.players[player];
    const int weapon = player == state.active ? weapon_attack(owner.weapon) : 0;
    const int total = owner.attack_this_turn + weapon;
    return total > 0 ? total : 0;
}

}  // namespace deckatlas::hearthstone
