// States as text: the format of one line.
#include "hearthstone/text.hpp"

#include <algorithm>
#include <initializer_list>
#include <vector>

#include "hearthstone/text_words.hpp"

namespace deckatlas::hearthstone {
namespace {

std::string joined(const std::vector<std::string>& parts, char separator) {
    std::string text;
    for (const std::string& part : parts) {
        if (!text.empty()) text += separator;
        text += part;
    }
    return text.empty() ? "-" : text;
}

std::string flags_text(std::string_view letters, std::initializer_list<bool> flags) {
    std::string text;
    auto letter = letters.begin();
    for (const bool flag : flags) {
        if (flag) text += *letter;
        ++letter;
    }
    return text.empty() ? "-" : text;
}

std::string keywords_text(std::uint32_t keywords) { return joined(words_of(keywords), '+'); }

class Writer {
public:
    Writer(const CardSet& cards, const State& state) : cards_(cards), state_(state), text_(kStateWord) {
        find_order();
        field("edition", cards.names.edition.empty() ? "-" : cards.names.edition);
        field("phase", std::string(kPhaseWords[static_cast<int>(state.phase)]));
        field("view", state.viewer == kSeesAll ? "-" : std::to_string(state.viewer));
        field("turn", std::to_string(state.turn));
        field("active", std::to_string(state.active));
        field("result", result());
        field("choices", cards_text(state.choices, state.choice_count));
        for (int player = 0; player < 2; ++player) write_player(player);
    }

    std::string text() const { return text_; }

private:
    void field(const std::string& key, const std::string& value) { text_ += ' ' + key + '=' + value; }

    static std::string numbers(std::initializer_list<int> values) {
        std::string text;
        for (const int value : values) {
            if (!text.empty()) text += ',';
            text += std::to_string(value);
        }
        return text;
    }

    std::string result() const {
        if (state_.phase != Phase::over) return "-";
        if (state_.is_void) return "void";
        return state_.winner == kNobody ? "draw" : std::to_string(state_.winner);
    }

    const std::string& name(CardId card) const { return cards_.names.cards[card]; }

    std::string cards_text(const CardId* cards, int count) const {
        std::vector<std::string> names;
        for (int i = 0; i < count; ++i) names.push_back(name(cards[i]));
        return joined(names, '/');
    }

    // The minions in play, in order of play.
    void find_order() {
        for (int player = 0; player < 2; ++player) {
            const Player& own = state_.players[player];
            for (int i = 0; i < own.board_size; ++i) stamps_.push_back(state_.on_board(player, i).stamp);
            if (own.weapon.card != 0) stamps_.push_back(own.weapon.stamp);
            for (int i = 0; i < own.secret_count; ++i) stamps_.push_back(own.secrets[i].stamp);
        }
        std::sort(stamps_.begin(), stamps_.end());
    }
    int order_of(std::uint16_t stamp) const {
        return static_cast<int>(std::lower_bound(stamps_.begin(), stamps_.end(), stamp) - stamps_.begin()) + 1;
    }

    void write_player(int player) {
        const Player& own = state_.players[player];
        const std::string suffix = std::to_string(player);
        field("hero" + suffix, hero_text(own));
        field("mana" + suffix, numbers({own.crystals, own.used, own.extra, own.overload_locked, own.overload_owed}));
        field("counts" + suffix, numbers({own.cards_played, own.minions_played, own.fatigue}));
        field("weapon" + suffix, weapon_text(own.weapon));
        field("hand" + suffix, list(own.hand_size, [&](int i) { return held_text(own.hand[i]); }));
        field("deck" + suffix, list(own.deck_size, [&](int i) { return name(own.deck[own.deck_size - 1 - i]); }));
        field("secrets" + suffix, list(own.secret_count, [&](int i) {
                  return name(own.secrets[i].card) + ',' + std::to_string(order_of(own.secrets[i].stamp));
              }));
        field("board" + suffix,
              list(own.board_size, [&](int i) { return minion_text(state_.on_board(player, i), own.weapon); }));
        field("lasting" + suffix, list(own.enchantment_count, [&](int i) {
                  const ActiveEnchantment& active = own.enchantments[i];
                  return cards_.names.player_enchantments[active.index] + ',' +
                         std::string(kDurationWords[static_cast<int>(active.duration)]) + ',' +
                         std::to_string(active.begun);
              }));
        field("returns" + suffix, cards_text(own.returns, own.return_count));
        field("died" + suffix, cards_text(own.died, own.died_count));
        if (own.seen_count > 0) field("seen" + suffix, cards_text(own.seen, own.seen_count));
    }

