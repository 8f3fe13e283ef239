"""Compiles the cards of an edition into the tables that the core interprets.

Each table is a list of rows, one row per entry. A row holds plain integers in the order of the fields of its struct in
core/hearthstone/program.hpp and cards.hpp. Entry 0 of each table means nothing. Equal entries are stored once. The same
cards always give the same tables.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from deckatlas.errors import CardError
from deckatlas.games.hearthstone.cards.check import mistakes_in
from deckatlas.games.hearthstone.cards.codes import (
    Base,
    CardType,
    ConditionKind,
    Event,
    FilterKind,
    Op,
    Requirement,
    RuleFlag,
    Side,
    Source,
)
from deckatlas.games.hearthstone.cards.entries import WIDTHS, Entries, Row
from deckatlas.games.hearthstone.cards.limits import beyond_limits
from deckatlas.games.hearthstone.cards.table import Card
from deckatlas.games.hearthstone.cards.terms import (
    Action,
    Aura,
    ChooseOne,
    Condition,
    CostAura,
    Deathrattle,
    Hero,
    Left,
    Need,
    OwnCost,
    Play,
    PlayKind,
    Repeat,
    Rule,
    Selector,
    Step,
    Trigger,
    When,
)
from deckatlas.games.hearthstone.cards.walks import chosen_in

COIN = "GAME_005"

_NO_NAME = "-"  # the name of entry 0 of each table

_NO_PLAY: Row = (0,) * 11
_CARD_WIDTH = 17 + 4 * len(_NO_PLAY) + 9


@dataclass(frozen=True)
class Compiled:
    """An edition in the form that the core takes, with the number of each card."""

    tables: dict[str, list[Row]]
    lists: list[tuple[int, ...]]
    rules: int
    coin: int
    index: dict[str, int]
    names: dict[str, list[str]]

    @property
    def for_core(self) -> dict[str, object]:
        """All tables, under the names that the core's CardSet takes."""
        return {**self.tables, "lists": self.lists, "rules": self.rules, "coin": self.coin, "names": self.names}

    @property
    def ids(self) -> dict[int, str]:
        """Card ids by number."""
        return {number: name for name, number in self.index.items()}


def find_mistakes(cards: Sequence[Card]) -> list[str]:
    """All mistakes in the cards of an edition, each with the card's id; empty if there are none."""
    by_id = {card.id: card for card in cards}
    parents = _parents(cards)
    found = [
        f"{card.id} ({card.name if card.name.isprintable() else '?'}) {mistake}"
        for card in cards
        for mistake in (*mistakes_in(card, by_id, parents), *beyond_limits(card))
    ]
    if len(by_id) < len(cards):
        found.append("two cards have the same id")
    by_dbf = {card.dbf_id: card for card in cards}
    found += [
        f"{card.id} ({card.name}) has the same dbf id as {by_dbf[card.dbf_id].id}"
        for card in cards
        if card.dbf_id and by_dbf[card.dbf_id] is not card
    ]
    by_name = {card.name.casefold(): card for card in cards if card.collectible}
    found += [
        f"{card.id} ({card.name}) has the same name as {by_name[card.name.casefold()].id}"
        for card in cards
        if card.collectible and by_name[card.name.casefold()] is not card
    ]
    if COIN not in by_id:
        found.append(f"the edition has no coin, {COIN}")
    return found


def compile_cards(cards: Sequence[Card], rules: RuleFlag) -> Compiled:
    """Compiles cards.

    Raises:
        CardError: If one of them has a mistake.
    """
    mistakes = find_mistakes(cards)
    if mistakes:
        others = len(mistakes) - 1
        more = f" (and {others} more mistake{'' if others == 1 else 's'})" if others else ""
        raise CardError(mistakes[0] + more)
    builder = _Builder(cards, attacks_are_proposed=RuleFlag.auras_wait not in rules)
    rows = [(0,) * _CARD_WIDTH]
    for card in cards:
        try:
            rows.append(builder.card(card))
        except CardError as error:
            raise CardError(f"{card.id} ({card.name}) {error}") from None
    tables = {name: table.rows for name, table in builder.tables.items()} | {"cards": rows}
    names = {"cards": [quote(card.id, safe="") for card in cards], "titles": [card.name for card in cards]}
    names = {table: [_NO_NAME, *entries] for table, entries in (names | builder.given).items()}
    return Compiled(tables, builder.lists, int(rules), builder.index[COIN], builder.index, names)


def _parents(cards: Iterable[Card]) -> dict[str, Card]:
    return {
        option: card
        for card in cards
        for slot in card.effects
        if isinstance(slot, ChooseOne)
        for option in (slot.first, slot.second)
    }


