// Attributes of cards and of all other entries of features. See card_attributes.hpp.
#include "hearthstone/card_attributes.hpp"

#include <algorithm>
#include <span>

#include "hearthstone/effect_attributes.hpp"

namespace deckatlas::hearthstone {
namespace {

constexpr const char* kTypes[] = {"minion", "spell", "weapon", "hero", "hero power"};  // CardType without none
constexpr const char* kRaces[] = {"beast", "demon", "dragon", "elemental", "mechanical", "murloc", "pirate", "totem"};
constexpr int kCostSteps = 10;  // attributes "costs at least n"
constexpr const char* kFaces[] = {"card",
                                  "neutral",
                                  "legendary",
                                  "secret",
                                  "combo",
                                  "choices",
                                  "collectible",
                                  "cost",
                                  "attack",
                                  "health",
                                  "lesser stat",
                                  "attack times health / 8",
                                  "premium",
                                  "overload",
                                  "spell damage",
                                  "attack with charge",
                                  "health with taunt",
                                  "attack with windfury"};
constexpr const char* kTargets[] = {"targets minions", "targets heroes", "targets enemies only", "targets own only",
                                    "targets with a condition"};
struct NamedKeyword {
    std::uint32_t keyword;
    const char* name;
};
constexpr NamedKeyword kKeywords[] = {{kTaunt, "taunt"},
                                      {kDivineShield, "divine shield"},
                                      {kStealth, "stealth"},
                                      {kWindfury, "windfury"},
                                      {kCharge, "charge"},
                                      {kPoisonous, "poisonous"},
                                      {kCantAttack, "cannot attack"},
                                      {kElusive, "elusive"},
                                      {kImmune, "immune"},
                                      {kCantAttackHeroes, "cannot attack heroes"},
                                      {kImmuneWhileAttacking, "immune while attacking"},
                                      {kAttackEqualsHealth, "attack equals health"},
                                      {kMinimumHealthOne, "keeps one health"},
                                      {kSpendsAttack, "spends attack"},
                                      {kHealingIsDamage, "healing is damage"},
                                      {kDoubleMagic, "double magic"},
                                      {kFreezes, "freezes"}};
constexpr const char* kEvents[] = {
    "turn start",   "turn end",       "attack", "cast spell",           "after spell",
    "play card",    "after minion",   "summon", "after summon",         "damaged",
    "deals damage", "healed",         "dies",   "spell targets minion", "secret revealed",
    "fatal damage", "attack proposed"};  // Event without none
constexpr const char* kWhose[] = {"trigger of own events", "trigger of enemy events"};
constexpr const char* kAuras[] = {"aura attack to own",    "aura health to own",    "aura attack to neighbours",
                                  "aura attack to itself", "aura health to itself", "aura attack to enemies",
                                  "aura gives keywords",   "aura on condition"};
constexpr const char* kCosts[] = {"own cards cost",          "enemy cards cost",      "cost per card in hand",
                                  "cost per minion in play", "cost per damage taken", "cost per weapon attack",
                                  "cost otherwise"};
constexpr const char* kSections[] = {"played", "deathrattle", "trigger"};

enum Section : std::size_t { kPlayed, kDeathrattle, kTrigger, kSectionCount };

constexpr std::size_t kCardColumns = std::size(kFaces) + std::size(kTypes) + std::size(kRaces) + kCostSteps +
                                     std::size(kKeywords) + std::size(kTargets) + std::size(kEvents) +
                                     std::size(kWhose) + std::size(kAuras) + std::size(kCosts) +
                                     kSectionCount * kEffectAttributes;

// Writes the attributes of one card, group by group in the order of the names.
class CardRow {
public:
    CardRow(const CardSet& cards, const Card& card, std::span<std::int8_t> row)
        : cards_(cards), card_(card), row_(row) {}

    void write() {
        write_faces();
        set_of(static_cast<std::size_t>(card_.type), std::size(kTypes));
        set_of(static_cast<std::size_t>(card_.race), std::size(kRaces));
        for (int step = 1; step <= kCostSteps; ++step) put(card_.cost >= step);
        for (const NamedKeyword& each : kKeywords) put((card_.keywords & each.keyword) != 0);
        write_targets();
        for (std::size_t event = 1; event <= std::size(kEvents); ++event) put((card_.events >> event & 1) != 0);
        write_whose();
        write_auras();
        write_costs();
        write_effects();
    }

private:
    void put(int value) { add_attribute(row_[at_++], value); }
    void put_all(std::span<const int> values) {
        for (const int value : values) put(value);
    }
    // One of several, counted from one; zero is none of them.
    void set_of(std::size_t one, std::size_t count) {
        if (one > 0) add_attribute(row_[at_ + one - 1], 1);
        at_ += count;
    }
    int estimate(TableIndex number) const { return EffectAttributes::estimate(cards_.numbers[number]); }