    template <class Of>
    static std::string list(int count, const Of& of) {
        std::vector<std::string> entries;
        for (int i = 0; i < count; ++i) entries.push_back(of(i));
        return joined(entries, '/');
    }

    std::string hero_text(const Player& own) const {
        const std::uint32_t mark = mark_of(Ref::hero(static_cast<int>(&own - state_.players)));
        return name(own.hero) + ',' + kClassNames[static_cast<int>(own.hero_class)] + ',' + name(own.power) + ',' +
               numbers({own.health, own.max_health, own.armor, own.attack_this_turn, own.attacks}) + ',' +
               keywords_text(own.hero_keywords_this_turn) + ',' +
               flags_text(kHeroFlags, {own.frozen, own.destroyed, own.hero_exhausted, own.power_used,
                                       (state_.attackers & mark) != 0, (state_.defenders & mark) != 0});
    }

    std::string weapon_text(const Weapon& weapon) const {
        if (weapon.card == 0) return "-";
        return name(weapon.card) + ',' + numbers({weapon.attack, weapon.durability, order_of(weapon.stamp)}) + ',' +
               flags_text(kWeaponFlags, {weapon.destroyed});
    }

    std::string attachments_text(const std::uint8_t* attachments, int count) const {
        std::vector<std::string> entries;
        for (int i = 0; i < count; ++i) {
            const std::uint8_t entry = attachments[i];
            entries.push_back(cards_.names.attachments[entry & kAttachmentIndex] +
                              ((entry & kCasterBit) != 0 ? ":1" : ":0") +
                              std::string((entry & kFollowedBit) != 0 ? kFollowed : ""));
        }
        return joined(entries, '+');
    }

    std::string held_text(const HandCard& held) const {
        if (held.cost_change == 0 && held.attack_change == 0 && held.attached == 0 && held.origin == Origin::drawn)
            return name(held.card);
        return name(held.card) + ',' + numbers({held.cost_change, held.attack_change}) + ',' +
               attachments_text(held.attachments, held.attached) + ',' +
               flags_text(kHandFlags, {held.origin == Origin::made, held.origin == Origin::revealed});
    }

    std::string minion_text(const Minion& minion, const Weapon& weapon) const {
        const bool for_weapon = minion.enraged && minion.enraged_for == weapon.stamp;
        const std::uint32_t mark = mark_of(Ref::minion(static_cast<int>(&minion - state_.minions)));
        return name(minion.card) + ',' +
               numbers({minion.attack, minion.health, minion.damage, minion.attack_this_turn, minion.attacks,
                        minion.spell_damage, order_of(minion.stamp)}) +
               ',' + keywords_text(minion.keywords) + ',' + keywords_text(minion.keywords_this_turn) + ',' +
               keywords_text(minion.lasting_keywords) + ',' +
               flags_text(kMinionFlags,
                          {minion.exhausted, minion.destroyed, minion.borrowed, minion.enraged, for_weapon,
                           minion.ordered, (state_.attackers & mark) != 0, (state_.defenders & mark) != 0}) +
               ',' + attachments_text(minion.attachments, minion.attached);
    }

    const CardSet& cards_;
    const State& state_;
    std::vector<std::uint16_t> stamps_;
    std::string text_;
};

}  // namespace

std::string format_state(const CardSet& cards, const State& state) { return Writer(cards, state).text(); }

}  // namespace deckatlas::hearthstone
