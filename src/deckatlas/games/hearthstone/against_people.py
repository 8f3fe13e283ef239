"""The best deck of a map beside the best list that people played, against the decks of a metagame."""

from collections.abc import Sequence
from dataclasses import dataclass

from deckatlas.errors import DeckError
from deckatlas.games.game import ShowStage
from deckatlas.games.hearthstone.cards.library import lists_of_people
from deckatlas.games.hearthstone.compare import paired_games
from deckatlas.games.hearthstone.evaluation import evaluate
from deckatlas.games.hearthstone.metagame import HearthstoneMetagame
from deckatlas.games.hearthstone.setup import deck_of
from deckatlas.play.paired import Comparison, compare_sides
from deckatlas.search.batches import seed_of


@dataclass(frozen=True)
class AgainstPeople:
    """A deck of a map beside a list of people.

    Attributes:
        code: The deck of the map, as a code or a text.
        people: The name of the list.
        comparison: The deck less the list, on games that neither was chosen by.
    """

    code: str
    people: str
    comparison: Comparison


def against_people(
    codes: Sequence[str],
    hero_class: str,
    field: HearthstoneMetagame,
    *,
    choice_games: int,
    games: int,
    show: ShowStage,
    seed: int = 0,
    threads: int | None = None,
) -> AgainstPeople:
    """Chooses the best of some decks and the best list of their class on some games, and compares both on others.

    Args:
        codes: Decks of one class, such as the best elites of a map.
        hero_class: Their class.
        field: The opponents; their pilots play all decks.
        choice_games: The games of each deck and list, by which the best are chosen.
        games: The most games of the comparison, of both sides together.
        show: Shows the progress of each stage.
        seed: The seed of everything random.
        threads: The number of threads; the result does not depend on it.

    Raises:
        DeckError: If no list of the class is legal in the edition, or a deck is not.
    """
    found = [deck_of(code, field.cards) for code in codes]
    people = {
        each.name: each.deck for each in lists_of_people(field.cards) if each.deck.hero_class == hero_class.upper()
    }
    if not people:
        raise DeckError(f"no {hero_class.title()} list is legal in edition {field.edition}")
    decks = [*found, *people.values()]
    with show("the best decks of both", choice_games * len(decks), unit="games") as progress:
        rated = evaluate(
            decks,
            pilot=field.entrants[0].pilot,
            suite=field.opponents(),
            games=choice_games,
            seed=seed_of(seed, "choice"),
            edition=field.cards,
            threads=threads,
            progress=progress,
        )
    wins = rated.wins.tolist()
    best = max(range(len(found)), key=lambda at: wins[at])
    name = max(people, key=dict(zip(people, wins[len(found) :], strict=True)).__getitem__)
    sides = paired_games(found[best], people[name], meta=field, seed=seed_of(seed, "comparison"), threads=threads)
    with show("the best of both", games, unit="games") as progress:
        compared = compare_sides(sides, games=games, progress=progress)
    return AgainstPeople(codes[best], name, compared)
