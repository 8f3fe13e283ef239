"""Configurations: what is read, what is refused and with which line, overrides, and shrinking."""

import json
import time
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st
from pydantic import ValidationError

from deckatlas.documents.document import Document
from deckatlas.errors import RunError
from deckatlas.games.locm.run_config import LocmDraftRun
from deckatlas.games.locm.spaces import LocmDrafts, curve, priorities
from deckatlas.runs.config import SMOKE_BUDGET
from deckatlas.runs.read_config import config_of, read_config
from deckatlas.search.active_genes import ActiveGenesOptions
from helpers.runs import ALGORITHMS, EVERY_ALGORITHM

CONFIG = """\
seed = 1
budget = 20_000
[space]
kind = "locm-draft"
genome.kind = "priorities"
[search]
algorithm = "E_aw"
population = 8
tournament_games = 2
score_games = 4
[evaluation]
pilot = "random"
opponents = [
  "coac",
  "rg" ]
format = "distinct"
"""

EVEN = "a whole number from 2 to 4000, a multiple of 2"
SEED = "a whole number from 0 to 9223372036854775807"
RANGE = "a gene ranges from a lower to a higher number, not from 3 to 1"
NO_PROGRAM = "cannot start 'no-such-program': there is no such program"
NAME = "a name starts with a letter or digit and contains only letters, digits, spaces and . _ + -"


def read(
    folder: Path, text: str, *settings: str, smoke: bool = False, seed: int | None = None, name: str | None = None
) -> LocmDraftRun:
    file = folder / "run.toml"
    file.write_text(text, encoding="utf-8")
    config = read_config(file, settings=settings, smoke=smoke, seed=seed, name=name, allow_exec=True)
    assert isinstance(config, LocmDraftRun)
    return config


def complaint(folder: Path, text: str, *settings: str, seed: int | None = None, name: str | None = None) -> str:
    with pytest.raises(RunError) as error:
        read(folder, text, *settings, seed=seed, name=name)
    assert "\n" not in str(error.value)
    return str(error.value).replace(str(folder / "run.toml"), "FILE")


def test_a_configuration_is_read_and_its_defaults_are_filled_in(tmp_path: Path) -> None:
    config = read(tmp_path, CONFIG)
    values = config.to_json()
    assert (config.name, config.seed, config.budget) == ("run", 1, 20_000)
    assert values["space"]["genome"] == {"kind": "priorities", "low": 0.0, "high": 1.0, "integer": False}
    chosen = {"pilot": "random", "opponents": ["coac", "rg"], "format": "distinct"}
    assert values["evaluation"] == {**chosen, "files": {}, "games": 200, "seeds": "common"}
    assert (values["search"]["population"], values["search"]["parent_weight"]) == (8, 0.75)


