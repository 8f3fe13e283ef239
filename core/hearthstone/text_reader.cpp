// States as text: the parser. It checks single fields; text_checks.cpp checks that they agree.
#include <algorithm>
#include <iterator>
#include <vector>

#include "hearthstone/text.hpp"
#include "hearthstone/text_checks.hpp"
#include "hearthstone/text_words.hpp"

namespace deckatlas::hearthstone {
namespace {

constexpr int kMaxStat = 32767;  // limit of attack, health and damage: what a field can store
constexpr int kMaxTurn = 1000;   // fatigue ends games long before
constexpr int kMaxCount = 255;
constexpr int kMaxOrder = 1000;
constexpr std::uint16_t kNoWeapon = 0xFFFF;  // stamp of a weapon that is gone

using Parts = std::vector<std::string_view>;

class Reader {
public:
    Reader(const CardSet& cards, std::string_view text) : cards_(cards), fields_(text, kStateWord) {
        const std::string_view edition = fields_.take("edition");
        const std::string own = cards.names.edition.empty() ? "-" : cards.names.edition;
        if (edition != own)
            fail_field("edition", "the text has edition " + quote(edition) + ", but the cards have edition " + own);
        state_.phase = static_cast<Phase>(word("phase", fields_.take("phase"), kPhaseWords));
        const std::string_view view = fields_.take("view");
        if (view != "-") state_.viewer = static_cast<std::int8_t>(parse_number("view", view, 0, 1));
        state_.turn = static_cast<std::uint16_t>(parse_number("turn", fields_.take("turn"), 0, kMaxTurn));
        if (!is_over() && state_.turn >= kTurnLimit && (cards.rules & kNoTurnLimit) == 0)
            fail_field("turn", "a game is over at the start of turn " + std::to_string(kTurnLimit));
        state_.active = static_cast<std::uint8_t>(parse_number("active", fields_.take("active"), 0, 1));
        read_result(fields_.take("result"));
        const std::string_view choices = fields_.take("choices");
        state_.choice_count = read_cards("choices", choices, state_.choices, kChoices);
        for (int player = 0; player < 2; ++player) read_player(player);
        fields_.expect_no_more();
        if ((state_.phase == Phase::choice) != (state_.choice_count > 0) && !is_over())
            fail_field("choices", "choices must be listed in the phase choice, and only there");
        state_.next_stamp = static_cast<std::uint16_t>(last_order() + 1);
        check_hidden(cards_, state_);
        fill_in_the_rest(cards_, state_);
        if (!is_over()) check_settled(cards_, state_);
    }

    const State& state() const { return state_; }

private:
    bool is_over() const { return state_.phase == Phase::over; }

    template <std::size_t N>
    static int word(const std::string& field, std::string_view text, const std::string_view (&words)[N]) {
        const auto* const found = std::find(std::begin(words), std::end(words), text);
        if (found == std::end(words)) fail_field(field, "unknown word " + quote(text));
        return static_cast<int>(found - std::begin(words));
    }

    static Parts parts_of(const std::string& field, std::string_view text, std::size_t count, const char* what) {
        Parts parts = split_text(text, ',');
        if (parts.size() != count) fail_field(field, std::string("expected ") + what);
        return parts;
    }

    static Parts entries_of(const std::string& field, std::string_view text, std::size_t most) {
        Parts entries = split_text(text, '/');
        if (entries.size() > most) fail_field(field, "more than " + std::to_string(most) + " entries");
        return entries;
    }

    template <class T>
    static void number(const std::string& field, std::string_view text, int low, int high, T& out) {
        out = static_cast<T>(parse_number(field, text, low, high));
    }

    static std::vector<bool> flags(const std::string& field, std::string_view text, std::string_view letters) {
        std::vector<bool> set(letters.size());
        std::size_t at = 0;
        for (const char letter : text == "-" ? std::string_view() : text) {
            const std::size_t found = letters.find(letter, at);
            if (found == std::string_view::npos)
                fail_field(field, "flags must be from '" + std::string(letters) + "' in that order, or '-'");
            set[found] = true;
            at = found + 1;
        }
        return set;
    }

    static std::uint32_t keywords(const std::string& field, std::string_view text) {
        std::uint32_t set = 0;
        for (const std::string_view part : split_text(text, '+')) {
            std::uint32_t found = 0;
            for (int bit = 0; bit < 32; ++bit) {
                if (!part.empty() && word_of(keyword_at(bit)) == part) found = keyword_at(bit);
            }
            if (found == 0) fail_field(field, "unknown keyword " + quote(part));
            set |= found;
        }
        return set;
    }

