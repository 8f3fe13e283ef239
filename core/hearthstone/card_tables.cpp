// Reads the tables of compiled cards, row by row. Everything that could break the interpreter is refused, here and,
// for checks that need more than one table, in card_checks.cpp.
#include "hearthstone/card_tables.hpp"

#include <algorithm>
#include <type_traits>

#include "hearthstone/card_parts.hpp"
#include "hearthstone/state.hpp"
#include "hearthstone/text_words.hpp"

namespace deckatlas::hearthstone {
namespace {

constexpr std::size_t kMostRows = 65'000;       // limit of a 16-bit index, with room for added entries
constexpr std::size_t kMostEnchantments = 256;  // limit of an 8-bit index
constexpr Event kLastEvent = Event::attack_proposed;
constexpr std::uint32_t kAllEvents = (2u << static_cast<int>(kLastEvent)) - 1;

// Reads the columns of one row from left to right.
class Row {
public:
    Row(const char* table, const std::int32_t* values, std::size_t width, std::size_t number)
        : table_(table), values_(values), width_(width), number_(number) {}

    template <class T>
    void read(T& field, std::int64_t low, std::int64_t high) {
        if (at_ == width_) fail("has too few columns");
        const std::int64_t value = values_[at_++];
        if (value < low || value > high)
            fail("column " + std::to_string(at_ - 1) + " is " + std::to_string(value) + ", not between " +
                 std::to_string(low) + " and " + std::to_string(high));
        field = static_cast<T>(value);
    }
    template <class E>
    void read_enum(E& field, E last) {
        read(field, 0, static_cast<std::int64_t>(last));
    }
    void read_flag(bool& field) { read(field, 0, 1); }
    void read_index(TableIndex& field, std::size_t size) { read(field, 0, static_cast<std::int64_t>(size) - 1); }
    void read_mask(std::uint32_t& field, std::uint32_t known) {
        read(field, 0, 0x7FFFFFFF);
        if ((field & ~known) != 0) fail("column " + std::to_string(at_ - 1) + " has unknown bits");
    }
    void read_keywords(std::uint32_t& field) { read_mask(field, kAllKeywords); }

