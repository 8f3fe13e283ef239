"""Games of Legends of Code and Magic moment by moment, as plain data: see `deckatlas.play.replays`.

A player drafts, or brings a deck. If one of them brings a deck, the other drafts alone, as in the core.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from deckatlas.games.locm.agents import BATTLE_AGENTS, DRAFT_POLICIES
from deckatlas.games.locm.cards import Card
from deckatlas.games.locm.editions import Edition
from deckatlas.games.locm.entrants import PILOT, Entrant, entrant
from deckatlas.games.locm.explanation import COACHES, lines_of_coach, own_lines
from deckatlas.games.locm.find import abilities_of
from deckatlas.games.locm.players import seated
from deckatlas.games.locm.record import GameRecord, ending, move_in_words
from deckatlas.games.locm.state import Action, Creature, Rng, State, check_seed, new_game
from deckatlas.games.locm.table import LocmTable
from deckatlas.play.replays import MOST_SECONDS, Frame, Line, Replay, Seat, check_coach, check_quick

_FIRST_CARD = Action.from_text("PICK 0")  # any pick, of a player who brings a deck


@dataclass(frozen=True)
class Player:
    """Who plays in a replay: an entrant, and the deck that it brings, if it does not draft."""

    entrant: Entrant
    deck: tuple[int, ...] | None = None
    name: str = ""


def quick_player(draft: str, pilot: str = "") -> Player:
    """A player that somebody asks for by texts: a draft policy and a battle agent, or both as `DRAFT/BATTLE`.

    Raises:
        AgentError: If it is unknown, does not play inside the core, reads a file, or is too slow.
    """
    spec = draft if "/" in draft and not pilot else f"{draft}/{pilot or PILOT}"
    check_quick_entrant(spec)
    return Player(entrant(spec))


def check_quick_entrant(spec: str, *, files: bool = False) -> None:
    """Checks both agents of an entrant: see `check_quick`."""
    draft, slash, battle = spec.rpartition("/")
    for part in (draft, battle) if slash else (spec,):
        check_quick(part, [DRAFT_POLICIES, BATTLE_AGENTS], files=files)


def replay_of(
    players: tuple[Player, Player],
    *,
    edition: Edition,
    seed: int,
    format: str = "referee",
    coach: str = "",
    patient: bool = False,
) -> Replay:
    """Plays a game again, with its draft.

    Args:
        players: The first and the second player.
        edition: The edition of the cards.
        seed: The seed.
        format: The draft format.
        coach: The agent whose lines are shown, one of `COACHES`; by default, each player's own.
        patient: Whether the battle may take any time, since nobody waits for it in a page.

    Raises:
        AgentError: If there is no such coach.
        MatchError: If the game takes too long.
        StateError: If the seed or the format is not valid.
    """
    check_coach(coach, COACHES)
    streams = [Rng(check_seed(seed), seat) for seat in range(2)]
    start = new_game(seed=seed, format=format, edition=edition)
    picks, dealt = _draft(start, players, streams, seed=seed, edition=edition)
    table = LocmTable(
        dealt.copy(), [seated(each.entrant.battle, rng) for each, rng in zip(players, streams, strict=True)]
    )
    table.most_seconds = None if patient else MOST_SECONDS
    outcome = table.play()
    assert outcome.winner is not None
    names = (players[0].entrant.name, players[1].entrant.name)
    drafted = all(each.deck is None for each in players)
    actions = (*(action for _, action, _ in picks), *outcome.actions) if drafted else outcome.actions
    record = GameRecord((start if drafted else dealt).to_text(), names, actions, outcome.winner, edition=edition)
    states = list(record.replay())[-len(outcome.actions) - 1 :]
    agents = [each.entrant.battle for each in players]
    lines = (
        lines_of_coach(states, outcome.actions, coach, seed)
        if coach
        else own_lines(states, outcome.actions, agents, seed)
    )
    frames = (*_draft_frames(picks), *_battle_frames(states, outcome.actions, ending(record, states[-1]), lines))
    seats = (_seat(players[0]), _seat(players[1]))
    cards = {str(card.id): _facts(card) for card in edition.cards}
    drafters_named = drafted and all("/" in name for name in names) and edition.is_official
    command = ("deckatlas", "game", "locm", *names, "--format", format, "--seed", str(seed)) if drafters_named else ()
    return Replay("locm", seats, seed, record.winner, frames[-1].words, frames, cards, str(record), command, coach)


def _seat(player: Player) -> Seat:
    draft, _, battle = player.entrant.name.rpartition("/")
    return Seat(battle, player.name or draft or "its own deck")


Pick = tuple[State, Action, State]


def _draft(
    start: State, players: Sequence[Player], streams: Sequence[Rng], *, seed: int, edition: Edition
) -> tuple[list[Pick], State]:
    """The picks of those who draft, and the state after the draft."""
    state, picks = start.copy(), list[Pick]()
    drafters = [
        None if each.deck is not None else seated(each.entrant.draft, rng)
        for each, rng in zip(players, streams, strict=True)
    ]
    while not state.in_battle:
        drafter, before = drafters[state.player_to_move], state.copy()
        action = _FIRST_CARD if drafter is None else drafter.choose(state)
        state.apply(action)
        if drafter is not None:
            picks.append((before, action, state.copy()))
    if None not in drafters:
        return picks, state
    one, other = (each.deck or tuple(state.chosen(seat)) for seat, each in enumerate(players))
    return picks, new_game(seed=seed, decks=(one, other), edition=edition)


# ---- frames ----------------------------------------------------------------------------------------------------------


def _draft_frames(picks: Sequence[Pick]) -> Iterator[Frame]:
    for before, action, after in picks:
        yield _frame(before, action, after, 0, _plain_draft(before, action))


def _battle_frames(
    states: Sequence[State], actions: Sequence[Action], end: str, lines: Mapping[int, tuple[Line, ...]]
) -> Iterator[Frame]:
    for number, (before, action, after) in enumerate(zip(states, actions, states[1:], strict=False)):
        yield _frame(before, action, after, before.turn // 2 + 1, _plain_battle(before), lines.get(number, ()))
    yield Frame(None, states[-1].turn // 2 + 1, end, (end, end), _plain_battle(states[-1]))


def _frame(
    before: State, action: Action, after: State, turn: int, state: dict[str, Any], lines: tuple[Line, ...] = ()
) -> Frame:
    return Frame(
        seat=before.player_to_move,
        turn=turn,
        words=move_in_words(before, action, after),
        seen=(move_in_words(before, action, after, viewer=0), move_in_words(before, action, after, viewer=1)),
        state=state,
        lines=lines,
    )


def _plain_draft(state: State, action: Action) -> dict[str, Any]:
    made = len(state.chosen(state.player_to_move))
    return {
        "phase": "draft",
        "pick": made + 1,
        "offer": [str(card) for card in state.offers[made]],
        "taken": action.id,
        "chosen": [[str(card) for card in state.chosen(player)] for player in (0, 1)],
    }


def _plain_battle(state: State) -> dict[str, Any]:
    return {"phase": "over" if state.is_over else "battle", "sides": [_plain_side(state, each) for each in (0, 1)]}


def _plain_side(state: State, player: int) -> dict[str, Any]:
    side = state.side(player)
    return {
        "health": side.health,
        "rune": 5 * side.runes,
        "mana": side.mana,
        "crystals": side.max_mana,
        "draws": side.next_draw,
        "deck": side.deck_left,
        "hand": [{"card": str(card.card), "instance": card.instance} for card in side.hand],
        "creatures": [_plain_creature(creature) for creature in side.creatures],
    }


def _plain_creature(creature: Creature) -> dict[str, Any]:
    return {
        "card": str(creature.card),
        "instance": creature.instance,
        "lane": creature.lane,
        "attack": creature.attack,
        "defense": creature.defense,
        "keywords": creature.keywords.replace("-", ""),
        "can_attack": creature.can_attack,
    }


def _facts(card: Card) -> dict[str, Any]:
    return {**asdict(card), "text": abilities_of(card)}
