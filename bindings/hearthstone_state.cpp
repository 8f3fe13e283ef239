// Bindings of Hearthstone's cards and states.
#include "hearthstone_state.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "errors.hpp"
#include "hearthstone/draws.hpp"
#include "hearthstone/game.hpp"
#include "hearthstone/state_hash.hpp"
#include "hearthstone/text.hpp"
#include "hearthstone_cards.hpp"
#include "python_text.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace deckatlas::bindings {
namespace {

using namespace hearthstone;

using Draws = std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>>;

constexpr int kMostDamage = 1000;  // limit for minions and turns in a position built by hand
constexpr int kMostTurn = 1000;

nb::object value_in(const nb::dict& from, const char* key) {
    if (!from.contains(key)) throw StateError("a player needs " + std::string(key));
    return from[key];
}

int number_in(const nb::dict& from, const char* key, int low, int high) {
    std::int64_t value = 0;
    if (!nb::try_cast(value_in(from, key), value) || value < low || value > high)
        throw StateError(std::string(key) + " must be a whole number from " + std::to_string(low) + " to " +
                         std::to_string(high));
    return static_cast<int>(value);
}

CardId card_in(const CardSet& cards, nb::handle value, CardType type, const char* what) {
    std::int64_t id = 0;
    if (!nb::try_cast(value, id) || id < 1 || id >= cards.unknown_secrets ||
        (type != CardType::none && cards[static_cast<CardId>(id)].type != type))
        throw StateError("there is no such " + std::string(what));
    return static_cast<CardId>(id);
}

nb::list list_in(const nb::dict& from, const char* key, int limit) {
    nb::list list;
    if (!nb::try_cast(value_in(from, key), list)) throw StateError("a player needs a list " + std::string(key));
    if (static_cast<int>(nb::len(list)) > limit)
        throw StateError("there are more than " + std::to_string(limit) + " in " + key);
    return list;
}

// A card for a hand or a deck.
CardId held_in(const CardSet& cards, nb::handle value) {
    const CardId id = card_in(cards, value, CardType::none, "card");
    if (!is_for_hand(cards[id].type)) throw StateError("a hero or hero power cannot be in a hand or deck");
    return id;
}

void add_secret(const CardSet& cards, nb::handle value, Player& own, std::uint16_t stamp) {
    const CardId id = card_in(cards, value, CardType::spell, "secret");
    bool there = false;
    for (int i = 0; i < own.secret_count; ++i) there |= own.secrets[i].card == id;
    if (!cards[id].secret || there) throw StateError("secrets must be different secret cards");
    own.secrets[own.secret_count++] = {id, stamp};
}

void read_player(const CardSet& cards, const nb::dict& from, int player, State& state) {
    Player& own = state.players[player];
    own.hero = card_in(cards, value_in(from, "hero"), CardType::hero, "hero");
    own.hero_class = cards[own.hero].hero_class;
    own.power = card_in(cards, value_in(from, "power"), CardType::power, "hero power");
    own.health = static_cast<std::int16_t>(number_in(from, "health", 1, 1000));
    own.max_health = static_cast<std::int16_t>(number_in(from, "max_health", 1, 1000));
    own.armor = static_cast<std::int16_t>(number_in(from, "armor", 0, 1000));
    own.crystals = static_cast<std::uint8_t>(number_in(from, "crystals", 0, kCrystalLimit));
    own.used = static_cast<std::uint8_t>(number_in(from, "used", 0, kCrystalLimit));
    own.fatigue = static_cast<std::uint8_t>(number_in(from, "fatigue", 0, 255));
    for (nb::handle card : list_in(from, "hand", kHandLimit)) own.hand[own.hand_size++].card = held_in(cards, card);
    for (nb::handle card : list_in(from, "deck", kDeckLimit)) own.deck[own.deck_size++] = held_in(cards, card);
    Rng rng;
    StreamDraws draws{rng};
    Resolver<StreamDraws> resolver(cards, state, draws);
    for (nb::handle entry : list_in(from, "board", kBoardLimit)) {
        std::tuple<int, int, bool> given;
        if (!nb::try_cast(entry, given))
            throw StateError("a minion must be a card, its damage and whether it is exhausted");
        const auto& [card, damage, exhausted] = given;
        const CardId id = card_in(cards, nb::int_(card), CardType::minion, "minion");
        if (damage < 0 || damage > kMostDamage)
            throw StateError("damage must be a whole number from 0 to " + std::to_string(kMostDamage));
        const Ref placed = resolver.put_on_board(player, id, kBoardLimit);
        Minion& minion = state.minions[placed.place()];
        minion.damage = static_cast<std::int16_t>(damage);
        minion.exhausted = exhausted;
    }
    const nb::object weapon = value_in(from, "weapon");
    if (!weapon.is_none()) resolver.equip(player, card_in(cards, weapon, CardType::weapon, "weapon"));
    for (nb::handle card : list_in(from, "secrets", kSecretLimit)) add_secret(cards, card, own, resolver.new_stamp());
    heed_all(cards, state);
}

HearthstoneState make_state(const std::shared_ptr<CardSet>& cards, const nb::dict& first, const nb::dict& second,
                            int active, int turn) {
    if (active != 0 && active != 1) throw StateError("the player to move must be 0 or 1");
    if (turn < 0 || turn > kMostTurn)
        throw StateError("the turn must be a whole number from 0 to " + std::to_string(kMostTurn));
    HearthstoneState made{cards, State{}};
    State& state = made.value;
    state.active = static_cast<std::uint8_t>(active);
    state.turn = static_cast<std::uint16_t>(turn);
    const nb::dict* players[2] = {&first, &second};
    read_player(*cards, *players[active], active, state);  // the player to move comes first in the order of play
    read_player(*cards, *players[active ^ 1], active ^ 1, state);
    Auras(*cards, state).refresh();
    for (int player = 0; player < 2; ++player) {
        for (int i = 0; i < state.players[player].board_size; ++i) {
            if (state.on_board(player, i).current_health() <= 0)
                throw StateError("board" + std::to_string(player) + ": a minion is dead but still in play");
        }
    }
    return made;
}

nb::dict describe_minion(const CardSet& cards, const Minion& minion) {
    nb::dict out;
    out["card"] = minion.card;
    out["cost"] = cards[minion.card].cost;
    out["attack"] = minion.current_attack();
    out["health"] = minion.current_health();
    out["max_health"] = minion.max_health();
    out["damage"] = minion.damage;
    out["keywords"] = minion.all_keywords();
    out["exhausted"] = minion.exhausted;
    out["attacks"] = minion.attacks;
    out["spell_damage"] = minion.spell_damage;
    bool rattles = (minion.keywords & kSilenced) == 0 && cards[minion.card].deathrattle != 0;
    rattles |= (minion.keywords & kRattleMark) != 0;
    for (int i = 0; i < minion.attached; ++i) {
        if ((minion.attachments[i] & kFollowedBit) == 0)
            rattles |= cards.attachments[minion.attachments[i] & kAttachmentIndex].deathrattle != 0;
    }
    out["deathrattle"] = rattles;
    const Range auras = cards[minion.card].auras;
    bool enrages = false;
    for (int i = 0; i < auras.count; ++i)
        enrages |= is_enrage(cards, cards.auras[static_cast<std::size_t>(auras.first + i)]);
    out["enrage"] = enrages && (minion.keywords & kSilenced) == 0;
    return out;
}

nb::dict describe_player(const HearthstoneState& self, int player) {
    const CardSet& cards = *self.cards;
    const State& state = self.value;
    const Player& own = state.players[player];
    nb::dict out;
    out["hero"] = own.hero;
    out["hero_class"] = static_cast<int>(own.hero_class);
    out["power"] = own.power;
    out["power_used"] = own.power_used;
    out["power_cost"] = cards[own.power].cost;
    out["health"] = own.health;
    out["max_health"] = own.max_health;
    out["armor"] = own.armor;
    out["attack"] = hero_attack(state, player);
    out["frozen"] = own.frozen;
    out["immune"] = (own.hero_keywords_this_turn & kImmune) != 0;
    out["attacks"] = own.attacks;
    out["exhausted"] = own.hero_exhausted;
    out["crystals"] = own.crystals;
    out["used"] = own.used;
    out["extra"] = own.extra;
    out["overload_locked"] = own.overload_locked;
    out["overload_owed"] = own.overload_owed;
    out["mana"] = mana_of(cards, own);
    out["cards_played"] = own.cards_played;
    out["fatigue"] = own.fatigue;
    if (own.weapon.card != 0) {
        nb::dict weapon;
        weapon["card"] = own.weapon.card;
        weapon["attack"] = weapon_attack(own.weapon);
        weapon["durability"] = own.weapon.durability;
        out["weapon"] = weapon;
    } else {
        out["weapon"] = nb::none();
    }
    nb::list board, hand, deck, secrets;
    for (int i = 0; i < own.board_size; ++i) board.append(describe_minion(cards, state.on_board(player, i)));
    for (int i = 0; i < own.hand_size; ++i) {
        const Card& card = cards[own.hand[i].card];
        nb::object stats = nb::make_tuple();
        if (card.type == CardType::minion)
            stats = nb::make_tuple(std::max(0, card.attack + own.hand[i].attack_change), card.health);
        hand.append(nb::make_tuple(own.hand[i].card, cost_in_hand(cards, state, player, i), stats));
    }
    for (int i = 0; i < own.deck_size; ++i) deck.append(own.deck[i]);
    for (int i = 0; i < own.secret_count; ++i) secrets.append(own.secrets[i].card);
    out["board"] = board;
    out["hand"] = hand;
    out["deck"] = deck;
    out["secrets"] = secrets;
    out["spell_damage"] = spell_damage_of(state, player);
    return out;
}

nb::dict describe(const HearthstoneState& self) {
    nb::dict out;
    const State& state = self.value;
    out["active"] = state.active;
    out["turn"] = state.turn;
    out["phase"] = static_cast<int>(state.phase);
    out["winner"] = state.winner;
    out["void"] = state.is_void;
    nb::list choices;
    for (int i = 0; i < state.choice_count; ++i) choices.append(state.choices[i]);
    out["choices"] = choices;
    out["players"] = nb::make_tuple(describe_player(self, 0), describe_player(self, 1));
    return out;
}

// Whether the draws matched the recording.
bool apply_recorded(HearthstoneState& self, const Action& action, const Draws& draws) {
    check_legal(self, action);
    std::vector<RecordedDraw> recorded;
    for (const auto& [bound, value, card] : draws) {
        if (card >= self.cards->unknown_secrets) throw StateError("a draw was of an unknown card");
        recorded.push_back({bound, value, static_cast<CardId>(card)});
    }
    RecordedDraws source(recorded);
    apply(*self.cards, self.value, action, source);
    return source.matched();
}

void apply_random(HearthstoneState& self, const Action& action, Rng& rng) {
    check_legal(self, action);
    StreamDraws source{rng};
    apply(*self.cards, self.value, action, source);
}

HearthstoneState start_game(const std::shared_ptr<CardSet>& cards, const DeckRows& rows, Rng& rng) {
    const std::vector<DeckList> read = read_decks(*cards, rows);
    if (read.size() != 2) throw DeckError("a game has two decks, not " + std::to_string(read.size()));
    const DeckList decks[2] = {read[0], read[1]};
    StreamDraws draws{rng};
    return {cards, new_game(*cards, decks, draws)};
}

HearthstoneState read_text(const std::shared_ptr<CardSet>& cards, const nb::str& text) {
    try {
        return {cards, parse_state(*cards, utf8_or_empty(text))};
    } catch (const TextError& error) {
        throw StateError(error.what());
    }
}

}  // namespace

