"""A solution of a map: its cards, its numbers, its family, and its cards in games."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from deckatlas.errors import GameError, RunError
from deckatlas.games import all_games
from deckatlas.games.game import Game
from deckatlas.games.sheets import CardFacts
from deckatlas.runs.view import RunView
from deckatlas.search.card_questions import CardRow
from deckatlas.views.answers.shapes import AsCode, NamedRate, Number, Rate, Shape
from deckatlas.views.columns import column_name
from deckatlas.views.families import Relative, children_of, parents_of

_MOST_GENES = 60


def space_of(view: RunView) -> Mapping[str, Any] | None:
    """The table [space] of a run's configuration."""
    found = view.config.get("space")
    return found if isinstance(found, Mapping) else None


def game_of(view: RunView) -> Game:
    """The game of a run.

    Raises:
        GameError: If this installation does not know it.
    """
    for game in all_games():
        if view.description.kind in game.run_kinds:
            return game
    raise GameError("the game of this run is not installed here")


class CardLine(Shape):
    """A card of a deck with its copies."""

    id: str
    name: str
    cost: int
    type: str
    copies: int
    stats: str
    text: str


class RelativeShape(Shape):
    """A parent or a child, and how the younger of the two differs."""

    number: int
    objective: Rate
    changes: list[str]

    @classmethod
    def of(cls, relative: Relative) -> "RelativeShape":
        """The shape of a relative."""
        return cls(
            number=relative.number,
            objective=Rate.of(relative.objective),
            changes=list(relative.changes),
        )


class GeneValue(Shape):
    """A number of a solution that is not a deck."""

    name: str
    value: Number


class SolutionShape(Shape):
    """A solution of a run: a deck, a draft policy, or weights."""

    number: int
    solutions: int
    game: str
    is_deck: bool
    group: str
    objective: str
    objective_title: str
    cell: list[int] | None
    measures: list[NamedRate]
    columns: list[NamedRate]
    rechecked: Rate | None
    cards: list[CardLine]
    code: str
    block: str
    words: list[str]
    genes: list[GeneValue]
    parents: list[RelativeShape]
    children: list[RelativeShape]
    all_children: int
    as_code: AsCode


def solution_of(view: RunView, number: int) -> SolutionShape:
    """A solution of a map with everything that is known without its single games.

    Raises:
        RunError: If the run has no map, or there is no such solution.
    """
    view.check_solution(number)
    solution = view.log.solutions[number]
    is_deck = bool(view.description.layout.deck_size)
    if not view.has_archive:
        raise RunError("this run keeps no map: only solutions of maps have a page")
    rechecked = view.rechecked_estimate(number)
    children, all_children = children_of(view, number)
    code = view.code(solution)
    return SolutionShape(
        number=number,
        solutions=len(view.log),
        game=_game_name(view),
        is_deck=is_deck,
        group=str(view.description.facts.get("class", "")),
        objective=view.objective,
        objective_title=column_name(view.objective),
        cell=_cell(view, number),
        measures=[NamedRate.of(name, Rate.of(view.rated(name, number))) for name in view.measures],
        columns=[NamedRate.of(name, Rate.of(view.rated(name, number))) for name in view.log.columns],
        rechecked=None if rechecked is None else Rate.of(rechecked),
        cards=_cards(view, number) if is_deck else [],
        code=code,
        block=_block(view, code) if is_deck else code,
        words=[] if is_deck else view.in_words(solution),
        genes=[] if is_deck else _genes(view, number),
        parents=[RelativeShape.of(each) for each in parents_of(view, number)],
        children=[RelativeShape.of(each) for each in children],
        all_children=all_children,
        as_code=AsCode.picture(view, "solution", solution=number),
    )


def _cell(view: RunView, number: int) -> list[int] | None:
    """The cell that a solution is the elite of."""
    if not view.has_archive or number not in view.archive.elites:
        return None
    place = int(np.flatnonzero(view.archive.elites == number)[0])
    return [int(at) for at in np.unravel_index(view.archive.elite_cells[place], view.archive.cells.shape)]


def _game_name(view: RunView) -> str:
    try:
        return game_of(view).name
    except GameError:
        return ""


def _card_facts(view: RunView) -> dict[str, CardFacts]:
    """The cards of a run by id, in its own edition; empty where its game is not known."""
    try:
        return {card.id: card for card in game_of(view).card_facts(space_of(view))}
    except GameError:
        return {}


def _cards(view: RunView, number: int) -> list[CardLine]:
    known = _card_facts(view)
    solution = view.log.solutions[number]
    lines = []
    for place in np.flatnonzero(solution).tolist():
        gene = view.description.genes[place]
        facts = known.get(gene.id)
        lines.append(
            CardLine(
                id=gene.id,
                name=gene.name,
                cost=int(gene.facts.get("cost", 0)),
                type=str(gene.facts.get("type", "")),
                copies=int(solution[place]),
                stats="" if facts is None else facts.stats,
                text="" if facts is None else facts.text,
            )
        )
    return sorted(lines, key=lambda line: (line.cost, line.name))


def _block(view: RunView, code: str) -> str:
    try:
        return game_of(view).deck_facts(code, space_of(view)).block
    except GameError:
        return code


def _genes(view: RunView, number: int) -> list[GeneValue]:
    """The largest numbers of a solution, whatever their sign."""
    solution = view.log.solutions[number]
    order = np.argsort(-np.abs(solution), kind="stable")[:_MOST_GENES].tolist()
    return [GeneValue(name=view.description.genes[place].name, value=float(solution[place])) for place in order]


class CardInGames(Shape):
    """What fresh games say about a card of a deck."""

    id: str
    name: str
    cost: int
    copies: int
    kept: Rate | None
    drawn: Rate | None
    played: Rate | None
    win_drawn: Rate | None
    win_played: Rate | None
    swap_out: Rate | None
    verdict: str


def cards_in_games_of(view: RunView, number: int) -> list[CardInGames]:
    """The cards of an elite in fresh games; empty if the run has none (`deckatlas run … --recheck --cards`).

    Raises:
        RunError: If there is no such solution.
    """
    view.check_solution(number)
    return [
        CardInGames(
            id=row["card"],
            name=row["name"],
            cost=row["cost"],
            copies=int(row.get("copies") or 0),
            kept=_rate(row, "kept_share", "offered"),
            drawn=_rate(row, "drawn_share", "games"),
            played=_rate(row, "played_share", "games"),
            win_drawn=_rate(row, "win_rate_drawn", "drawn"),
            win_played=_rate(row, "win_rate_played", "played"),
            swap_out=_rate(row, "swap_out", "swap_out_games"),
            verdict=str(row.get("swap_out_verdict") or ""),
        )
        for row in view.cards_in_games(number)
    ]


def _rate(row: CardRow, name: str, n: str) -> Rate | None:
    """A column of a row of card statistics with its interval; None if it is not known."""
    if row.get(name) is None:
        return None
    low, high = row.get(f"{name}_low"), row.get(f"{name}_high")
    return Rate(value=row[name], low=low, high=high, n=int(row.get(n) or 0), is_share=True)