class _Builder(Entries):
    """Compiles cards one by one, their effects into programs, triggers and auras."""

    def __init__(self, cards: Sequence[Card], *, attacks_are_proposed: bool) -> None:
        super().__init__(cards)
        self._attacks_are_proposed = attacks_are_proposed
        self.given: dict[str, list[str]] = {"attachments": [], "player_enchantments": []}
        self._card = ""

    # ---- cards -----------------------------------------------------------------------------------------------------

    def card(self, card: Card) -> Row:
        self._card = card.id
        source = {CardType.spell: Source.spell, CardType.power: Source.power}.get(card.type, Source.other)
        plays = {slot.kind: slot for slot in card.effects if isinstance(slot, Play)}
        own = plays.get(PlayKind.spell) or plays.get(PlayKind.battlecry) or plays.get(PlayKind.power)
        combo = plays.get(PlayKind.combo)
        options = next(((s.first, s.second) for s in card.effects if isinstance(s, ChooseOne)), ())
        choices = [self._option(card, option, source) for option in options] or [_NO_PLAY, _NO_PLAY]
        triggers = tuple(self._trigger(s, source) for s in card.effects if isinstance(s, Trigger))
        auras = tuple(self._aura(s) for s in card.effects if isinstance(s, Aura))
        cost_auras = tuple(self._cost_aura(s) for s in card.effects if isinstance(s, CostAura))
        deathrattle = next((s.steps for s in card.effects if isinstance(s, Deathrattle)), ())
        own_cost = next((s.amount for s in card.effects if isinstance(s, OwnCost)), 0)
        power = next((self.index[s.power] for s in card.effects if isinstance(s, Hero)), 0)
        keywords = int(card.printed)
        for slot in card.effects:
            keywords |= int(slot.keywords) if isinstance(slot, Rule) else 0
        events = 0
        for row in triggers:
            events |= 1 << row[0]
        return (
            int(card.type),
            int(card.hero_class),
            int(card.race),
            int(card.rarity == "legendary"),
            int(card.collectible),
            int("secret" in card.keywords),
            int(combo is not None),
            len(options),
            card.cost,
            card.attack,
            card.health,
            card.overload,
            card.spell_damage,
            keywords,
            events,
            *([self.index[option] for option in options] or [0, 0]),
            *(self._play(card, own, source) if own else _NO_PLAY),
            *(self._play(card, combo, source) if combo else _NO_PLAY),
            *choices[0],
            *choices[1],
            self._program(deathrattle, Source.other),
            *(self.tables["triggers"].run(triggers), len(triggers)),
            *(self.tables["auras"].run(auras), len(auras)),
            *(self.tables["cost_auras"].run(cost_auras), len(cost_auras)),
            self.number(own_cost),
            power,
        )

    def _option(self, card: Card, option: str, source: Source) -> Row:
        play = next(s for s in self.cards[option].effects if isinstance(s, Play) and s.kind is PlayKind.option)
        return self._play(card, play, source)

    def _play(self, card: Card, play: Play, source: Source) -> Row:
        chosen = chosen_in(play.steps)
        target = (0,) * 8
        if chosen is not None:
            target = (
                int(chosen.base in (Base.minions, Base.characters)),
                int(chosen.base in (Base.hero, Base.characters)),
                int(card.type in (CardType.spell, CardType.power)),
                int(chosen.side),
                *self.filters_of(chosen.filters),
            )
        return (*target, *self._requirement(play.needs), self._program(play.steps, source))

    def _requirement(self, needs: tuple[Need, ...]) -> tuple[int, int]:
        match needs:
            case ():
                return Requirement.nothing, 0
            case (Left(choice),):
                return Requirement.one_not_in_play, self.list_of((choice.cards,))
            case (Condition(ConditionKind.board_space, negated=False),):
                return Requirement.board_space, 0
            case (Condition(ConditionKind.holding_weapon, negated=False),):
                return Requirement.weapon, 0
            case (Condition(ConditionKind.at_least, Selector(Base.minions, side, filters=()), int(n), False), *rest):
                if side is Side.all and not rest:
                    return Requirement.minions, n
                if side is Side.enemy and not rest:
                    return Requirement.enemy_minions, n
                if side is Side.enemy and rest == [Condition(ConditionKind.board_space)]:
                    return Requirement.enemy_minions_and_space, n
            case (Condition(ConditionKind.at_least, Selector(Base.deck, Side.mine, filters=(parity,)), 1, True),):
                if parity.kind is FilterKind.odd_cost:
                    return Requirement.no_odd_cost_in_deck, 0
                if parity.kind is FilterKind.even_cost:
                    return Requirement.no_even_cost_in_deck, 0
        raise CardError("needs something that cannot be a condition for playing a card")

    # ---- programs --------------------------------------------------------------------------------------------------

    def _program(self, steps: tuple[Step, ...], source: Source) -> int:
        if not steps:
            return 0
        rows = [*self._sequence(steps, source), self._instruction(Op.end)]
        return self.tables["instructions"].run(tuple(rows))

    def _sequence(self, steps: tuple[Step, ...], source: Source) -> list[Row]:
        rows: list[Row] = []
        for step in steps:
            match step:
                case When():
                    rows += self._branch(step, source)
                case Repeat():
                    rows += self._sequence(step.steps, source) * step.times
                case Action():
                    rows.append(self._action(step, source))
        return rows

    def _branch(self, step: When, source: Source) -> list[Row]:
        then = self._sequence(step.then, source)
        otherwise = self._sequence(step.otherwise, source)
        if otherwise:
            then.append(self._instruction(Op.jump, skip=len(otherwise)))
        condition = self.condition(step.condition)
        return [self._instruction(Op.skip_unless, skip=len(then), condition=condition), *then, *otherwise]

    def _action(self, action: Action, source: Source) -> Row:
        choice, card, copied = self.choice(action.card)
        match action.gives:
            case Trigger() as trigger:
                row = self._trigger(trigger, Source.other, casters=True)
                card = self._given("attachments", (self.tables["triggers"].add(row), 0))
            case Deathrattle(steps):
                card = self._given("attachments", (0, self._program(steps, Source.other)))
            case Aura() as aura:
                nothing = (0,) * WIDTHS["cost_auras"]
                card = self._given("player_enchantments", (*nothing, int(aura.keywords)))
            case CostAura() as cost:  # seen from its controller
                card = self._given("player_enchantments", (int(Side.mine), *self._cost_aura(cost)[1:], 0))
        return self._instruction(
            action.op,
            side=action.side,
            source=source if action.boosted else Source.other,
            choice=choice,
            duration=int(action.duration),
            selector=self.selector(action.selector),
            selector2=self.selector(action.dealer or copied),
            amount=self.number(action.amount),
            amount2=self.number(action.amount2),
            card=card,
            keywords=int(action.keywords),
        )

    def _given(self, table: str, row: Row) -> int:
        """The entry of a gift; texts name it after the first card that gives it, with a number if there are several."""
        index = self.tables[table].add(row)
        names = self.given[table]
        if index > len(names):
            card = quote(self._card, safe="")
            before = sum(name.partition(".")[0] == card for name in names)
            names.append(f"{card}.{before + 1}" if before else card)
        return index

    def _instruction(
        self,
        op: Op,
        *,
        side: int = 0,
        source: Source = Source.other,
        choice: int = 0,
        duration: int = 0,
        skip: int = 0,
        selector: int = 0,
        selector2: int = 0,
        amount: int = 0,
        amount2: int = 0,
        condition: int = 0,
        card: int = 0,
        keywords: int = 0,
    ) -> Row:
        source = source if op in (Op.damage, Op.split_damage, Op.heal) else Source.other
        fields = (op, side, source, choice, duration, skip, selector, selector2, amount, amount2, condition, card)
        return (*(int(value) for value in fields), keywords)

    # ---- triggers and auras ----------------------------------------------------------------------------------------

    def _trigger(self, trigger: Trigger, source: Source, *, casters: bool = False) -> Row:
        happening = trigger.happening
        # Secrets react before all others, unless an attack is one phase.
        proposed = self._attacks_are_proposed and trigger.secret and happening.event is Event.attack
        own_source = happening.source is not None and happening.source.base is Base.self
        own_target = happening.target is not None and happening.target.base is Base.self
        return (
            int(Event.attack_proposed if proposed else happening.event),
            int(happening.whose),
            int(own_source),
            int(own_target),
            int(casters),
            0 if own_source else self.selector(happening.source),
            0 if own_target else self.selector(happening.target),
            self.condition(trigger.condition),
            self._program(trigger.steps, source),
        )

    def _aura(self, aura: Aura) -> Row:
        return (
            self.selector(aura.selector),
            self.number(aura.attack),
            self.number(aura.health),
            self.condition(aura.condition),
            int(aura.keywords),
        )

    def _cost_aura(self, aura: CostAura) -> Row:
        which = self.filter_of(aura.selector.filters[0]) if aura.selector.filters else (0, 0)
        return (int(aura.selector.side), int(aura.change), *which, aura.amount, self.condition(aura.condition))