std::vector<DeckList> read_decks(const CardSet& cards, const DeckRows& rows) {
    if (rows.shape(0) == 0) throw DeckError("there are no decks");
    if (rows.shape(1) < 1 || rows.shape(1) > 1 + kDeckLimit)
        throw DeckError("a deck has at most " + std::to_string(kDeckLimit) + " cards");
    std::vector<DeckList> decks(rows.shape(0));
    for (std::size_t i = 0; i < decks.size(); ++i) {
        decks[i].size = static_cast<std::uint8_t>(rows.shape(1) - 1);
        for (std::size_t k = 0; k < rows.shape(1); ++k) {
            const std::int32_t number = rows(i, k);
            const bool known = number > 0 && number < cards.unknown_secrets;
            const CardType type = known ? cards[static_cast<CardId>(number)].type : CardType::none;
            const bool fits = k == 0 ? type == CardType::hero : is_for_hand(type);
            if (!fits)
                throw DeckError("deck " + std::to_string(i) + ": number " + std::to_string(number) +
                                (k == 0 ? " is not a hero" : " is not a card for a deck"));
            (k == 0 ? decks[i].hero : decks[i].cards[k - 1]) = static_cast<CardId>(number);
        }
    }
    return decks;
}

int checked_player(int player) {
    if (player != 0 && player != 1) throw StateError("a player must be 0 or 1, not " + std::to_string(player));
    return player;
}

