// Bindings of Hearthstone's actions: their words and numbers, which are legal, and why one is not.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

#include "common/text_fields.hpp"
#include "errors.hpp"
#include "hearthstone/action_numbers.hpp"
#include "hearthstone/action_text.hpp"
#include "hearthstone_state.hpp"
#include "python_text.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace deckatlas::bindings {
namespace {

using namespace hearthstone;

bool has_number(const Action& action) {
    const int number = number_of(action);
    return number >= 0 && number < kActionNumbers && action_of(number) == action;
}

Action action_numbered(int number) {
    if (number < 0 || number >= kActionNumbers)
        throw IllegalActionError("an action number must be from 0 to " + std::to_string(kActionNumbers - 1));
    return action_of(number);
}

Action action_in_words(const nb::str& text) {
    const std::string utf8 = utf8_or_empty(text);
    const auto action = parse_action(utf8);
    if (!action) throw IllegalActionError("malformed action " + quote(utf8));
    return *action;
}

void check_shows_actions(const State& state) {
    if (state.viewer != kSeesAll && state.viewer != state.active && state.phase != Phase::over)
        throw StateError("player " + std::to_string(state.viewer) + "'s view does not show what player " +
                         std::to_string(state.active) + " can do");
}

ActionList legal_list(const HearthstoneState& self) {
    check_shows_actions(self.value);
    ActionList list;
    Options(*self.cards, self.value).list(list);
    return list;
}

std::vector<Action> legal_actions(const HearthstoneState& self) {
    const ActionList list = legal_list(self);
    return {list.begin(), list.end()};
}

// Whether a minion can be put there; only playing a minion has a position.
bool has_position(const HearthstoneState& self, const Action& action) {
    const Player& own = self.value.players[self.value.active];
    return action.kind == ActionKind::play && action.source < own.hand_size && action.position <= own.board_size &&
           (*self.cards)[own.hand[action.source].card].type == CardType::minion;
}

bool is_legal(const HearthstoneState& self, const Action& action) {
    Action merged = action;
    if (has_position(self, action)) merged.position = kRightmost;
    for (const Action& legal : legal_list(self)) {
        if (legal == merged) return true;
    }
    return false;
}

auto action_mask(const HearthstoneState& self) {
    auto* mask = new bool[kActionNumbers]();
    const nb::capsule owner(mask, [](void* p) noexcept { delete[] static_cast<bool*>(p); });
    for (const Action& action : legal_list(self)) mask[number_of(action)] = true;
    return nb::ndarray<nb::numpy, bool, nb::shape<kActionNumbers>>(mask, {static_cast<std::size_t>(kActionNumbers)},
                                                                   owner);
}

// ---- why not -------------------------------------------------------------------------------------------------------

std::string why_not_played(const CardSet& cards, const State& state, const Action& action) {
    const Player& own = state.players[state.active];
    if (action.source >= own.hand_size)
        return "there are " + std::to_string(own.hand_size) + " cards in the hand, counted from 0";
    const CardId id = own.hand[action.source].card;
    const Card& card = cards[id];
    const std::string title = cards.names.titles[id];
    const int cost = cost_in_hand(cards, state, state.active, action.source);
    if (const int mana = mana_of(cards, own); cost > mana)
        return title + " costs " + std::to_string(cost) + ", but there is mana for " + std::to_string(mana);
    if (card.type == CardType::minion && own.board_size == kBoardLimit) return "the board is full";
    if ((card.choices > 0) != (action.choice > 0))
        return title + (card.choices > 0 ? " has two options, 'as 1' and 'as 2'" : " has no options");
    return title + " cannot be played this way now";
}

std::string why_not_attacking(const State& state, const Action& action) {
    const Player& own = state.players[state.active];
    if (action.source > own.board_size) return "there are " + std::to_string(own.board_size) + " minions on the board";
    const int target = action.target - kEnemyHero;
    if (target > state.players[state.active ^ 1].board_size) return "there is no such enemy";
    return action.source == 0 ? "the hero cannot attack that now" : "that minion cannot attack that now";
}

std::string why_not(const CardSet& cards, const State& state, const Action& action) {
    const auto needs = [&](Phase phase) { return state.phase == phase; };
    if (needs(Phase::over)) return "the game is over";
    if (needs(Phase::mulligan) && action.kind != ActionKind::keep) return "choose first which cards to keep";
    if (needs(Phase::choice) && action.kind != ActionKind::choose) return "choose a card first";
    const Player& own = state.players[state.active];
    switch (action.kind) {
        case ActionKind::play: return why_not_played(cards, state, action);
        case ActionKind::attack: return why_not_attacking(state, action);
        case ActionKind::power:
            if (own.power_used) return "the hero power was used this turn";
            if (const int mana = mana_of(cards, own); cards[own.power].cost > mana)
                return "it costs " + std::to_string(cards[own.power].cost) + ", but there is mana for " +
                       std::to_string(mana);
            return "the hero power cannot be used this way now";
        case ActionKind::choose: return needs(Phase::choice) ? "there is no such card" : "there is nothing to choose";
        case ActionKind::keep: return needs(Phase::mulligan) ? "there is no such card" : "the mulligan is over";
        case ActionKind::end_turn: break;
    }
    return "it cannot be done now";
}

}  // namespace

