"""Maps of Hearthstone decks: the decks of a class and a pool, and the evaluator that plays them against a suite."""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from deckatlas.errors import DeckError
from deckatlas.games.hearthstone.cards.codes import CardType, HeroClass
from deckatlas.games.hearthstone.cards.deck_codes import deck_code
from deckatlas.games.hearthstone.cards.decks import DECK_SIZE, Deck, check_class, most_copies
from deckatlas.games.hearthstone.cards.editions import DEFAULT
from deckatlas.games.hearthstone.cards.measures import SUMS
from deckatlas.games.hearthstone.cards.pools import DEFAULT_POOL, pool
from deckatlas.games.hearthstone.profiles import FAIR, Profile
from deckatlas.games.hearthstone.setting import AVERAGES, errors_of, setting, strata_of
from deckatlas.games.hearthstone.setup import EditionLike, edition_of, hero_ids
from deckatlas.games.hearthstone.suites import Course, SuiteLike
from deckatlas.play.limits import MAX_GAMES, positive
from deckatlas.search.deck_space import Column, DeckSpace
from deckatlas.search.evaluation import Outcome, Solution, Stop, Stopped
from deckatlas.stats.averages import Sample, Strata

GAMES = 200  # of an evaluation in the published searches

_COURSES_KEPT = 64


class HearthstoneDecks(DeckSpace[str]):
    """The legal decks of a class with the cards of a pool.

    Columns: `deck_mana_sum`, `deck_mana_mean` and `deck_mana_variance` of the cards' costs; `num_minion_cards`,
    `num_spell_cards`, `num_weapon_cards`, `num_class_cards` and `num_legendary_cards`; `dust`, what they take to craft.
    """

    def __init__(self, hero_class: str, *, edition: EditionLike = DEFAULT, pool_name: str = DEFAULT_POOL) -> None:
        """Takes the class, the edition or its name, and the name of the pool.

        Raises:
            CardError: If there is no such edition or pool.
            DeckError: If there is no such class, or the pool has too few cards of it for a deck.
        """
        self.hero_class = check_class(hero_class)
        self.edition = edition_of(edition)
        self.pool_name = pool_name
        cards = pool(self.edition, self.hero_class.lower(), pool_name)
        most = [most_copies(card) for card in cards]
        if sum(most) < DECK_SIZE:
            raise DeckError(
                f"a deck has {DECK_SIZE} cards, and the pool {pool_name!r} of edition {self.edition.name!r} has "
                f"{sum(most)} for a {self.hero_class.title()}, copies counted"
            )
        numbers = {name: np.array([number(card) for card in cards], np.int64) for name, number in SUMS.items()}
        costs = numbers["deck_mana_sum"]
        counted = {
            **numbers,
            "num_weapon_cards": np.array([card.type is CardType.weapon for card in cards], np.int64),
            "num_class_cards": np.array([card.hero_class is not HeroClass.neutral for card in cards], np.int64),
            "num_legendary_cards": np.array([card.rarity == "legendary" for card in cards], np.int64),
        }
        columns = {name: Column(of_cards) for name, of_cards in counted.items()}
        columns |= {"deck_mana_mean": Column(costs, "mean"), "deck_mana_variance": Column(costs, "variance")}
        super().__init__([card.id for card in cards], most, size=DECK_SIZE, columns=columns)
        index = self.edition.compiled.index
        self._hero = index[hero_ids(self.edition)[self.hero_class]]
        self._id_order = np.argsort(np.array(self.ids))  # in which decks list their cards, whatever the pool's order
        self._core_numbers = np.array([index[self.ids[place]] for place in self._id_order], np.int32)

    def deck(self, solution: Solution) -> Deck:
        """The deck of a solution."""
        return Deck(self.hero_class, tuple((self.ids[i], int(solution[i])) for i in np.flatnonzero(solution)))

    def code(self, solution: Solution) -> str:
        """The deck code of a solution."""
        return deck_code(self.deck(solution), self.edition.by_id)

    def rows(self, solutions: npt.NDArray[np.uint8]) -> npt.NDArray[np.int32]:
        """Decks as the core takes them; as `deck_rows` gives for their decks."""
        rows = np.empty((len(solutions), 1 + self.size), np.int32)
        rows[:, 0] = self._hero
        for row, counts in zip(rows, solutions[:, self._id_order], strict=True):
            row[1:] = np.repeat(self._core_numbers, counts)
        return rows


