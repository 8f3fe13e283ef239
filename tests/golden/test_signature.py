"""The bench signature, one number for the behaviour of the whole core, held to the file that ships with the package.

It changes only when rules, random numbers or agents do. If that is meant, write it with `make golden` and say why in
the commit.
"""

from pathlib import Path

import deckatlas.play.signature
from deckatlas.games.hearthstone.agents import AGENTS
from deckatlas.games.hearthstone.signature import agent_specs as hearthstone_agents
from deckatlas.games.locm.agents import BATTLE_AGENTS, DRAFT_POLICIES
from deckatlas.games.locm.signature import entrants as locm_entrants
from deckatlas.play.signature import expected_signature, signature
from helpers.golden import assert_golden

GOLDEN = Path(deckatlas.play.signature.__file__).with_suffix(".txt")
COMMENT = "# The bench signature; tests/golden/test_signature.py says when it may change, and how to write it.\n"


def test_the_core_behaves_as_it_did() -> None:
    assert_golden(f"{COMMENT}{signature()}\n", GOLDEN)


def test_the_expected_signature_is_that_of_the_file() -> None:
    assert expected_signature() in GOLDEN.read_text(encoding="utf-8")
    assert len(expected_signature()) == 16


def test_every_agent_of_both_games_is_in_the_signature() -> None:
    entrants = [each for each in locm_entrants() if isinstance(each, str)]
    drafts = {entrant.rpartition("/")[0].partition(":")[0] for entrant in entrants}
    battles = {entrant.rpartition("/")[2].partition(":")[0] for entrant in entrants}
    assert drafts | {"ranking"} == set(DRAFT_POLICIES)  # a ranking is given as numbers
    assert battles == set(BATTLE_AGENTS)
    assert {spec.partition(":")[0] for spec in hearthstone_agents()} == set(AGENTS)


if __name__ == "__main__":
    GOLDEN.write_text(f"{COMMENT}{signature()}\n", encoding="utf-8")