@pytest.mark.parametrize("algorithm", EVERY_ALGORITHM)
def test_the_configuration_of_every_algorithm_round_trips_as_json(tmp_path: Path, algorithm: str) -> None:
    text = EVERY_ALGORITHM[algorithm]
    for config in (read(tmp_path, text), read(tmp_path, text, smoke=True)):
        assert config.search.algorithm == algorithm
        assert config_of(Document("JSON", json.loads(json.dumps(config.to_json())))) == config


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        # unknown keys
        ("seed", "sed", "FILE, line 1: unknown key 'sed': did you mean 'seed'?"),
        ("popula", "populla", "FILE, line 8: unknown key 'popullation' in [search]: did you mean 'population'?"),
        ("algorithm", "algoritm", "FILE, line 7: unknown key 'algoritm' in [search]: did you mean 'algorithm'?"),
        ("[search]", "[serch]", "FILE, line 6: unknown key 'serch': did you mean 'search'?"),
        ("pilot =", "zzz =", "FILE, line 12: unknown key 'zzz' in [evaluation]: known: files, format, "),
        ("seed = 1", "evaluation.pilto = 1", "FILE, line 11: not TOML: Cannot declare ('evaluation',) twice"),
        # missing
        ('algorithm = "E_aw"', "", "FILE, line 6: search.algorithm is missing: it must be 'E_a', 'E_all', "),
        (CONFIG, "seed = 1", "FILE: [space] needs a kind: one of "),
        (CONFIG, "space.kind = 'locm-draft'", "FILE: search is missing: it must be a table"),
        ("space]", "genome]", "FILE, line 3: the table [genome] is now called [space]: see docs/runs.md"),
        ("evaluation]", "arena]", "FILE, line 11: the table [arena] is now called [evaluation]: see docs/runs.md"),
        (
            '"locm-draft"',
            '"locm-drafts"',
            "FILE, line 4: unknown kind of space 'locm-drafts': did you mean 'locm-draft'?",
        ),
        # values
        ("= 8", "= 7", f"FILE, line 8: search.population must be {EVEN}, not 7"),
        ("= 8", "= '8'", f"FILE, line 8: search.population must be {EVEN}, not '8'"),
        ("= 8", "= true", f"FILE, line 8: search.population must be {EVEN}, not true"),
        ("= 8", "= {}", f"FILE, line 8: search.population must be {EVEN}, not a table"),
        ("= 8", "= 8\nmutation = 1.5", "FILE, line 9: search.mutation must be a number from 0 to 1, not 1.5"),
        ("= 8", "= 8\nmutation = nan", "FILE, line 9: search.mutation must be a finite number, not nan"),
        ("seed = 1", "seed = -1", f"FILE, line 1: seed must be {SEED}, not -1"),
        ("seed = 1", "seed = 1.5", f"FILE, line 1: seed must be {SEED}, not 1.5"),
        ("seed = 1", "seed = 2020-01-01", "FILE, line 1: seed cannot be a date or a time"),
        ("seed = 1", "name = 'a/b'", f"FILE, line 1: name: {NAME}"),
        ('"distinct"', '"x"', "FILE, line 16: evaluation.format must be 'referee' or 'distinct', not 'x'"),
        ('"E_aw"', '"E_aww"', "FILE, line 7: unknown algorithm 'E_aww': did you mean 'E_aw'?"),
        ('"priorities"', '"priority"', "FILE, line 5: unknown kind 'priority': did you mean 'priorities'?"),
        (
            '"random"',
            '"gredy"',
            "FILE, line 12: evaluation.pilot: unknown battle agent 'gredy': did you mean 'greedy'?",
        ),
        ('"rg"', '"rgg"', "FILE, line 15: evaluation.opponents[1]: unknown agent 'rgg': did you mean 'rg'?"),
        ('"coac"', '"exec:no-such-program"', f"FILE, line 14: evaluation.opponents[0]: {NO_PROGRAM}"),
        ("opponents = [", "opponents = [3,", "FILE, line 13: evaluation.opponents[0] must be a text, not 3"),
        # what does not go together
        ("= 8", "= 2", "FILE, line 8: search: tournament_size must be at most population, which is 2, not 4"),
        ('ties"', 'ties"\ngenome.low = 3', f"FILE, line 6: space.genome: {RANGE}"),
        (
            'ties"',
            'ties"\ngenome.low = 0.5\ngenome.integer = true',
            "FILE, line 7: space.genome: the range of a whole-number gene must have whole numbers ",
        ),
        ("= 20_000", "= 10", "FILE, line 2: a generation of E_aw costs "),
        ("budget = 20_000", "", "FILE, line 7: E_aw does not end by itself: it needs a budget"),
        # not TOML
        ("seed = 1", "seed =", "FILE, line 1: not TOML: "),
        ("budget = 20_000", "seed = 2", "FILE, line 2: not TOML: "),
        ("seed = 1", "x = " + "[" * 100_000, "FILE: lists or tables are nested too deeply"),
        # [smoke] is held to the same, even where it is not asked for
        ("[space]", "[smoke]\nsearch.popultion = 3\n[space]", "FILE, line 4: unknown key 'popultion' in [search]"),
        ("[space]", "[smoke]\nserch.x = 3\n[space]", "FILE, line 4: unknown key 'serch': did you mean 'search'?"),
        ("[space]", "smoke = 3\n[space]", "FILE, line 3: smoke must be a table"),
    ],
)
def test_what_is_wrong_is_one_line_with_the_place_and_what_would_be_right(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    assert old in CONFIG
    assert complaint(tmp_path, CONFIG.replace(old, new)).startswith(message)


def test_the_first_mistake_of_a_file_is_told(tmp_path: Path) -> None:
    text = CONFIG.replace("= 8", "= 7").replace('"distinct"', '"x"').replace("seed = 1", "seed = -1")
    assert "line 1:" in complaint(tmp_path, text)
    assert "line 8:" in complaint(tmp_path, text.replace("seed = -1", "seed = 1"))


def test_a_search_that_meets_opponents_needs_one(tmp_path: Path) -> None:
    text = "budget = 10_000\nspace.kind = 'locm-draft'\n[search]\nalgorithm = 'dbga'\n[evaluation]\npilot = 'random'\n"
    needed = "evaluation.opponents must have 1 or more entries for dbga, not 0"
    assert complaint(tmp_path, text) == f"FILE, line 5: {needed}"
    assert complaint(tmp_path, f"{text}opponents = []\n") == f"FILE, line 7: {needed}"


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"cannot read .*: No such file"):
        read_config(tmp_path / "missing.toml")
    file = tmp_path / "latin.toml"
    file.write_bytes(b"seed = 1\nname = '\xe9'\n")
    with pytest.raises(RunError, match=r"latin\.toml, line 2: not UTF-8"):
        read_config(file)


