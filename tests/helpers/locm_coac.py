"""Coac's turn in plain words: every line of three actions is followed to its end, with no cut and no transposition.

Positions are lists of cards in the order of the official protocol, so nothing is shared with the core but card numbers.
"""

from collections.abc import Iterator
from dataclasses import astuple, dataclass, replace
from typing import Any

from deckatlas.games.locm.cards import cards
from deckatlas.games.locm.state import State

DEATH = 100_000


@dataclass
class Card:
    """A card in hand or on the board; `place` is hand, mine, foe or gone."""

    id: int
    instance: int
    place: str
    attack: int
    defense: int
    keywords: frozenset[str]
    lane: int = -1
    ready: bool = False
    attacked: bool = False
    passed: bool = False

    @property
    def worth(self) -> int:
        """What a creature counts on the board."""
        body = 5 * (self.defense + 2 * self.attack + ("W" in self.keywords) * self.attack + 4 * ("L" in self.keywords))
        return (body + 20 if self.attack > 0 else 0) + 9 * ("G" in self.keywords)


@dataclass
class Player:
    """The numbers of a player."""

    health: int
    runes: int
    draws: int
    hand: int
    deck: int


@dataclass
class Mind:
    """A position as Coac thinks of it; with `original` its published program's rules instead of the real ones."""

    all: list[Card]
    mana: int
    me: Player
    foe: Player
    original: bool

    def copy(self) -> "Mind":
        """An independent copy."""
        return replace(self, all=[replace(card) for card in self.all], me=replace(self.me), foe=replace(self.foe))

    def on(self, place: str, lane: int | None = None) -> list[Card]:
        """The cards of a place."""
        return [card for card in self.all if card.place == place and lane in (None, card.lane)]

    def hurt(self, player: Player, change: int) -> None:
        """Changes health; real damage breaks runes, each of which gives a card."""
        player.health += change
        while not self.original and change < 0 and player.runes and 5 * player.runes >= player.health:
            player.runes -= 1
            player.draws += 1

    def value(self) -> int:
        """The evaluation, for me."""
        me, foe = self.me, self.foe
        score = sum(card.worth for card in self.on("mine")) - sum(card.worth for card in self.on("foe"))
        score += 21 * sum(card.passed and kind(card.id) != "creature" for card in self.on("hand"))
        score += 5 * (me.draws - 1) if me.hand + me.draws - 1 <= 8 else 0
        score += 2 * (me.health - foe.health) - (100 if me.health < 5 else 0)
        return score + (DEATH if foe.health <= 0 else -DEATH if me.health <= 0 else 0)

    def fight(self, attacker: Card, defender: Card, owner: Player, victim: Player) -> None:
        """An attack of one creature on another."""
        attacker.attacked = True
        dealt = 0 if "W" in defender.keywords else attacker.attack
        taken = 0 if "W" in attacker.keywords else defender.attack
        excess = defender.defense - dealt if dealt >= defender.defense and "B" in attacker.keywords else 0
        if dealt and "D" in attacker.keywords:
            self.hurt(owner, attacker.attack)
        self.hurt(victim, -excess if self.original else excess)
        fates = []
        for card, damage, other in ((attacker, taken, defender), (defender, dealt, attacker)):
            fates.append((card, damage, other.attack > 0, bool(damage) and "L" in other.keywords))
        for card, damage, hit, killed in fates:
            card.defense -= damage
            if hit:
                card.keywords -= {"W"}
            if killed or card.defense <= 0:
                card.place = "gone"

    def strike(self, attacker: Card, owner: Player, victim: Player) -> None:
        """An attack on a player."""
        attacker.attacked = True
        if "D" in attacker.keywords and not self.original:
            self.hurt(owner, attacker.attack)
        self.hurt(victim, -attacker.attack)

    def play(self, card: Card, target: Card | int | None) -> None:
        """Summons to a lane, or uses an item on a creature or (None) on the enemy player."""
        printed = cards()[card.id - 1]
        self.mana -= printed.cost
        self.me.hand -= 1
        self.me.draws += printed.draw
        card.place = "gone"
        blow = printed.enemy_health
        if isinstance(target, int):
            card.place, card.lane, card.ready = "mine", target, "C" in card.keywords
        elif target is None:
            blow += card.defense
        else:
            self.change(card, target)
        self.hurt(self.me, printed.player_health)
        self.hurt(self.foe, blow)

    def change(self, item: Card, target: Card) -> None:
        """An item on a creature."""
        if kind(item.id) == "green":
            target.keywords |= item.keywords
            target.ready |= "C" in item.keywords and not target.attacked
        else:
            kept = target.keywords & item.keywords & {"B"}
            target.keywords -= item.keywords
            if self.original:
                target.keywords = target.keywords - {"B"} | kept
        target.attack = max(0, target.attack + item.attack)
        if "W" in target.keywords and item.defense < 0:
            target.keywords -= {"W"}
        else:
            target.defense += item.defense
        if target.defense <= 0:
            target.place = "gone"

    def lethal(self, attackers: list[Card], guards: list[Card], victim: Player) -> bool:
        """The test for a won game."""
        if victim.health <= 0 and not self.original:
            return True
        if any("G" in card.keywords for card in guards):
            return False
        left = victim.health - sum(card.attack for card in attackers)
        if left <= 0:
            return True
        if self.original:
            runes = left // 5
            missing = 1 + max(0, victim.runes - runes) - victim.deck
            return missing > 0 and missing >= runes
        after = replace(victim)
        self.hurt(after, left - victim.health)
        return victim.hand + victim.deck <= 8 and after.draws - victim.deck > after.runes


