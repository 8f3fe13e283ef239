"""The documents are true: their Python runs, links and paths lead somewhere, and their command lines can be typed."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from deckatlas import games
from deckatlas.games import BUILT_IN
from deckatlas.games.hearthstone.run_config import HearthstoneDeckTable, HearthstoneEvaluationTable
from deckatlas.games.locm.run_config import LocmDeckTable, LocmDraftTable, LocmEvaluationTable
from deckatlas.models.recipes import RECIPES
from deckatlas.search.archive_options import GridOptions, SlidingOptions
from deckatlas.search.cma_searches import CmaEs, CmaMe
from deckatlas.search.map_searches import MapElites, MuPlusLambda, RandomSolutions
from deckatlas.search.surrogate_search import SurrogateMapElites
from helpers.command_line import CommandLine, all_commands

ROOT = Path(__file__).parents[2]
DOCUMENTS = {str(path.relative_to(ROOT)): path for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"))}
COMMANDS = all_commands()

RUNS, MAPS, OWN_GAME, META = "docs/runs.md", "docs/maps.md", "docs/your-own-game.md", "docs/metagame.md"
QUESTIONS, BALANCE, REBALANCE = "docs/questions.md", "docs/balance.md", "docs/rebalance.md"
PATTERNS = "docs/patterns.md"
LOCM = "docs/locm.md"

# What makes the commands of these documents quick, and the files that they are to have written.
SMALLER = {
    RUNS: {"run": ["--set", "budget=20000"], "play": ["--games", "10"]},
    MAPS: {
        "run": [
            *("--set", "search.evaluations=8", "--set", "search.initial=4", "--set", "evaluation.games=2"),
            *("--recheck-games", "2"),
        ],
        "play": ["--games", "10"],
    },
    PATTERNS: {
        "run": ["--set", "search.evaluations=60", "--set", "search.initial=30", "--set", "evaluation.games=2"],
        "patterns": ["--games", "2", "--pilot", "greedy"],
    },
    QUESTIONS: {
        "compare": ["--games", "200"],
        "improve": [
            *("--games", "2900", "--confirm-games", "200"),
            *("--search-pilot", "greedy", "--pilot", "greedy"),
        ],
        "evaluate": ["--games", "30"],
    },
    BALANCE: {
        "balance": [
            *("--meta", "field-2018", "--games", "2208", "--pilot", "greedy"),
        ],
        "balance locm": [
            *("--games", "840", "--pilot", "greedy", "--mix-games", "2"),
            *("--trials", "2", "--evaluations", "60", "--evaluation-games", "15"),
        ],
    },
    REBALANCE: {"rebalance": ["--set", "budget=4300", "--set", "confirm.patches=0"]},
    META: {
        "meta": ["--games", "4", "--pilot", "greedy"],
        "meta grow": [
            *("--games", "400", "--finalists", "2", "--matchup-games", "4", "--final-games", "4"),
            *("--confirm-games", "4", "--pilot", "greedy"),
        ],
        "evaluate": ["--games", "4", "--pilot", "greedy"],
    },
    LOCM: {
        "cards": ["--games", "20"],
        "compare": ["--games", "300", "--pilot", "random"],
        "gauntlet": ["--games", "10"],
        "meta": ["--games", "2", "--pilot", "random"],
        "play": ["--games", "10"],
    },
    OWN_GAME: {
        "run": ["--set", "search.evaluations=8", "--set", "search.initial=4", "--set", "evaluation.games=6"],
    },
}
WRITTEN = {
    PATTERNS: ("patterns.png", "pairs.csv", "corner.json", "where.png"),
    QUESTIONS: ("decks.json", "swaps.json"),
    BALANCE: ("verdict.html", "verdict.json", "verdict.csv"),
    REBALANCE: ("front.html", "front.json", "patches/mage-1.toml"),
    LOCM: ("pairs.csv", "rates.csv", "rates.json"),
    META: (
        *("field.html", "field.png", "mix.toml", "field.json", "grown.toml", "grown.html", "grown.png"),
        *("policies.json", "opponents.toml"),
    ),
    OWN_GAME: ("skirmish.py", "runs/skirmish-map.db", "skirmish-map.html", "skirmish-map.png", "elites.csv"),
    RUNS: ("runs/evolution.db", "generations.csv", "evolution.json", "best.json", "evolution.svg"),
    MAPS: (
        *("runs/hunter.db", "hunter.png", "hunter.html", "drafts.svg", "turns.png", "elites.png", "density.png"),
        *("trials.svg", "recheck.png", "elites.csv", "curve.csv", "hunter.json", "frame.csv", "best.toml", "cards.csv"),
        *("best.json", "predictions.png", "rounds.png", "candidates.csv", "model.json"),
    ),
}

_FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_CODE = re.compile(r"`([^`]+)`")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def blocks(path: Path, *languages: str) -> Iterator[tuple[int, str]]:
    """The blocks of code in these languages, each with the number of its first line."""
    text = path.read_text(encoding="utf-8")
    for match in _FENCE.finditer(text):
        if match[1] in languages:
            yield text.count("\n", 0, match.start(2)) + 1, match[2]


def prose(path: Path) -> str:
    """A document without its blocks of code."""
    return _FENCE.sub("", path.read_text(encoding="utf-8"))


def command_lines(path: Path) -> Iterator[list[str]]:
    """Every command of the shell blocks, as words: without prompts, comments, redirections and pipes."""
    for _, block in blocks(path, "sh", "console", "bash"):
        for line in block.replace("\\\n", " ").splitlines():
            lexer = shlex.shlex(line.removeprefix("$ "), posix=True, punctuation_chars="|&;<>")
            lexer.whitespace_split = True
            words: list[str] = []
            for word in lexer:
                if word[0] in "|&;<>":
                    break
                words.append(word)
            if words:
                yield [Path(words[0]).name, *words[1:]]


TYPED = [(name, words) for name, path in DOCUMENTS.items() for words in command_lines(path)]
OURS = [words[1:] for _, words in TYPED if words[0] == "deckatlas"]
MADE = [words[1:] for _, words in TYPED if words[0] == "make"]
IN_HELP = [
    shlex.split(line.partition("Example: deckatlas ")[2])
    for command in COMMANDS.values()
    for line in command.help.splitlines()
    if "Example: deckatlas " in line
]


@pytest.fixture(autouse=True)
def _own_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that a document registers, no other test knows."""
    monkeypatch.setattr(games, "_registered", {})
    monkeypatch.setattr(games, "_imported", set())