    void write_faces() {
        const auto times = [&](std::uint32_t keyword, int value) {
            return (card_.keywords & keyword) != 0 ? value : 0;
        };
        const int faces[] = {1,
                             card_.hero_class == HeroClass::neutral,
                             card_.legendary,
                             card_.secret,
                             card_.has_combo,
                             card_.choices > 0,
                             card_.collectible,
                             card_.cost,
                             card_.attack,
                             card_.health,
                             std::min(card_.attack, card_.health),
                             card_.attack * card_.health / 8,
                             card_.premium,
                             card_.overload,
                             card_.spell_damage,
                             times(kCharge, card_.attack),
                             times(kTaunt, card_.health),
                             times(kWindfury, card_.attack)};
        static_assert(std::size(faces) == std::size(kFaces));
        put_all(faces);
    }

    // The ways to play a card: its choices, or its combo, or its plain effect.
    std::vector<const Play*> ways() const {
        if (card_.choices > 0) return {&card_.choice[0], &card_.choice[1]};
        return {card_.has_combo ? &card_.combo : &card_.play};
    }

    void write_targets() {
        int targets[std::size(kTargets)] = {};
        for (const Play* const way : ways()) {
            const Target& target = way->target;
            targets[0] |= target.minions;
            targets[1] |= target.heroes;
            if (!target.minions && !target.heroes) continue;
            targets[2] |= target.side == Side::enemy;
            targets[3] |= target.side == Side::mine;
            targets[4] |= target.filters[0].kind != FilterKind::anything;
        }
        put_all(targets);
    }

    template <class Do>
    void each_trigger(const Do& act) const {
        for (int k = 0; k < card_.triggers.count; ++k)
            act(cards_.triggers[static_cast<std::size_t>(card_.triggers.first + k)]);
    }

    void write_whose() {
        int whose[std::size(kWhose)] = {};
        each_trigger([&](const Trigger& trigger) {
            whose[0] |= trigger.whose != Side::enemy;
            whose[1] |= trigger.whose != Side::mine;
        });
        put_all(whose);
    }

    void write_auras() {
        int auras[std::size(kAuras)] = {};
        for (int k = 0; k < card_.auras.count; ++k) {
            const Aura& aura = cards_.auras[static_cast<std::size_t>(card_.auras.first + k)];
            const Selector& selector = cards_.selectors[aura.selector];
            const int attack = estimate(aura.attack);
            const int health = estimate(aura.health);
            if (selector.base == Base::self || selector.base == Base::weapon) {
                auras[3] += attack;
                auras[4] += health;
            } else if (selector.base == Base::adjacent_to_self) {
                auras[2] += attack;
            } else {
                auras[0] += selector.side != Side::enemy ? attack : 0;
                auras[1] += selector.side != Side::enemy ? health : 0;
                auras[5] += selector.side != Side::mine ? attack : 0;
            }
            auras[6] += aura.keywords != 0;
            auras[7] += cards_.conditions[aura.condition].kind != ConditionKind::always;
        }
        put_all(auras);
    }

    void write_costs() {
        int costs[std::size(kCosts)] = {};
        for (int k = 0; k < card_.cost_auras.count; ++k) {
            const CostAura& aura = cards_.cost_auras[static_cast<std::size_t>(card_.cost_auras.first + k)];
            if (aura.side != Side::enemy) costs[0] += aura.amount;
            if (aura.side != Side::mine) costs[1] += aura.amount;
        }
        if (card_.own_cost != 0) {
            const Number& number = cards_.numbers[card_.own_cost];
            costs[column_of_own_cost(number)] += number.factor;
        }
        put_all(costs);
    }
    std::size_t column_of_own_cost(const Number& number) const {
        const Base base = cards_.selectors[number.selector].base;
        if (number.kind == NumberKind::hand_size || (number.kind == NumberKind::count && base == Base::hand)) return 2;
        if (number.kind == NumberKind::count && base == Base::minions) return 3;
        if (number.kind == NumberKind::damage_taken) return 4;
        if (number.kind == NumberKind::attack && base == Base::weapon) return 5;
        return 6;
    }

    // What a card gives to others, a deathrattle or a trigger, counts as its own.
    void write_effects() {
        for (const Play* const way : ways()) add_program(kPlayed, way->program, way->target.side);
        add_program(kDeathrattle, card_.deathrattle, Side::all);
        each_trigger([&](const Trigger& trigger) { add_program(kTrigger, trigger.program, Side::all); });
        at_ += kSectionCount * kEffectAttributes;
    }

    void add_program(Section section, ProgramCounter start, Side target) {
        effects(section).add_program(start, target);
        for (std::size_t i = start; start != 0 && cards_.instructions[i].op != Op::end; ++i) {
            if (cards_.instructions[i].op != Op::attach) continue;
            const Attachment& attachment = cards_.attachments[cards_.instructions[i].card];
            effects(kDeathrattle).add_program(attachment.deathrattle, Side::all);
            effects(kTrigger).add_program(cards_.triggers[attachment.trigger].program, Side::all);
        }
    }
    EffectAttributes effects(Section section) {
        return {cards_, row_.data() + at_ + static_cast<std::size_t>(section) * kEffectAttributes};
    }