    void finish() const {
        if (at_ != width_) fail("has too many columns");
    }
    [[noreturn]] void fail(const std::string& what) const {
        throw TableError("the table of " + std::string(table_) + ", row " + std::to_string(number_) + ": " + what);
    }

private:
    const char* table_;
    const std::int32_t* values_;
    std::size_t width_;
    std::size_t number_;
    std::size_t at_ = 0;
};

const Table& table_of(const Tables& tables, const char* name) {
    const auto found = tables.by_name.find(name);
    if (found == tables.by_name.end()) throw TableError("there is no table of " + std::string(name));
    if (found->second.rows == 0) throw TableError("the table of " + std::string(name) + " has no rows");
    if (found->second.rows > kMostRows) throw TableError("the table of " + std::string(name) + " has too many rows");
    return found->second;
}

template <class T, class Read>
void read_table(const Tables& tables, const char* name, std::vector<T>& out, const Read& read) {
    const Table& table = table_of(tables, name);
    out.resize(table.rows);
    for (std::size_t i = 0; i < table.rows; ++i) {
        Row row(name, table.values + i * table.width, table.width, i);
        read(row, out[i]);
        row.finish();
    }
}

struct Sizes {
    std::size_t cards, instructions, selectors, numbers, conditions, triggers, auras, cost_auras, player_enchantments,
        attachments, lists;
};

void read_filter(Row& row, Filter& filter) {
    row.read_enum(filter.kind, FilterKind::even_cost);
    if (filter.kind == FilterKind::has_keyword) {
        row.read(filter.value, 0, 31);  // the number of a bit
    } else {
        row.read(filter.value, -32768, 32767);
    }
}

void read_target(Row& row, Target& target) {
    row.read_flag(target.minions);
    row.read_flag(target.heroes);
    row.read_flag(target.required);
    row.read_enum(target.side, Side::all);
    for (Filter& filter : target.filters) read_filter(row, filter);
}

void read_play(Row& row, Play& play, const Sizes& sizes) {
    read_target(row, play.target);
    row.read_enum(play.requirement, Requirement::no_even_cost_in_deck);
    row.read(play.requirement_value, 0, 255);
    row.read_index(play.program, sizes.instructions);
    if (play.requirement == Requirement::one_not_in_play && play.requirement_value >= sizes.lists)
        row.fail("there is no list " + std::to_string(play.requirement_value));
}

void read_range(Row& row, Range& range, std::size_t size) {
    row.read_index(range.first, size);
    row.read(range.count, 0, 255);
    if (range.first + range.count > size) row.fail("a range exceeds its table");
}

// Whether the cards of a selector are in a hand, and not in a deck or dead.
bool is_of_hand(const Selector& selector) { return selector.base == Base::hand || selector.base == Base::last_drawn; }

// Checks on instructions that only allow some selectors and numbers.
void check_operands(const Row& row, const Instruction& in, const CardSet& set) {
    switch (in.op) {
        case Op::discard:
        case Op::change_cost:
        case Op::swap_with_hand:
            if (!is_of_hand(set.selectors[in.selector])) row.fail("it is for cards in a hand");
            break;
        case Op::buff:
            if ((in.keywords & kSpellDamage) != 0 && in.duration != Duration::permanent)
                row.fail("spell damage must be permanent");
            break;
        case Op::remove_keywords:
            if ((in.keywords & kSpellDamage) != 0) row.fail("spell damage is a number, which cannot be removed");
            break;
        case Op::set_power:
        case Op::replace_hero:
        case Op::return_later:
        case Op::enchant_player:
        case Op::attach:
            if (in.choice != Choice::card) row.fail("it must name a card instead of choosing one");
            break;
        case Op::look_at_top: {
            const Number& shown = set.numbers[in.amount];
            if (shown.kind != NumberKind::constant || shown.offset < 1 || shown.offset > kChoices)
                row.fail("it can show 1 to " + std::to_string(kChoices) + " cards");
            break;
        }
        default: break;
    }
    if (in.choice == Choice::random_not_in_play && set.lists[in.card].size() > kBoardLimit)
        row.fail("it chooses among more than " + std::to_string(kBoardLimit) + " cards");
}

// For auras: spell damage is a number, which auras do not change.
void read_lent_keywords(Row& row, std::uint32_t& keywords) {
    row.read_keywords(keywords);
    if ((keywords & kSpellDamage) != 0) row.fail("spell damage must be permanent");
}

void read_instruction(Row& row, Instruction& in, const Sizes& sizes, const CardSet& set) {
    row.read_enum(in.op, Op::summon_at_end);
    row.read_enum(in.side, Side::all);
    row.read_enum(in.source, Source::power);
    row.read_enum(in.choice, Choice::fresh_copy_of_selected);
    row.read_enum(in.duration, Duration::opponents_next_turn);
    row.read(in.skip, 0, 255);
    row.read_index(in.selector, sizes.selectors);
    row.read_index(in.selector2, sizes.selectors);
    row.read_index(in.amount, sizes.numbers);
    row.read_index(in.amount2, sizes.numbers);
    row.read_index(in.condition, sizes.conditions);
    row.read(in.card, 0, 65535);
    row.read_keywords(in.keywords);
    const auto below = [&](std::size_t size, const char* what) {
        if (in.card >= size) row.fail("there is no " + std::string(what) + " " + std::to_string(in.card));
    };
    switch (in.op) {
        case Op::enchant_player:
            below(std::min(sizes.player_enchantments, kMostEnchantments), "player enchantment");
            break;
        case Op::attach: below(std::min<std::size_t>(sizes.attachments, kAttachmentIndex + 1), "attachment"); break;
        default:
            if (in.choice == Choice::random_of_list || in.choice == Choice::random_not_in_play)
                below(sizes.lists, "list");
            else if (in.choice == Choice::random_for_my_class || in.choice == Choice::random_for_enemy_class)
                below(sizes.lists < kClasses ? 0 : sizes.lists - kClasses + 1, "nine lists from");
            else
                below(sizes.cards, "card");
    }
    check_operands(row, in, set);
}

void read_card(Row& row, Card& card, const Sizes& sizes, const CardSet& set) {
    row.read_enum(card.type, CardType::power);
    row.read_enum(card.hero_class, HeroClass::warrior);
    row.read_enum(card.race, Race::totem);
    row.read_flag(card.legendary);
    row.read_flag(card.collectible);
    row.read_flag(card.secret);
    row.read_flag(card.has_combo);
    row.read(card.choices, 0, 2);
    row.read(card.cost, 0, 50);
    row.read(card.attack, 0, 99);
    row.read(card.health, 0, 99);
    row.read(card.overload, 0, 10);
    row.read(card.spell_damage, 0, 10);
    row.read_keywords(card.keywords);
    row.read_mask(card.events, kAllEvents);
    for (CardId& choice : card.choice_cards) row.read_index(choice, sizes.cards);
    read_play(row, card.play, sizes);
    read_play(row, card.combo, sizes);
    for (Play& choice : card.choice) read_play(row, choice, sizes);
    row.read_index(card.deathrattle, sizes.instructions);
    read_range(row, card.triggers, sizes.triggers);
    read_range(row, card.auras, sizes.auras);
    read_range(row, card.cost_auras, sizes.cost_auras);
    row.read_index(card.own_cost, sizes.numbers);
    row.read_index(card.power, sizes.cards);
    if (card.cost_auras.count > kCardCostAuras)
        row.fail("it changes costs in more than " + std::to_string(kCardCostAuras) + " ways");
    const NumberKind cost = set.numbers[card.own_cost].kind;
    if (cost == NumberKind::base_cost) row.fail("its cost depends on costs");
    if (card.type == CardType::hero && card.hero_class == HeroClass::neutral) row.fail("it is a hero without a class");
}

bool is_word(const std::string& name) {
    return !name.empty() && name != "-" && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '%' ||
               c == '.' || c == '~' || c == '-';
    });
}

