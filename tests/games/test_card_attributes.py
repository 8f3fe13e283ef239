"""What models learn about cards beside their ids: the same for the same card, other for a patched one."""

import numpy as np

from deckatlas.games.hearthstone.cards.editions import Patch, edition
from deckatlas.games.hearthstone.spaces import HearthstoneDecks
from deckatlas.games.locm.spaces import LocmDecks

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
