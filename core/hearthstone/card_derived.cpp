// Values derived from the tables of compiled cards, computed once so that games need not.
#include <algorithm>
#include <atomic>
#include <cstdint>

#include "hearthstone/card_parts.hpp"
#include "hearthstone/placement.hpp"
#include "hearthstone/targets.hpp"

namespace deckatlas::hearthstone {
namespace {

bool sees_cards(const Selector& selector) {
    return selector.base == Base::hand || selector.base == Base::deck || selector.base == Base::last_drawn;
}

bool sees_stats(const Selector& selector) {
    for (const Filter& filter : selector.filters) {
        switch (filter.kind) {
            case FilterKind::anything:
            case FilterKind::race:
            case FilterKind::type:
            case FilterKind::not_card:
            case FilterKind::friendly: break;
            default: return true;
        }
    }
    return false;
}

// What an aura depends on, so that the core knows when it need not be recomputed.
void note_dependence(CardSet& set, Card& card, const Aura& aura) {
    const auto note_selector = [&](TableIndex index) {
        set.auras_see_cards |= sees_cards(set.selectors[index]);
        card.aura_sees_stats |= sees_stats(set.selectors[index]);
    };
    const auto note_number = [&](TableIndex index) {
        const Number& number = set.numbers[index];
        note_selector(number.selector);
        set.auras_see_cards |= number.kind == NumberKind::base_cost || number.kind == NumberKind::hand_size ||
                               number.kind == NumberKind::hand_difference;
        card.aura_sees_stats |= number.kind != NumberKind::constant && number.kind != NumberKind::count;
    };
    note_selector(aura.selector);
    note_number(aura.attack);
    note_number(aura.health);
    const Condition& condition = set.conditions[aura.condition];
    note_selector(condition.selector);
    card.aura_sees_stats |= condition.kind != ConditionKind::always && condition.kind != ConditionKind::at_least &&
                            condition.kind != ConditionKind::board_space &&
                            condition.kind != ConditionKind::holding_weapon;
}

void work_out_reach(Target& target) {
    const bool own = target.side != Side::enemy;
    const bool enemy = target.side != Side::mine;
    if (target.heroes) target.reach |= (own ? kOwnHeroMask : 0) | (enemy ? kEnemyHeroMask : 0);
    if (target.minions) target.reach |= (own ? kOwnMinionsMask : 0) | (enemy ? kEnemyMinionsMask : 0);
}

// Every copy that a deck of that class may have.
std::vector<CardId> copies_of_class(const CardSet& set, HeroClass hero_class) {
    std::vector<CardId> copies;
    for (CardId id = 1; id < set.unknown_secrets; ++id) {
        const Card& card = set[id];
        if (!card.collectible || (card.hero_class != HeroClass::neutral && card.hero_class != hero_class)) continue;
        copies.insert(copies.end(), card.legendary ? 1 : 2, id);
    }
    return copies;
}

// A minion without a text has about as many points of attack and health as twice its cost, and one more.
std::int16_t premium_of(const Card& card) {
    const bool lasts = card.deathrattle != 0 || card.triggers.count + card.auras.count + card.cost_auras.count > 0;
    const int premium = 2 * card.cost + 1 - card.attack - card.health;
    return static_cast<std::int16_t>(lasts ? std::max(0, premium) : 0);
}

}  // namespace

void add_unknown(CardSet& set) {
    const std::string unknown(1, '?');
    set.names.cards[kUnknownCard] = unknown;
    set.names.titles[kUnknownCard] = unknown;
    set.names.numbers[unknown] = kUnknownCard;
    set.unknown_secrets = static_cast<CardId>(set.cards.size());
    for (int hero_class = 0; hero_class <= kClasses; ++hero_class) {
        const std::string name = unknown + kClassNames[hero_class];
        Card& secret = set.cards.emplace_back();
        secret.hero_class = static_cast<HeroClass>(hero_class);
        secret.secret = true;
        set.names.numbers[name] = static_cast<CardId>(set.cards.size() - 1);
        set.names.cards.push_back(name);
        set.names.titles.push_back(name);
    }
}

void work_out_the_rest(CardSet& set) {
    static std::atomic<std::uint64_t> made{0};
    set.serial = ++made;
    for (Card& card : set.cards) {
        for (Play* const play : {&card.play, &card.combo, &card.choice[0], &card.choice[1]})
            work_out_reach(play->target);
        set.faces.push_back({card.cost, (card.is_plain() ? kPlain : 0) | (card.own_cost != 0 ? kHasOwnCost : 0)});
        for (int k = 0; k < card.auras.count; ++k) {
            const Aura& aura = set.auras[static_cast<std::size_t>(card.auras.first + k)];
            note_dependence(set, card, aura);
            card.aura_gives_keywords |= aura.keywords != 0;
        }
        const PlaceDependence dependence(set);
        card.minds_own_place = dependence.when_played(card);
        card.minds_places = dependence.in_play(card);
        card.minds_own_order = dependence.on_order_when_played(card);
        card.minds_order = dependence.on_order_in_play(card);
        card.premium = premium_of(card);
    }
    for (int hero_class = 0; hero_class <= kClasses; ++hero_class)
        set.copies[hero_class] = copies_of_class(set, static_cast<HeroClass>(hero_class));
}

}  // namespace deckatlas::hearthstone