void check_legal(const HearthstoneState& self, const Action& action) {
    if (self.value.viewer != kSeesAll)
        throw StateError("a view cannot continue because hidden cards matter here: resample it first");
    if (!is_legal(self, action))
        throw IllegalActionError("illegal action " + quote(format_action(action)) + ": " +
                                 why_not(*self.cards, self.value, action));
}

void bind_hearthstone_actions(nb::module_& m) {
    nb::enum_<ActionKind>(m, "ActionKind")
        .value("end_turn", ActionKind::end_turn)
        .value("play", ActionKind::play)
        .value("power", ActionKind::power)
        .value("attack", ActionKind::attack)
        .value("choose", ActionKind::choose)
        .value("keep", ActionKind::keep);
    nb::class_<Action>(m, "Action",
                       "An action of a player, such as 'play 2 at enemy hero', 'attack 0 at enemy 1', 'end'.")
        .def(
            "__init__",
            [](Action* self, ActionKind kind, std::uint8_t source, std::uint8_t choice, std::uint8_t target,
               std::uint8_t position) {
                const Action action{kind, source, choice, target, position};
                if (!has_number(action)) throw IllegalActionError("there is no such action");
                new (self) Action(action);
            },
            "kind"_a, nb::kw_only(), "source"_a = 0, "choice"_a = 0, "target"_a = 0, "position"_a = kRightmost)
        .def_static("from_text", &action_in_words, "text"_a, "Parses an action in words.")
        .def_static("from_number", &action_numbered, "number"_a)
        .def_ro("kind", &Action::kind)
        .def_ro("source", &Action::source,
                "Place in the hand; for an attack 0 for the hero, 1 to 7 for minions; place among the cards to choose "
                "from; the places in the hand to keep, as bits.")
        .def_ro("choice", &Action::choice, "1 or 2 for a card with two options, otherwise 0.")
        .def_ro(
            "target", &Action::target,
            "0 no target, 1 the own hero, 2 to 8 own minions from the left, 9 the enemy hero, 10 to 16 its minions.")
        .def_ro("position", &Action::position, "Where on the board a minion goes; 7 is the right end.")
        .def_prop_ro(
            "number", [](const Action& self) { return number_of(self); },
            "From 0 to ACTION_NUMBERS - 1, the same in every state.")
        .def(
            "__eq__", [](const Action& self, const Action& other) { return self == other; }, nb::is_operator(),
            nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("__hash__", [](const Action& self) { return number_of(self); })
        .def("__str__", &format_action)
        .def("__repr__", [](const Action& self) { return "Action.from_text('" + format_action(self) + "')"; });
    m.attr("ACTION_NUMBERS") = kActionNumbers;
}

void bind_hearthstone_legality(BoundState& bound) {
    bound
        .def("legal_actions", &legal_actions,
             "All legal actions; played minions go to the right end, though any place is legal.")
        .def("is_legal", &is_legal, "action"_a)
        .def("action_mask", &action_mask, "Which action numbers are in `legal_actions`.");
}

}  // namespace deckatlas::bindings