# ---- overrides -------------------------------------------------------------------------------------------------------


def test_settings_replace_values_and_make_tables(tmp_path: Path) -> None:
    config = read(
        tmp_path, CONFIG, "search.population=20", "evaluation.pilot=greedy", 'evaluation.opponents=["random"]'
    )
    assert config.search.model_dump()["population"] == 20
    assert (config.evaluation.pilot, config.evaluation.opponents) == ("greedy", ("random",))
    bare = "budget = 200_000\nspace.kind = 'locm-draft'"
    made = read(tmp_path, bare, "search.algorithm=R_t", "evaluation.pilot=mcts:playouts=400", "name = other")
    assert (made.search.algorithm, made.evaluation.pilot, made.name) == ("R_t", "mcts:playouts=400", "other")
    assert (
        read(tmp_path, CONFIG, seed=7, name="b c").to_json() | {"seed": 1, "name": "run"}
        == read(tmp_path, CONFIG).to_json()
    )


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("search.population=3", f"search.population must be {EVEN}, not 3"),
        ("search.populatio=4", "unknown key 'populatio' in [search]: did you mean 'population'?"),
        (
            "evaluation.pilot=mcts:playots=3",
            "evaluation.pilot: 'mcts' has no option 'playots': did you mean 'playouts'?",
        ),
        ("evaluation.opponents=coac", "evaluation.opponents must be a list, not 'coac'"),
        ('evaluation.opponents=["coac", "rgg"]', "evaluation.opponents[1]: unknown agent 'rgg': did you mean 'rg'?"),
        ("seed.x=3", "seed is not a table"),
        ("seed", "write KEY=VALUE, such as search.population=20"),
        ("=3", "write KEY=VALUE, such as search.population=20"),
        ("a..b=3", "write KEY=VALUE, such as search.population=20"),
        (f"{'a.' * 99}a=3", "the key has 100 parts, but it may have at most 64"),
    ],
)
def test_a_wrong_setting_is_named_instead_of_a_line(tmp_path: Path, setting: str, message: str) -> None:
    with pytest.raises(RunError) as error:
        read(tmp_path, CONFIG, setting)
    assert str(error.value) == f"--set {setting}: {message}"


def test_a_key_of_sixty_thousand_parts_is_refused_at_once(tmp_path: Path) -> None:
    begun = time.process_time()
    with pytest.raises(RunError, match="the key has 60,001 parts"):
        read(tmp_path, CONFIG, f"{'a.' * 60_000}a=3")
    assert time.process_time() - begun < 5


