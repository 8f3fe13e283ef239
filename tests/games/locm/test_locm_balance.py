"""Balance studies of Legends of Code and Magic: what a patch changes, what is searched, and what a study finds."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import deckatlas
from deckatlas import locm
from deckatlas.balancing.intents import Outcome
from deckatlas.balancing.study import Study
from deckatlas.balancing.subject import BASE, PATCHED
from deckatlas.balancing.trial_questions import CARD_IN_MIX, FOUND, INCLUSION, VARIETY
from deckatlas.errors import AgentError, CardError, DeckError, MatchError, RunError
from deckatlas.games.locm.agents import draft_policy, ranking_text
from deckatlas.games.locm.balance import NORMAL, LocmSubject, subject_of
from deckatlas.games.locm.changes import changed_cards
from deckatlas.games.locm.editions import Patch, official
from deckatlas.games.locm.metagame import metagame_of
from deckatlas.runs.in_turn import execute_in_turn
from deckatlas.runs.view import open_run

FIELD = """\
game = "locm"
pilot = "greedy"

[[entrant]]
draft = "icebox"
[[entrant]]
draft = "closetai"
[[entrant]]
draft = "random"
"""
STRONG = Patch("strong", {"Slimer": {"cost": 0, "attack": 12, "defense": 12, "keywords": "charge"}})
SMALL: dict[str, Any] = {
    "game": "locm",
    "effort": "normal",
    "games": 240,
    "trials": 2,
    "evaluations": 240,
    "evaluation_games": 100,
    "resolution": 4,
    "mix_games": 8,
}


@pytest.fixture(scope="module")
def field(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("field") / "three.toml"
    file.write_text(FIELD, encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("runs")


@pytest.fixture(scope="module")
def study(field: Path, runs: Path) -> Study:
    """A study of an absurdly strong card."""
    meant = ("Slimer in at least 60 % of draft elites", "icebox win rate in 0..100", "Slimer mix share at least 10")
    return deckatlas.balance(STRONG, meta=field, store=runs, threads=2, intents=meant, **SMALL)


def questions(study: Study, topic: str) -> dict[str, Any]:
    return {each.subject: each for each in study.questions if each.topic == topic}


def test_changes_are_named_card_by_card_in_words() -> None:
    changes: dict[str, dict[str, str | int]] = {
        "Slimer": {"cost": 2, "attack": 5, "keywords": "guard ward"},
        "Healing Potion": {"player_health": 3, "draw": 1},
        "Rootkin Ritual": {"keywords": "BC----"},
    }
    found = subject_of(Patch("several", changes)).changes
    assert [(each.card, each.words) for each in found] == [
        ("Slimer", "costs 2 instead of 1, has 5 attack instead of 2, gains Guard and Ward"),
        ("Rootkin Ritual", "loses Drain and Guard and Lethal and Ward"),
        ("Healing Potion", "has own health +3 instead of +5, has draw +1 instead of +0"),
    ]
    assert not any(each.is_new for each in found)
    assert changed_cards(official(), official()) == ()


def test_the_known_field_is_the_shipped_metagame_under_both_editions() -> None:
    subject = subject_of(STRONG)
    assert subject.fields[BASE].names == subject.fields[PATCHED].names == metagame_of("drafts").names
    assert [each.edition for each in subject.fields] == ["1.2", "strong"] == list(subject.editions)
    assert [each.pilots for each in subject.fields] == [("greedy",)] * 2  # as in the searches
    assert subject_of(STRONG, meta="drafts").fields[BASE].pilots == ("planner",)
    assert subject_of(STRONG, pilot="coac").fields[PATCHED].pilots == ("coac",)
    assert {*subject.classes} == {""}
    assert subject.cards == ("Slimer",)


def test_a_patch_can_change_another_patch(tmp_path: Path) -> None:
    (tmp_path / "first.toml").write_text('name = "first"\n[cards.Slimer]\ncost = 3\n', encoding="utf-8")
    (tmp_path / "second.toml").write_text('name = "second"\n[cards.Slimer]\nattack = 4\n', encoding="utf-8")
    stacked = subject_of(tmp_path / "second.toml", base=str(tmp_path / "first.toml"))
    assert stacked.editions == ("first", "second")
    assert [each.words for each in stacked.changes] == ["has 4 attack instead of 2"]
    assert stacked.fields[PATCHED].cards["Slimer"].cost == 3
    edition = official().patched(STRONG)
    assert subject_of(edition).changes == subject_of(STRONG).changes


@pytest.mark.parametrize(
    ("given", "options", "error", "message"),
    [
        (STRONG, {"classes": ["mage"]}, DeckError, "have no classes"),
        (STRONG, {"pilot": "nobody"}, AgentError, "nobody"),
        (STRONG, {"search_pilots": ["nobody"]}, AgentError, "nobody"),
        (STRONG, {"search_pilots": []}, MatchError, "needs a pilot"),
        (STRONG, {"meta": "nowhere"}, RunError, "no metagame 'nowhere'"),
        (STRONG, {"base": "2.0"}, CardError, "unknown edition '2.0'"),
        (official(), {}, CardError, "not a patched edition"),
        (Patch("x", {"Slimmer": {}}), {}, CardError, "did you mean 'Slimer'"),
        (Path("none.toml"), {}, CardError, "cannot read none.toml"),
    ],
)
def test_wrong_subjects_are_refused_in_one_line(
    given: Any, options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message) as raised:
        subject_of(given, **options)
    assert "\n" not in str(raised.value)


def test_an_absurdly_strong_card_is_picked_more_often(study: Study) -> None:
    found = questions(study, INCLUSION)["Slimer"]
    assert found.number == "the pick rate of Slimer among draft elites"
    assert found.shift.value > 0.3
    assert found.after.value > 0.7
    for trial in study.trials:
        before, after = (half.maps["draft", "greedy"].inclusion("Slimer") for half in trial.halves)
        assert after > before
    in_mix = questions(study, CARD_IN_MIX)["Slimer"]
    assert in_mix.after.value > in_mix.before.value


def test_sentences_speak_of_policies(study: Study) -> None:
    numbers = [each.number for each in study.questions]
    assert questions(study, FOUND)["Draft"].number == "the win rate of the best draft policies found"
    assert questions(study, VARIETY)["the field"].unit == "policies"
    assert not any("deck" in number for number in numbers)
    assert not any("Draft" in number for number in numbers)


def test_intents_are_about_cards_and_policies(study: Study, field: Path) -> None:
    outcomes: list[Outcome] = [*study.outcomes]
    assert [each.question.topic for each in outcomes] == [INCLUSION, "deck", CARD_IN_MIX]
    assert outcomes[1].verdict == "met"
    with pytest.raises(MatchError, match="there is no policy 'iceboks': did you mean 'icebox'") as raised:
        deckatlas.balance(STRONG, meta=field, intents=["iceboks win rate at most 50"], **SMALL)
    assert "\n" not in str(raised.value)
    with pytest.raises(MatchError, match=r'write it like "icebox win rate in 48\.\.52"'):
        deckatlas.balance(STRONG, meta=field, intents=["icebox"], **SMALL)


def test_the_same_seed_gives_the_same_verdict_on_any_number_of_threads(study: Study, field: Path) -> None:
    meant = [each.text for each in study.intents]
    again = deckatlas.balance(STRONG, meta=field, threads=1, intents=meant, **SMALL)
    assert json.dumps(again.to_json()) == json.dumps(study.to_json())


def test_a_second_patch_uses_the_searches_of_the_base_again(study: Study, field: Path, runs: Path) -> None:
    before = {file.name for file in runs.iterdir()}
    other = deckatlas.balance(Patch("other", {"Decimate": {"cost": 4}}), meta=field, store=runs, **SMALL)
    added = {file.name for file in runs.iterdir()} - before
    assert len([name for name in added if name.startswith("balance-draft")]) == SMALL["trials"]
    shared = [{*one.runs} & {*two.runs} for one, two in zip(study.trials, other.trials, strict=True)]
    assert [len(each) for each in shared] == [1] * SMALL["trials"]


def test_found_policies_are_texts_that_commands_read(study: Study) -> None:
    half = study.trials[0].halves[PATCHED]
    best = half.maps["draft", "greedy"].best
    assert len(best) == NORMAL.finalists
    played = locm.play(f"{best[0]}/greedy", "random/greedy", games=60, edition=official().patched(STRONG))
    assert (played["winner"] == 0).mean() > 0.5
    assert half.matchups.names[-2:] == ("found Draft", "found Draft (2)")


def test_elites_are_described_by_the_picks_of_their_policies(study: Study, runs: Path) -> None:
    subject = study.subject
    assert isinstance(subject, LocmSubject)
    (file,) = [each for each in runs.iterdir() if each.stem == study.trials[0].runs[0]]
    view = open_run(file)
    found = subject.found(view, BASE, best=1)
    elites = view.elites()
    assert found.holds.shape == (len(elites), 160)
    assert found.measures[:, 0] == pytest.approx([each.measures["deck_mana_mean"] for each in elites])
    scores = np.asarray(elites[0].solution)
    favourite = official().cards[int(scores.argmax())].name
    assert found.holds[0, found.cards.index(favourite)] > 0.9
    assert found.holds[0] == pytest.approx([*subject.held(ranking_text(scores), BASE).values()])
    assert found.holds.sum(axis=1) == pytest.approx(found.holds.sum(axis=1)[0], rel=0.2)  # a third of all offers


def test_half_of_the_searches_start_around_known_policies(field: Path, tmp_path: Path) -> None:
    subject = subject_of(STRONG, meta=field)
    options: dict[str, Any] = {"name": "tried", "pilot": "greedy", "seed": 3}
    size = NORMAL.size.__class__(evaluations=40, games=6, resolution=3)
    means = {}
    for from_known in (True, False):
        config = subject.search("draft", BASE, from_known=from_known, size=size, **options)
        path = tmp_path / f"{from_known}.db"
        execute_in_turn(config, path, threads=1, watch=None, advice="")
        means[from_known] = np.array(open_run(path).log.solutions).mean(axis=0)
    known = np.mean([[*subject.held(each.deck, BASE).values()] for each in subject.fields[BASE].entrants], axis=0)
    assert np.corrcoef(means[True], known)[0, 1] > 0.9
    assert np.abs(means[False] - 0.5).max() < 0.2


def test_a_patch_that_changes_nothing_plays_the_same_games(field: Path) -> None:
    nothing = deckatlas.balance(Patch("nothing", {}), meta=field, **SMALL | {"evaluations": 40, "evaluation_games": 6})
    assert nothing.questions
    assert all(each.shift.value == 0 for each in nothing.questions)
    assert not any(each.is_change for each in nothing.answers)


def test_a_ranking_has_a_short_text_that_drafts_the_same() -> None:
    scores = np.random.default_rng(1).integers(0, 40, 160) / 7 - 2  # many ties
    text = ranking_text(scores)
    assert len(text) == len("ranking:code=") + 214
    one, other = (locm.play((each, "greedy"), "icebox/greedy", games=80) for each in (scores.tolist(), text))
    assert np.array_equal(one["winner"], other["winner"])
    assert np.array_equal(one["turns"], other["turns"])


@pytest.mark.parametrize("code", ["ab", "ä" * 214, "*" * 214, "A" * 213, "A" * 215])
def test_a_wrong_code_of_a_ranking_is_refused_in_one_line(code: str) -> None:
    with pytest.raises(
        AgentError, match="is not the code of a ranking: a code has 214 characters, which are letters"
    ) as raised:
        draft_policy(f"ranking:code={code}")
    assert "\n" not in str(raised.value)
