"""Comparisons of Hearthstone decks, pilots and editions: which of two is better, by paired games."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from deckatlas.arguments import checked
from deckatlas.errors import DeckError, MatchError
from deckatlas.games.chance import check_seed
from deckatlas.games.hearthstone.cards.deck_files import is_deck_file, one_deck_given
from deckatlas.games.hearthstone.cards.decks import Deck, check_deck
from deckatlas.games.hearthstone.cards.editions import EDITIONS, Edition, EditionLike, edition_of
from deckatlas.games.hearthstone.cards.library import deck_called
from deckatlas.games.hearthstone.compared import DECK, EDITION, PILOT, Compared, common_kind
from deckatlas.games.hearthstone.metagame import HearthstoneMetagame, MetagameLike, metagame_of
from deckatlas.games.hearthstone.paired_games import HearthstonePairs, HearthstoneSide, with_shared_first
from deckatlas.games.hearthstone.profiles import FAIR
from deckatlas.games.hearthstone.setting import setting
from deckatlas.games.hearthstone.setup import DeckLike, deck_of, deck_rows
from deckatlas.play.limits import thread_count
from deckatlas.play.paired import GAMES, Comparison, compare_sides
from deckatlas.play.runner import Progress
from deckatlas.shapes import show
from deckatlas.stats.estimate import Floats

FIELD = "field-2018"  # the opponents, unless the edition has its own
FIELDS = {"classic-2014": "field"}

# Which options go with what is compared.
_FITTING = {"deck": (PILOT, EDITION), "pilot": (DECK, EDITION), "edition": (DECK, PILOT), "direct": (PILOT,)}

NamedDecks = list[tuple[str, Deck]]


@checked
def compare(
    a: Compared,
    b: Compared,
    *,
    games: int = GAMES,
    progress: Progress | None = None,
    **options: Any,
) -> Comparison:
    """Compares two decks, pilots or editions: both sides play the same opponents from the same seeds.

    Args:
        a: A deck, a pilot or an edition, in any form that the command line takes.
        b: Another one of the same kind.
        games: The most games, of both sides together; fewer are played if they decide it.
        progress: Called with the number of games done.
        **options: Those of `paired_games`: meta, deck, pilot, edition, direct, paired, seed, threads, kind, store.

    Raises:
        AgentError: If a pilot is unknown.
        CardError: If there is no such edition.
        DeckError: If a deck is unknown, or not legal in the edition.
        MatchError: If the two cannot be compared so, or a number is impossible.
        RunError: If there is no such metagame.
    """
    return compare_sides(paired_games(a, b, **options), games=games, progress=progress)


def paired_games(
    a: Compared,
    b: Compared,
    *,
    kind: str | None = None,
    meta: MetagameLike | None = None,
    deck: DeckLike | Sequence[DeckLike] = (),
    pilot: str | None = None,
    edition: EditionLike | None = None,
    direct: bool = False,
    paired: bool = True,
    seed: int = 0,
    threads: int | None = None,
    store: Path | None = None,
) -> HearthstonePairs:
    """The games that compare two decks, pilots or editions.

    Args:
        a: A deck, a pilot or an edition.
        b: Another one of the same kind.
        kind: What they are, if their names leave it open: "deck", "pilot" or "edition".
        meta: The opponents, a metagame; by default the shipped one of the edition.
        deck: With pilots and editions: the decks that both sides play. By default all decks of the metagame; with
            editions, those of them that have a card that differs.
        pilot: With decks and editions: the agent that plays all decks, instead of those of the metagame.
        edition: With decks and pilots: the edition, instead of that of the metagame.
        direct: With pilots: whether the other pilot plays the opponents.
        paired: Whether both sides play the same seeds; otherwise the second plays others.
        seed: The seed of everything random.
        threads: The number of threads; the result does not depend on it.
        store: The folder of runs, if the metagame is a run.

    Raises:
        AgentError: If a pilot is unknown.
        CardError: If there is no such edition.
        DeckError: If a deck is unknown, or not legal in the edition.
        MatchError: If the two are not of one kind, or an option does not fit the kind.
        RunError: If there is no such metagame.
    """
    a, b = (str(each) if isinstance(each, Path) else each for each in (a, b))
    chosen = common_kind(a, b, kind)
    _check_options(chosen, {"deck": bool(deck), "pilot": pilot, "edition": edition, "direct": direct})
    played = [deck] if isinstance(deck, DeckLike) else list(deck)
    named_editions: Sequence[Any] = (a, b) if chosen == EDITION else (edition,)
    cards = [edition_of(each) for each in named_editions if each is not None]
    given = default_field(cards) if meta is None else meta
    in_editions: list[Edition | None] = [*cards] or [None]
    fields = [metagame_of(given, pilot=pilot, edition=each, store=store) for each in in_editions]
    field = fields[0]
    if chosen == DECK:
        named = [named_deck_given(each, letter, field.cards) for each, letter in ((a, "A"), (b, "B"))]
        names, decks = (named[0][0], named[1][0]), named[:1]
        one, other = (side_of(field, [each], field.entrants[0].pilot) for _, each in named)
        both = with_shared_first(one.rows, other.rows)
        sides = [replace(each, rows=rows) for each, rows in zip((one, other), both, strict=True)]
    elif chosen == PILOT:
        names, decks = (str(a), str(b)), _played(played, field)
        others = (names[1], names[0]) if direct else (None, None)
        sides = [
            side_of(field, [each for _, each in decks], own, opponents=other)
            for own, other in zip(names, others, strict=True)
        ]
    else:
        names, decks = _edition_names(a, b, cards), _played(played, field, differing=cards)
        sides = [side_of(each, [one for _, one in decks], field.entrants[0].pilot) for each in fields]
    against = against_words(field, chosen)
    return HearthstonePairs(
        kind=chosen,
        names=names,
        against=against,
        opponents=tuple(each.name for each in sides[0].setting.suite.opponents),
        weights=weights_of(field),
        decks=tuple(name for name, _ in decks),
        claim=_claim(chosen, names, [name for name, _ in decks], against, direct=direct),
        sides=(sides[0], sides[1]),
        seed=check_seed(seed),
        paired=paired,
        threads=thread_count(threads),
    )


def _check_options(kind: str, given: dict[str, Any]) -> None:
    for name, value in given.items():
        if value and kind not in _FITTING[name]:
            fitting = " and ".join(f"{each}s" for each in _FITTING[name])
            raise MatchError(f"the option {name} is for comparisons of {fitting}, but this one compares {kind}s")


def default_field(cards: Sequence[Edition]) -> str:
    """The shipped metagame of the edition that others are patches of."""
    bases = {_shipped_base(each).name for each in cards}
    return FIELDS.get(bases.pop(), FIELD) if len(bases) == 1 else FIELD


def _shipped_base(cards: Edition) -> Edition:
    while cards.name not in EDITIONS and cards.made_of is not None:
        cards = cards.made_of[0]
    return cards


def named_deck_given(given: Compared, letter: str, cards: Edition) -> tuple[str, Deck]:
    """A deck with its name; one without a name is called by a letter and its class."""
    if isinstance(given, str) and is_deck_file(given):
        return given, check_deck(one_deck_given(given, cards), cards)
    if not isinstance(given, Deck | str):
        raise DeckError(f"a deck must be a Deck, a name, a code or a text, not {show(given)}")
    known = deck_called(given) if isinstance(given, str) else None
    try:
        deck = deck_of(given, cards)
    except DeckError as error:
        raise DeckError(f"{show(known.name)}: {error}" if known else str(error)) from None
    return known.name if known else f"{letter} ({deck.hero_class.title()})", deck


def _played(given: Sequence[DeckLike], field: HearthstoneMetagame, *, differing: Sequence[Edition] = ()) -> NamedDecks:
    """The decks that both sides play: the given ones, or those of the metagame, all or with cards that differ.

    Raises:
        MatchError: If no deck of the metagame has a card that differs.
    """
    if given:
        return [named_deck_given(each, str(number), field.cards) for number, each in enumerate(given, start=1)]
    decks = [(each.name, deck_of(each.deck, field.cards)) for each in field.entrants]
    if not differing or (differing[0].cards, differing[0].rules) == (differing[1].cards, differing[1].rules):
        return decks
    if differing[0].rules != differing[1].rules:
        return decks
    one, other = (each.by_id for each in differing)
    changed = {card for card in one if one[card] != other.get(card)}
    found = [(name, deck) for name, deck in decks if changed.intersection(deck.copies)]
    if not found:
        raise MatchError(f"no deck of {field.name} has a card that differs: name decks that do (deck)")
    return found


def _edition_names(a: Compared, b: Compared, cards: Sequence[Edition]) -> tuple[str, str]:
    one, other = (each.name for each in cards)
    return (one, other) if one != other or cards[0] == cards[1] else (str(a), str(b))


def side_of(
    field: HearthstoneMetagame, decks: Sequence[Deck], pilot: str, *, opponents: str | None = None
) -> HearthstoneSide:
    """A side that plays these decks against a metagame; `opponents` is the pilot of the others, if not their own."""
    met = (field if opponents is None else field.played_by(opponents)).opponents()
    played = setting(pilot=pilot, suite=met, profile=FAIR, edition=field.cards)
    return HearthstoneSide(deck_rows(decks, field.cards), played)


def weights_of(field: HearthstoneMetagame) -> Floats:
    """The weights of the opponents that a metagame has: its shares."""
    return field.shares[field.shares > 0]


def against_words(field: HearthstoneMetagame, kind: str) -> str:
    """What both sides play against, in a few words."""
    details = [field.edition] if kind != EDITION else []
    return f"{field.name} ({', '.join([*details, *field.pilots])})"


def _claim(
    kind: str, names: tuple[str, str], decks: Sequence[str], against: str, *, direct: bool
) -> Callable[[str], str]:
    a, b = names
    own = decks[0] if len(decks) == 1 else f"{len(decks)} decks"
    if kind == DECK:
        return lambda more: f"{a} wins {more} than {b} against {against}"
    if kind == PILOT:
        how = "against each other" if direct else f"against {against}"
        return lambda more: f"{a} wins {more} than {b} with {own} {how}"
    win = "wins" if len(decks) == 1 else "win"
    return lambda more: f"{own} {win} {more} in {a} than in {b} against {against}"