def test_a_setting_that_is_not_utf_8_is_refused_as_such(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"^--set 'seed=\\udcff': it is not UTF-8$"):
        read(tmp_path, CONFIG, "seed=\udcff")


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("budget=10", "a generation of E_aw costs 224 games, more than the budget of 10"),
        ("search.score_games=9998", "a generation of E_aw costs 80176 games, more than the budget of 20000"),
        ("search.tournament_size=20", "search: tournament_size must be at most population, which is 8, not 20"),
        ("search.population=2", "search: tournament_size must be at most population, which is 2, not 4"),
        ("search.active_drafts=2", "search: training_drafts must be at least active_drafts, which is 2"),
        ("space.genome.low=5", "space.genome: a gene ranges from a lower to a higher number, not from 5 to 1"),
        ("search.algorithm=dbga", "unknown key 'training_drafts' in [search]: known: algorithm, alpha, "),
        ("search.algorithm=card-values", "unknown key 'training_drafts' in [search]: known: algorithm, bend_spread, "),
        ("space.genome.kind=curve", "unknown key 'low' in [space.genome]: known: kind"),
    ],
)
def test_a_setting_that_does_not_go_with_others_is_named_instead_of_a_line(
    tmp_path: Path, setting: str, message: str
) -> None:
    text = CONFIG.replace('ties"', 'ties"\ngenome.low = 0.5').replace('E_aw"', 'E_aw"\ntraining_drafts = 1')
    assert complaint(tmp_path, text, setting).startswith(f"--set {setting}: {message}")


@pytest.mark.parametrize("algorithm", EVERY_ALGORITHM)
def test_an_absurd_size_is_one_line(tmp_path: Path, algorithm: str) -> None:
    fields = ALGORITHMS[algorithm].model_fields
    sizes = [name for name, field in fields.items() if int in (field.annotation, *get_args(field.annotation))]
    assert sizes
    for name in sizes:
        for value in (10**12, 2**63 - 2, 10**30):
            setting = f"search.{name}={value}"
            expected = f"--set {setting}: search"
            assert complaint(tmp_path, EVERY_ALGORITHM[algorithm], setting).startswith(expected)


@pytest.mark.parametrize("algorithm", EVERY_ALGORITHM)
def test_the_largest_budget_is_a_search_or_one_line(tmp_path: Path, algorithm: str) -> None:
    setting = f"budget={2**63 - 1}"
    try:
        config = read(tmp_path, EVERY_ALGORITHM[algorithm], setting)
    except RunError as error:
        assert str(error).startswith(f"--set {setting}: ")  # noqa: PT017 - both are fine
    else:
        assert config.budget == 2**63 - 1


def test_an_algorithm_set_by_the_command_line_is_blamed_for_what_it_needs(tmp_path: Path) -> None:
    for algorithm, message in (
        ("dbga", "evaluation.opponents must have 1 or more entries for dbga, not 0"),
        ("E_b", "E_b does not end by itself: it needs a budget"),
        ("card-values", "card-values needs genomes of the kind 'curve', not 'priorities'"),
    ):
        setting = f"search.algorithm={algorithm}"
        text = "[space]\nkind = 'locm-draft'\n[search]\nalgorithm = 'R_t'\n"
        assert complaint(tmp_path, text, setting) == f"--set {setting}: {message}"


def test_a_setting_of_several_lines_is_one_value_and_its_complaint_one_line(tmp_path: Path) -> None:
    expected = rf"--set 'seed=1\nbudget = 3': seed must be {SEED}, not '1\nbudget = 3'"
    assert complaint(tmp_path, CONFIG, "seed=1\nbudget = 3") == expected


def test_a_wrong_seed_or_name_of_the_command_line_is_named(tmp_path: Path) -> None:
    assert complaint(tmp_path, CONFIG, seed=-3) == f"--seed -3: seed must be {SEED}, not -3"
    assert complaint(tmp_path, CONFIG, name="../x") == f"--name ../x: name: {NAME}"