def kind(card: int) -> str:
    """The type of a card."""
    return cards()[card - 1].type


Move = tuple[Any, ...]  # ("pass", card), ("play", card, lane or target or -1), ("attack", card, target), by index


def moves(mind: Mind) -> Iterator[Move]:
    """My actions in a position, card by card."""
    index = {id(card): i for i, card in enumerate(mind.all)}
    for i, card in enumerate(mind.all):
        if card.passed:
            continue
        if card.place == "mine" and card.attack > 0 and card.ready and not card.attacked:
            row = mind.on("foe", card.lane)
            guards = [each for each in row if "G" in each.keywords]
            yield from (("attack", i, index[id(target)]) for target in guards or row)
            yield "pass", i
        elif card.place == "hand" and cards()[card.id - 1].cost <= mind.mana:
            if kind(card.id) == "creature":
                yield from (("play", i, lane) for lane in (0, 1) if len(mind.on("mine", lane)) < 3)
            else:
                yield from (("use", i, index[id(target)]) for target in targets(mind, card))
                if kind(card.id) == "blue":
                    yield "use", i, -1
            yield "pass", i


def targets(mind: Mind, item: Card) -> list[Card]:
    """The creatures an item is tried on."""
    if kind(item.id) == "green":
        return [card for card in mind.on("mine") if not card.attacked]
    enemies = [card for card in mind.on("foe") if card.attack > 0 or "G" in card.keywords]
    if item.id in (142, 149):
        return [card for card in enemies if card.keywords & set("BDGLW")]
    if item.id == 143:
        return [card for card in enemies if "G" in card.keywords]
    if item.id == 151:
        return [card for card in enemies if card.attack >= 4 or card.defense >= 4 or card.keywords & set("WLG")]
    return enemies if kind(item.id) == "red" or item.defense else []


def after(mind: Mind, move: Move) -> Mind:
    """The position after an action of mine."""
    mind = mind.copy()
    card = mind.all[move[1]]
    if move[0] == "pass":
        card.passed = True
    elif move[0] == "attack":
        mind.fight(card, mind.all[move[2]], mind.me, mind.foe)
    elif move[0] == "play":
        mind.play(card, move[2])
    else:
        mind.play(card, None if move[2] < 0 else mind.all[move[2]])
    return mind


def answered(mind: Mind) -> int:
    """What a position is worth after the enemy's answer: at each step the attack, or idle creature, best for it."""
    if mind.foe.health <= 0 and not mind.original:
        return mind.value()
    while not mind.lethal([card for card in mind.on("foe") if not card.attacked], mind.on("mine"), mind.me):
        options = list(answers(mind))
        if not options:
            return mind.value()
        mind = min(options, key=Mind.value)
    return -DEATH


