// Checks on compiled cards that need more than one table.
#include <algorithm>
#include <string>

#include "hearthstone/card_parts.hpp"
#include "hearthstone/card_tables.hpp"

namespace deckatlas::hearthstone {
namespace {

using Fits = bool (*)(CardType);

// Which cards an instruction can create something from; null if it creates nothing.
Fits cards_for(Op op) {
    switch (op) {
        case Op::summon:
        case Op::summon_around:
        case Op::summon_at_end:
        case Op::transform: return [](CardType type) { return type == CardType::minion; };
        case Op::equip: return [](CardType type) { return type == CardType::weapon; };
        case Op::set_power: return [](CardType type) { return type == CardType::power; };
        case Op::replace_hero: return [](CardType type) { return type == CardType::hero; };
        case Op::add_to_hand:
        case Op::return_later: return is_for_hand;
        default: return nullptr;
    }
}

// The originals of copies are only known in a game.
bool has_fitting_cards(const CardSet& cards, const Instruction& in, Fits fits) {
    const auto all_of_list = [&](std::size_t list) {
        return std::all_of(cards.lists[list].begin(), cards.lists[list].end(),
                           [&](CardId card) { return fits(cards[card].type); });
    };
    switch (in.choice) {
        case Choice::card: return fits(cards[in.card].type);
        case Choice::random_of_list:
        case Choice::random_not_in_play: return all_of_list(in.card);
        case Choice::random_for_my_class:
        case Choice::random_for_enemy_class:
            for (std::size_t list = in.card; list < std::size_t{in.card} + kClasses; ++list) {
                if (!all_of_list(list)) return false;
            }
            return true;
        case Choice::copy_of_selected:
        case Choice::fresh_copy_of_selected: return true;
    }
    return false;
}

int count_of(const CardSet& cards, ProgramCounter program, Op op) {
    int count = 0;
    for (std::size_t i = program; program != 0 && cards.instructions[i].op != Op::end; ++i)
        count += cards.instructions[i].op == op;
    return count;
}

// Only the player of a card can choose among the cards it shows, and only once.
void check_choices(const CardSet& cards) {
    const auto check = [&](ProgramCounter program, int most, const char* whose, std::size_t number) {
        if (count_of(cards, program, Op::look_at_top) > most)
            throw TableError(std::string(whose) + " " + std::to_string(number) + " looks at the top of the deck" +
                             (most > 0 ? " more than once" : " at another time than when it is played"));
    };
    for (std::size_t i = 0; i < cards.cards.size(); ++i) {
        const Card& card = cards.cards[i];
        for (const Play* const play : {&card.play, &card.combo, &card.choice[0], &card.choice[1]})
            check(play->program, 1, "card", i);
        check(card.deathrattle, 0, "the deathrattle of card", i);
    }
    for (std::size_t i = 0; i < cards.triggers.size(); ++i) check(cards.triggers[i].program, 0, "trigger", i);
    for (std::size_t i = 0; i < cards.attachments.size(); ++i)
        check(cards.attachments[i].deathrattle, 0, "attachment", i);
}

void check_programs(const CardSet& cards) {
    const auto& instructions = cards.instructions;
    if (instructions.front().op != Op::end || instructions.back().op != Op::end)
        throw TableError("the table of instructions must start and end with an end");
    for (std::size_t i = 0; i < instructions.size(); ++i) {
        const Instruction& in = instructions[i];
        // A skip must stay within the program.
        for (std::size_t k = i + 1; k <= i + in.skip; ++k) {
            if (k >= instructions.size() || instructions[k].op == Op::end)
                throw TableError("instruction " + std::to_string(i) + " skips past the end of its program");
        }
        const Fits fits = cards_for(in.op);
        if (fits != nullptr && !has_fitting_cards(cards, in, fits))
            throw TableError("instruction " + std::to_string(i) + " is for cards of another type");
    }
}

}  // namespace

void check_tables(const CardSet& cards) {
    check_programs(cards);
    check_choices(cards);
    if (cards.coin != 0 && !is_for_hand(cards[cards.coin].type)) throw TableError("the coin is not a card for a hand");
    for (std::size_t i = 0; i < cards.cards.size(); ++i) {
        const CardId power = cards.cards[i].power;
        if (power != 0 && cards[power].type != CardType::power)
            throw TableError("the power of card " + std::to_string(i) + " is not a hero power");
    }
}

}  // namespace deckatlas::hearthstone
