// Bindings of Legends of Code and Magic's cards: the table of an edition, checked.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <memory>
#include <string>

#include "common/text_fields.hpp"
#include "errors.hpp"
#include "locm_state.hpp"
#include "python_text.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace deckatlas::bindings {
namespace {

using namespace locm;

constexpr std::size_t kFields = 8;
using CardRows = nb::ndarray<const std::int32_t, nb::shape<kCards, kFields>, nb::c_contig, nb::device::cpu>;

constexpr std::size_t kMaxLabel = 100;

int checked(const char* what, int card, int value, int low, int high) {
    if (value >= low && value <= high) return value;
    throw CardError("card " + std::to_string(card) + ": " + what + " " + std::to_string(value) + " is not between " +
                    std::to_string(low) + " and " + std::to_string(high));
}

// A label is a single field of a state's text.
std::string checked_label(const nb::str& edition) {
    const std::string label = utf8_or_empty(edition);
    const bool fits = std::ranges::all_of(label, [](char letter) { return letter > ' ' && letter <= '~'; });
    if (!fits || label.size() > kMaxLabel) {
        throw CardError("the label of an edition must be at most " + std::to_string(kMaxLabel) +
                        " printable ASCII characters without spaces, not " + quote(label));
    }
    return label;
}

std::shared_ptr<LocmCards> make_card_table(const CardRows& rows, const nb::str& edition) {
    auto table = std::make_shared<LocmCards>();
    table->edition = checked_label(edition);
    for (int i = 0; i < kCards; ++i) {
        const int id = i + 1;
        const auto field = [&](std::size_t column) {
            return static_cast<int>(rows(static_cast<std::size_t>(i), column));
        };
        Card& card = table->cards[id];
        card.type = static_cast<CardType>(checked("type", id, field(0), 0, kPlayableTypes - 1));
        const bool creature = card.type == CardType::creature;
        const int low = creature ? 0 : -kMaxCardStat;
        // Only green items are used on own creatures. If enemies could strengthen them, too, nine bits would not do.
        const int high = creature ? kMaxCardStat : card.type == CardType::green ? kMaxItemBonus : 0;
        card.cost = static_cast<std::uint8_t>(checked("cost", id, field(1), 0, kMaxCardStat));
        card.attack = static_cast<std::int8_t>(checked("attack", id, field(2), low, high));
        card.defense = static_cast<std::int8_t>(checked("defense", id, field(3), creature ? 1 : low, high));
        card.keywords = static_cast<std::uint8_t>(checked("keywords", id, field(4), 0, 63));
        card.player_health =
            static_cast<std::int8_t>(checked("player_health", id, field(5), -kMaxCardStat, kMaxCardStat));
        card.enemy_health =
            static_cast<std::int8_t>(checked("enemy_health", id, field(6), -kMaxCardStat, kMaxCardStat));
        card.draw = static_cast<std::uint8_t>(checked("draw", id, field(7), 0, 9));
    }
    return table;
}

auto card_rows(const CardTable& table) {
    auto* rows = new std::int32_t[kCards * kFields];
    const nb::capsule owner(rows, [](void* p) noexcept { delete[] static_cast<std::int32_t*>(p); });
    for (std::size_t i = 0; i < kCards; ++i) {
        const Card& card = table.cards[i + 1];
        const std::int32_t fields[kFields] = {static_cast<std::int32_t>(card.type),
                                              card.cost,
                                              card.attack,
                                              card.defense,
                                              card.keywords,
                                              card.player_health,
                                              card.enemy_health,
                                              card.draw};
        std::copy_n(fields, kFields, rows + i * kFields);
    }
    return nb::ndarray<nb::numpy, std::int32_t, nb::shape<kCards, kFields>>(
        rows, {static_cast<std::size_t>(kCards), kFields}, owner);
}

}  // namespace

void bind_locm_cards(nb::module_& m) {
    nb::class_<LocmCards>(m, "CardTable", "The 160 cards of an edition in the core's form.")
        .def(nb::new_(&make_card_table), "rows"_a, "edition"_a = "",
             "Builds a table from 160 rows of type, cost, attack, defense, keyword bits, player_health, enemy_health, "
             "draw.")
        .def_ro("edition", &LocmCards::edition, "The label of the edition in texts of states.")
        .def_prop_ro(
            "rows", [](const LocmCards& self) { return card_rows(self); }, nb::rv_policy::automatic,
            "The rows that the table was built from.");
}

}  // namespace deckatlas::bindings
