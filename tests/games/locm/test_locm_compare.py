"""Comparisons of draft policies and editions: the games are those of matches, and pairing keeps the offers the same."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deckatlas import locm
from deckatlas.errors import DeckatlasError
from deckatlas.games.locm.compare import compare, paired_games
from deckatlas.games.locm.editions import Edition, Patch, official
from deckatlas.games.locm.match import play
from deckatlas.search.batches import seed_of

BRUTAL = Patch("brutal", {card.name: {"attack": 12} for card in locm.cards() if card.type == "creature"})


def test_policies_play_the_games_of_matches() -> None:
    played = paired_games("icebox", "coac/greedy", against=["closetai", "random/pass"], seed=3)
    won = played.play(range(5), progress=None)
    for side, name in enumerate(("icebox/greedy", "coac/greedy")):
        for number, opponent in enumerate(("closetai/greedy", "random/pass")):
            match = play(name, opponent, games=10, seed=seed_of(3, "opponent", number))
            is_won = match["winner"] == 0
            assert won[side, :, number].sum() == is_won.sum()
            assert won[side, :, number, 0].sum() == is_won[match["first"] == 0].sum()


def test_rounds_can_be_played_in_parts() -> None:
    played = paired_games("icebox", "coac", against=["closetai"])
    parts = [played.play(part, progress=None) for part in (range(3), range(3, 8))]
    assert np.array_equal(played.play(range(8), progress=None), np.concatenate(parts, axis=1))


@pytest.mark.parametrize("paired", [True, False])
def test_a_policy_is_as_good_as_itself(paired: bool) -> None:
    found = compare("icebox", "icebox", against=["coac"], games=800, paired=paired)
    assert found.verdict == "undecided"
    assert (found.difference.value == 0) == paired


def test_a_policy_plays_the_same_seeds_in_both_editions() -> None:
    brutal = official().patched(BRUTAL)
    played = paired_games("1.2", brutal, policy="icebox", against=["closetai"], seed=3)
    assert (played.kind, played.names) == ("edition", ("1.2", "brutal"))
    won = played.play(range(20), progress=None)
    for side, edition in enumerate((official(), brutal)):
        match = play("icebox/greedy", "closetai/greedy", games=40, seed=seed_of(3, "opponent", 0), edition=edition)
        assert won[side].sum() == match.wins
    assert not np.array_equal(won[0], won[1])


def test_policies_are_compared_in_an_edition() -> None:
    brutal = official().patched(BRUTAL)
    played = paired_games("icebox", "coac", against=["closetai"], edition=brutal, seed=3)
    match = play("icebox/greedy", "closetai/greedy", games=40, seed=seed_of(3, "opponent", 0), edition=brutal)
    assert played.play(range(20), progress=None)[0].sum() == match.wins


def test_an_edition_is_as_good_as_its_own_copy() -> None:
    copy = Edition("copy", locm.cards())
    found = compare("1.2", copy, policy="icebox", against=["coac"], games=400)
    assert (found.verdict, found.difference.value) == ("undecided", 0)
    assert "are the same" in found.sentence


def test_pairing_narrows_the_interval_of_a_small_change() -> None:
    nerf = official().patched(Patch("nerf", {"Foulbeast": {"attack": 4}}))
    paired, unpaired = (
        compare("1.2", nerf, policy="icebox", against=["coac", "chad"], games=3200, paired=each)
        for each in (True, False)
    )
    assert paired.difference.half_width < unpaired.difference.half_width / 2


def test_the_entrants_of_a_metagame_are_opponents_with_its_shares(tmp_path: Path) -> None:
    file = tmp_path / "field.toml"
    entrants = '[[entrant]]\ndraft = "coac"\nshare = 3\n[[entrant]]\ndraft = "chad"\npilot = "random"\n'
    unplayed = '[[entrant]]\ndraft = "uji1"\nshare = 0\n'
    file.write_text(f'game = "locm"\npilot = "pass"\nformat = "distinct"\n{entrants}{unplayed}', encoding="utf-8")
    played = paired_games("icebox", "atlas", meta=file)
    assert (played.opponents, played.weights.tolist()) == (("coac", "chad/random"), [0.75, 0.25])
    assert [each.name for each in played.others] == ["coac/pass", "chad/random"]
    assert [each.entrant.name for each in played.sides] == ["icebox/pass", "atlas/pass"]
    assert played.format == "distinct"


@pytest.mark.parametrize(
    ("words", "options", "message"),
    [
        (("icebox", "1.2"), {}, "'icebox' is a draft policy and '1.2' is an edition: both must be draft policies"),
        (("1.2", "1.2"), {}, r"name the draft policy that plays in both editions \(--policy\)"),
        (("1.2", "1.2"), {"policy": "icebox", "edition": "1.2"}, "the option edition is for comparisons of policies"),
        (("icebox", "coac"), {"policy": "icebox"}, "the option policy is for comparisons of editions"),
        (("icebox", "coac"), {"kind": "deck"}, "only draft policies or editions can be compared, not 'deck'"),
        (("icebox", "coac"), {"format": "other"}, "unknown draft format 'other'"),
        (("icebox", "coac"), {"meta": "drafts", "against": ["chad"]}, "give either opponents"),
        (("icebox", "nobody"), {}, "unknown agent 'nobody'"),
        (("1.2", "missing.toml"), {"policy": "icebox"}, "cannot read missing.toml"),
        (("icebox", 3), {}, "only draft policies or editions can be compared, not 3"),
    ],
)
def test_what_cannot_be_compared_is_refused(words: tuple[str, str], options: dict[str, Any], message: str) -> None:
    with pytest.raises(DeckatlasError, match=message):
        paired_games(*words, **options)


def test_forfeits_of_a_program_are_counted() -> None:
    found = compare("icebox", "exec:true", against=["coac"], games=16)
    assert [sum(each.values()) for each in found.forfeits] == [0, found.games // 2]
