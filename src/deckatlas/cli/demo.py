"""`deckatlas demo`: something worth watching, in under two minutes."""

from deckatlas import locm
from deckatlas.cli.common import out, progress_bar
from deckatlas.cli.matches import print_gauntlet

ENTRANTS = (
    "icebox/greedy",
    "closetai/greedy",
    "coac-first/greedy",
    "chad-first/greedy",
    "random/greedy",
    "icebox/random",
    "random/random",
)
GAMES = 50_000


def demo() -> None:
    """Plays a gauntlet of draft orders and agents of Legends of Code and Magic, then tells one game."""
    pairs = len(ENTRANTS) * (len(ENTRANTS) - 1) // 2
    out.print(f"Legends of Code and Magic 1.2: {len(ENTRANTS)} entrants, {pairs * GAMES:,} games\n")
    with progress_bar("gauntlet", pairs * GAMES) as progress:
        result = locm.gauntlet(ENTRANTS, games=GAMES, seed=1, progress=progress)
    print_gauntlet(result)
    out.print("\nOne game of the two strongest agents:\n")
    out.print(locm.narrate(locm.play_one("planner", "coac", seed=7)), markup=False, soft_wrap=True)
