"""A game of Legends of Code and Magic as a contest program sees it, and agents of the core as contest programs.

`Seat` follows one game from one seat through the protocol's input only and rebuilds the player's view. The view equals
`State.view` in everything that the protocol shows. The protocol does not show the draft format: a view says "referee"
until more than sixty different cards were offered, which only "distinct" can do. The numbers of cards are those that
the draft shows, so a program can play any edition: no other card takes part in the game.
"""

import time
from collections.abc import Sequence
from dataclasses import replace

from deckatlas._core import locm as core
from deckatlas.errors import StateError
from deckatlas.games.locm.cards import DECK_SIZE, Card
from deckatlas.games.locm.editions import NUMBERS, Edition, official
from deckatlas.games.locm.protocol import ENEMY_BOARD, HAND, OWN_BOARD, CardLine, PlayerLine, TurnInput, time_limit
from deckatlas.games.locm.state import Action, Rng, State, check_seed, read_state

_MAX_MANA = 12
_POOL = 60  # different cards in a draft of the official referee
_SHOWN = "as shown"  # the name of an edition that only the input describes
_UNSEEN_OFFER = "?.?.?"
_SHARE_OF_LIMIT = 0.7  # share of the official time limit for a search; the rest is for pipes and a busy machine


class Seat:
    """One player's knowledge of one game, from its first pick.

    Pass every input to `observe` and every action of this player to `act`: the protocol repeats the opponent's actions
    but not the player's own.
    """

    def __init__(self) -> None:
        self.player = 0
        self._offers: list[list[int]] = []
        self._picks: list[int] = []
        self._turns = 0  # own turns of the battle so far
        self._seen: tuple[dict[int, int], dict[int, int]] = ({}, {})  # for each player: deck position to card
        self._touched: set[int] = set()  # instance ids of creatures that fought or were the target of an item
        self._edition = official()
        self._state: State | None = None

    @property
    def state(self) -> State:
        """The view of this player, with its actions since the last input.

        Raises:
            StateError: If there has been no input.
        """
        if self._state is None:
            raise StateError("no input of this game has been read")
        return self._state

    def observe(self, turn: TurnInput) -> State:
        """Takes the input of a turn or a pick and returns the view at that moment.

        Raises:
            StateError: If it does not follow from what was seen and done before.
        """
        text = self._observe_draft(turn) if turn.in_draft else self._observe_battle(turn)
        label = self._edition.table.edition
        head = f"locm1.2 edition={label}" if label else "locm1.2"
        self._state = read_state(f"{head} {text}", edition=self._edition)
        return self._state

    def act(self, action: Action) -> None:
        """Records a pick, or an action of this turn other than PASS.

        Raises:
            IllegalActionError: If it is not legal.
        """
        state = self.state
        if not state.in_battle and state.is_legal(action):
            self._picks.append(self._offers[-1][action.id])  # a view does not go past the draft's last pick
        else:
            state.apply(action)
            self._note_touched(action)

    def _observe_draft(self, turn: TurnInput) -> str:
        if not self._offers:
            self.player = turn.opponent.deck - turn.own.deck
        if self.player not in (0, 1) or turn.opponent.deck != turn.own.deck + self.player:
            raise StateError("protocol input: the players' numbers of picks cannot occur in a draft")
        if len(self._offers) != len(self._picks) or turn.own.deck != len(self._picks):
            raise StateError(f"protocol input: it says {turn.own.deck} picks, but {len(self._picks)} were made")
        self._offers.append([card.card for card in turn.cards])
        self._note_numbers(turn.cards)
        return f"phase=draft {self._draft_fields(turn.opponent.deck)} seeds=0,0"

    def _note_numbers(self, lines: Sequence[CardLine]) -> None:
        """Takes over the numbers of offered cards that differ from the known ones."""
        known = self._edition.cards
        shown = {line.card: _as_shown(known[line.card - 1], line) for line in lines}
        if any(known[number - 1] != card for number, card in shown.items()):
            self._edition = Edition(_SHOWN, tuple(shown.get(card.id, card) for card in known))

    def _draft_fields(self, opponent_picks: int) -> str:
        different = len({card for offer in self._offers for card in offer})
        offers = [_join(offer) for offer in self._offers]
        offers += [_UNSEEN_OFFER] * (DECK_SIZE - len(offers))
        picks = [_join(self._picks), _join(["?"] * opponent_picks)]
        if self.player == 1:
            picks.reverse()
        draft_format = "referee" if different <= _POOL else "distinct"
        return f"view={self.player} format={draft_format} offers={'/'.join(offers)} cards0={picks[0]} cards1={picks[1]}"

    def _observe_battle(self, turn: TurnInput) -> str:
        if len(self._picks) != DECK_SIZE:
            raise StateError(f"protocol input: the battle starts after {len(self._picks)} picks instead of {DECK_SIZE}")
        self._turns += 1
        self._note_cards(turn)
        fields = [self._own_fields(turn), self._opponent_fields(turn)]
        if self.player == 1:
            fields.reverse()
        return f"phase=battle {self._draft_fields(DECK_SIZE)} turn={self._half_turn} {' '.join(fields)}"

    @property
    def _half_turn(self) -> int:
        return 2 * (self._turns - 1) + self.player

    def _note_cards(self, turn: TurnInput) -> None:
        opponent = 1 - self.player
        for card, action in turn.opponent_actions:
            self._seen[opponent][_position(opponent, action.id)] = card
            self._note_touched(action)
        for line in turn.cards:
            owner = opponent if line.location == ENEMY_BOARD else self.player
            self._seen[owner][_position(owner, line.instance)] = line.card

    def _note_touched(self, action: Action) -> None:
        if action.verb == "ATTACK":
            self._touched |= {action.id, action.target}
        elif action.verb == "USE":
            self._touched.add(action.target)

    def _own_fields(self, turn: TurnInput) -> str:
        hand = [_position(self.player, line.instance) for line in turn.at(HAND)]
        board = self._board(self.player, turn.at(OWN_BOARD), ready="r")
        return self._side_fields(self.player, turn.own, mana=turn.own.max_mana, next_draw=1, hand=hand, board=board)

    def _opponent_fields(self, turn: TurnInput) -> str:
        # Only played cards are visible, so all other drawn cards are in hand.
        player, line = 1 - self.player, turn.opponent
        hand = [position for position in range(DECK_SIZE - line.deck) if position not in self._seen[player]]
        if turn.opponent_hand != len(hand):
            raise StateError(
                f"protocol input: {turn.opponent_hand} cards in the opponent's hand, but its plays leave {len(hand)}"
            )
        cards = self._edition.cards
        spent = sum(cards[card - 1].cost for card, action in turn.opponent_actions if action.verb != "ATTACK")
        board = self._board(player, turn.at(ENEMY_BOARD), ready="-")
        return self._side_fields(player, line, mana=line.max_mana - spent, next_draw=line.draw, hand=hand, board=board)

    def _side_fields(
        self, player: int, line: PlayerLine, *, mana: int, next_draw: int, hand: list[int], board: str
    ) -> str:
        if line.rune % 5 != 0:
            raise StateError(f"protocol input: a rune must be at a multiple of 5, not at {line.rune}")
        turns_begun = (self._half_turn - player) // 2 + 1
        bonus_mana = line.max_mana - min(turns_begun, _MAX_MANA)
        drawn = DECK_SIZE - line.deck
        numbers = (line.health, line.rune // 5, mana, line.max_mana, bonus_mana, drawn, next_draw, line.draw)
        deck = [str(self._seen[player].get(position, "?")) for position in range(DECK_SIZE)]
        return (
            f"deck{player}={_join(deck)} p{player}={','.join(map(str, numbers))} hand{player}={_join(hand)} "
            f"board{player}={board}"
        )

    def _board(self, player: int, lines: list[CardLine], *, ready: str) -> str:
        creatures = [
            f"{line.lane}.{_position(player, line.instance)}.{line.attack}.{line.defense}.{line.keywords}."
            f"{ready}-{'t' if line.instance in self._touched else '-'}"
            for line in lines
        ]
        return "/".join(creatures) or "-"


class ProtocolAgent:
    """Agents of the core as a contest program: takes inputs, returns the lines that answer them."""

    def __init__(self, draft: core.DraftPolicy, battle: core.BattleAgent, *, seed: int = 0) -> None:
        self._draft, self._battle = draft, battle
        self._seed = check_seed(seed)
        self._seat = Seat()
        self._rng: Rng | None = None

    def answer(self, turn: TurnInput) -> str:
        """The line that answers an input.

        Raises:
            StateError: If the input does not follow from what was seen and done before.
        """
        state = self._seat.observe(turn)
        if self._rng is None:  # the same random stream of the seat as for an agent inside the process
            self._rng = Rng(self._seed, self._seat.player)
        if not state.in_battle:
            pick = self._draft.choose(state, self._rng)
            self._seat.act(pick)
            return str(pick)
        deadline = time.monotonic() + _SHARE_OF_LIMIT * time_limit(state)
        return ";".join(map(str, self._whole_turn(state, self._rng, deadline))) or "PASS"

    def _whole_turn(self, state: State, rng: Rng, deadline: float) -> list[Action]:
        actions = []
        while not state.is_over:
            action = self._battle.choose(state, rng, max(0.0, deadline - time.monotonic()))
            if action.verb == "PASS":
                break
            self._seat.act(action)
            actions.append(action)
        return actions


def _as_shown(card: Card, line: CardLine) -> Card:
    return replace(card, keywords=line.keywords, **{name: getattr(line, name) for name in NUMBERS})


def _position(player: int, instance: int) -> int:
    """The deck position of a player's card by its instance id."""
    position, rest = divmod(instance - player - 1, 2)
    if rest or not 0 <= position < DECK_SIZE:
        raise StateError(f"protocol input: player {player} has no card with instance id {instance}")
    return position


def _join(items: Sequence[object]) -> str:
    return ".".join(map(str, items)) or "-"
