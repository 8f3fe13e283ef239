// Bindings of views of Hearthstone, and of sampling hidden cards.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <vector>

#include "common/text_fields.hpp"
#include "errors.hpp"
#include "hearthstone/resample.hpp"
#include "hearthstone_state.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace deckatlas::bindings {
namespace {

using namespace hearthstone;
using CardIds = std::vector<std::string>;

HearthstoneState view_state(const HearthstoneState& self, int player) {
    check_viewer(self.value, player);
    return {self.cards, view_of(*self.cards, self.value, player)};
}

// Copies by their ids; by default, every copy that a deck of the class may have.
std::vector<CardId> read_candidates(const CardSet& cards, const std::optional<CardIds>& ids, HeroClass hero_class) {
    if (!ids) return cards.copies_for(hero_class);
    if (ids->size() > kMostCandidates)
        throw StateError("there are at most " + std::to_string(kMostCandidates) + " candidates, not " +
                         std::to_string(ids->size()));
    std::vector<CardId> candidates;
    for (const std::string& id : *ids) {
        const auto found = cards.names.numbers.find(id);
        const CardType type = found == cards.names.numbers.end() ? CardType::none : cards[found->second].type;
        if (!is_for_hand(type)) throw StateError("the candidate " + quote(id) + " is not a card for a deck");
        candidates.push_back(found->second);
    }
    return candidates;
}

HearthstoneState resample_state(const HearthstoneState& self, int player, std::uint64_t seed,
                                const std::optional<CardIds>& candidates) {
    check_viewer(self.value, player);
    const CardSet& cards = *self.cards;
    const HeroClass hero_class = self.value.players[player ^ 1].hero_class;
    const std::vector<CardId> copies = read_candidates(cards, candidates, hero_class);
    Rng rng{hash_combine(seed, 0x5A3Dull)};
    HearthstoneState result{self.cards, {}};
    const Prior prior{copies, cards.copies_for(hero_class)};
    if (!resample(cards, view_of(cards, self.value, player), prior, rng, result.value))
        throw StateError("there are not enough candidates for the hidden cards");
    return result;
}

// Unseen cards, and their card set.
struct UnseenCards {
    std::shared_ptr<const CardSet> cards;
    int owner;
    Unseen unseen;
};

UnseenCards make_unseen(const HearthstoneState& state, int owner, const std::optional<CardIds>& candidates) {
    checked_player(owner);
    const HeroClass hero_class = state.value.players[owner].hero_class;
    return {state.cards, owner, Unseen(read_candidates(*state.cards, candidates, hero_class))};
}

void note(UnseenCards& self, const HearthstoneState& before, const HearthstoneState& after) {
    if (before.cards != self.cards || after.cards != self.cards) throw StateError("these states have another edition");
    if (before.value.viewer != kSeesAll || after.value.viewer != kSeesAll)
        throw StateError("unseen cards need whole states, not views");
    self.unseen.note(before.value, after.value, self.owner);
}

CardIds unseen_ids(const UnseenCards& self) {
    CardIds ids;
    for (const CardId card : self.unseen.cards()) ids.push_back(self.cards->names.cards[card]);
    return ids;
}

}  // namespace

void check_viewer(const State& state, int player) {
    checked_player(player);
    if (state.viewer != kSeesAll && state.viewer != player)
        throw StateError("this is player " + std::to_string(state.viewer) + "'s view, not player " +
                         std::to_string(player) + "'s");
}

void bind_hearthstone_hidden(nb::module_& m, BoundState& bound) {
    nb::class_<UnseenCards>(m, "Unseen", "Cards of a player's deck that its opponent has not seen yet.")
        .def(
            "__init__",
            [](UnseenCards* self, const HearthstoneState& state, int owner, const std::optional<CardIds>& candidates) {
                new (self) UnseenCards(make_unseen(state, owner, candidates));
            },
            "state"_a, "owner"_a, "candidates"_a = nb::none(),
            "Starts with these copies: the deck list if it is known, else all that its class may have.")
        .def("note", &note, "before"_a, "after"_a,
             "Removes the cards that an action showed; call it for every action of the game.")
        .def_prop_ro("cards", &unseen_ids, "The ids of the remaining copies, unordered.");
    bound
        .def("view", &view_state, "player"_a,
             "What a player knows: hidden cards are `?`, and its own deck is in the order of the card table.")
        .def("resample", &resample_state, "player"_a, "seed"_a, "candidates"_a = nb::none(),
             "A whole state that the player could be in. The opponent's hidden cards are drawn from the candidates, "
             "given by the ids of copies: the unseen ones of its deck list, or all that its class may have.");
}

}  // namespace deckatlas::bindings
