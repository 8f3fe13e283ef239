"""A short, fixed part of the fuzzing of the bindings: `make fuzz-bindings` is the long one."""

from itertools import islice

import pytest

from fuzz.bindings import cases, kept_cases, run
from fuzz.calls import call_names, new_call


def test_every_call_works_as_it_stands() -> None:
    names = call_names()
    assert names
    for place in range(len(names)):
        new_call(place).run()  # raises if the call is wrong


@pytest.mark.parametrize("part", range(4))
def test_kept_cases_end_in_a_named_way(part: int) -> None:
    cases_of_part = kept_cases()[part::4]
    assert cases_of_part
    for case in cases_of_part:
        run(case)  # raises if it ends in another way


@pytest.mark.parametrize("seed", range(4))
def test_changed_calls_end_in_a_named_way(seed: int) -> None:
    wrong = {}
    for case in islice(cases(seed, kept_cases()), 150):
        try:
            run(case)
        except Exception as error:
            wrong[str(case)] = type(error).__name__
    assert wrong == {}
