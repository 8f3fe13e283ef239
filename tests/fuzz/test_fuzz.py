"""A short part of the fuzzing, always the same: no file of any kind ends in a traceback."""

import random
from pathlib import Path

import pytest

from fuzz.fuzzing import CORPUS, Campaign
from fuzz.parsers import PARSERS

FILES = {"store": 25, "patch": 40, "run": 40, "targets": 25}


def campaign(name: str, folder: Path) -> Campaign:
    return Campaign(name, PARSERS[name], random.Random(f"the same {name}"), folder)


@pytest.mark.parametrize("name", PARSERS)
def test_mutated_files_are_read_or_refused(name: str, tmp_path: Path) -> None:
    fuzzed = campaign(name, tmp_path)
    for _ in range(FILES.get(name, 100)):
        fuzzed.step()
    assert fuzzed.findings == []


@pytest.mark.parametrize("name", PARSERS)
def test_seeds_are_valid_and_kept_files_cause_no_traceback(name: str, tmp_path: Path) -> None:
    parser = PARSERS[name]
    file = tmp_path / f"seed{parser.ending}"
    for seed in parser.seeds():
        file.write_bytes(seed)
        parser.read(file)
    fuzzed = campaign(name, tmp_path)
    for kept in (CORPUS / name).glob("*"):
        file.write_bytes(kept.read_bytes())
        assert fuzzed.problem_with(file) is None


def test_the_corpus_is_small() -> None:
    assert sum(path.stat().st_size for path in CORPUS.rglob("*") if path.is_file()) < 500_000