void bind_hearthstone_state(nb::module_& m) {
    nb::class_<CardSet>(m, "CardSet", nb::dynamic_attr(), "An edition of cards, compiled.")
        .def(
            "__init__",
            [](CardSet* self, const nb::dict& tables, const std::string& edition) {
                new (self) CardSet(read_card_set(tables, edition));
            },
            "tables"_a, "edition"_a = "")
        .def_prop_ro(
            "edition", [](const CardSet& self) { return self.names.edition; }, "The name of the edition in texts.")
        .def(
            "name_of",
            [](const CardSet& self, const std::string& id) {
                const auto found = self.names.numbers.find(id);
                if (found == self.names.numbers.end()) throw CardError("there is no card " + quote(id));
                return self.names.titles[found->second];
            },
            "id"_a, "The readable name of a card.")
        .def("__len__", [](const CardSet& self) { return static_cast<std::size_t>(self.unknown_secrets); });
    bind_hearthstone_actions(m);
    BoundState bound(m, "State", "A whole game of Hearthstone as a plain value.");
    bound.def_static("make", &make_state, "cards"_a, "first"_a, "second"_a, nb::kw_only(), "active"_a, "turn"_a)
        .def_static("new_game", &start_game, "cards"_a, "decks"_a, "rng"_a,
                    "A new game; the player of the first deck moves first and must choose which cards to keep.")
        .def_static("from_text", &read_text, "cards"_a, "text"_a)
        .def(
            "to_text", [](const HearthstoneState& self) { return format_state(*self.cards, self.value); },
            "The state as one line that `from_text` reads.")
        .def("describe", &describe)
        .def_prop_ro("cards", [](const HearthstoneState& self) { return self.cards; })
        .def_prop_ro(
            "hash", [](const HearthstoneState& self) { return hash_state(self.value); },
            "A hash of everything that matters for the rest of the game.")
        .def("apply_recorded", &apply_recorded, "action"_a, "draws"_a)
        .def("apply", &apply_random, "action"_a, "rng"_a,
             "Carries out a legal action; `rng` decides everything random.")
        .def(
            "copy", [](const HearthstoneState& self) { return self; }, "An independent copy.")
        .def("__copy__", [](const HearthstoneState& self) { return self; })
        .def(
            "__deepcopy__", [](const HearthstoneState& self, const nb::dict&) { return self; }, "memo"_a)
        .def(
            "__eq__",
            [](const HearthstoneState& self, const HearthstoneState& other) {
                return format_state(*self.cards, self.value) == format_state(*other.cards, other.value);
            },
            nb::is_operator(), nb::sig("def __eq__(self, other: object, /) -> bool"));
    // A state is mutable, so it cannot be a dictionary key; `hash` is its current hash.
    bound.attr("__hash__") = nb::none();
    bind_hearthstone_legality(bound);
    bind_hearthstone_sides(m, bound);
    bind_hearthstone_hidden(m, bound);
    m.attr("STATE_BYTES") = sizeof(State);
}

}  // namespace deckatlas::bindings