class HearthstoneEvaluator:
    """Plays decks of a space against a suite, one at a time and on the calling thread's own account.

    Columns: the averages of `deckatlas.games.hearthstone.evaluation`, over the same games; and `fitness`, what the
    profile's program searches for: the mean of the health difference, or its sum over the games of one evaluation; and
    `void_games`, the share of games that were void each time they were played, and count as not won.

    Attributes:
        space: What the decks are.
        setting: How they are played.
        fitness_games: The games that `fitness` is a sum over, or 1 where it is a mean.
    """

    columns = (*AVERAGES, "fitness", "void_games")

    def __init__(
        self,
        space: HearthstoneDecks,
        *,
        pilot: str,
        suite: SuiteLike = "starter",
        profile: Profile | str = FAIR,
        games: int = GAMES,
    ) -> None:
        """Makes everything ready but the deck.

        Args:
            space: What the decks are.
            pilot: The agent that plays them, such as "planner:score=aggro".
            suite: Whom they meet: "starter", "elite", the path of a TOML file or a suite.
            profile: How games are set up and counted: "fair", "evostone" or "evosabber".
            games: The games of one evaluation that a fitness which is a sum is told for. Fewer or more games give
                what so many would sum up to, so that evaluations of any length can be compared and merged.

        Raises:
            AgentError: If a pilot is unknown.
            DeckError: If an opponent's deck is not legal in the space's edition.
            MatchError: If there is no such profile, or the number of games is none.
            RunError: If there is no such suite, or its file has a mistake.
        """
        games = positive("games", games, MAX_GAMES)
        self.space = space
        self.setting = setting(pilot=pilot, suite=suite, profile=profile, edition=space.edition)
        self.fitness_games = games if self.setting.profile.health_difference == "sum" else 1
        self._course = lru_cache(_COURSES_KEPT)(self._make_course)
        self._strata = lru_cache(_COURSES_KEPT)(self._make_strata)

    def _make_course(self, seed: int, first_game: int, games: int) -> Course:
        return self.setting.course(games, seed=seed, first_game=first_game)

    def _make_strata(self, first_game: int, games: int) -> Strata:
        """The same whatever the seed: it changes the seeds of games, not which of them have the same."""
        return strata_of(self._course(0, first_game, games))

    def evaluate(self, solution: Solution, *, seed: int, first_game: int, games: int, stop: Stop) -> Outcome:
        """Plays games `first_game` and on of a seed's; the same every time, on however many threads.

        Raises:
            MatchError: If there are no such games.
            StateError: If the seed is none.
            Stopped: If `stop` says so, which is asked about ten times a second.
        """

        def give_up(_: int) -> None:
            if stop():
                raise Stopped

        course = self._course(seed, first_game, games)
        played = self.setting.play(self.space.rows(solution[np.newaxis]), course, threads=1, progress=give_up)
        values, errors = errors_of(played, self.setting.profile, self._strata(first_game, games))
        health, times = AVERAGES.index("avg_health_diff"), self.fitness_games
        void = float(played.noted["void"].mean())
        void_error = (void * (1 - void) / games) ** 0.5  # as of independent games: it is nearly always 0
        weights = [float(played.over(name).sum()) for name in AVERAGES]
        return Outcome(
            games=games,
            value=np.append(values[:, 0], [values[health, 0] * times, void]),
            error=np.append(errors[:, 0], [errors[health, 0] * times, void_error]),
            weight=np.array([*weights, games, games], np.float64),
        )

    def sample(self, *, first_game: int, games: int) -> Sample:
        """What the averages of such an evaluation rest on; see the protocol."""
        return self._strata(first_game, games).sample
