"""Games of Hearthstone moment by moment, as plain data: see `deckatlas.play.replays`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from deckatlas.games.hearthstone.agents import AGENTS, DEFAULT_PILOT, agent
from deckatlas.games.hearthstone.cards.deck_codes import code_or_text
from deckatlas.games.hearthstone.cards.deck_sheet import card_facts
from deckatlas.games.hearthstone.cards.decks import Deck
from deckatlas.games.hearthstone.cards.editions import EDITIONS, Edition
from deckatlas.games.hearthstone.cards.library import deck_label
from deckatlas.games.hearthstone.explanation import Line, lines_in_words
from deckatlas.games.hearthstone.match import play_one
from deckatlas.games.hearthstone.pilots import Pilot, pilot
from deckatlas.games.hearthstone.record import GameRecord
from deckatlas.games.hearthstone.setup import deck_of
from deckatlas.games.hearthstone.state import HandCard, Minion, Rng, Side, State
from deckatlas.games.hearthstone.story import chances_before, ending, move_in_words
from deckatlas.play.replays import MOST_SECONDS, Frame, Replay, Seat, check_coach, check_quick

# Agents that can be asked what they would do in any game: they rate positions by the chance to win.
COACHES = ("expert", "fast")


@dataclass(frozen=True)
class Player:
    """Who plays in a replay: a pilot, a deck, and the deck's name."""

    pilot: Pilot
    deck: Deck
    name: str = ""


def quick_player(spec: str, deck: str, edition: Edition) -> Player:
    """A player that somebody asks for by texts.

    Raises:
        AgentError: If the pilot is unknown, does not play inside the core, reads a file, or is too slow.
        DeckError: If the deck is unknown, or not legal.
    """
    chosen = spec or DEFAULT_PILOT
    check_quick(chosen, [AGENTS])
    return Player(pilot(chosen), deck_of(deck, edition))


def replay_of(
    players: tuple[Player, Player],
    *,
    edition: Edition,
    seed: int,
    mulligan: str,
    coach: str = "",
    patient: bool = False,
) -> Replay:
    """Plays a game again.

    Args:
        players: The first and the second player.
        edition: The edition of the cards.
        seed: The seed.
        mulligan: As in `deckatlas.games.hearthstone.match.play`.
        coach: The agent whose lines are shown, one of `COACHES`; by default, each pilot's own.
        patient: Whether the game may take any time, since nobody waits for it in a page.

    Raises:
        AgentError: If there is no such coach.
        MatchError: If the game takes too long.
    """
    check_coach(coach, COACHES)
    record = play_one(
        *(each.pilot for each in players),
        decks=(players[0].deck, players[1].deck),
        edition=edition,
        seed=seed,
        mulligan=mulligan,
        explain=not coach,
        most_seconds=None if patient else MOST_SECONDS,
    )
    states = list(record.replay())
    lines = (
        _coached(record, states, coach, seed) if coach else {each.action: each.lines for each in record.explanations}
    )
    frames = tuple(_frames(record, states, lines))
    seats = (_seat(players[0]), _seat(players[1]))
    return Replay(
        game="hearthstone",
        seats=seats,
        seed=seed,
        winner=record.winner,
        ending=ending(record, states[-1]),
        frames=frames,
        cards=_cards(frames, edition),
        record=str(record),
        command=_command(players, edition, seed, mulligan),
        coach=coach,
    )


def _command(players: Sequence[Player], edition: Edition, seed: int, mulligan: str) -> tuple[str, ...]:
    """The command that plays the same game, if it can: it knows agents by name, and editions that ship."""
    if edition.name not in EDITIONS or not all(each.pilot.name.partition(":")[0] in AGENTS for each in players):
        return ()
    words = ["deckatlas", "game", "hearthstone", *(each.pilot.name for each in players)]
    for option, each in zip(("--deck-a", "--deck-b"), players, strict=True):
        words += [option, code_or_text(each.deck, edition)]
    return (*words, "--edition", edition.name, "--mulligan", mulligan, "--seed", str(seed), "--explain")


def _seat(player: Player) -> Seat:
    return Seat(player.pilot.name, player.name or deck_label(player.deck))


