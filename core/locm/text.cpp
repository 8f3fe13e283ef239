// States as text: the format of one line, its parser, and the checks for states from outside.
#include "locm/text.hpp"

#include <algorithm>
#include <initializer_list>

namespace deckatlas::locm {
namespace {

constexpr std::string_view kMagic = "locm1.2";
constexpr int kMaxTurn = 1000;  // real games end long before half-turn 120
constexpr int kMaxHealth = 1'000'000;
constexpr int kMaxNextDraw = 99;

// ---- printing ----------------------------------------------------------------------------------------------------

std::string card_list(const std::uint8_t* cards, int n) {
    std::string text;
    for (int i = 0; i < n; ++i) {
        if (i > 0) text += '.';
        text += cards[i] == kUnknownCard ? "?" : std::to_string(cards[i]);
    }
    return text.empty() ? "-" : text;
}

std::string format_offers(const Draft& draft) {
    if (!draft.has_offers()) return "-";
    std::string text;
    for (int i = 0; i < kPicks; ++i) {
        if (i > 0) text += '/';
        text += card_list(draft.offers[i], kOffered);
    }
    return text;
}

std::string format_creature(const Side& side, Slot slot) {
    const Creature& creature = side.at(slot);
    std::string text = std::to_string(lane_of(slot));
    for (const int value : {creature.position(), creature.attack(), creature.defense()})
        text += '.' + std::to_string(value);
    text += '.';
    for (int i = 0; i < kKeywords; ++i) text += (creature.keywords() >> i & 1) != 0 ? kKeywordLetters[i] : '-';
    text += '.';
    text += (side.ready >> slot & 1) != 0 ? 'r' : '-';
    text += (side.attacked >> slot & 1) != 0 ? 'a' : '-';
    text += creature.touched() ? 't' : '-';
    return text;
}

std::string format_board(const Side& side) {
    std::string text;
    int listed[kLanes] = {0, 0};
    for (int age = 0; age < side.creatures(); ++age) {
        const int lane = side.order >> age & 1;
        if (age > 0) text += '/';
        text += format_creature(side, slot_of(lane, listed[lane]++));
    }
    return text.empty() ? "-" : text;
}

std::string format_side(const Side& side) {
    std::string text = std::to_string(side.health);
    for (const int value : {int{side.runes}, int{side.mana}, int{side.max_mana}, int{side.bonus_mana}, int{side.drawn},
                            int{side.next_draw}, int{side.shown_draw}}) {
        text += ',' + std::to_string(value);
    }
    return text;
}

std::string format_hand(std::uint32_t hand) {
    std::string text;
    for (int position = 0; position < kDeckSize; ++position) {
        if ((hand >> position & 1u) == 0) continue;
        if (!text.empty()) text += '.';
        text += std::to_string(position);
    }
    return text.empty() ? "-" : text;
}

// ---- parsing -----------------------------------------------------------------------------------------------------

// Reads at most `capacity` card ids and returns how many.
int parse_cards(std::string_view field, std::string_view text, std::uint8_t* cards, int capacity) {
    const auto parts = split_text(text, '.');
    if (static_cast<int>(parts.size()) > capacity)
        fail_field(field, "more than " + std::to_string(capacity) + " cards");
    for (std::size_t i = 0; i < parts.size(); ++i) {
        cards[i] = static_cast<std::uint8_t>(parts[i] == "?" ? kUnknownCard : parse_number(field, parts[i], 1, kCards));
    }
    return static_cast<int>(parts.size());
}

constexpr std::string_view kFormats[] = {"referee", "distinct", "given"};

DraftFormat parse_format(std::string_view text) {
    const auto* const found = std::find(std::begin(kFormats), std::end(kFormats), text);
    if (found == std::end(kFormats)) fail_field("format", "expected 'referee', 'distinct' or 'given'");
    return static_cast<DraftFormat>(found - std::begin(kFormats));
}

void parse_offers(std::string_view text, Draft& draft) {
    const auto parts = split_text(text, '/');
    if (parts.empty() && !draft.has_offers()) return;
    if (parts.size() != kPicks || !draft.has_offers())
        fail_field("offers", "expected 30 offers with a draft, '-' without");
    for (int i = 0; i < kPicks; ++i) {
        auto& offer = draft.offers[i];
        if (parse_cards("offers", parts[static_cast<std::size_t>(i)], offer, kOffered) != kOffered) {
            fail_field("offers", "each offer needs three cards");
        }
    }
}

// Shown offers are known and have different cards; future offers are hidden in a view and only there. A pool has at
// most 60 cards.
void check_offers(const State& state) {
    const Draft& draft = state.draft;
    if (!draft.has_offers()) return;
    bool seen[kCards + 1] = {};
    int different = 0;
    for (int i = 0; i < kPicks; ++i) {
        const auto& offer = draft.offers[i];
        for (const std::uint8_t card : offer) {
            const bool hidden = state.viewer != kSeesAll && i >= draft.shown();
            if (hidden != (card == kUnknownCard))
                fail_field("offers",
                           "offer " + std::to_string(i) + (hidden ? " is hidden from the viewer" : " must be known"));
            if (hidden) continue;
            if (!seen[card]) ++different;
            seen[card] = true;
        }
        if (offer[0] != kUnknownCard && (offer[0] == offer[1] || offer[0] == offer[2] || offer[1] == offer[2])) {
            fail_field("offers", "the cards of offer " + std::to_string(i) + " are not different");
        }
    }
    if (draft.format == DraftFormat::referee && different > kPoolSize)
        fail_field("offers", "more than 60 different cards");
    const int shown = state.viewer == kSeesAll ? kPicks : draft.shown();
    if (draft.format == DraftFormat::distinct && different != shown * kOffered)
        fail_field("offers", "a card is offered twice");
}

void check_chosen(const Draft& draft, int player, int viewer) {
    const std::string field = "cards" + std::to_string(player);
    for (int i = 0; i < draft.made[player]; ++i) {
        const std::uint8_t card = draft.chosen[player][i];
        if (card == kUnknownCard) {
            if (viewer != (player ^ 1) || !draft.has_offers())
                fail_field(field, "an unknown pick outside the opponent's view");
        } else if (draft.has_offers() &&
                   std::find(draft.offers[i], draft.offers[i] + kOffered, card) == draft.offers[i] + kOffered) {
            fail_field(field, "pick " + std::to_string(i) + " is not among the offered cards");
        }
    }
}

void parse_flags(std::string_view field, std::string_view text, Side& side, Slot slot) {
    const auto flag = [&](std::size_t i, char letter) {
        if (text[i] != letter && text[i] != '-')
            fail_field(field, "flags must be 'r', 'a' and 't' in that order, or '-'");
        return text[i] == letter;
    };
    if (text.size() != 3) fail_field(field, "flags must be three characters");
    side.ready = static_cast<std::uint8_t>(side.ready & ~(1 << slot));  // Charge made it ready; the text decides
    if (flag(0, 'r')) side.ready = static_cast<std::uint8_t>(side.ready | 1 << slot);
    if (flag(1, 'a')) side.attacked = static_cast<std::uint8_t>(side.attacked | 1 << slot);
    if (flag(2, 't')) side.at(slot).touch();
}

int parse_keywords(std::string_view field, std::string_view text) {
    if (text.size() != kKeywords) fail_field(field, "keywords must be six characters like 'BC-G--'");
    int keywords = 0;
    for (int i = 0; i < kKeywords; ++i) {
        const char letter = text[static_cast<std::size_t>(i)];
        if (letter == kKeywordLetters[i]) {
            keywords |= 1 << i;
        } else if (letter != '-') {
            fail_field(field, "keywords must be six characters like 'BC-G--'");
        }
    }
    return keywords;
}

void parse_board(const std::string& field, std::string_view text, Side& side, int deck_size) {
    const int may_still_come = side.hand_size() + deck_size - side.drawn;
    const int max_stat = Creature::kMaxStat - kMaxItemBonus * may_still_come;
    std::uint32_t seen = side.hand;
    for (const std::string_view part : split_text(text, '/')) {
        const auto parts = split_text(part, '.');
        if (parts.size() != 6) fail_field(field, "a creature must be lane.position.attack.defense.keywords.flags");
        const int lane = static_cast<int>(parse_number(field, parts[0], 0, kLanes - 1));
        const int position = static_cast<int>(parse_number(field, parts[1], 0, side.drawn - 1));
        const int attack = static_cast<int>(parse_number(field, parts[2], 0, max_stat));
        const int defense = static_cast<int>(parse_number(field, parts[3], 1, max_stat));
        if ((seen >> position & 1u) != 0)
            fail_field(field, "deck position " + std::to_string(position) + " is used twice");
        if (side.count[lane] == kLaneSize) fail_field(field, "more than three creatures in a lane");
        seen |= 1u << position;
        const Slot slot = slot_of(lane, side.count[lane]);
        add_creature(side, lane, Creature(attack, defense, parse_keywords(field, parts[4]), position));
        parse_flags(field, parts[5], side, slot);
    }
}

void parse_side(const std::string& field, std::string_view text, Side& side, int deck_size) {
    const auto parts = split_text(text, ',');
    if (parts.size() != 8)
        fail_field(field, "expected health,runes,mana,max_mana,bonus_mana,drawn,next_draw,shown_draw");
    const auto number = [&](std::size_t i, std::int64_t low, std::int64_t high) {
        return parse_number(field, parts[i], low, high);
    };
    const auto byte = [&](std::size_t i, std::int64_t high) { return static_cast<std::uint8_t>(number(i, 0, high)); };
    side.health = static_cast<std::int32_t>(number(0, -kMaxHealth, kMaxHealth));
    side.runes = byte(1, kRunes);
    side.mana = byte(2, kManaLevels - 1);
    side.max_mana = byte(3, kManaLevels - 1);
    side.bonus_mana = byte(4, 1);
    side.drawn = byte(5, deck_size);
    side.next_draw = byte(6, kMaxNextDraw);
    side.shown_draw = byte(7, 255);
    if (side.runes > 0 && side.health <= kRuneStep * side.runes) fail_field(field, "a rune is at or above the health");
}

void parse_hand(const std::string& field, std::string_view text, Side& side) {
    for (const std::string_view part : split_text(text, '.')) {
        const std::uint32_t bit = 1u << parse_number(field, part, 0, side.drawn - 1);
        if ((side.hand & bit) != 0) fail_field(field, "the same card is listed twice");
        side.hand |= bit;
    }
    if (side.hand_size() > kHandLimit) fail_field(field, "more than eight cards");
}

// Known cards of a deck must be among the picks; unknown cards are allowed only where they are hidden from the viewer.
// A card that was played and has left the board may be unknown in a position built by hand.
void check_deck(const State& state, int player) {
    const std::string field = "deck" + std::to_string(player);
    const Side& side = state.battle.sides[player];
    int left[kCards + 1] = {};
    bool all_known = true;
    for (int i = 0; i < state.draft.made[player]; ++i) {
        ++left[state.draft.chosen[player][i]];
        all_known = all_known && state.draft.chosen[player][i] != kUnknownCard;
    }
    std::uint32_t on_board = 0;
    for (int lane = 0; lane < kLanes; ++lane) {
        for (int i = 0; i < side.count[lane]; ++i) on_board |= 1u << side.lanes[lane][i].position();
    }
    for (int i = 0; i < state.deal.sizes[player]; ++i) {
        const std::uint8_t card = state.deal.decks[player][i];
        const bool in_hand = (side.hand >> i & 1u) != 0;
        const bool in_deck = i >= side.drawn;
        if (card == kUnknownCard) {
            const bool hidden = state.viewer != kSeesAll && (in_deck || (in_hand && state.viewer != player));
            const bool gone = !in_deck && !in_hand && (on_board >> i & 1u) == 0;
            if (!hidden && !gone) fail_field(field, "position " + std::to_string(i) + " must be known");
        } else if (all_known && --left[card] < 0) {
            fail_field(field, "card " + std::to_string(card) + " is not among cards" + std::to_string(player));
        }
    }
}

void parse_battle(const CardTable& cards, TextFields& fields, State& state) {
    state.in_battle = true;
    state.battle.turn = static_cast<std::int32_t>(parse_number("turn", fields.take("turn"), 0, kMaxTurn));
    for (int player = 0; player < 2; ++player) {
        const std::string suffix = std::to_string(player);
        Side& side = state.battle.sides[player];
        const int size =
            parse_cards("deck" + suffix, fields.take("deck" + suffix), state.deal.decks[player], kDeckSize);
        state.deal.sizes[player] = static_cast<std::uint8_t>(size);
        const int listed = state.draft.made[player];
        if (state.draft.has_offers() ? listed != kPicks || size != kDeckSize : listed > size) {
            fail_field("cards" + suffix, "a battle needs thirty picks, or a list of the deck's cards");
        }
        parse_side("p" + suffix, fields.take("p" + suffix), side, size);
        parse_hand("hand" + suffix, fields.take("hand" + suffix), side);
        parse_board("board" + suffix, fields.take("board" + suffix), side, size);
        check_deck(state, player);
    }
    index_deal(cards, state.deal);
}

void parse_draft(TextFields& fields, State& state) {
    const int ahead = state.draft.made[0] - state.draft.made[1];
    if (!state.draft.has_offers() || state.draft.made[1] >= kPicks || ahead < 0 || ahead > 1) {
        fail_field("cards0", "in a draft the players must pick in turn");
    }
    const auto parts = split_text(fields.take("seeds"), ',');
    if (parts.size() != 2) fail_field("seeds", "expected two numbers");
    for (std::size_t i = 0; i < 2; ++i) {
        state.shuffle_seeds[i] = parse_number("seeds", parts[i], INT64_MIN, INT64_MAX);
    }
}

}  // namespace

std::string format_state(const State& state) {
    std::string text(kMagic);
    const auto field = [&text](const std::string& key, const std::string& value) { text += ' ' + key + '=' + value; };
    field("phase", state.in_battle ? "battle" : "draft");
    field("view", state.viewer == kSeesAll ? "-" : std::to_string(state.viewer));
    field("format", std::string(kFormats[static_cast<int>(state.draft.format)]));
    field("offers", format_offers(state.draft));
    for (int player = 0; player < 2; ++player) {
        field("cards" + std::to_string(player), card_list(state.draft.chosen[player], state.draft.made[player]));
    }
    if (!state.in_battle) {
        field("seeds", std::to_string(state.shuffle_seeds[0]) + ',' + std::to_string(state.shuffle_seeds[1]));
        return text;
    }
    field("turn", std::to_string(state.battle.turn));
    for (int player = 0; player < 2; ++player) {
        const std::string suffix = std::to_string(player);
        const Side& side = state.battle.sides[player];
        field("deck" + suffix, card_list(state.deal.decks[player], state.deal.sizes[player]));
        field("p" + suffix, format_side(side));
        field("hand" + suffix, format_hand(side.hand));
        field("board" + suffix, format_board(side));
    }
    return text;
}

State parse_state(const CardTable& cards, std::string_view text) {
    TextFields fields(text, kMagic);
    State state;
    const std::string_view phase = fields.take("phase");
    const std::string_view view = fields.take("view");
    if (view != "-") state.viewer = static_cast<std::int8_t>(parse_number("view", view, 0, 1));
    state.draft.format = parse_format(fields.take("format"));
    parse_offers(fields.take("offers"), state.draft);
    for (int player = 0; player < 2; ++player) {
        const std::string field = "cards" + std::to_string(player);
        state.draft.made[player] =
            static_cast<std::uint8_t>(parse_cards(field, fields.take(field), state.draft.chosen[player], kPicks));
        check_chosen(state.draft, player, state.viewer);
    }
    check_offers(state);
    if (phase == "draft") {
        parse_draft(fields, state);
    } else if (phase == "battle") {
        parse_battle(cards, fields, state);
    } else {
        fail_field("phase", "expected 'draft' or 'battle'");
    }
    fields.expect_no_more();
    return state;
}

}  // namespace deckatlas::locm
