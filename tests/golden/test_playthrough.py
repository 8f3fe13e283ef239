"""One whole game, everything that can be observed of it at each step, held to `playthrough.txt`.

A difference there is a change of behaviour or of a text. If it is meant, write the file with `make golden` and say why
in the commit.
"""

import hashlib
from collections.abc import Iterator
from pathlib import Path

from deckatlas import locm
from helpers.golden import assert_golden

GOLDEN = Path(__file__).with_name("playthrough.txt")
FIRST, SECOND, SEED = "icebox/greedy", "random/random:active", 7


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def observed(state: locm.State) -> Iterator[str]:
    """What a state shows of itself."""
    yield str(state)
    yield state.to_text()
    yield f"hash {state.hash:016x}"
    for player in (0, 1):
        view = state.view(player)
        yield f"view {player} hash {view.hash:016x}, text {digest(view.to_text())}, shown as {digest(str(view))}"
    actions = "; ".join(f"{state.action_number(action)} {action}" for action in state.legal_actions())
    yield f"legal {actions or 'none'}"


def playthrough() -> str:
    record = locm.play_one(FIRST, SECOND, seed=SEED)
    lines = [f"{FIRST} against {SECOND}, seed {SEED}"]
    for step, state in enumerate(record.replay()):
        action = str(record.actions[step]) if step < len(record.actions) else f"player {state.winner} has won"
        lines += ["", f"step {step}", *observed(state), f"then {action}"]
    return "\n".join([*lines, ""])


def test_a_game_looks_as_it_did() -> None:
    assert_golden(playthrough(), GOLDEN)


if __name__ == "__main__":
    GOLDEN.write_text(playthrough(), encoding="utf-8")