    const CardSet& cards_;
    const Card& card_;
    const std::span<std::int8_t> row_;
    std::size_t at_ = 0;
};

// ---- entries that are not cards ----------------------------------------------------------------------------------

constexpr const char* kNumberNames[] = {"any", "number", "number up to 6", "number up to 12", "number up to 20"};
constexpr const char* kGridNames[] = {"any", "attack", "health", "lesser", "attack times health / 8", "no attack"};

std::vector<int> number_attributes(int number) {
    return {1, number, std::min(number, 6), std::min(number, 12), std::min(number, 20)};
}
std::vector<int> grid_attributes(int attack, int health) {
    return {1, attack, health, std::min(attack, health), attack * health / 8, attack == 0};
}

std::vector<std::string> names_of_kind(FeatureKind kind) {
    switch (kind) {
        case FeatureKind::flags:
        case FeatureKind::classes: return {};
        case FeatureKind::numbers: return {std::begin(kNumberNames), std::end(kNumberNames)};
        case FeatureKind::grid: return {std::begin(kGridNames), std::end(kGridNames)};
        case FeatureKind::pairings: {
            std::vector<std::string> names;
            for (const char* const side : {"own ", "enemy "}) {
                for (const char* const name : kClassNames) names.push_back(std::string(side) + name);
            }
            return names;
        }
        case FeatureKind::cards: return card_attribute_names();
    }
    return {};
}

// Of an entry that is not a card.
std::vector<int> entry_attributes(const FeatureZoneShape& shape, int entry) {
    const int row = entry / shape.columns();
    const int column = entry % shape.columns();
    switch (shape.kind) {
        case FeatureKind::numbers: return number_attributes(shape.low + entry);
        case FeatureKind::grid: return grid_attributes(shape.low + row, shape.low2 + column);
        case FeatureKind::pairings: {
            std::vector<int> classes(2 * (kClasses + 1));
            classes[static_cast<std::size_t>(row)] = 1;
            classes[static_cast<std::size_t>(kClasses + 1 + column)] = 1;
            return classes;
        }
        default: return {};
    }
}

}  // namespace

std::vector<std::string> card_attribute_names() {
    std::vector<std::string> names;
    const auto add = [&](const auto& more) { names.insert(names.end(), std::begin(more), std::end(more)); };
    add(kFaces);
    add(kTypes);
    add(kRaces);
    for (int step = 1; step <= kCostSteps; ++step) names.push_back("costs at least " + std::to_string(step));
    for (const NamedKeyword& each : kKeywords) names.push_back(each.name);
    add(kTargets);
    for (const char* const event : kEvents) names.push_back(std::string("on ") + event);
    add(kWhose);
    add(kAuras);
    add(kCosts);
    for (const char* const section : kSections) {
        for (const char* const effect : kEffectAttributeNames) names.push_back(std::string(section) + ": " + effect);
    }
    return names;
}

std::vector<std::int8_t> card_attributes(const CardSet& cards) {
    std::vector<std::int8_t> rows(cards.cards.size() * kCardColumns);
    for (std::size_t id = 1; id < cards.unknown_secrets; ++id)
        CardRow(cards, cards.cards[id], std::span(rows).subspan(id * kCardColumns, kCardColumns)).write();
    return rows;
}

std::vector<std::string> feature_attribute_names() {
    std::vector<std::string> names;
    for (const FeatureZoneShape& shape : kZoneShapes) {
        for (const std::string& name : names_of_kind(shape.kind))
            names.push_back(std::string(shape.name) + " | " + name);
    }
    return names;
}

FeatureAttributes feature_attributes(const PositionFeatures& features) {
    const std::vector<std::int8_t> cards = card_attributes(features.cards());
    FeatureAttributes matrix;
    matrix.offsets.push_back(0);
    std::size_t first_column = 0;
    for (std::size_t zone = 0; zone < kFeatureZones; ++zone) {
        const FeatureZoneShape& shape = kZoneShapes[zone];
        const std::size_t columns = names_of_kind(shape.kind).size();
        for (int entry = 0; entry < features.size_of(static_cast<FeatureZone>(zone)); ++entry) {
            const std::vector<int> numbers = entry_attributes(shape, entry);
            for (std::size_t k = 0; k < columns; ++k) {
                const int value = shape.kind == FeatureKind::cards
                                      ? cards[static_cast<std::size_t>(entry) * columns + k]
                                      : numbers[k];
                if (value == 0) continue;
                matrix.columns.push_back(static_cast<std::int32_t>(first_column + k));
                matrix.values.push_back(static_cast<std::int8_t>(value));
            }
            matrix.offsets.push_back(static_cast<std::int64_t>(matrix.columns.size()));
        }
        first_column += columns;
    }
    return matrix;
}

}  // namespace deckatlas::hearthstone