def answers(mind: Mind) -> Iterator[Mind]:
    """The positions one action of the enemy leads to, card by card."""
    for i, card in enumerate(mind.all):
        if card.place != "foe" or card.attacked or card.passed or card.attack == 0:
            continue
        row = mind.on("mine", card.lane)
        guards = [each for each in row if "G" in each.keywords]
        for target in guards or row:
            option = mind.copy()
            option.fight(option.all[i], option.all[mind.all.index(target)], option.foe, option.me)
            yield option
        if not guards:
            option = mind.copy()
            option.strike(option.all[i], option.foe, option.me)
            yield option
        option = mind.copy()
        option.all[i].passed = True
        yield option


class Searcher:
    """The search, which remembers what positions are worth after the answer."""

    def __init__(self) -> None:
        self._answered: dict[Any, int] = {}

    def answered(self, mind: Mind) -> int:
        """As the function of that name."""
        key = tuple(astuple(card) for card in mind.all), astuple(mind.me), astuple(mind.foe)
        if key not in self._answered:
            self._answered[key] = answered(mind)
        return self._answered[key]

    def search(self, mind: Mind, depth: int) -> tuple[int, Move | None]:
        """The value of the best line, and the action it begins with."""
        over = not mind.original and (mind.me.health <= 0 or mind.foe.health <= 0)
        actions = [] if depth <= 0 or over else list(moves(mind))
        if not actions:
            return self.answered(mind), None
        left = depth - (2 if len(actions) >= 35 else 1)
        best: tuple[int, Move | None] = (-10 * DEATH, None)
        for action in actions:
            value, _ = self.search(after(mind, action), left)
            if value > best[0]:
                best = value, action
        return best


def read(state: State, *, original: bool) -> Mind:
    """The position of the player to move."""
    me, foe = state.side(state.player_to_move), state.side(1 - state.player_to_move)
    listed = []
    for hand_card in me.hand:
        printed = cards()[hand_card.card - 1]
        keywords = frozenset(printed.keywords) - {"-"}
        listed.append(Card(printed.id, hand_card.instance, "hand", printed.attack, printed.defense, keywords))
    for place, side in (("mine", me), ("foe", foe)):
        for c in side.creatures:
            listed.append(Card(c.card, c.instance, place, c.attack, c.defense, frozenset(c.keywords) - {"-"}, c.lane))
            listed[-1].ready, listed[-1].attacked = c.can_attack, c.has_attacked
    mine, theirs = (Player(s.health, s.runes, s.next_draw, len(s.hand), s.deck_left) for s in (me, foe))
    return Mind(listed, me.mana, mine, theirs, original)


def text(mind: Mind, move: Move) -> str:
    """An action in the words of the protocol."""
    verb = {"attack": "ATTACK", "play": "SUMMON", "use": "USE"}[move[0]]
    target = move[2] if verb == "SUMMON" or move[2] < 0 else mind.all[move[2]].instance
    return f"{verb} {mind.all[move[1]].instance} {target}"


def whole_turn(state: State, *, original: bool) -> list[str]:
    """What Coac does from `state` to the end of the turn; strikes at the face, which come last, are sorted."""
    mind = read(state, original=original)
    plan = []

    def idle() -> list[Card]:
        return [card for card in mind.on("mine") if card.ready and not card.attacked]

    def over() -> bool:
        return not original and (mind.me.health <= 0 or mind.foe.health <= 0)

    while not mind.lethal(idle(), mind.on("foe"), mind.foe) and not over():
        _, move = Searcher().search(mind, 3)
        if move is None:
            break
        if move[0] != "pass":
            plan.append(text(mind, move))
        mind = after(mind, move)
    guarded = {card.lane for card in mind.on("foe") if "G" in card.keywords}
    return plan + sorted(f"ATTACK {card.instance} -1" for card in idle() if card.lane not in guarded)
