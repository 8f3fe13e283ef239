"""Hearthstone's part of the command line: options, notes and examples, and what their values mean."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path

from deckatlas.errors import DeckError, MatchError
from deckatlas.games.card_query import COST
from deckatlas.games.game import CommandPart, GameOption
from deckatlas.games.hearthstone.cards.deck_files import is_deck_file, one_deck_given, read_deck_file
from deckatlas.games.hearthstone.cards.decks import Deck
from deckatlas.games.hearthstone.cards.editions import DEFAULT, EDITIONS, Edition
from deckatlas.games.hearthstone.cards.find import KEYWORDS, TYPES
from deckatlas.games.hearthstone.compared import KINDS
from deckatlas.games.hearthstone.gauntlet import EntrantLike
from deckatlas.games.hearthstone.match import MULLIGANS
from deckatlas.games.hearthstone.profiles import FAIR, PROFILES
from deckatlas.games.hearthstone.setup import deck_of
from deckatlas.games.hearthstone.suites import Opponent, suite_of

_DECK_A = GameOption("deck_a", "The first agent's deck, by its name, code or text, or a file with it (needed).")
_DECK_B = GameOption("deck_b", "The second agent's deck (needed).")
_EDITION = GameOption(
    "edition", f"The edition, one of {', '.join(EDITIONS)}, or a TOML file with a patch (default {DEFAULT})."
)
_MULLIGAN = GameOption("mulligan", f"Which cards are kept, one of {', '.join(MULLIGANS)} (default {MULLIGANS[0]}).")

PARTS = {
    "play": CommandPart(
        (_DECK_A, _DECK_B, _EDITION, _MULLIGAN),
        examples=('deckatlas play hearthstone random pass --deck-a "Starter Mage" --deck-b "Starter Hunter"',),
    ),
    "game": CommandPart(
        (
            *(_DECK_A, _DECK_B, _EDITION, _MULLIGAN),
            GameOption(
                "explain",
                "Also show the chance to win before every action and the best lines that the agents considered.",
                kind=bool,
            ),
        ),
        examples=(
            'deckatlas game hearthstone random random --deck-a "Starter Mage" --deck-b "Starter Hunter" --seed 7',
            'deckatlas game hearthstone expert search --deck-a "Starter Mage" --deck-b "Starter Hunter" --explain',
        ),
    ),
    "gauntlet": CommandPart(
        (
            GameOption("suite", "All opponents of a suite: starter, elite, a shipped metagame or a TOML file."),
            GameOption(
                "decks", "A deck by its name or code, or a file of decks; may be given several times.", several=True
            ),
            GameOption(
                "pilots",
                "A pilot for all of --decks, an agent or exec:CMD; may be given several times.",
                several=True,
            ),
            GameOption(
                "profile",
                f"Which cards agents keep and what planners know, one of {', '.join(PROFILES)} (default {FAIR.name}).",
            ),
            _EDITION,
        ),
        notes=(
            "Entrants of Hearthstone are decks with pilots: DECK/PILOT, all opponents of a suite, and every deck of "
            "--decks with every pilot of --pilots.",
        ),
        examples=(
            "deckatlas gauntlet hearthstone --suite elite --games 1000",
            'deckatlas gauntlet hearthstone --decks "Starter Mage" --decks "Starter Rogue" --pilots random '
            "--pilots pass",
        ),
    ),
    "agents": CommandPart(examples=("deckatlas agents hearthstone",)),
    "decks": CommandPart(
        (
            GameOption("hero_class", "The class of the decks (default: all).", flag="--class"),
            GameOption(
                "edition",
                f"The edition in which decks are legal or not, one of {', '.join(EDITIONS)}, or a TOML file with a "
                "patch (default: all that ship).",
            ),
        ),
        examples=("deckatlas decks --class hunter",),
    ),
    "deck": CommandPart(
        (
            _EDITION,
            GameOption("hero_class", "The class of the deck (default: that of its class cards).", flag="--class"),
        ),
        notes=(
            "A file of Hearthstone can be a list of card names as people paste it, such as `2x Savannah Highmane` or "
            "`Savannah Highmane x2` on each line, with or without headings; most commands that take a deck read it.",
        ),
        examples=('deckatlas deck "Midrange Hunter"', "deckatlas deck my-deck.txt --edition classic-2014"),
    ),
    "cards": CommandPart(
        (
            GameOption("hero_class", "The class of the cards, or neutral.", flag="--class"),
            COST,
            GameOption("type", f"The type: {', '.join(TYPES)}."),
            GameOption("keyword", f"A keyword: {', '.join(KEYWORDS)}."),
            _EDITION,
        ),
        notes=(
            "Cards of Hearthstone are searched by the words of their names, texts, races and keywords. Texts are "
            "generated from what the cards do. If no card of decks fits, tokens are searched.",
        ),
        examples=("deckatlas cards beast --class hunter --cost 2-4", "deckatlas cards savannah highmane"),
    ),
    "referee": CommandPart(
        (_DECK_A, _DECK_B, _EDITION),
        notes=(
            "In Hearthstone a program has 1000 ms for the mulligan and 200 ms for every action; an illegal action "
            "loses the game.",
        ),
        examples=(
            'deckatlas referee hearthstone --p1 ./bot --p2 ./bot --deck-a "Starter Mage" --deck-b "Starter Rogue"',
        ),
    ),
    "verify": CommandPart(
        (
            GameOption(
                "edition",
                "The edition, or a TOML file with a patch (default: 2018-12 for scenarios, sabberstone for traces).",
            ),
        ),
        notes=(
            "If recorded games of Hearthstone have decisions of the papers' planner, the same positions are planned "
            "again.",
        ),
    ),
    "compare": CommandPart(
        (
            GameOption("kind", f"What A and B are, if their names leave it open: {', '.join(KINDS)}.", flag="--as"),
            GameOption(
                "meta",
                "The opponents, a metagame: a shipped name, a TOML file or a run "
                "(default: field for classic-2014, else field-2018).",
            ),
            GameOption(
                "deck",
                "With pilots and editions: a deck that both sides play; may be given several times "
                "(default: all of the metagame; with editions, those that have a card that differs).",
                several=True,
            ),
            GameOption("pilot", "With decks and editions: the agent that plays all decks (default: as in --meta)."),
            GameOption("edition", "With decks and pilots: the edition of the cards (default: that of --meta)."),
            GameOption("direct", "With pilots: the other one plays the opponents' decks.", kind=bool),
        ),
        notes=(
            "Of Hearthstone, A and B are two decks (names, codes, lists or files), two pilots (agents) or two editions "
            "(names, or TOML files with patches).",
        ),
        examples=(
            'deckatlas compare "Midrange Paladin" Shockadin',
            "deckatlas compare fast search --deck Zoo",
            "deckatlas compare 2018-12 2019-12 --json -",
        ),
    ),
    "evaluate": CommandPart(
        (
            GameOption(
                "deck_file",
                "A file of decks: CSV with a column deck_card_ids or deck (ids separated by spaces) and an "
                "optional column class, one deck code per line, or lists of card names; plain or gzip.",
                kind=Path,
                flag="--decks",
            ),
            GameOption("suite", "The opponents: starter (the default), elite, a shipped metagame or a TOML file."),
            GameOption(
                "profile",
                f"How games are set up and counted: {', '.join(PROFILES)} (default {FAIR.name}). The last two "
                "copy published programs: always first, inverted mulligan, pilots that see everything.",
            ),
            _EDITION,
            GameOption("hero_class", "The class of the decks (default: that of their class cards).", flag="--class"),
        ),
        notes=(
            "In Hearthstone, health difference is the deck's minus the opponent's at the end; hand, damage, cards "
            "drawn and mana are per turn of the deck's player.",
            "A suite is a TOML file with an array of tables `opponent`, each with a deck (its name or code), a pilot "
            "and, optionally, a portion: how many games in a row are against this opponent before the next one.",
            "With --cards, a card is offered if the opening hand has a copy before the mulligan, drawn if a copy left "
            "the deck, and played if a drawn copy was played. Games in which a card was drawn or played are not like "
            "the others, so their win rates are not what the card is worth.",
            "With --swap-out, all copies of a card are replaced by a random card of the same cost that the class can "
            "have, another one for each seed, on the same shuffles. Intervals are corrected for the number of cards.",
        ),
        examples=(
            'deckatlas evaluate "Starter Mage" "Starter Rogue" --games 24 --seed 1',
            'deckatlas evaluate "Midrange Hunter" --suite elite --cards --page hunter.html',
            'deckatlas evaluate "Midrange Hunter" --suite elite --swap-out --pilot fast --cards-csv cards.csv',
            'deckatlas evaluate "Starter Mage" --pilot planner:score=control --seed 1 --replay lost',
        ),
    ),
}


def both_decks(deck_a: str | Deck | None, deck_b: str | Deck | None, edition: Edition) -> tuple[Deck, Deck]:
    """The two decks of a match.

    Raises:
        DeckError: If a deck is not legal.
        MatchError: If a deck is not given.
    """
    decks = []
    for option, given in (("--deck-a", deck_a), ("--deck-b", deck_b)):
        if given is None:
            raise MatchError(f"Hearthstone is played with decks: give {option}")
        try:
            decks.append(deck_of(one_deck_given(given, edition) if isinstance(given, str) else given, edition))
        except DeckError as error:
            raise DeckError(f"{option}: {error}") from None
    return decks[0], decks[1]


def opponents_of(suite: str | None, edition: Edition) -> tuple[Opponent, ...]:
    """The opponents of a suite; empty without a suite."""
    return () if suite is None else suite_of(suite, edition).opponents


def combinations_of(decks: list[str], pilots: list[str], edition: Edition) -> Iterator[EntrantLike]:
    """Every deck, from names, codes or files, with every pilot.

    Raises:
        MatchError: If there are decks without pilots, or pilots without decks.
    """
    if bool(decks) != bool(pilots):
        raise MatchError("--decks are played by --pilots: give both, or neither")
    return product([deck for given in decks for deck in _decks(given, edition)], pilots)


def _decks(given: str, edition: Edition) -> tuple[str | Deck, ...]:
    """The decks of a file, or the deck of that name or code."""
    return read_deck_file(Path(given), edition.by_id) if is_deck_file(given) else (given,)