def _coached(record: GameRecord, states: Sequence[State], coach: str, seed: int) -> dict[int, tuple[Line, ...]]:
    """What another agent would compare before each action."""
    asked = agent(coach)
    found = {}
    for number, state in enumerate(states[: len(record.actions)]):
        lines = lines_in_words(state, asked.fresh().explain(state, Rng(seed, state.player_to_move)))
        if lines:
            found[number] = lines
    return found


def _frames(record: GameRecord, states: Sequence[State], lines: Mapping[int, tuple[Line, ...]]) -> Iterator[Frame]:
    chances = chances_before(record.actions, lines)
    for number, (before, action, after) in enumerate(zip(states, record.actions, states[1:], strict=False)):
        seat = before.player_to_move
        chance = chances[number]
        yield Frame(
            seat=seat,
            turn=0 if before.phase == "mulligan" else (before.turn + 1) // 2,
            words=move_in_words(before, action, after),
            seen=(move_in_words(before, action, after, viewer=0), move_in_words(before, action, after, viewer=1)),
            state=plain_state(before),
            lines=lines.get(number, ()),
            chance=None if chance is None else round(chance if seat == 0 else 1 - chance, 4),
        )
    final = states[-1]
    words = ending(record, final)
    yield Frame(None, (final.turn + 1) // 2, words, (words, words), plain_state(final))


# ---- states ----------------------------------------------------------------------------------------------------------


def plain_state(state: State) -> dict[str, Any]:
    """A whole state as plain data; hands and secrets say what the other player sees of them."""
    return {
        "phase": state.phase,
        "void": state.is_void,
        "choices": list(state.choices),
        "sides": [_plain_side(state, player) for player in (0, 1)],
    }


def _plain_side(state: State, player: int) -> dict[str, Any]:
    side, seen = state.side(player), state.view(1 - player).side(player)
    weapon = side.weapon
    return {
        "hero": side.hero_name,
        "class": side.hero_class,
        "health": side.health,
        "most_health": side.max_health,
        "armor": side.armor,
        "attack": side.attack,
        "marks": [word for word, holds in (("frozen", side.frozen), ("immune", side.immune)) if holds],
        "can_attack": side.can_attack,
        "mana": side.mana,
        "crystals": side.crystals,
        "locked": side.overload_locked,
        "power": {"card": side.power, "name": side.power_name, "cost": side.power_cost, "used": side.power_used},
        "weapon": None if weapon is None else _plain_weapon(side),
        "secrets": [{"card": card, "name": state.cards.name_of(card)} for card in side.secrets],
        "board": [_plain_minion(minion) for minion in side.board],
        "hand": [_plain_card(card, known) for card, known in zip(side.hand, seen.hand, strict=True)],
        "deck": len(side.deck),
        "fatigue": side.fatigue,
    }


def _plain_weapon(side: Side) -> dict[str, Any]:
    assert side.weapon is not None
    weapon = side.weapon
    return {"card": weapon.card, "name": weapon.name, "attack": weapon.attack, "durability": weapon.durability}


def _plain_minion(minion: Minion) -> dict[str, Any]:
    return {
        "card": minion.card,
        "name": minion.name,
        "attack": minion.attack,
        "health": minion.health,
        "most_health": minion.max_health,
        "keywords": list(minion.keywords),
        "can_attack": minion.can_attack,
        "instance": minion.instance,
    }


def _plain_card(card: HandCard, known: HandCard) -> dict[str, Any]:
    return {"card": card.card, "name": card.name, "cost": card.cost, "seen": known.card == card.card}


def _cards(frames: Sequence[Frame], edition: Edition) -> dict[str, dict[str, Any]]:
    """Facts about all cards that appear."""
    held: set[str] = set()
    for frame in frames:
        held.update(frame.state["choices"])
        for side in frame.state["sides"]:
            held.add(side["power"]["card"])
            held.update(each["card"] for zone in ("hand", "board", "secrets") for each in side[zone])
            held.update([side["weapon"]["card"]] if side["weapon"] else [])
    return {card: card_facts(edition.by_id[card], edition) for card in sorted(held & set(edition.by_id))}