void check_names(const std::vector<std::string>& names, std::size_t entries, const char* what) {
    if (names.size() != entries)
        throw TableError("there are " + std::to_string(names.size()) + " names for " + std::to_string(entries) + " " +
                         what);
    for (std::size_t i = 1; i < entries; ++i) {
        if (!is_word(names[i])) throw TableError("a name of " + std::string(what) + " is not a plain word");
    }
}

void read_names(const Tables& tables, const Sizes& sizes, CardSet& set) {
    set.names = tables.names;
    Names& names = set.names;
    check_names(names.cards, sizes.cards, "cards");
    check_names(names.attachments, sizes.attachments, "attachments");
    check_names(names.player_enchantments, sizes.player_enchantments, "player enchantments");
    if (!names.edition.empty() && !is_word(names.edition)) throw TableError("the edition's name is not a plain word");
    if (names.titles.size() != sizes.cards) throw TableError("not every card has a title");
    for (std::size_t i = 1; i < sizes.cards; ++i) names.numbers[names.cards[i]] = static_cast<CardId>(i);
}

}  // namespace

CardSet read_tables(const Tables& tables) {
    const auto rows = [&](const char* name) { return table_of(tables, name).rows; };
    const Sizes sizes{rows("cards"),       rows("instructions"), rows("selectors"),
                      rows("numbers"),     rows("conditions"),   rows("triggers"),
                      rows("auras"),       rows("cost_auras"),   rows("player_enchantments"),
                      rows("attachments"), tables.lists.size()};
    CardSet set;
    set.rules = tables.rules;
    if (std::bit_width(set.rules) > kRuleFlags) throw TableError("there are rules that the core does not know");
    set.coin = tables.coin;
    if (set.coin >= sizes.cards) throw TableError("there is no card " + std::to_string(set.coin));
    for (const Table& list : tables.lists) {
        std::vector<CardId>& out = set.lists.emplace_back();
        for (std::size_t i = 0; i < list.width; ++i) {
            if (list.values[i] < 1 || static_cast<std::size_t>(list.values[i]) >= sizes.cards)
                throw TableError("a list has the unknown card " + std::to_string(list.values[i]));
            out.push_back(static_cast<CardId>(list.values[i]));
        }
    }
    read_table(tables, "selectors", set.selectors, [](Row& row, Selector& selector) {
        row.read_enum(selector.base, Base::each);
        row.read_enum(selector.side, Side::all);
        row.read_enum(selector.except, Except::attacker_and_defender);
        row.read_enum(selector.pick, Pick::all_but_one_random);
        row.read(selector.count, 0, kClasses * 10);
        for (Filter& filter : selector.filters) read_filter(row, filter);
    });
    read_table(tables, "numbers", set.numbers, [&](Row& row, Number& number) {
        row.read_enum(number.kind, NumberKind::own_attack);
        row.read_enum(number.side, Side::all);
        row.read_index(number.selector, sizes.selectors);
        row.read(number.factor, -1000, 1000);
        row.read(number.offset, -1000, 1000);
        if (number.kind == NumberKind::random_between && number.offset < number.factor)
            row.fail("a random number must have its lower bound first");
        if (number.kind == NumberKind::base_cost && !is_of_hand(set.selectors[number.selector]))
            row.fail("costs must be of cards in a hand");
    });
    read_table(tables, "conditions", set.conditions, [&](Row& row, Condition& condition) {
        row.read_enum(condition.kind, ConditionKind::nobody_played_minion);
        row.read_flag(condition.negated);
        row.read_index(condition.selector, sizes.selectors);
        row.read(condition.value, -32768, 32767);
    });
    read_table(tables, "instructions", set.instructions,
               [&](Row& row, Instruction& instruction) { read_instruction(row, instruction, sizes, set); });
    read_table(tables, "triggers", set.triggers, [&](Row& row, Trigger& trigger) {
        row.read_enum(trigger.event, kLastEvent);
        row.read_enum(trigger.whose, Side::all);
        row.read_flag(trigger.own_source);
        row.read_flag(trigger.own_target);
        row.read_flag(trigger.casters);
        row.read_index(trigger.source, sizes.selectors);
        row.read_index(trigger.target, sizes.selectors);
        row.read_index(trigger.condition, sizes.conditions);
        row.read_index(trigger.program, sizes.instructions);
    });
    read_table(tables, "auras", set.auras, [&](Row& row, Aura& aura) {
        row.read_index(aura.selector, sizes.selectors);
        row.read_index(aura.attack, sizes.numbers);
        row.read_index(aura.health, sizes.numbers);
        row.read_index(aura.condition, sizes.conditions);
        read_lent_keywords(row, aura.keywords);
    });
    const auto read_cost_aura = [&](Row& row, CostAura& aura) {
        row.read_enum(aura.side, Side::all);
        row.read_enum(aura.change, CostChange::add_to_printed);
        read_filter(row, aura.filter);
        row.read(aura.amount, -100, 100);
        row.read_index(aura.condition, sizes.conditions);
    };
    read_table(tables, "cost_auras", set.cost_auras, read_cost_aura);
    read_table(tables, "player_enchantments", set.player_enchantments, [&](Row& row, PlayerEnchantment& enchantment) {
        read_cost_aura(row, enchantment.cost);
        read_lent_keywords(row, enchantment.keywords);
    });
    read_table(tables, "attachments", set.attachments, [&](Row& row, Attachment& attachment) {
        row.read_index(attachment.trigger, sizes.triggers);
        row.read_index(attachment.deathrattle, sizes.instructions);
    });
    read_table(tables, "cards", set.cards, [&](Row& row, Card& card) { read_card(row, card, sizes, set); });
    check_tables(set);
    read_names(tables, sizes, set);
    add_unknown(set);
    work_out_the_rest(set);
    return set;
}

}  // namespace deckatlas::hearthstone