def test_there_are_documents_with_python_and_commands() -> None:
    assert "README.md" in DOCUMENTS
    assert list(blocks(DOCUMENTS["README.md"], "python"))
    assert OURS
    assert MADE
    assert IN_HELP


@pytest.mark.parametrize("name", [name for name, path in DOCUMENTS.items() if any(blocks(path, "python"))])
@pytest.mark.long
def test_the_python_of_a_document_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, object] = {"__name__": "__main__"}
    for line, block in blocks(DOCUMENTS[name], "python"):
        exec(compile("\n" * (line - 1) + block, DOCUMENTS[name], "exec"), namespace)
    assert len(namespace) > 1, "the Python of the document defines nothing"


def anchors(path: Path) -> set[str]:
    """What can follow the # of a link to a document."""
    kept = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in _HEADING.findall(prose(path)))
    return {heading.replace(" ", "-") for heading in kept}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_links_of_a_document_lead_to_something(name: str) -> None:
    path = DOCUMENTS[name]
    for link in _LINK.findall(prose(path)):
        if re.match(r"\w+:", link):
            continue
        target, _, anchor = link.partition("#")
        found = path.parent / target if target else path
        assert found.exists(), link
        assert not anchor or anchor in anchors(found), link


def experiment_paths(path: Path) -> Iterator[str]:
    """The paths in code, within sentences, of what is in the folder of experiments."""
    for code in _CODE.findall(prose(path)):
        yield from (word for word in code.split() if word.startswith("experiments/"))


