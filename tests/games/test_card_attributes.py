"""What models learn about cards beside their ids: the same for the same card, other for a patched one."""

import numpy as np
import pytest

from deckatlas.games.hearthstone.cards.editions import Patch, edition
from deckatlas.games.hearthstone.spaces import HearthstoneDecks
from deckatlas.games.locm.spaces import LocmDecks
from deckatlas.models.data import TrainingData
from deckatlas.models.recipes import Training
from deckatlas.models.surrogate import Surrogate

PATCH = """
base = "2018-12"
name = "tougher"

[cards.CS2_182]
health = 7
"""


def test_a_patched_card_has_other_attributes_and_no_other_card_has() -> None:
    base = HearthstoneDecks("hunter", edition="2018-12")
    patched = HearthstoneDecks("hunter", edition=edition("2018-12").patched(Patch.from_toml(PATCH)))
    differs = (base.attributes != patched.attributes).any(axis=1)
    assert [base.ids[place] for place in np.flatnonzero(differs)] == ["CS2_182"]


def test_most_cards_differ_in_an_attribute() -> None:
    space = HearthstoneDecks("hunter", edition="2018-12")
    assert len({tuple(row) for row in space.attributes.tolist()}) > space.length / 2


def test_attributes_are_finite_numbers_in_both_games() -> None:
    for space in (HearthstoneDecks("rogue"), LocmDecks()):
        assert space.attributes.shape[0] == space.length
        assert np.isfinite(space.attributes).all()


def hunter_decks(health: int) -> HearthstoneDecks:
    """Decks with a Chillwind Yeti of this health; without a patch it has 5."""
    patch = Patch.from_toml(PATCH.replace("health = 7", f"health = {health}"))
    return HearthstoneDecks("hunter", edition=edition("2018-12").patched(patch))


@pytest.mark.parametrize("encoding", ["counts", "attributes"])
def test_the_prediction_for_a_card_that_no_deck_had_moves_with_its_attributes(encoding: str) -> None:
    """Models learn the total health of decks without Chillwind Yeti, so it is new to them, with or without a patch."""
    spaces = [hunter_decks(health) for health in (3, 5, 7, 9)]
    yeti = spaces[0].ids.index("CS2_182")
    rng = np.random.default_rng(1)
    decks = np.stack([spaces[0].random(rng) for _ in range(2000)])
    known, new = decks[decks[:, yeti] == 0], decks[decks[:, yeti] == 2]
    assert len(new) > 10
    of_known, of_new = [], []
    for space in spaces:
        health = known @ [space.edition.by_id[card].health for card in space.ids]
        model = Surrogate(
            Training.model_validate({"encoding": encoding, "hidden": (16,)}),
            genes=space.length,
            targets=["health"],
            deck_size=space.size,
            attributes=space.attributes,
        )
        model.fit(TrainingData(known, health[:, np.newaxis].astype(np.float64), np.ones(len(known))), 1)
        of_known.append(model.predict(known[:50])[:, 0])
        of_new.append(model.predict(new)[:, 0])
    for other in of_known[1:]:
        np.testing.assert_allclose(other, of_known[0], rtol=1e-5)
    moved = np.diff(of_new, axis=0)
    assert (moved > 0.1).all() if encoding == "attributes" else not moved.any()
