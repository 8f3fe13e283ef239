"""A short, fixed part of the fuzzing of the bindings: `make fuzz-bindings` is the long one."""

from itertools import islice

import pytest

from fuzz.bindings import cases, kept_cases, run
from fuzz.calls import call_names, new_call


def test_every_call_works_as_it_stands() -> None:
    for place in range(len(call_names())):
        new_call(place).run()


@pytest.mark.parametrize("part", range(4))
def test_kept_cases_end_in_a_named_way(part: int) -> None:
    for case in kept_cases()[part::4]:
        run(case)


@pytest.mark.parametrize("seed", range(4))
def test_changed_calls_end_in_a_named_way(seed: int) -> None:
    for case in islice(cases(seed, kept_cases()), 150):
        try:
            run(case)
        except Exception as error:
            raise AssertionError(f"{case} raised {type(error).__name__}") from error
