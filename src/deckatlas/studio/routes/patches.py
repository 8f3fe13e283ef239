"""Page "Patch lab": the cards of an edition to change, a patch checked as it is typed, and what a study of it costs."""

from typing import Annotated, Any, cast

from fastapi import APIRouter, Depends, Query, Request
from fastapi import Path as InPath
from pydantic import Field

from deckatlas.balancing.as_code import Options, balance_command, balance_python
from deckatlas.balancing.forecast import forecast_of
from deckatlas.balancing.intents import Intent
from deckatlas.balancing.plan import StudyPlan
from deckatlas.balancing.record import plain_file
from deckatlas.balancing.study import check_size, read_intents
from deckatlas.balancing.subject import BASE, Effort, Subject
from deckatlas.errors import MatchError
from deckatlas.games import Game, all_games, find
from deckatlas.games.patch_desk import check_patch, patch_toml
from deckatlas.metagame.metagame import Metagame
from deckatlas.metagame.pace import seconds_per_game
from deckatlas.studio.asking import ShelfOfApp
from deckatlas.views.answers.shapes import AsCode, Number, Shape
from deckatlas.views.balance_terminal import plan_lines

router = APIRouter(tags=["patches"])

GameName = Annotated[str, InPath(description="The name of a game.", max_length=100)]
Name = Annotated[str, Field(min_length=1, max_length=60)]
Value = Annotated[int, Field(ge=-(2**31), le=2**31)] | Annotated[str, Field(max_length=2000)]
Changes = Annotated[dict[Annotated[str, Field(max_length=40)], Value], Field(max_length=20)]


class PatchAsked(Shape):
    """A patch as plain data: new values of cards, by card and field."""

    game: Annotated[str, Field(max_length=100)]
    name: Name
    base: Annotated[str, Field(max_length=60)] = ""
    cards: Annotated[dict[Annotated[str, Field(max_length=100)], Changes], Field(max_length=60)]

    def values(self) -> dict[str, Any]:
        """The patch as the data of its file."""
        base = {"base": self.base} if self.base else {}
        return {"name": self.name, **base, "cards": dict(self.cards)}


class FieldShape(Shape):
    """A value of cards that patches can change."""

    name: str
    kind: str
    less_is_better: bool


class PatchCardShape(Shape):
    """A card of the base edition."""

    id: str
    name: str
    group: str
    kind: str
    values: dict[str, int | str]
    text: str


class DeskShape(Shape):
    """The cards of an edition, and what can be changed."""

    game: str
    edition: str
    editions: list[str]
    fields: list[FieldShape]
    cards: list[PatchCardShape]


class ChangeShape(Shape):
    """What a patch does to a card, in words."""

    card: str
    words: str


class CheckShape(Shape):
    """A patch as it is typed: mistakes, changes in words, generated texts by card, and the file."""

    problems: list[str]
    changes: list[ChangeShape]
    texts: dict[str, str]
    toml: str
    file: str


@router.get("/patches")
def get_patchable() -> list[str]:
    """The games whose cards can be patched."""
    return [game.name for game in all_games() if game.offers("patch_desk")]


@router.get("/patches/{game}")
def get_desk(
    game: GameName, edition: Annotated[str, Query(max_length=60, description="The edition to change.")] = ""
) -> DeskShape:
    """The cards of an edition with the values that a patch can change."""
    desk = find(game).patch_desk(edition or None)
    return DeskShape(
        game=game,
        edition=desk.edition,
        editions=list(desk.editions),
        fields=[FieldShape(name=each.name, kind=each.kind, less_is_better=each.less_is_better) for each in desk.fields],
        cards=[
            PatchCardShape(
                id=each.id,
                name=each.name,
                group=each.group,
                kind=each.kind,
                values=dict(each.values),
                text=each.text,
            )
            for each in desk.cards
        ],
    )


