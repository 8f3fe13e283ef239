"""Legends of Code and Magic as a plug-in: see `deckatlas.games.game`. Modules are imported when they are needed."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TextIO

from deckatlas.errors import AgentError
from deckatlas.files.reading import package_text
from deckatlas.games.card_query import COST
from deckatlas.games.game import (
    AgentList,
    Answers,
    CommandPart,
    Game,
    GameOption,
    Listing,
    PlayedGame,
    ReportLine,
    Verified,
)
from deckatlas.games.reference_files import ReferenceFile

if TYPE_CHECKING:
    from deckatlas.balancing.subject import Subject
    from deckatlas.games.patch_desk import PatchDesk, PatchedCards
    from deckatlas.games.sheets import CardFacts, DeckFacts, ReplayChoices
    from deckatlas.metagame.metagame import Entrant, Metagame
    from deckatlas.play.gauntlet import GauntletResult
    from deckatlas.play.match import MatchResult
    from deckatlas.play.measurement import Measurement
    from deckatlas.play.paired import PairedGames
    from deckatlas.play.referee import RefereedGame
    from deckatlas.play.replays import Replay
    from deckatlas.play.runner import Columns

_FORMAT = GameOption("format", "Draft format, referee (pool of 60, the default) or distinct (90 different cards).")
_EDITION = GameOption("edition", "Edition of the cards: 1.2 (the default), or a TOML file with a patch.")
_DEFAULTS = {"format": "referee", "edition": "1.2"}

_PARTS = {
    "play": CommandPart(
        (_FORMAT, _EDITION), examples=("deckatlas play locm icebox/greedy random/greedy --games 100000",)
    ),
    "gauntlet": CommandPart(
        (_FORMAT, _EDITION), examples=("deckatlas gauntlet locm icebox/greedy closetai/greedy random/greedy",)
    ),
    "game": CommandPart(
        (_FORMAT, _EDITION),
        notes=("For Legends of Code and Magic, the seed is that of the official referee.",),
        examples=("deckatlas game locm icebox/greedy random/greedy --seed 7",),
    ),
    "agents": CommandPart(examples=("deckatlas agents locm",)),
    "cards": CommandPart(
        (
            COST,
            GameOption("type", "The type: creature, or green, red or blue for items."),
            GameOption("keyword", "A keyword: Breakthrough, Charge, Drain, Guard, Lethal or Ward."),
            _EDITION,
            GameOption("rates", "How often this entrant picks the cards, and how its decks do: icebox, icebox/greedy."),
            GameOption("against", "With --rates: an opponent (default: the entrant itself).", several=True),
            GameOption("games", "With --rates: the number of drafts and games (default 2000).", kind=int),
            GameOption("seed", "With --rates: the seed of the games (default 0).", kind=int),
            GameOption("format", "With --rates: the draft format, referee (the default) or distinct."),
        ),
        examples=(
            "deckatlas cards locm --keyword guard --cost 2-3",
            "deckatlas cards locm --rates icebox/greedy --against coac/greedy --csv rates.csv",
        ),
    ),
    "compare": CommandPart(
        (
            GameOption("kind", "What A and B are, if their names leave it open: policy, edition.", flag="--as"),
            GameOption("against", "An opponent; may be given several times (default: seven policies).", several=True),
            GameOption("meta", "The opponents, a metagame: drafts or a TOML file, instead of --against."),
            GameOption("policy", "With editions: the draft policy, or DRAFT/BATTLE, that plays in both."),
            GameOption("pilot", "The battle agent of all that name none (default greedy, or as in --meta)."),
            GameOption("edition", "With policies: the edition of the cards, 1.2 (the default) or a TOML file."),
            _FORMAT,
        ),
        notes=(
            "Of Legends of Code and Magic, A and B are draft policies, DRAFT/BATTLE, or editions (1.2, or TOML files "
            "with patches).",
        ),
        examples=(
            "deckatlas compare locm atlas coac",
            "deckatlas compare locm 1.2 patch.toml --policy icebox",
        ),
    ),
    "referee": CommandPart(
        (_EDITION,),
        notes=(
            "In Legends of Code and Magic a program has 1000 ms for its first pick and its first turn, 100 ms for "
            "later picks and 200 ms for later turns; illegal actions are skipped. The seed is that of the official "
            "referee.",
        ),
        examples=('deckatlas referee locm --p1 "python3 mybot.py" --p2 "deckatlas bot locm icebox/greedy" --games 10',),
    ),
    "verify": CommandPart(examples=("deckatlas verify locm traces.jsonl.gz scenarios.jsonl.gz",)),
}


def _with_defaults(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a command; None is not given."""
    return _DEFAULTS | {name: value for name, value in options.items() if value is not None}


