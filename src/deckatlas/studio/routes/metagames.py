"""Page "Metagame": who beats whom, ratings, the equilibrium mix with its uncertainty, and cycles."""

from pathlib import Path
from shlex import join
from typing import Annotated, cast

from fastapi import APIRouter, Depends, Request
from fastapi import Path as InPath

from deckatlas.games import find
from deckatlas.metagame.cycles import cycles_of, decided_pairs
from deckatlas.metagame.equilibrium import SAMPLES, Mix
from deckatlas.metagame.matchups import Matchups
from deckatlas.metagame.matrix_game import symmetric_mix
from deckatlas.metagame.play import GAMES
from deckatlas.metagame.standings import mix_by_seed
from deckatlas.metagame.stored_games import are_complete
from deckatlas.studio.asking import ShelfOfApp
from deckatlas.studio.metagames import Metagames, Played
from deckatlas.studio.shelf import Shelf
from deckatlas.views.answers.shapes import AsCode, Number, Rate, Shape

router = APIRouter(tags=["metagames"])

MetagameId = Annotated[str, InPath(description="The id of a metagame, from the list of metagames.", max_length=300)]
MOST_CYCLES = 20
LIVE_SAMPLES = 40  # resampled matrices while games are still played


def _metagames(request: Request) -> Metagames:
    return cast("Metagames", request.app.state.metagames)


MetagamesOfApp = Annotated[Metagames, Depends(_metagames)]


class MetagameLine(Shape):
    """A metagame in one line; `run` has its stored games, and `state` is `unplayed` if there are none."""

    id: str
    name: str
    game: str
    source: str
    edition: str
    decks: int
    pilots: list[str]
    run: str
    state: str
    games: int
    planned: int | None
    games_per_pair: int | None

    @classmethod
    def of(cls, played: Played, shelf: Shelf) -> "MetagameLine":
        """The shape of a metagame."""
        summary = shelf.entry(played.run).summary if played.run else None
        return cls(
            id=played.id,
            name=played.name,
            game=played.game,
            source=played.source,
            edition=played.edition,
            decks=len(played.entrants),
            pilots=list(played.pilots),
            run=played.run,
            state=summary.state if summary else "unplayed",
            games=summary.games if summary else 0,
            planned=summary.budget if summary else None,
            games_per_pair=played.games_per_pair,
        )


class MetagameDeck(Shape):
    """A deck or draft policy of a metagame; numbers are null until they can be calculated."""

    name: str
    entrant: str
    has_page: bool
    pilot: str
    share: Number
    mix: Number
    rating: Rate | None
    score: Rate | None


class MatchupShape(Shape):
    """How often deck `a` won against deck `b`, by their numbers, and whether one is the favourite beyond chance."""

    a: int
    b: int
    rate: Rate
    is_decided: bool


class CycleShape(Shape):
    """Three decks, by number, of which each beats the next beyond chance."""

    decks: list[int]
    strength: Number
    rates: list[Rate]


class MetagameShape(Shape):
    """A metagame with the games that are stored so far; `order` has its decks from the best to the worst."""

    line: MetagameLine
    decks: list[MetagameDeck]
    order: list[int]
    matchups: list[MatchupShape]
    is_complete: bool
    cycles: list[CycleShape]
    code: AsCode


class MixShape(Shape):
    """The equilibrium mix with its uncertainty, by the numbers of decks.

    `chance` says how often a deck is in the mix of a resampled matrix; `gain` how much more than half of its games the
    best deck may win against the mix.
    """

    shares: list[Rate]
    chance: list[float]
    is_unique: bool
    gain: Rate
    samples: int


@router.get("/metagames")
def get_metagames(metagames: MetagamesOfApp, shelf: ShelfOfApp) -> list[MetagameLine]:
    """Metagames with stored games, those that ship, and those in files of the folder."""
    return [MetagameLine.of(each, shelf) for each in metagames.all()]