@router.post("/patches/check")
def check(asked: PatchAsked) -> CheckShape:
    """Checks a patch; nothing is written."""
    checked = check_patch(find(asked.game), asked.values())
    return CheckShape(
        problems=list(checked.problems),
        changes=[ChangeShape(card=each.card, words=each.words) for each in checked.changes],
        texts=dict(checked.texts),
        toml=checked.toml,
        file=plain_file(asked.name),
    )


class StudyAsked(PatchAsked):
    """A patch, and what it is meant to do."""

    intents: Annotated[list[Annotated[str, Field(max_length=200)]], Field(max_length=10, default_factory=list)]


class EffortShape(Shape):
    """What a study of one effort costs, and what it can see; `problem` says why it cannot be carried out."""

    name: str
    problem: str
    field_games: int
    search_games: int
    mix_games: int
    trials: int
    seconds: Number
    field_effect: Number
    trial_effects: dict[str, Number]
    words: list[str]
    code: AsCode


class ForecastShape(Shape):
    """What studies of a patch cost, from the smallest effort to the largest."""

    metagame: str
    edition: str
    decks: int
    several: str
    efforts: list[EffortShape]


class Paces:
    """How long a game takes here, measured once for each metagame and pilot."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, tuple[str, ...]], float] = {}

    def of(self, metagame: Metagame) -> float:
        """The seconds that a game takes; the first time, half a second of games is played."""
        key = (metagame.name, metagame.pilots)
        if key not in self._known:
            self._known[key] = seconds_per_game(metagame)
        return self._known[key]


def _paces(request: Request) -> Paces:
    return cast("Paces", request.app.state.paces)


@router.post("/patches/forecast")
def forecast(asked: StudyAsked, shelf: ShelfOfApp, paces: Annotated[Paces, Depends(_paces)]) -> ForecastShape:
    """What studies of a patch will play, how long that takes here, and what they will be able to see."""
    game = find(asked.game)
    subject = subject_of(game, asked)
    field = subject.fields[BASE]
    return ForecastShape(
        metagame=field.name,
        edition=subject.editions[BASE],
        decks=len(field.entrants),
        several=subject.words.several,
        efforts=[_effort(asked, subject, each, StudyPlan(each, shelf.store), paces) for each in subject.efforts],
    )


def subject_of(game: Game, asked: StudyAsked) -> Subject:
    """What a study of a patch is about.

    Raises:
        DeckatlasError: If the patch has a mistake.
    """
    return game.balance_subject(game.patched_cards(asked.values()).patch)


def study_options(asked: StudyAsked, effort: str) -> Options:
    """The options of a study."""
    return {"effort": effort, **({"intents": list(asked.intents)} if asked.intents else {})}


def study_toml(asked: StudyAsked) -> str:
    """The patch of a study as a file."""
    return patch_toml(asked.values())


def _effort(asked: StudyAsked, subject: Subject, effort: Effort, plan: StudyPlan, paces: Paces) -> EffortShape:
    problem = ""
    meant: tuple[Intent, ...] = ()
    try:
        meant = read_intents(asked.intents, subject, plan)
        check_size(subject, plan)
    except MatchError as error:
        problem = str(error)
    expected = forecast_of(subject, plan, pace=paces.of)
    options, file = study_options(asked, effort.name), plain_file(asked.name)
    store = str(plan.folder)
    return EffortShape(
        name=effort.name,
        problem=problem,
        field_games=expected.field_games,
        search_games=expected.search_games,
        mix_games=expected.mix_games,
        trials=effort.trials if subject.kinds else 0,
        seconds=expected.seconds,
        field_effect=expected.field_effect,
        trial_effects=dict(expected.trial_effects),
        words=list(plan_lines(subject, plan, expected, intents=meant)),
        code=AsCode(
            command=balance_command(asked.game, file, options, store=store),
            python=balance_python(asked.game, file, options, store=store),
        ),
    )
