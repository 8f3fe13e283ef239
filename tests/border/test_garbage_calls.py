"""Public functions answer arguments of any kind with a result or an error of ours, and name wrong arguments."""

import random
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest

from deckatlas import hearthstone, locm
from deckatlas.arguments import checked, described, fits
from deckatlas.errors import ArgumentError, DeckatlasError
from deckatlas.games.hearthstone.agents import agent
from deckatlas.games.locm.agents import battle_agent
from helpers.garbage import GARBAGE, garbage_calls


@pytest.mark.parametrize("seed", range(6))
def test_garbage_ends_in_a_result_or_an_error_of_ours(seed: int) -> None:
    for call in garbage_calls(seed, 500):
        message = ""
        try:
            call.function(**call.arguments)
        except DeckatlasError as error:
            message = str(error)
        except Exception as error:
            raise AssertionError(f"{call} raised {type(error).__name__}") from error
        assert "\n" not in message, call


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        (locm.narrate, {"record": 5}, "record of narrate must be GameRecord, not 5"),
        (
            locm.play,
            {"a": "random", "b": "random", "progress": 3},
            "progress of play must be a function or None, not 3",
        ),
        (hearthstone.deck_sheet, {"deck": 5}, "deck of deck_sheet must be Deck, not 5"),
    ],
)
def test_a_wrong_type_is_named(function: Callable[..., object], arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError, match=message) as raised:
        function(**arguments)
    assert isinstance(raised.value, DeckatlasError)
    assert isinstance(raised.value, TypeError)


def test_errors_of_the_caller_and_of_our_own_stay_what_they_are() -> None:
    def fails(view: locm.State, actions: Sequence[locm.Action]) -> locm.Action:
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        locm.play(("random", fails), "random/random", games=1)

    @checked
    def broken(number: int) -> int:
        return number // 0

    with pytest.raises(ZeroDivisionError):
        broken(3)
    with pytest.raises(ArgumentError, match="number of broken must be a whole number, not 'x'"):
        broken("x")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="missing 1 required"):
        broken()  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("value", "hint", "fitting"),
    [
        (1, int, True),
        (np.int64(1), int, True),
        (True, int, False),
        (1.0, int, False),
        (1, float, True),
        ("a", str | None, True),
        (None, str | None, True),
        (b"a", str | None, False),
        ([1, 2], Sequence[int], True),
        ([1, "a"], Sequence[int], False),
        (np.zeros(3), Sequence[float], True),
        ((1, 2), tuple[int, int], True),
        ((1, 2, 3), tuple[int, int], False),
        ((1, 2, 3), tuple[int, ...], True),
        ({"a": 1}, Mapping[str, int], True),
        ({"a": "b"}, Mapping[str, int], False),
        (len, Callable[[Any], int], True),
        (3, Callable[[Any], int], False),
        ("deck", Literal["deck", "draft"], True),
        ("dek", Literal["deck", "draft"], False),
        (Path("a"), Path | str, True),
        (3, Any, True),
    ],
)
def test_values_fit_their_annotations(value: object, hint: Any, fitting: bool) -> None:
    assert fits(value, hint) is fitting


def test_types_are_described_in_words() -> None:
    assert described(Path | str | None) == "Path, a text or None"
    assert described(Literal["deck", "draft"]) == "'deck' or 'draft'"
    assert described(Callable[[int], object]) == "a function"


def test_free_threaded_python_is_refused_with_a_line() -> None:
    program = "import sys; sys.abiflags = 't'; import deckatlas"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "ImportError: Deckatlas needs a Python with the global interpreter lock, not a free-threaded one such as 3.13t"
    )


def _battle() -> Any:
    return locm.new_game(decks=([1] * 30, [2] * 30))


def _fight() -> Any:
    state, rng = hearthstone.new_game("Starter Mage", "Starter Hunter"), hearthstone.Rng(1, 0)
    for _ in range(3):
        state.apply(state.legal_actions()[0], rng)
    return state


# The objects of the core that people hold.
HELD: dict[str, Callable[[], Any]] = {
    "a state of LoCM": _battle,
    "its action": lambda: _battle().legal_actions()[0],
    "its side": lambda: _battle().side(0),
    "its agent": lambda: battle_agent("greedy"),
    "a state of Hearthstone": _fight,
    "its action there": lambda: _fight().legal_actions()[0],
    "its side there": lambda: _fight().side(0),
    "its card": lambda: _fight().side(0).hand[0],
    "its agent there": lambda: agent("greedy"),
    "a random stream": lambda: hearthstone.Rng(1, 0),
}


@pytest.mark.parametrize("what", HELD)
def test_methods_of_the_core_answer_garbage_with_a_result_or_an_error_of_ours(what: str) -> None:
    rng, held = random.Random(what), HELD[what]()
    for name in [name for name in dir(held) if not name.startswith("_") and callable(getattr(held, name))]:
        for _ in range(40):
            arguments = [rng.choice(GARBAGE) for _ in range(rng.choice((1, 1, 2, 3)))]
            message = ""
            try:
                getattr(held, name)(*arguments)
            except DeckatlasError as error:
                message = str(error)
            except Exception as error:
                raise AssertionError(f"{name} of {what} raised {type(error).__name__}: {error}") from error
            assert "\n" not in message


def test_a_method_of_the_core_names_what_it_takes_and_what_it_got() -> None:
    state: Any = locm.new_game()
    action: Any = locm.Action
    calls: list[tuple[Callable[[], object], str]] = [
        (lambda: state.apply(3), "apply(self, action: Action) does not take (State, int)"),
        (lambda: state.view(1.5), "view(self, player: int) does not take (State, float)"),
        (lambda: action.from_text(text=5), "from_text(text: str) does not take (kwargs = { text: int })"),
    ]
    for call, message in calls:
        with pytest.raises(ArgumentError) as raised:
            call()
        assert str(raised.value) == message
    assert (state == 3) is False
