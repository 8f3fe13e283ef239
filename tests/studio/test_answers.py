"""What the studio keeps: slow answers are made once for all who ask, of the newest state; lists push nothing out."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest

from deckatlas.studio.answers import Answers, Same
from deckatlas.studio.metagames import Metagames
from deckatlas.studio.shelf import Shelf
from helpers.studio import LONG


class Source:
    """Something that answers are made of; equal to all others."""

    def __eq__(self, other: object) -> bool:
        return True


def slowly(calls: list[int], begun: Event, go_on: Event) -> Callable[[], int]:
    def make() -> int:
        calls.append(1)
        begun.set()
        assert go_on.wait(LONG)
        return len(calls)

    return make


def test_those_who_ask_at_once_share_one_answer() -> None:
    answers, calls, begun, go_on = Answers(4), list[int](), Event(), Event()
    make = slowly(calls, begun, go_on)
    with ThreadPoolExecutor(8) as people:
        first = people.submit(answers.get, "key", 1, make)
        assert begun.wait(LONG)
        others = [people.submit(answers.get, "key", 1, make) for _ in range(7)]
        go_on.set()
        assert [each.result(LONG) for each in (first, *others)] == [1] * 8
    assert calls == [1]


def test_an_error_reaches_all_who_wait_and_is_not_kept() -> None:
    answers, begun, go_on = Answers(4), Event(), Event()

    def fail() -> int:
        begun.set()
        assert go_on.wait(LONG)
        raise LookupError("nothing there")

    with ThreadPoolExecutor(2) as people:
        first = people.submit(answers.get, "key", 1, fail)
        assert begun.wait(LONG)
        second = people.submit(answers.get, "key", 1, lambda: 2)
        go_on.set()
        with pytest.raises(LookupError):
            first.result(LONG)
        assert second.exception(LONG) is None or isinstance(second.exception(LONG), LookupError)
    assert answers.get("key", 1, lambda: 3) in (2, 3)


def test_an_answer_of_another_version_is_made_again() -> None:
    answers = Answers(4)
    assert answers.get("key", 1, lambda: "old") == "old"
    assert answers.get("key", 2, lambda: "new") == "new"
    assert answers.get("key", 2, lambda: "newer") == "new"


def test_equal_things_are_not_the_same_version() -> None:
    answers, one, other = Answers(4), Source(), Source()
    assert answers.get("key", Same(one), lambda: 1) == 1
    assert answers.get("key", Same(one), lambda: 2) == 1
    assert answers.get("key", Same(other), lambda: 3) == 3


def test_what_nobody_asked_for_longest_is_dropped() -> None:
    answers = Answers(2)
    for key in ("a", "b", "a", "c"):
        answers.get(key, 1, lambda: 1)
    assert answers.get("a", 1, lambda: 2) == 1
    assert answers.get("b", 1, lambda: 2) == 2


def test_lists_of_a_large_folder_push_out_no_view(studio_runs: Path, tmp_path: Path) -> None:
    (tmp_path / "hunter.db").write_bytes((studio_runs / "hunter.db").read_bytes())
    for number in range(100):
        (tmp_path / f"other-{number}.toml").write_text("name = 1\n")
    shelf = Shelf(tmp_path)
    view = shelf.view("hunter")
    growth = shelf.derived(view, "growth", lambda: "made")
    Metagames(shelf).all()
    assert shelf.view("hunter") is view
    assert shelf.derived(view, "growth", lambda: "made again") == growth


def test_a_changed_run_is_read_again(studio_runs: Path, tmp_path: Path) -> None:
    path = tmp_path / "hunter.db"
    path.write_bytes((studio_runs / "hunter.db").read_bytes())
    shelf = Shelf(tmp_path)
    before = shelf.view("hunter")
    shelf.derived(before, "growth", lambda: "old")
    path.write_bytes(path.read_bytes() + bytes(4096))
    after = shelf.view("hunter")
    assert after is not before
    assert shelf.derived(after, "growth", lambda: "new") == "new"
    assert shelf.derived(before, "growth", lambda: "of the older view") == "of the older view"
