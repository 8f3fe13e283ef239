"""Searches in games written in Python: the space of decks, their evaluator, and whole runs."""

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deckatlas import games
from deckatlas.errors import MatchError, RunError, SearchError
from deckatlas.games.chance import game_seed
from deckatlas.runs.executors import Processes
from deckatlas.runs.loop import execute
from deckatlas.runs.read_config import config_from
from deckatlas.runs.view import open_run
from deckatlas.search.batches import Batch, Stream
from deckatlas.search.evaluation import NOBODY, WON, Outcomes
from helpers.high_card import CARDS, HighCard, Table

GAME = HighCard()
OPPONENTS = ["low/random", "even/highest"]


def outcomes(*streams: Stream, opponents: Any = OPPONENTS, pilot: Any = "random", **options: Any) -> Outcomes:
    """What the deck `high` gives over each stream of games."""
    deck = np.array([[GAME.deck("high").count(card) for card in CARDS]], np.uint8)
    count = len(streams)
    batch = Batch(deck, np.zeros((count, 1), np.int32), streams, np.arange(count, dtype=np.int32))
    return GAME.evaluator(opponents, pilot).evaluate(batch, **options)


# ---- the space -------------------------------------------------------------------------------------------------------


def test_every_deck_of_the_space_is_legal_and_known_by_its_cards_numbers() -> None:
    space, rng = GAME.deck_space(), np.random.default_rng(1)
    decks = [space.random(rng) for _ in range(50)]
    decks += [space.mutate(deck, rng) for deck in decks]
    assert space.columns == ("value_sum", "value_mean", "value_variance")
    for deck, measures in zip(decks, space.measures(np.array(decks)), strict=True):
        cards = GAME.deck(space.cards(deck))
        values = [CARDS[card] for card in cards]
        assert measures.tolist() == pytest.approx([sum(values), np.mean(values), np.var(values)])


# ---- the evaluator ---------------------------------------------------------------------------------------------------