class Locm(Game):
    """Legends of Code and Magic 1.2."""

    name = "locm"
    title = "Legends of Code and Magic 1.2"

    @property
    def run_kinds(self) -> Mapping[str, str]:
        """Decks and draft policies."""
        runs = "deckatlas.games.locm.run_config"
        return {"locm-deck": f"{runs}:LocmDeckRun", "locm-draft": f"{runs}:LocmDraftRun"}

    def command_part(self, command: str) -> CommandPart:
        """The game's options, notes and examples for a command."""
        return _PARTS.get(command, CommandPart())

    def play(self, a: Any, b: Any, **options: Any) -> "MatchResult":
        """Plays a match: see `deckatlas.games.locm.match`."""
        from deckatlas.games.locm.match import play

        return play(a, b, **_with_defaults(options))

    def gauntlet(self, entrants: Sequence[Any], **options: Any) -> "GauntletResult":
        """Plays every entrant against every other: see `deckatlas.games.locm.gauntlet`."""
        from deckatlas.games.locm.gauntlet import gauntlet

        return gauntlet(entrants, **_with_defaults(options))

    def play_one(self, first: Any, second: Any, **options: Any) -> PlayedGame:
        """Plays one game: see `deckatlas.games.locm.table`."""
        from deckatlas.games.locm.editions import edition_of
        from deckatlas.games.locm.entrants import entrant
        from deckatlas.games.locm.record import narrate
        from deckatlas.games.locm.replay import Player, replay_of
        from deckatlas.games.locm.table import play_one

        given = _with_defaults(options)
        record = play_one(first, second, **given)

        def replay(coach: str) -> "Replay":
            players = Player(entrant(first)), Player(entrant(second))
            return replay_of(
                players,
                edition=edition_of(given["edition"]),
                seed=given.get("seed", 0),
                format=given["format"],
                coach=coach,
                patient=True,
            )

        return PlayedGame(record, narrate(record), replay)

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
        """Plays one game of two drafters as frames: see `deckatlas.games.locm.replay`."""
        from deckatlas.games.locm.editions import official
        from deckatlas.games.locm.replay import quick_player, replay_of

        cards = official()
        if edition not in ("", cards.name):
            raise self._not_offered("editions by name beside its own")
        players = quick_player(first, pilots[0]), quick_player(second, pilots[1])
        return replay_of(players, edition=cards, seed=seed, coach=coach)

    def replay_choices(self) -> "ReplayChoices":
        """Draft policies and battle agents: see `deckatlas.games.locm.sheets`."""
        from deckatlas.games.locm.sheets import replay_choices

        return replay_choices()

    def card_facts(self, space: Mapping[str, Any] | None = None) -> "tuple[CardFacts, ...]":
        """The cards of an edition: see `deckatlas.games.locm.sheets`."""
        from deckatlas.games.locm.sheets import cards_of

        return cards_of(space)

    def deck_facts(self, given: str, space: Mapping[str, Any] | None = None) -> "DeckFacts":
        """One deck: see `deckatlas.games.locm.sheets`."""
        from deckatlas.games.locm.sheets import deck_facts

        return deck_facts(given)

    def agents(self) -> tuple[AgentList, ...]:
        """Draft policies and battle agents."""
        from deckatlas.games.locm.agents import BATTLE_AGENTS, DRAFT_POLICIES

        return AgentList("draft policies", DRAFT_POLICIES), AgentList("battle agents", BATTLE_AGENTS)

    @property
    def entrants_in_words(self) -> str:
        """How to write an entrant."""
        return "An entrant is DRAFT/BATTLE, a single name that is in both lists, or exec:CMD for an external program."

    def referee(self, commands: Sequence[str], **options: Any) -> "Iterator[RefereedGame]":
        """Lets two programs play: see `deckatlas.games.locm.referee`."""
        from deckatlas.games.locm.referee import referee

        return referee(commands, **{name: value for name, value in options.items() if value is not None})

    def bot(self, agent: str, *, seed: int) -> Answers:
        """A draft policy and a battle agent as a program that speaks the contest's protocol."""
        from deckatlas.games.locm.entrants import entrant
        from deckatlas.games.locm.protocol import read_input
        from deckatlas.games.locm.seat import ProtocolAgent

        agents = entrant(agent).agents_of_core()
        if agents is None:
            raise AgentError(f"'{agent}' is already a program")
        player = ProtocolAgent(*agents, seed=seed)

        def answer(stream: TextIO) -> str | None:
            turn = read_input(stream)
            return None if turn is None else player.answer(turn)

        return answer

    def find_cards(self, words: Sequence[str], **options: Any) -> Listing:
        """Cards with their numbers and abilities, or with pick rates: see `deckatlas.games.locm.rates`."""
        from deckatlas.games.locm.rates import cards_or_rates

        return cards_or_rates(words, **options)

    @property
    def metagames(self) -> tuple[str, ...]:
        """The metagames that ship."""
        from deckatlas.games.locm.metagame import METAGAMES

        return METAGAMES

    def metagame(self, given: str, **options: Any) -> "Metagame":
        """Reads a metagame of draft policies: see `deckatlas.games.locm.metagame`."""
        from deckatlas.games.locm.metagame import metagame_of

        return metagame_of(given, **options)

    def stored_entrants(self, config: Mapping[str, Any]) -> "tuple[Entrant, ...]":
        """The decks of stored games: see `deckatlas.games.locm.metagame`."""
        from deckatlas.games.locm.metagame import stored_entrants

        return stored_entrants(config)

    def patch_desk(self, edition: str | None = None) -> "PatchDesk":
        """The cards that patches can change: see `deckatlas.games.locm.patch_desk`."""
        from deckatlas.games.locm.patch_desk import desk

        return desk(edition)

    def patched_cards(self, values: Mapping[str, Any]) -> "PatchedCards":
        """What a patch does: see `deckatlas.games.locm.patch_desk`."""
        from deckatlas.games.locm.patch_desk import patched_cards

        return patched_cards(values)

    def balance_subject(self, patch: Any, **options: Any) -> "Subject":
        """What a balance study of a patch is about: see `deckatlas.games.locm.balance`."""
        from deckatlas.games.locm.balance import subject_of

        return subject_of(patch, **options)

    def golden_game(self) -> tuple[str, str]:
        """A game between two agents of the core."""
        from deckatlas.games.locm.table import play_one

        played = play_one("icebox/greedy", "random/greedy", seed=7).to_text()
        return played, package_text(str(__package__), "golden_game.txt")

    def verify(self, files: Sequence[ReferenceFile], **common: Any) -> Verified:
        """Replays traces and scenarios: see `deckatlas.games.locm.verify`."""
        from deckatlas.games.locm.verify import SHOWN_OF_A_LINE, verify

        result = verify(files, **common)
        names = ("games", "scenarios", "turns", "actions", "mismatches")
        title = f"The first differences, at most {SHOWN_OF_A_LINE} per line:"
        return Verified(
            rows=tuple((name, f"{getattr(result, name):,}") for name in names),
            findings=((title, tuple(map(str, result.first))),) if result.mismatches else (),
            holds=result.mismatches == 0,
        )

    def comparison(self, a: str, b: str, **options: Any) -> "PairedGames":
        """Prepares a comparison of draft policies: see `deckatlas.games.locm.compare`."""
        from deckatlas.games.locm.compare import paired_games

        return paired_games(a, b, **options)

    def measurements(self, report: ReportLine) -> "list[Measurement]":
        """The game's part of the bench: see `deckatlas.games.locm.bench`."""
        from deckatlas.games.locm.bench import measure

        return measure(report)

    def signature_parts(self) -> "Iterator[Columns]":
        """Columns of fixed games: see `deckatlas.games.locm.signature`."""
        from deckatlas.games.locm.signature import signature_parts

        return signature_parts()


GAME = Locm()