    // ---- cards -----------------------------------------------------------------------------------------------------

    CardId card(const std::string& field, std::string_view text) const {
        const auto found = cards_.names.numbers.find(text);
        if (found == cards_.names.numbers.end()) fail_field(field, "unknown card " + quote(text));
        return found->second;
    }

    CardId card(const std::string& field, std::string_view text, CardType type, const char* what) const {
        const CardId id = card(field, text);
        if (cards_[id].type != type) fail_field(field, quote(text) + " is not a " + what);
        return id;
    }

    // A card for a hand or a deck, or the unknown card.
    CardId held_card(const std::string& field, std::string_view text) const {
        const CardId id = card(field, text);
        if (id != kUnknownCard && !is_for_hand(cards_[id].type))
            fail_field(field, quote(text) + " is not a card for a hand or a deck");
        return id;
    }

    std::uint8_t read_cards(const std::string& field, std::string_view text, CardId* out, int most) const {
        const Parts entries = entries_of(field, text, static_cast<std::size_t>(most));
        for (std::size_t i = 0; i < entries.size(); ++i) out[i] = held_card(field, entries[i]);
        return static_cast<std::uint8_t>(entries.size());
    }

    static std::size_t named(const std::string& field, std::string_view text, const std::vector<std::string>& names) {
        const auto found = std::find(names.begin() + 1, names.end(), text);
        if (found == names.end()) fail_field(field, "unknown effect " + quote(text));
        return static_cast<std::size_t>(found - names.begin());
    }

    template <class Count>
    void read_attachments(const std::string& field, std::string_view text, std::uint8_t* out, int most,
                          const Count& count) const {
        const Parts entries = split_text(text, '+');
        if (static_cast<int>(entries.size()) > most)
            fail_field(field, "more than " + std::to_string(most) + " effects");
        for (std::size_t i = 0; i < entries.size(); ++i) {
            const std::string_view name = entries[i].substr(0, entries[i].find(':'));
            const std::string_view rest = entries[i].substr(std::min(entries[i].size(), name.size() + 1));
            if (rest.empty() || (rest[0] != '0' && rest[0] != '1') || (rest.size() > 1 && rest.substr(1) != kFollowed))
                fail_field(field, "an effect must be its name, ':', the player who gave it and optionally 'f'");
            out[i] =
                static_cast<std::uint8_t>(named(field, name, cards_.names.attachments) |
                                          (rest[0] == '1' ? kCasterBit : 0) | (rest.size() > 1 ? kFollowedBit : 0));
        }
        count(static_cast<std::uint8_t>(entries.size()));
    }

    // ---- players ---------------------------------------------------------------------------------------------------

    void read_result(std::string_view text) {
        if ((text == "-") == is_over())
            fail_field("result", "a game must have a result when it is over, and only then");
        if (text == "-" || text == "draw") return;
        state_.is_void = text == "void";
        if (!state_.is_void) number("result", text, 0, 1, state_.winner);
    }

    void read_player(int player) {
        const std::string suffix = std::to_string(player);
        Player& own = state_.players[player];
        const auto take = [&](const char* key, const auto& read) {
            const std::string field = key + suffix;
            read(field, fields_.take(field));
        };
        take("hero", [&](const std::string& field, std::string_view text) { read_hero(field, text, own); });
        take("mana", [&](const std::string& field, std::string_view text) { read_mana(field, text, own); });
        take("counts", [&](const std::string& field, std::string_view text) { read_counts(field, text, own); });
        take("weapon", [&](const std::string& field, std::string_view text) { read_weapon(field, text, own.weapon); });
        take("hand", [&](const std::string& field, std::string_view text) { read_hand(field, text, own); });
        take("deck", [&](const std::string& field, std::string_view text) {
            own.deck_size = read_cards(field, text, own.deck, kDeckLimit);
            std::reverse(own.deck, own.deck + own.deck_size);
        });
        take("secrets", [&](const std::string& field, std::string_view text) { read_secrets(field, text, own); });
        take("board", [&](const std::string& field, std::string_view text) { read_board(field, text, player); });
        take("lasting", [&](const std::string& field, std::string_view text) { read_lasting(field, text, own); });
        take("returns", [&](const std::string& field, std::string_view text) {
            own.return_count = read_cards(field, text, own.returns, kReturns);
        });
        take("died", [&](const std::string& field, std::string_view text) {
            own.died_count = read_cards(field, text, own.died, kDied);
        });
        const std::string field = "seen" + suffix;
        own.seen_count = read_cards(field, fields_.take_or(field, "-"), own.seen, kMostSeen);
    }