def test_an_evaluation_is_the_matches_with_its_opponents() -> None:
    found = outcomes(Stream(seed=7, first=0, games=40))
    matches = [
        GAME.play("random", pilot, deck_a="high", deck_b=deck, games=20, seed=game_seed(7, number, False))
        for number, (deck, pilot) in enumerate(each.split("/") for each in OPPONENTS)
    ]
    names = [column.name for column in GAME.evaluator(OPPONENTS, "random").columns]
    total = dict(zip(names, found.total[0].tolist(), strict=True))
    assert total["win_rate"] == sum(match.wins for match in matches) == (found.outcome == WON).sum()
    assert (found.outcome == NOBODY).sum() == sum(int((match["winner"] == 2).sum()) for match in matches)
    assert total["tricks"] == sum(int(match["tricks"][:, 0].sum()) for match in matches)
    lead = [int((match["tricks"][:, 0] - match["tricks"][:, 1]).sum()) for match in matches]
    assert total["tricks_difference"] == sum(lead) == found.margin.sum()
    assert total["num_turns"] == sum(int(((match["turns"] + 1) // 2).sum()) for match in matches)
    assert found.games.tolist() == [40]
    assert (found.weight == 40).all()
    assert (found.error > 0).all()


def test_games_in_parts_are_the_same_games() -> None:
    whole = outcomes(Stream(3, 0, 30))
    parts = outcomes(Stream(3, 0, 14), Stream(3, 14, 16))
    assert whole.outcome.tolist() == parts.outcome.tolist()
    assert whole.margin.tolist() == parts.margin.tolist()
    assert whole.total[0].tolist() == parts.total.sum(axis=0).tolist()
    assert outcomes(Stream(3, 0, 30), threads=5).outcome.tolist() == whole.outcome.tolist()
    assert outcomes(Stream(4, 0, 30)).outcome.tolist() != whole.outcome.tolist()


def test_progress_hears_of_every_game_and_can_end_the_evaluation() -> None:
    heard: list[int] = []
    outcomes(Stream(3, 0, 5), Stream(3, 5, 4), progress=heard.append)
    assert heard == list(range(1, 10))

    def stop(games: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        outcomes(Stream(3, 0, 5), progress=stop)


def test_two_games_of_a_seed_are_one_unit() -> None:
    sample = GAME.evaluator(OPPONENTS, "random").sample(first_game=0, games=40)
    assert (sample.units, sample.freedom) == (20, 18)


def test_nobody_to_meet_and_a_pilot_that_forfeits_are_refused() -> None:
    def cheat(state: Table, actions: list[int], rng: random.Random) -> Any:
        return 99

    with pytest.raises(MatchError, match="there is no opponent: give at least one"):
        GAME.evaluator([], "random")
    with pytest.raises(SearchError, match="a pilot forfeits a game of the search: answered '99'"):
        outcomes(Stream(1, 0, 2), pilot=cheat)


# ---- runs ------------------------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def _known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "_registered", {})
    games.register(GAME)


def config(**evaluation: Any) -> Any:
    values = {
        "name": "cards",
        "seed": 5,
        "space": {"kind": "high-card-deck"},
        "evaluation": {"pilot": "highest", "opponents": OPPONENTS, "games": 8, **evaluation},
        "archive": {"kind": "grid", "measures": ["value_sum"], "resolution": [4], "ranges": [[8, 40]]},
        "search": {"algorithm": "map-elites", "objective": "win_rate", "evaluations": 12, "initial": 6},
    }
    return config_from(values, name="cards.toml")


def test_a_map_of_decks_is_the_same_on_any_number_of_threads_and_is_read_in_the_games_words(tmp_path: Path) -> None:
    digests = set()
    for threads in (1, 3):
        path = tmp_path / f"{threads}.db"
        standing = execute(config(), path, threads=threads)
        assert standing.finished
        assert standing.games == 12 * 8
        view = open_run(path)
        digests.add(view.digest)
    assert len(digests) == 1
    best = max(view.elites(), key=lambda elite: elite.objective.value)
    deck = GAME.deck(view.code(best))
    assert best.measures == {"value_sum": sum(CARDS[card] for card in deck)}
    assert sum(line.copies for line in view.deck_list(best)) == GAME.deck_size
    assert "decks of High Card, played by highest against low/random, even/highest" in view.title


def test_processes_give_the_run_that_threads_give(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    registers = "from deckatlas.games import register; from helpers.high_card import HighCard; register(HighCard())"
    (tmp_path / "cards.py").write_text(registers, encoding="utf-8")
    monkeypatch.setenv(games.MODULES, str(tmp_path / "cards.py"))  # other processes know what the environment lists
    monkeypatch.setattr(games, "_imported", set())
    made = config()
    execute(made, tmp_path / "threads.db", threads=1)
    with Processes(made.prepare(), 2) as executor:
        execute(made, tmp_path / "processes.db", executor=executor)
    digests = {open_run(tmp_path / f"{name}.db").digest for name in ("threads", "processes")}
    assert len(digests) == 1


def test_a_run_of_other_rules_is_shown_but_not_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "cards.db"
    execute(config(), path)
    monkeypatch.setattr(HighCard, "version", "2")
    assert open_run(path).elites()
    with pytest.raises(RunError):
        execute(config(), path)


@pytest.mark.parametrize(
    ("evaluation", "message"),
    [
        ({"pilot": "hihgest"}, "unknown pilot 'hihgest': did you mean 'highest'"),
        ({"opponents": ["low"]}, "'low' is not an entrant: write DECK/PILOT"),
        ({"opponents": []}, "opponents"),
    ],
)
def test_a_mistake_in_a_configuration_is_found_before_the_first_game(evaluation: Any, message: str) -> None:
    with pytest.raises(RunError, match=message):
        config(**evaluation)
