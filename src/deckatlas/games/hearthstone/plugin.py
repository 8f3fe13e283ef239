"""Hearthstone as a plug-in: see `deckatlas.games.game`. Modules are imported when they are needed."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from deckatlas.errors import AgentError
from deckatlas.files.reading import package_text
from deckatlas.games.game import (
    AgentList,
    Answers,
    CommandPart,
    DeckEvaluation,
    Game,
    Listing,
    PlayedGame,
    ReportLine,
    ShowStage,
    Verified,
)
from deckatlas.games.reference_files import ReferenceFile

if TYPE_CHECKING:
    from deckatlas.balancing.knobs import Rebalancer
    from deckatlas.balancing.subject import Subject
    from deckatlas.balancing.targets_file import TargetsFile
    from deckatlas.documents.document import Document
    from deckatlas.games.patch_desk import PatchDesk, PatchedCards
    from deckatlas.games.sheets import CardFacts, DeckFacts, DeckName, ReplayChoices
    from deckatlas.metagame.growth import Searches
    from deckatlas.metagame.metagame import Entrant, Metagame
    from deckatlas.play.gauntlet import GauntletResult
    from deckatlas.play.match import MatchResult
    from deckatlas.play.measurement import Measurement
    from deckatlas.play.paired import PairedGames
    from deckatlas.play.referee import RefereedGame
    from deckatlas.play.replays import Replay
    from deckatlas.play.runner import Columns


class Hearthstone(Game):
    """Hearthstone, Basic and Classic."""

    name = "hearthstone"
    title = "Hearthstone, Basic and Classic"

    @property
    def run_kinds(self) -> Mapping[str, str]:
        """Decks, and pilots."""
        return {
            "hearthstone-deck": "deckatlas.games.hearthstone.run_config:HearthstoneDeckRun",
            "hearthstone-pilot": "deckatlas.games.hearthstone.pilot_run:HearthstonePilotRun",
        }

    def command_part(self, command: str) -> CommandPart:
        """The game's options, notes and examples for a command."""
        from deckatlas.games.hearthstone.command_line import PARTS

        return PARTS.get(command, CommandPart())

    def play(
        self,
        a: Any,
        b: Any,
        *,
        deck_a: str | None = None,
        deck_b: str | None = None,
        edition: str | None = None,
        mulligan: str | None = None,
        **common: Any,
    ) -> "MatchResult":
        """Plays a match: see `deckatlas.games.hearthstone.match`."""
        from deckatlas.games.hearthstone.match import play

        return play(a, b, **_setup(deck_a, deck_b, edition, mulligan), **common)

    def gauntlet(
        self,
        entrants: Sequence[Any],
        *,
        suite: str | None = None,
        decks: list[str] | None = None,
        pilots: list[str] | None = None,
        profile: str | None = None,
        edition: str | None = None,
        **common: Any,
    ) -> "GauntletResult":
        """Plays every entrant against every other: see `deckatlas.games.hearthstone.gauntlet`."""
        from deckatlas.games.hearthstone.cards.editions import DEFAULT, edition_of
        from deckatlas.games.hearthstone.command_line import combinations_of, opponents_of
        from deckatlas.games.hearthstone.gauntlet import gauntlet
        from deckatlas.games.hearthstone.profiles import FAIR

        cards = edition_of(DEFAULT if edition is None else edition)
        combined = [*entrants, *opponents_of(suite, cards), *combinations_of(decks or [], pilots or [], cards)]
        return gauntlet(combined, profile=FAIR if profile is None else profile, edition=cards, **common)

    def play_one(
        self,
        first: Any,
        second: Any,
        *,
        deck_a: str | None = None,
        deck_b: str | None = None,
        edition: str | None = None,
        mulligan: str | None = None,
        explain: bool = False,
        seed: int = 0,
        **common: Any,
    ) -> PlayedGame:
        """Plays one game: see `deckatlas.games.hearthstone.match`."""
        from deckatlas.games.hearthstone.cards.library import deck_label
        from deckatlas.games.hearthstone.match import play_one
        from deckatlas.games.hearthstone.pilots import pilot
        from deckatlas.games.hearthstone.replay import Player, replay_of
        from deckatlas.games.hearthstone.story import narrate

        setup = _setup(deck_a, deck_b, edition, mulligan)
        record = play_one(first, second, explain=explain, seed=seed, **setup, **common)
        silent = ["Neither player says what it considers.", ""] if explain and not record.explanations else []
        one, other = map(deck_label, setup["decks"])

        def replay(coach: str) -> "Replay":
            players = Player(pilot(first), setup["decks"][0]), Player(pilot(second), setup["decks"][1])
            return replay_of(
                players,
                edition=setup["edition"],
                seed=seed,
                mulligan=setup["mulligan"],
                coach=coach,
                patient=True,
            )

        return PlayedGame(record, "\n".join([*silent, narrate(record, decks=(one, other))]), replay)

    def replay(
        self,
        first: str,
        second: str,
        *,
        pilots: tuple[str, str] = ("", ""),
        seed: int = 0,
        coach: str = "",
        edition: str = "",
    ) -> "Replay":
        """Plays one game of two decks as frames: see `deckatlas.games.hearthstone.replay`."""
        from deckatlas.games.hearthstone.cards.editions import DEFAULT
        from deckatlas.games.hearthstone.cards.editions import edition as edition_by_name
        from deckatlas.games.hearthstone.match import MULLIGANS
        from deckatlas.games.hearthstone.replay import quick_player, replay_of

        cards = edition_by_name(edition or DEFAULT)  # which reads no file
        players = quick_player(pilots[0], first, cards), quick_player(pilots[1], second, cards)
        return replay_of(players, edition=cards, seed=seed, mulligan=MULLIGANS[0], coach=coach)

    def replay_choices(self) -> "ReplayChoices":
        """Decks, agents and coaches: see `deckatlas.games.hearthstone.sheets`."""
        from deckatlas.games.hearthstone.sheets import replay_choices

        return replay_choices()

    def card_facts(self, space: Mapping[str, Any] | None = None) -> "tuple[CardFacts, ...]":
        """The cards of an edition: see `deckatlas.games.hearthstone.sheets`."""
        from deckatlas.games.hearthstone.sheets import cards_of

        return cards_of(space)

    def deck_names(self) -> "tuple[DeckName, ...]":
        """The library: see `deckatlas.games.hearthstone.sheets`."""
        from deckatlas.games.hearthstone.sheets import named_decks

        return named_decks()

    def deck_facts(self, given: str, space: Mapping[str, Any] | None = None) -> "DeckFacts":
        """One deck: see `deckatlas.games.hearthstone.sheets`."""
        from deckatlas.games.hearthstone.sheets import deck_facts

        return deck_facts(given, space)

    def agents(self) -> tuple[AgentList, ...]:
        """The agents."""
        from deckatlas.games.hearthstone.agents import AGENTS

        return (AgentList("agents", AGENTS),)

    @property
    def entrants_in_words(self) -> str:
        """How to write an entrant."""
        return "A pilot is an agent, or exec:CMD for an external program; an entrant of a gauntlet is DECK/PILOT."

    def referee(
        self,
        commands: Sequence[str],
        *,
        deck_a: str | None = None,
        deck_b: str | None = None,
        edition: str | None = None,
        **common: Any,
    ) -> "Iterator[RefereedGame]":
        """Lets two programs play: see `deckatlas.games.hearthstone.referee`."""
        from deckatlas.games.hearthstone.cards.editions import DEFAULT, edition_of
        from deckatlas.games.hearthstone.command_line import both_decks
        from deckatlas.games.hearthstone.referee import referee

        cards = edition_of(DEFAULT if edition is None else edition)
        return referee(commands, decks=both_decks(deck_a, deck_b, cards), edition=cards, **common)

    def bot(self, agent: str, *, seed: int) -> Answers:
        """An agent as a program that answers with one action at a time."""
        from deckatlas.games.hearthstone.pilots import pilot
        from deckatlas.games.hearthstone.protocol import ProtocolAgent, read_question

        made = pilot(agent).agent_of_core()
        if made is None:
            raise AgentError(f"'{agent}' is already a program")
        player = ProtocolAgent(made, seed=seed)

        def answer(stream: TextIO) -> str | None:
            view = read_question(stream)
            return None if view is None else player.answer(view)

        return answer

    def golden_game(self) -> tuple[str, str]:
        """A game between two agents of the core."""
        from deckatlas.games.hearthstone.match import play_one

        decks = ("Aggro Hunter", "Starter Mage")
        played = play_one("planner:score=aggro", "random", decks=decks, seed=7).to_text()
        return played, package_text(str(__package__), "golden_game.txt")

    def verify(self, files: Sequence[ReferenceFile], *, edition: str | None = None, **common: Any) -> Verified:
        """Runs scenarios and replays games: see `deckatlas.games.hearthstone.verify`."""
        from deckatlas.games.hearthstone.verify import verified_in_words, verify

        return verified_in_words(verify(files, edition=edition, **common))

    def evaluation(
        self,
        decks: Sequence[str],
        *,
        deck_file: Path | None = None,
        suite: str | None = None,
        profile: str | None = None,
        edition: str | None = None,
        hero_class: str | None = None,
        cards: bool = False,
        swap_out: bool = False,
        **common: Any,
    ) -> DeckEvaluation:
        """Prepares an evaluation: see `deckatlas.games.hearthstone.evaluation`."""
        from deckatlas.games.hearthstone.cards.editions import DEFAULT, edition_of
        from deckatlas.games.hearthstone.evaluation_report import HearthstoneEvaluation, decks_to_evaluate

        played_in = edition_of(DEFAULT if edition is None else edition)
        chosen = {"suite": suite, "profile": profile}
        given = {name: value for name, value in chosen.items() if value is not None}
        named = tuple(decks_to_evaluate(decks, deck_file, played_in, hero_class))
        options = {**given, "edition": played_in, **common}
        return HearthstoneEvaluation(named, options, cards=cards, swap_out=swap_out)

    def list_decks(self, **options: Any) -> Listing:
        """The library of decks: see `deckatlas.games.hearthstone.listings`."""
        from deckatlas.games.hearthstone.listings import decks_listing

        return decks_listing(**options)

    def show_deck(self, given: str, **options: Any) -> Listing:
        """One deck, or those of a file: see `deckatlas.games.hearthstone.listings`."""
        from deckatlas.games.hearthstone.listings import deck_listing

        return deck_listing(given, **options)

    def find_cards(self, words: Sequence[str], **options: Any) -> Listing:
        """Cards with their texts: see `deckatlas.games.hearthstone.listings`."""
        from deckatlas.games.hearthstone.listings import cards_listing

        return cards_listing(words, **options)

    @property
    def metagames(self) -> tuple[str, ...]:
        """The metagames that ship."""
        from deckatlas.games.hearthstone.metagame import METAGAMES

        return METAGAMES

    def metagame(self, given: str, **options: Any) -> "Metagame":
        """Reads a metagame: see `deckatlas.games.hearthstone.metagame`."""
        from deckatlas.games.hearthstone.metagame import metagame_of

        return metagame_of(given, **options)

    def stored_entrants(self, config: Mapping[str, Any]) -> "tuple[Entrant, ...]":
        """The decks of stored games: see `deckatlas.games.hearthstone.metagame`."""
        from deckatlas.games.hearthstone.metagame import stored_entrants

        return stored_entrants(config)

    def comparison(self, a: str, b: str, **options: Any) -> "PairedGames":
        """Prepares a comparison of decks, pilots or editions: see `deckatlas.games.hearthstone.compare`."""
        from deckatlas.games.hearthstone.compare import paired_games

        return paired_games(a, b, **options)

    def improvement(self, deck: str, **options: Any) -> Listing:
        """The best swaps of a deck: see `deckatlas.games.hearthstone.improve`."""
        from deckatlas.games.hearthstone.improve import improve
        from deckatlas.games.hearthstone.improvement import improvement_listing

        return improvement_listing(improve(deck, **options))

    def searches_against(self, metagame: "Metagame", **options: Any) -> "Searches":
        """Searches for decks that win against a mix: see `deckatlas.games.hearthstone.growth`."""
        from deckatlas.games.hearthstone.growth import deck_searches

        return deck_searches(metagame, **options)

    def patch_desk(self, edition: str | None = None) -> "PatchDesk":
        """The cards that patches can change: see `deckatlas.games.hearthstone.patch_desk`."""
        from deckatlas.games.hearthstone.patch_desk import desk

        return desk(edition)

    def patched_cards(self, values: Mapping[str, Any]) -> "PatchedCards":
        """What a patch does: see `deckatlas.games.hearthstone.patch_desk`."""
        from deckatlas.games.hearthstone.patch_desk import patched_cards

        return patched_cards(values)

    def balance_subject(self, patch: Any, **options: Any) -> "Subject":
        """A patch with the decks it is studied with: see `deckatlas.games.hearthstone.balance`."""
        from deckatlas.games.hearthstone.balance import subject_of

        return subject_of(patch, **options)

    def rebalancer(self, file: "TargetsFile", document: "Document", *, store: Path | None = None) -> "Rebalancer":
        """The knobs of cards: see `deckatlas.games.hearthstone.knobs`."""
        from deckatlas.games.hearthstone.knobs import rebalancer_of

        return rebalancer_of(file, document, store=store)

    def train(self, document: "Document", *, folder: Path, threads: int | None, show: ShowStage) -> Iterator[str]:
        """Trains the rating of positions: see `deckatlas.games.hearthstone.training`."""
        from deckatlas.games.hearthstone.training.config import TrainingConfig
        from deckatlas.games.hearthstone.training.report import round_in_words
        from deckatlas.games.hearthstone.training.rounds import Training
        from deckatlas.play.limits import thread_count

        config = document.check(TrainingConfig)
        training = Training(config, folder, threads=thread_count(threads), show=show)
        return (line for result in training.rounds() for line in round_in_words(result))

    def adapt(self, patch: str, *, show: ShowStage, **options: Any) -> Iterator[str]:
        """Adapts the rating of positions to a patch: see `deckatlas.games.hearthstone.training.adaptation`."""
        from deckatlas.games.hearthstone.training.adaptation import adapt
        from deckatlas.games.hearthstone.training.report import adaptation_in_words

        return adaptation_in_words(adapt(patch, show=show, **options))

    def measurements(self, report: ReportLine) -> "list[Measurement]":
        """The game's part of the bench: see `deckatlas.games.hearthstone.bench`."""
        from deckatlas.games.hearthstone.bench import measure

        return measure(report)

    def signature_parts(self) -> "Iterator[Columns]":
        """Columns of fixed games: see `deckatlas.games.hearthstone.signature`."""
        from deckatlas.games.hearthstone.signature import signature_parts

        return signature_parts()


def _setup(deck_a: str | None, deck_b: str | None, edition: str | None, mulligan: str | None) -> dict[str, Any]:
    """The options of a match that only Hearthstone has."""
    from deckatlas.games.hearthstone.cards.editions import DEFAULT, edition_of
    from deckatlas.games.hearthstone.command_line import both_decks
    from deckatlas.games.hearthstone.match import MULLIGANS

    cards = edition_of(DEFAULT if edition is None else edition)
    return {
        "decks": both_decks(deck_a, deck_b, cards),
        "edition": cards,
        "mulligan": MULLIGANS[0] if mulligan is None else mulligan,
    }


GAME = Hearthstone()