def test_there_are_paths_of_experiments_in_the_documents() -> None:
    assert "experiments/dbga/searches.toml" in experiment_paths(DOCUMENTS["docs/reproduction-dbga.md"])


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_paths_of_experiments_in_a_document_are_there(name: str) -> None:
    for named in experiment_paths(DOCUMENTS[name]):
        pattern = re.sub(r"\b[A-Z]+\b", "*", named)  # PAPER and ITEM stand for all
        assert list(ROOT.glob(pattern)), named


@pytest.mark.parametrize("words", OURS + IN_HELP, ids=shlex.join)
def test_a_command_line_of_the_documents_and_the_help_can_be_typed(words: list[str]) -> None:
    name, rest = (" ".join(words[:2]), words[2:]) if " ".join(words[:2]) in COMMANDS else (words[0], words[1:])
    assert name in COMMANDS
    COMMANDS[name].make_context(name, rest)  # raises if an option or argument is wrong


@pytest.mark.parametrize(
    "words",
    [
        words
        for words in OURS + IN_HELP
        if words[0] in ("play", "gauntlet", "game", "agents")
        and words[1] in BUILT_IN
        and "exec:" not in " ".join(words)
        and "genome:file=" not in " ".join(words)
        and ".toml" not in " ".join(words)
    ],
    ids=shlex.join,
)
def test_a_command_line_that_plays_does_so(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    few = ["--games", "10"] if words[0] in ("play", "gauntlet") else []
    code, out, errors = CommandLine(monkeypatch, capsys)(*words, *few)
    assert (code, errors) == (0, "")
    assert out


@pytest.mark.parametrize("document", SMALLER)
@pytest.mark.long
def test_the_commands_of_a_document_work_in_their_order(
    document: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DECKATLAS_RUNS", raising=False)
    for name, content in re.findall(r"^```\w+ (\S+)\n(.*?)^```", DOCUMENTS[document].read_text("utf-8"), re.M | re.S):
        with (tmp_path / name).open("a", encoding="utf-8") as file:
            file.write(content)
    for words in command_lines(DOCUMENTS[document]):
        if words[0] == "export":
            monkeypatch.setenv(*words[1].split("="))
            continue
        assert words[0] == "deckatlas"
        smaller = SMALLER[document]
        fewer = smaller.get(" ".join(words[1:3]), smaller.get(words[1], []))
        code, _, errors = CommandLine(monkeypatch, capsys)(*words[1:], *fewer)
        assert (code, errors) == (0, ""), words
    for name in WRITTEN[document]:
        assert (tmp_path / name).stat().st_size


def keys_of(*models: type[BaseModel], table: str) -> set[str]:
    return {f"{table}.{field.alias or name}" for model in models for name, field in model.model_fields.items()}


def test_every_key_of_a_map_is_in_the_document_about_maps() -> None:
    keys = (
        keys_of(HearthstoneDeckTable, LocmDeckTable, LocmDraftTable, table="space")
        | keys_of(HearthstoneEvaluationTable, LocmEvaluationTable, table="evaluation")
        | keys_of(GridOptions, SlidingOptions, table="archive")
        | keys_of(MapElites, RandomSolutions, MuPlusLambda, CmaMe, CmaEs, SurrogateMapElites, table="search")
        | {f"training.{option}" for option in RECIPES["published"]}
    )
    assert len(keys) > 25
    assert keys <= {*_CODE.findall(prose(DOCUMENTS[MAPS]))}


def _shown(value: Any) -> str:
    """A value of a recipe as the document writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f"`{value}`"
    return str(list(value)) if isinstance(value, tuple) else f"{value:g}"


@pytest.mark.parametrize("option", RECIPES["published"])
def test_the_recipes_of_surrogates_are_those_of_the_document(option: str) -> None:
    shown = [_shown(RECIPES[recipe][option]) for recipe in ("published", "deckatlas")]
    text = DOCUMENTS[MAPS].read_text(encoding="utf-8")
    assert f"| `training.{option}` | {' | '.join(shown)} | " in text


def test_what_the_documents_make_the_makefile_knows() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([\w-]+):", makefile, re.MULTILINE))
    assert {word for words in MADE for word in words if "=" not in word} <= targets  # FOLDER=demo is a variable