    void read_hero(const std::string& field, std::string_view text, Player& own) {
        const Parts parts = parts_of(
            field, text, 10, "hero,class,power,health,max_health,armor,attack_this_turn,attacks,keywords,flags");
        own.hero = card(field, parts[0], CardType::hero, "hero");
        const auto* const found = std::find(std::begin(kClassNames) + 1, std::end(kClassNames), parts[1]);
        if (found == std::end(kClassNames)) fail_field(field, "unknown class " + quote(parts[1]));
        own.hero_class = static_cast<HeroClass>(found - std::begin(kClassNames));
        own.power = card(field, parts[2], CardType::power, "hero power");
        number(field, parts[4], 1, kMaxStat, own.max_health);
        number(field, parts[3], is_over() ? -kMaxStat : 1, own.max_health, own.health);
        number(field, parts[5], 0, kMaxStat, own.armor);
        number(field, parts[6], -kMaxStat, kMaxStat, own.attack_this_turn);
        number(field, parts[7], 0, kMaxCount, own.attacks);
        own.hero_keywords_this_turn = keywords(field, parts[8]);
        const std::vector<bool> set = flags(field, parts[9], kHeroFlags);
        own.frozen = set[0];
        own.destroyed = set[1];
        own.hero_exhausted = set[2];
        own.power_used = set[3];
        mark(Ref::hero(static_cast<int>(&own - state_.players)), set[4], set[5]);
        if (own.destroyed && !is_over()) fail_field(field, "the hero is destroyed but the game continues");
    }

    static void read_mana(const std::string& field, std::string_view text, Player& own) {
        const Parts parts = parts_of(field, text, 5, "crystals,used,extra,locked,owed");
        number(field, parts[0], 0, kCrystalLimit, own.crystals);
        number(field, parts[1], 0, own.crystals, own.used);
        number(field, parts[2], 0, kCrystalLimit, own.extra);
        number(field, parts[3], 0, kMaxCount, own.overload_locked);
        number(field, parts[4], 0, kMaxCount, own.overload_owed);
        if (own.mana() > kCrystalLimit) fail_field(field, "more than ten mana");
    }

    static void read_counts(const std::string& field, std::string_view text, Player& own) {
        const Parts parts = parts_of(field, text, 3, "cards_played,minions_played,fatigue");
        number(field, parts[0], 0, kMaxCount, own.cards_played);
        number(field, parts[1], 0, kMaxCount, own.minions_played);
        number(field, parts[2], 0, kMaxCount, own.fatigue);
    }

    void read_weapon(const std::string& field, std::string_view text, Weapon& weapon) {
        if (text == "-") return;
        const Parts parts = parts_of(field, text, 5, "card,attack,durability,order,flags");
        weapon.card = card(field, parts[0], CardType::weapon, "weapon");
        number(field, parts[1], -kMaxStat, kMaxStat, weapon.attack);
        number(field, parts[2], is_over() ? -kMaxStat : 1, kMaxStat, weapon.durability);
        weapon.stamp = order(field, parts[3]);
        weapon.destroyed = flags(field, parts[4], kWeaponFlags)[0];
        if (weapon.destroyed && !is_over()) fail_field(field, "the weapon is destroyed but still in play");
    }

    void read_hand(const std::string& field, std::string_view text, Player& own) const {
        for (const std::string_view entry : entries_of(field, text, kHandLimit)) {
            HandCard& held = own.hand[own.hand_size++];
            if (entry.find(',') == std::string_view::npos) {
                held.card = held_card(field, entry);
                continue;
            }
            const Parts parts = parts_of(field, entry, 5, "a card, or card,cost_change,attack_change,effects,flags");
            held.card = held_card(field, parts[0]);
            number(field, parts[1], -128, 127, held.cost_change);
            number(field, parts[2], -128, 127, held.attack_change);
            read_attachments(field, parts[3], held.attachments, kHeldAttachments,
                             [&](std::uint8_t count) { held.attached = count & 0x3F; });
            const std::vector<bool> set = flags(field, parts[4], kHandFlags);
            if (set[0] && set[1]) fail_field(field, "a card cannot have both flags 'm' and 'r'");
            held.origin = set[0] ? Origin::made : set[1] ? Origin::revealed : Origin::drawn;
            if (held.card == kUnknownCard && (held.cost_change != 0 || held.attack_change != 0 || held.attached > 0))
                fail_field(field, "an unknown card can only have the flags of its origin");
        }
    }

