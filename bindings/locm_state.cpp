// Bindings of Legends of Code and Magic's actions and states.
#include "locm_state.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/operators.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "errors.hpp"
#include "locm/commands.hpp"
#include "locm/resample.hpp"
#include "locm/text.hpp"
#include "python_text.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace deckatlas::bindings {
namespace {

using namespace locm;

using DeckRows = nb::ndarray<const std::int32_t, nb::shape<2, kDeckSize>, nb::c_contig, nb::device::cpu>;

constexpr std::string_view kEditionField = " edition=";

// ---- snapshots handed to Python ----------------------------------------------------------------------------------

struct HandCard {
    int card;
    int instance;
};

struct CreatureView {
    int card;
    int instance;
    int lane;
    int attack;
    int defense;
    std::string keywords;
    bool can_attack;
    bool has_attacked;
    bool touched;
};

struct SideView {
    int health, runes, mana, max_mana, bonus_mana, next_draw, shown_draw, drawn, deck_left;
    std::vector<HandCard> hand;
    std::vector<CreatureView> creatures;  // in summoning order, lanes mixed
};

std::string keyword_text(int keywords) {
    std::string text;
    for (int i = 0; i < kKeywords; ++i) text += (keywords >> i & 1) != 0 ? kKeywordLetters[i] : '-';
    return text;
}

SideView side_view(const State& state, int player) {
    const Side& side = state.battle.sides[player];
    const auto& deck = state.deal.decks[player];
    SideView view{side.health,
                  side.runes,
                  side.mana,
                  side.max_mana,
                  side.bonus_mana,
                  side.next_draw,
                  side.shown_draw,
                  side.drawn,
                  state.deal.sizes[player] - side.drawn,
                  {},
                  {}};
    for (std::uint32_t hand = side.hand; hand != 0; hand &= hand - 1) {
        const int position = std::countr_zero(hand);
        view.hand.push_back({deck[position], instance_id(player, position)});
    }
    int listed[kLanes] = {0, 0};
    for (int age = 0; age < side.creatures(); ++age) {
        const int lane = side.order >> age & 1;
        const Slot slot = slot_of(lane, listed[lane]++);
        const Creature& creature = side.at(slot);
        view.creatures.push_back({deck[creature.position()], instance_id(player, creature.position()), lane,
                                  creature.attack(), creature.defense(), keyword_text(creature.keywords()),
                                  (side.ready >> slot & 1) != 0, (side.attacked >> slot & 1) != 0, creature.touched()});
    }
    return view;
}

// ---- states ------------------------------------------------------------------------------------------------------

DraftFormat parse_format(std::string_view name) {
    if (name == "referee") return DraftFormat::referee;
    if (name == "distinct") return DraftFormat::distinct;
    throw StateError("unknown draft format " + quote(name) + ": use 'referee' or 'distinct'");
}

int checked_player(int player) {
    if (player != 0 && player != 1) throw StateError("a player must be 0 or 1, not " + std::to_string(player));
    return player;
}

LocmState from_decks(std::shared_ptr<const LocmCards> cards, const DeckRows& rows, std::uint64_t seed) {
    std::uint8_t decks[2][kDeckSize];
    for (std::size_t player = 0; player < 2; ++player) {
        for (std::size_t i = 0; i < kDeckSize; ++i) {
            const std::int32_t card = rows(player, i);
            if (card < 1 || card > kCards) throw DeckError("unknown card " + std::to_string(card));
            decks[player][i] = static_cast<std::uint8_t>(card);
        }
    }
    State state = locm::new_game(*cards, decks, seed);
    return {std::move(cards), state};
}

std::string in_words(const std::string& edition) { return edition.empty() ? "1.2" : quote(edition); }

// The text of a state; after its first word comes the label of the edition, unless the cards are the official ones.
std::string to_text(const LocmState& self) {
    std::string text = format_state(self.value);
    if (!self.cards->edition.empty()) text.insert(text.find(' '), std::string(kEditionField) + self.cards->edition);
    return text;
}

LocmState from_text(std::shared_ptr<const LocmCards> cards, const nb::str& given) {
    std::string text = utf8_or_empty(given);
    std::string edition;
    if (const std::size_t begin = text.find(' ');
        text.substr(std::min(begin, text.size())).starts_with(kEditionField)) {
        const std::size_t end = std::min(text.find(' ', begin + 1), text.size());
        edition = text.substr(begin + kEditionField.size(), end - begin - kEditionField.size());
        text.erase(begin, end - begin);
        if (edition.empty()) throw StateError("state text: edition: missing");
    }
    if (edition != cards->edition) {
        throw StateError("state text: edition: the state was made with the cards " + in_words(edition) +
                         ", but is read with " + in_words(cards->edition));
    }
    try {
        const State state = parse_state(*cards, text);
        return {std::move(cards), state};
    } catch (const TextError& error) {
        throw StateError(error.what());
    }
}

bool game_is_over(const State& state) { return state.in_battle && is_over(state.battle); }

std::vector<Command> legal_commands(const State& state) {
    std::vector<Command> commands;
    if (!state.in_battle) {
        for (int choice = 0; choice < kOffered; ++choice) commands.push_back({CommandKind::pick, choice, 0});
        return commands;
    }
    ActionList actions;
    legal_actions(state.deal, state.battle, actions);
    for (const Action action : actions) commands.push_back(to_command(state, action));
    return commands;
}

// The action of a command, if it is legal now.
std::optional<Action> legal_action(const State& state, const Command& command) {
    if (!state.in_battle) return std::nullopt;
    const auto action = to_action(state, command);
    return action && is_legal(state.deal, state.battle, *action) ? action : std::nullopt;
}

bool is_legal_command(const State& state, const Command& command) {
    if (!state.in_battle) return command.kind == CommandKind::pick && command.id >= 0 && command.id < kOffered;
    return legal_action(state, command).has_value();
}

void apply_command(LocmState& self, const Command& command) {
    State& state = self.value;
    if (!is_legal_command(state, command)) {
        throw IllegalActionError("illegal action '" + format_command(command) + "'" +
                                 (game_is_over(state) ? ": the game is over" : ""));
    }
    const bool ends_round = command.kind == CommandKind::pick && player_to_move(state) == 1;
    if (state.viewer != kSeesAll && (ends_round || command.kind == CommandKind::pass)) {
        throw StateError("a view cannot continue after '" + format_command(command) +
                         "' because it shows hidden cards: resample it first");
    }
    if (command.kind == CommandKind::pick) {
        apply_pick(*self.cards, state, command.id);
    } else {
        apply(*self.cards, state.deal, state.battle, *legal_action(state, command));
    }
}

int number_of(const State& state, const Command& command) {
    if (!is_legal_command(state, command)) throw IllegalActionError("illegal action '" + format_command(command) + "'");
    if (command.kind == CommandKind::pick) return kFirstPick + command.id;
    return action_number(state.deal, state.battle, *legal_action(state, command));
}

Command command_of(const State& state, int number) {
    if (number < 0 || number >= kActionNumbers) {
        throw IllegalActionError("action number " + std::to_string(number) + " is not between 0 and " +
                                 std::to_string(kActionNumbers - 1));
    }
    if (number >= kFirstPick && !state.in_battle) return {CommandKind::pick, number - kFirstPick, 0};
    if (number < kFirstPick && state.in_battle) {
        const Action action = numbered_action(state.deal, state.battle, number);
        if (is_legal(state.deal, state.battle, action)) return to_command(state, action);
    }
    throw IllegalActionError("action number " + std::to_string(number) + " is not legal here");
}

auto action_mask(const State& state) {
    auto* mask = new bool[kActionNumbers]();
    const nb::capsule owner(mask, [](void* p) noexcept { delete[] static_cast<bool*>(p); });
    for (const Command& command : legal_commands(state)) mask[number_of(state, command)] = true;
    return nb::ndarray<nb::numpy, bool, nb::shape<kActionNumbers>>(mask, {static_cast<std::size_t>(kActionNumbers)},
                                                                   owner);
}

// Any Python integer as 64 bits; negative ones wrap, like the official referee's seeds.
std::uint64_t checked_seed(const nb::handle& seed) {
    if (!PyLong_Check(seed.ptr())) throw StateError("a seed must be a whole number");
    return PyLong_AsUnsignedLongLongMask(seed.ptr());
}

LocmState resample_state(const LocmState& self, int player, const nb::object& seed,
                         const std::optional<std::vector<double>>& weights) {
    checked_player(player);
    if (self.value.viewer != kSeesAll && self.value.viewer != player) {
        throw StateError("this is player " + std::to_string(self.value.viewer) + "'s view, not player " +
                         std::to_string(player) + "'s");
    }
    PickPrior prior = PickPrior::uniform();
    if (weights) {
        if (weights->size() != kCards)
            throw StateError("a prior must be 160 weights, one for each card, not " + std::to_string(weights->size()));
        for (std::size_t i = 0; i < kCards; ++i) {
            const double weight = (*weights)[i];
            if (!(weight >= 1e-9 && weight <= 1e9)) {
                throw StateError("prior of card " + std::to_string(i + 1) + " is not between 1e-9 and 1e9");
            }
            prior.weights[i + 1] = weight;
        }
    }
    Rng rng{hash_combine(checked_seed(seed), 0x5A3Dull)};
    const State view = view_of(*self.cards, self.value, player);
    LocmState result{self.cards, {}};
    if (!resample(*self.cards, view, prior, rng, result.value)) {
        throw StateError("no picks of the opponent explain the seen cards");
    }
    return result;
}

std::vector<int> to_ints(const std::uint8_t* values, int n) { return {values, values + n}; }

void bind_actions_and_sides(nb::module_& m) {
    nb::class_<Command>(m, "Action",
                        "One action, in the words of the official protocol: 'SUMMON 3 0', 'ATTACK 11 -1', 'PICK 2'.")
        .def_static(
            "from_text",
            [](const nb::str& text) {
                const std::string utf8 = utf8_or_empty(text);
                const auto command = parse_command(utf8);
                if (!command) throw IllegalActionError("malformed action " + quote(utf8));
                return *command;
            },
            "text"_a, "Parses an action; text after its arguments is a comment.")
        .def_prop_ro(
            "verb",
            [](const Command& self) {
                const std::string text = format_command(self);
                return text.substr(0, text.find(' '));
            },
            "PICK, PASS, SUMMON, ATTACK or USE.")
        .def_ro("id", &Command::id, "The choice of a PICK, otherwise the instance id of the acting card.")
        .def_ro("target", &Command::target,
                "The lane of a SUMMON, otherwise the target's instance id, -1 for the player.")
        .def(
            "__eq__", [](const Command& self, const Command& other) { return self == other; }, nb::is_operator(),
            nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("__hash__",
             [](const Command& self) {
                 return hash_combine(
                     static_cast<std::uint64_t>(self.kind),
                     static_cast<std::uint64_t>(self.id) << 32 ^ static_cast<std::uint32_t>(self.target));
             })
        .def("__str__", &format_command)
        .def("__repr__", [](const Command& self) { return "Action.from_text('" + format_command(self) + "')"; });

    nb::class_<HandCard>(m, "HandCard", "A card in hand; card 0 is hidden from the viewer.")
        .def_ro("card", &HandCard::card)
        .def_ro("instance", &HandCard::instance);
    nb::class_<CreatureView>(m, "Creature", "A creature on the board.")
        .def_ro("card", &CreatureView::card)
        .def_ro("instance", &CreatureView::instance)
        .def_ro("lane", &CreatureView::lane)
        .def_ro("attack", &CreatureView::attack)
        .def_ro("defense", &CreatureView::defense)
        .def_ro("keywords", &CreatureView::keywords)
        .def_ro("can_attack", &CreatureView::can_attack)
        .def_ro("has_attacked", &CreatureView::has_attacked)
        .def_ro("touched", &CreatureView::touched);
    nb::class_<SideView>(m, "Side", "One player in a battle.")
        .def_ro("health", &SideView::health)
        .def_ro("runes", &SideView::runes)
        .def_ro("mana", &SideView::mana)
        .def_ro("max_mana", &SideView::max_mana)
        .def_ro("bonus_mana", &SideView::bonus_mana)
        .def_ro("next_draw", &SideView::next_draw)
        .def_ro("shown_draw", &SideView::shown_draw)
        .def_ro("drawn", &SideView::drawn)
        .def_ro("deck_left", &SideView::deck_left)
        .def_ro("hand", &SideView::hand)
        .def_ro("creatures", &SideView::creatures);
}

void bind_state(nb::module_& m) {
    nb::class_<LocmState> bound(m, "State", "A whole game as a plain value: draft and battle.");
    bound
        .def_static(
            "new_game",
            [](std::shared_ptr<const LocmCards> cards, std::uint64_t draft_seed, std::uint64_t seed,
               std::string_view format) {
                return LocmState{std::move(cards), locm::new_game(parse_format(format), draft_seed, seed)};
            },
            "cards"_a, "draft_seed"_a, "seed"_a, "format"_a)
        .def_static("from_decks", &from_decks, "cards"_a, "decks"_a, "seed"_a)
        .def_static("from_text", &from_text, "cards"_a, "text"_a)
        .def("to_text", &to_text, "The state as one line that `from_text` reads.")
        .def(
            "copy", [](const LocmState& self) { return self; }, "An independent copy.")
        .def("__copy__", [](const LocmState& self) { return self; })
        .def(
            "__deepcopy__", [](const LocmState& self, const nb::dict&) { return self; }, "memo"_a)
        .def(
            "__eq__", [](const LocmState& self, const LocmState& other) { return to_text(self) == to_text(other); },
            nb::is_operator(), nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def_prop_ro("cards", [](const LocmState& self) { return self.cards; })
        .def_prop_ro("hash", [](const LocmState& self) { return hash_state(self.value); })
        .def_prop_ro(
            "battle_hash", [](const LocmState& self) { return hash_battle(self.value.battle); },
            "A hash of everything that matters for the rest of the battle, except the order of hidden cards.")
        .def_prop_ro("in_battle", [](const LocmState& self) { return self.value.in_battle; })
        .def_prop_ro(
            "turn", [](const LocmState& self) { return self.value.in_battle ? self.value.battle.turn : 0; },
            "Half-turns since the start of the battle; even ones belong to player 0.")
        .def_prop_ro("player_to_move", [](const LocmState& self) { return player_to_move(self.value); })
        .def_prop_ro("is_over", [](const LocmState& self) { return game_is_over(self.value); })
        .def_prop_ro(
            "winner",
            [](const LocmState& self) {
                return game_is_over(self.value) ? std::optional(winner(self.value.battle)) : std::nullopt;
            },
            "0 or 1, or None while the game continues.")
        .def_prop_ro(
            "viewer",
            [](const LocmState& self) {
                return self.value.viewer == kSeesAll ? std::nullopt : std::optional<int>(self.value.viewer);
            },
            "The player whose view this is; None for the whole state.")
        .def_prop_ro(
            "offers",
            [](const LocmState& self) {
                std::vector<std::vector<int>> offers;
                if (self.value.draft.has_offers()) {
                    for (const auto& offer : self.value.draft.offers) offers.push_back(to_ints(offer, kOffered));
                }
                return offers;
            },
            "The thirty triples of the draft, seen or not; empty in a game with given decks.")
        .def(
            "chosen",
            [](const LocmState& self, int player) {
                checked_player(player);
                return to_ints(self.value.draft.chosen[player], self.value.draft.made[player]);
            },
            "player"_a, "Card ids that a player has picked, or the list of its given deck; 0 where hidden.")
        .def(
            "deck",
            [](const LocmState& self, int player) {
                checked_player(player);
                return self.value.in_battle ? to_ints(self.value.deal.decks[player], self.value.deal.sizes[player])
                                            : std::vector<int>();
            },
            "player"_a, "The shuffled deck in draw order, including drawn cards; 0 where hidden.")
        .def(
            "side", [](const LocmState& self, int player) { return side_view(self.value, checked_player(player)); },
            "player"_a)
        .def("legal_actions", [](const LocmState& self) { return legal_commands(self.value); })
        .def(
            "is_legal",
            [](const LocmState& self, const Command& action) { return is_legal_command(self.value, action); },
            "action"_a)
        .def("apply", &apply_command, "action"_a, "Carries out a legal action; PASS ends the turn and starts the next.")
        .def(
            "view",
            [](const LocmState& self, int player) {
                checked_player(player);
                if (self.value.viewer != kSeesAll && self.value.viewer != player)
                    throw StateError("this is already the other player's view");
                return LocmState{self.cards, view_of(*self.cards, self.value, player)};
            },
            "player"_a, "What a player knows; hidden cards are card 0.")
        .def("resample", &resample_state,
             nb::sig("def resample(self, player: int, seed: int, weights: Sequence[float] | NDArray[numpy.float64] | "
                     "None = None) -> State"),
             "player"_a, "seed"_a, "weights"_a = nb::none(),
             "A whole state that the player could be in; the prior of a pick is proportional to its weight, by "
             "default "
             "uniform.")
        .def(
            "action_number", [](const LocmState& self, const Command& action) { return number_of(self.value, action); },
            "action"_a)
        .def(
            "numbered_action", [](const LocmState& self, int number) { return command_of(self.value, number); },
            "number"_a)
        .def("action_mask", [](const LocmState& self) { return action_mask(self.value); });
    // A state is mutable, so it cannot be a dictionary key; `hash` is its current hash.
    bound.attr("__hash__") = nb::none();
}

}  // namespace

void bind_locm_state(nb::module_& m) {
    m.attr("ACTION_NUMBERS") = kActionNumbers;
    m.attr("STATE_BYTES") = sizeof(State);
    m.attr("BATTLE_BYTES") = sizeof(Battle);
    bind_actions_and_sides(m);
    bind_state(m);
}

}  // namespace deckatlas::bindings