# ---- smoke -----------------------------------------------------------------------------------------------------------


def test_smoke_shrinks_by_the_general_rule(tmp_path: Path) -> None:
    text = CONFIG.replace("= 8", "= 100")
    full, small = read(tmp_path, text), read(tmp_path, text, smoke=True)
    assert small.search == full.search.smoke() != full.search
    assert (small.budget, small.name) == (SMOKE_BUDGET, "run-smoke")
    assert read(tmp_path, text.replace("20_000", "2_000"), smoke=True).budget == 2_000


NUMBER = st.integers(1, 1000)
EVEN_NUMBER = NUMBER.map(lambda number: 2 * number)
SEAT = st.sampled_from(["first", "second", "both"])
SIZES: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    **{
        name: {
            **dict.fromkeys(("tournament_games", "score_rounds", "active_drafts", "repeats", "bests"), NUMBER),
            "population": EVEN_NUMBER,
            "score_games": EVEN_NUMBER,
            "tournament_size": st.integers(2, 32),
            "training_drafts": st.none() | NUMBER,
            "parents": st.sampled_from(["a tournament each", "one tournament for both"]),
        }
        for name in ("E_a", "E_aw", "E_all")
    },
    "E_b": dict.fromkeys(("population", "training_drafts", "tournament_size", "elitism"), NUMBER)
    | {"score_games": EVEN_NUMBER},
    **{
        name: {"population": NUMBER, "training_drafts": NUMBER, "score_games": st.none() | EVEN_NUMBER}
        for name in ("R_e", "R_t")
    },
    "dbga": {"population": st.none() | NUMBER, "generations": st.none() | NUMBER, "games": NUMBER, "seat": SEAT},
    "random-search": {"solutions": st.none() | NUMBER, "games": NUMBER, "seat": SEAT},
    "card-values": dict.fromkeys(("rounds", "explorers", "games"), NUMBER),
}
WORLDS = {name: LocmDrafts(curve() if name == "card-values" else priorities()) for name in SIZES}


def test_the_sizes_of_every_algorithm_are_tried() -> None:
    assert {*SIZES} == {*EVERY_ALGORITHM}
    for name, options in ALGORITHMS.items():
        sizes = {key for key, field in options.model_fields.items() if field.annotation in (int, int | None)}
        assert sizes <= {*SIZES[name]}


@given(data=st.data())
def test_any_options_shrink_to_a_search_that_a_few_games_and_the_old_budget_pay_for(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(SIZES)))
    values = data.draw(st.fixed_dictionaries({}, optional=SIZES[name]))
    try:
        options = ALGORITHMS[name](**values)
    except ValidationError:
        reject()
    world, smoke = WORLDS[name], options.smoke()
    search = smoke.make(space=world.genomes, budget=SMOKE_BUDGET, seed=1, world=world)
    assert 0 < search.games <= SMOKE_BUDGET
    if isinstance(options, ActiveGenesOptions) and isinstance(smoke, ActiveGenesOptions):
        assert smoke.generation_games <= options.generation_games
    assert smoke.smoke() == smoke


def test_smoke_applies_the_table_of_the_file_instead(tmp_path: Path) -> None:
    text = f"{CONFIG}\n[smoke]\nbudget = 500\nsearch.population = 4\nevaluation.opponents = []\n"
    assert read(tmp_path, text) == read(tmp_path, CONFIG)
    small = read(tmp_path, text, smoke=True)
    expected = read(tmp_path, CONFIG, "budget=500", "search.population=4", "evaluation.opponents=[]", "name=run-smoke")
    assert small == expected


def test_settings_win_over_smoke_and_a_name_stays_as_given(tmp_path: Path) -> None:
    for text in (CONFIG, f"{CONFIG}\n[smoke]\nsearch.population = 4\n"):
        small = read(tmp_path, text, "search.population=6", smoke=True, name="mine")
        assert (small.search.model_dump()["population"], small.name) == (6, "mine")