    void read_secrets(const std::string& field, std::string_view text, Player& own) {
        for (const std::string_view entry : entries_of(field, text, kSecretLimit)) {
            const Parts parts = parts_of(field, entry, 2, "card,order");
            const CardId id = card(field, parts[0]);
            if (!cards_[id].secret) fail_field(field, quote(parts[0]) + " is not a secret");
            for (int i = 0; i < own.secret_count; ++i) {
                if (own.secrets[i].card == id && cards_.is_known(id))
                    fail_field(field, "the same secret is listed twice");
            }
            own.secrets[own.secret_count++] = {id, order(field, parts[1])};
        }
    }

    void read_lasting(const std::string& field, std::string_view text, Player& own) const {
        for (const std::string_view entry : entries_of(field, text, kPlayerEnchantments)) {
            const Parts parts = parts_of(field, entry, 3, "effect,duration,begun");
            ActiveEnchantment& active = own.enchantments[own.enchantment_count++];
            active.index = static_cast<std::uint8_t>(named(field, parts[0], cards_.names.player_enchantments));
            active.duration = static_cast<Duration>(word(field, parts[1], kDurationWords));
            number(field, parts[2], 0, 1, active.begun);
        }
    }

    void read_board(const std::string& field, std::string_view text, int player) {
        Player& own = state_.players[player];
        for (const std::string_view entry : entries_of(field, text, kBoardLimit)) {
            const int place = std::countr_one(state_.occupied);
            state_.occupied |= 1u << place;
            own.board[own.board_size++] = static_cast<std::uint8_t>(place);
            Minion& minion = state_.minions[place];
            minion.owner = static_cast<std::uint8_t>(player);
            minion.zone = Zone::board;
            read_minion(field, entry, own.weapon, minion);
        }
    }

    void mark(Ref character, bool attacked, bool was_attacked) {
        if (attacked) state_.attackers |= mark_of(character);
        if (was_attacked) state_.defenders |= mark_of(character);
    }

    void read_minion(const std::string& field, std::string_view text, const Weapon& weapon, Minion& minion) {
        const Parts parts = parts_of(field, text, 13,
                                     "card,attack,health,damage,attack_this_turn,attacks,spell_damage,order,keywords,"
                                     "keywords_this_turn,lasting_keywords,flags,effects");
        minion.card = card(field, parts[0], CardType::minion, "minion");
        number(field, parts[1], -kMaxStat, kMaxStat, minion.attack);
        number(field, parts[2], -kMaxStat, kMaxStat, minion.health);
        number(field, parts[3], 0, kMaxStat, minion.damage);
        number(field, parts[4], -kMaxStat, kMaxStat, minion.attack_this_turn);
        number(field, parts[5], 0, kMaxCount, minion.attacks);
        number(field, parts[6], 0, kMaxCount, minion.spell_damage);
        minion.stamp = order(field, parts[7]);
        minion.keywords = keywords(field, parts[8]);
        minion.keywords_this_turn = keywords(field, parts[9]);
        minion.lasting_keywords = keywords(field, parts[10]);
        const std::vector<bool> set = flags(field, parts[11], kMinionFlags);
        minion.exhausted = set[0];
        minion.destroyed = set[1];
        minion.borrowed = set[2];
        minion.enraged = set[3];
        minion.enraged_for = set[4] ? weapon.stamp : set[3] ? kNoWeapon : 0;
        minion.ordered = set[5];
        mark(Ref::minion(static_cast<int>(&minion - state_.minions)), set[6], set[7]);
        if (set[4] && !set[3]) fail_field(field, "flag 'w' without 'e'");
        if (minion.destroyed && !is_over()) fail_field(field, "a minion is destroyed but still in play");
        read_attachments(field, parts[12], minion.attachments, kAttachments,
                         [&](std::uint8_t count) { minion.attached = count; });
        minion.has_aura = cards_[minion.card].auras.count > 0 && !minion.is_silent();
    }

    std::uint16_t order(const std::string& field, std::string_view text) {
        std::uint16_t place = 0;
        number(field, text, 1, kMaxOrder, place);
        if (std::find(orders_.begin(), orders_.end(), place) != orders_.end())
            fail_field(field, "the place " + std::to_string(place) + " in the order of play is taken");
        orders_.push_back(place);
        return place;
    }

    int last_order() const { return orders_.empty() ? 0 : *std::max_element(orders_.begin(), orders_.end()); }

    const CardSet& cards_;
    TextFields fields_;
    State state_;
    std::vector<std::uint16_t> orders_;
};

}  // namespace

State parse_state(const CardSet& cards, std::string_view text) { return Reader(cards, text).state(); }

}  // namespace deckatlas::hearthstone