@router.get("/metagames/{metagame}")
def get_metagame(metagame: MetagameId, metagames: MetagamesOfApp, shelf: ShelfOfApp) -> MetagameShape:
    """A metagame with the games that are stored so far."""
    played = metagames.find(metagame)
    matchups = metagames.matchups(played)
    complete = matchups is not None and are_complete(matchups)
    if matchups is None or not matchups.outcomes:
        return MetagameShape(
            line=MetagameLine.of(played, shelf),
            decks=[_deck(played, at, None, []) for at in range(len(played.entrants))],
            order=list(range(len(played.entrants))),
            matchups=[],
            is_complete=False,
            cycles=[],
            code=_code(played, shelf),
        )
    decided = decided_pairs(matchups)
    mix = symmetric_mix(matchups.gains)[0].tolist() if complete else []
    return MetagameShape(
        line=MetagameLine.of(played, shelf),
        decks=[_deck(played, at, matchups, mix) for at in range(len(played.entrants))],
        order=_by_rating(matchups) if complete else list(range(len(played.entrants))),
        matchups=[
            MatchupShape(a=i, b=j, rate=Rate.of(matchups.rate(i, j)), is_decided=(i, j) in decided or (j, i) in decided)
            for i, j in matchups.outcomes
        ],
        is_complete=complete,
        cycles=[
            CycleShape(decks=list(each.decks), strength=each.strength, rates=[Rate.of(rate) for rate in each.rates])
            for each in (cycles_of(matchups, decided)[:MOST_CYCLES] if complete else ())
        ],
        code=_code(played, shelf),
    )


@router.get("/metagames/{metagame}/mix")
def get_mix(metagame: MetagameId, metagames: MetagamesOfApp, shelf: ShelfOfApp) -> MixShape | None:
    """The equilibrium mix with its uncertainty; null until every pair has played."""
    played = metagames.find(metagame)
    matchups = metagames.matchups(played)
    if matchups is None or not are_complete(matchups):
        return None
    is_finished = shelf.entry(played.run).summary.state == "finished"
    samples = SAMPLES if is_finished else LIVE_SAMPLES
    _, path = shelf.find(played.run)

    def solve() -> Mix:
        return mix_by_seed(matchups, played.seed, samples=samples)

    mix = shelf.made_of(matchups, path, f"mix of {samples}", solve)
    return MixShape(
        shares=[Rate.of(mix.share(at)) for at in range(len(played.entrants))],
        chance=mix.chance.tolist(),
        is_unique=mix.is_unique,
        gain=Rate.of(mix.gain),
        samples=samples,
    )


def _by_rating(matchups: Matchups) -> list[int]:
    """The decks from the highest rating to the lowest."""
    return sorted(range(len(matchups)), key=lambda at: -float(matchups.ratings.value[at]))


def _deck(played: Played, at: int, matchups: Matchups | None, mix: list[float]) -> MetagameDeck:
    entrant = played.entrants[at]
    complete = matchups is not None and bool(mix)
    return MetagameDeck(
        name=entrant.name,
        entrant=f"{entrant.deck}/{entrant.pilot}",
        has_page=find(played.game).offers("deck_names"),
        pilot=entrant.pilot,
        share=float(played.shares[at]),
        mix=mix[at] if mix else None,
        rating=Rate.of(matchups.ratings[at]) if matchups is not None and complete else None,
        score=Rate.of(matchups.score(at, played.shares)) if matchups is not None and complete else None,
    )


def store_of(played: Played, shelf: Shelf) -> Path:
    """The folder with the games of a metagame, or where they would be stored."""
    return shelf.find(played.run)[1].parent if played.run else shelf.store


def _code(played: Played, shelf: Shelf) -> AsCode:
    """The command that plays and shows the metagame, and the same in Python."""
    if not played.given:
        path = str(shelf.find(played.run)[1])
        return AsCode(
            command=join(["deckatlas", "plot", path, "--what", "metagame", "-o", "metagame.png"]),
            python=(
                "from deckatlas.views.metagame_figures import plot_stored_games\n\n"
                f'plot_stored_games({path!r}, "metagame.png")'
            ),
        )
    store, games = str(store_of(played, shelf)), played.games_per_pair or GAMES
    words = ["deckatlas", "meta", "show", played.given, "--games", str(games)]
    words += ["--seed", str(played.seed)] if played.seed else []
    words += ["--pilot", played.pilots[0]] if len(played.pilots) == 1 else []
    options = f"games={games}, seed={played.seed}"
    options += f", pilot={played.pilots[0]!r}" if len(played.pilots) == 1 else ""
    return AsCode(
        command=join([*words, "--store", store, "--picture", "metagame.png"]),
        python=(
            f"from deckatlas import {played.game}\nfrom deckatlas.views.metagame_figures import plot_metagame\n\n"
            f"found = {played.game}.metagame({played.given!r}, {options}, store={store!r})\n"
            'plot_metagame(found, "metagame.png")'
        ),
    )
