"""Readable card texts, generated from keywords and effects: they say what the engine really does."""

from collections.abc import Mapping
from dataclasses import replace

from deckatlas.arguments import checked
from deckatlas.games.hearthstone.cards.codes import (
    Base,
    CardType,
    Choice,
    CostChange,
    Duration,
    FilterKind,
    Keyword,
    NumberKind,
    Op,
    Pick,
    Side,
)
from deckatlas.games.hearthstone.cards.editions import DEFAULT, EditionLike, edition_of
from deckatlas.games.hearthstone.cards.nouns import SELF_DAMAGED
from deckatlas.games.hearthstone.cards.phrases import (
    capital,
    change,
    condition_phrase,
    cost_change,
    counted,
    gifts,
    happening_phrase,
    keyword_name,
    kind,
    made_card,
    noun,
    quantity,
    whose,
)
from deckatlas.games.hearthstone.cards.table import Card
from deckatlas.games.hearthstone.cards.terms import (
    Action,
    Amount,
    Aura,
    CardChoice,
    ChooseOne,
    Condition,
    CostAura,
    Deathrattle,
    Hero,
    Nothing,
    Number,
    OwnCost,
    Play,
    PlayKind,
    Repeat,
    Rule,
    Selector,
    Slot,
    Step,
    Trigger,
    When,
)
from deckatlas.games.hearthstone.cards.walks import chosen_in, walk

_RULES = {
    Keyword.attack_equals_health: "Its Attack is always equal to its Health.",
    Keyword.healing_is_damage: "What restores Health for you deals that much damage instead.",
    Keyword.double_magic: "Your spells and Hero Power deal and restore twice as much.",
    Keyword.freezes: "Freezes what it damages.",
    Keyword.spends_attack: "Attacking a minion costs 1 Attack instead of 1 Durability.",
    Keyword.immune_while_attacking: "Your hero is Immune while attacking.",
}
_LASTING = {
    Duration.this_turn: " this turn",
    Duration.until_my_next_turn: " until your next turn",
    Duration.opponents_next_turn: " in their next turn",
}


@checked
def text_of(card: Card | str, edition: EditionLike = DEFAULT) -> str:
    """A card's text in plain English; empty if the card only has numbers.

    Args:
        card: The card or its id; for collectible cards also the name.
        edition: The edition, or its name.

    Raises:
        CardError: If there is no such edition or card.
    """
    cards = edition_of(edition)
    card = card if isinstance(card, Card) else cards[card]
    writer = _Writer(card, cards.by_id)
    keywords = [f"{keyword_name(word)}." for word in card.keywords if keyword_name(word)]
    last = [word for word in keywords if word.startswith("Overload")]
    parts = [word for word in keywords if word not in last] + [writer.slot(slot) for slot in card.effects] + last
    return " ".join(part for part in parts if part)


class _Writer:
    """Writes the effects of one card. `host` means that SELF is a minion that received the effect."""

    def __init__(self, card: Card, cards: Mapping[str, Card], *, host: bool = False) -> None:
        self._card = card
        self._cards = cards
        self._self = "it" if host else "this weapon" if card.type is CardType.weapon else "this minion"
        self._speaks_of_it = False  # whether a step that neither harms nor heals mentions the target
        self._chosen: Selector | None = None  # the set to choose the target from, until it is mentioned

    # ---- what a card does ------------------------------------------------------------------------------------------

    def slot(self, slot: Slot) -> str:
        match slot:
            case Play():
                return self._play(slot)
            case ChooseOne(first, second):
                options = (self.slot(self._cards[name].effects[0]).rstrip(".") for name in (first, second))
                return f"Choose One - {'; or '.join(options)}."
            case Deathrattle(steps):
                return f"Deathrattle: {self._steps(steps)}"
            case Trigger(happening, steps, _, secret):
                start = happening_phrase(happening, self._self, secret=secret)
                return f"{'Secret: ' if secret else ''}{start}, {_lower(self._steps(steps))}"
            case Aura():
                return self._aura(slot)
            case CostAura():
                return f"{cost_change(slot, self._self)}."
            case OwnCost(amount):
                each = counted(amount) or quantity(-amount, self._self).removeprefix("the ")
                return f"Costs (1) {'less' if amount.factor < 0 else 'more'} for each {each}."
            case Rule(keywords):
                return " ".join(text for keyword, text in _RULES.items() if keyword in keywords)
            case Hero(power):
                return _sentence(f"Hero Power: {self._cards[power].name}")
            case Nothing(reason):
                return f"No effect here: {reason}."

    def _play(self, play: Play) -> str:
        instead = sum(isinstance(slot, Play) for slot in self._card.effects) > 1
        label = {
            PlayKind.battlecry: "Battlecry: ",
            PlayKind.combo: "Combo instead: " if instead else "Combo: ",
        }.get(play.kind, "")
        return f"{label}{self._steps(play.steps)}"

    def _aura(self, aura: Aura) -> str:
        given = gifts(aura.attack, aura.health, aura.keywords, self._self)
        if aura.selector.base is Base.self and aura.condition == SELF_DAMAGED:
            return f"Has {given} while damaged."
        if aura.selector.base is Base.self:
            start = "Has"
        else:
            one = aura.selector.base in (Base.weapon, Base.hero)
            start = f"{capital(self._noun(aura.selector))} {'has' if one else 'have'}"
        while_ = f" while {condition_phrase(aura.condition, self._self)}" if aura.condition else ""
        return f"{start} {given}{while_}."

    # ---- steps -----------------------------------------------------------------------------------------------------

    def _steps(self, steps: tuple[Step, ...]) -> str:
        self._chosen = chosen_in(steps) or self._chosen
        self._speaks_of_it = self._speaks_of_it or _mentions_target_again(steps)
        return " ".join(self._step(step) for step in steps)

    def _step(self, step: Step) -> str:
        match step:
            case When(condition, then, otherwise):
                start = f"If {self._condition(condition)}"
                before = self._chosen  # each branch introduces the target itself
                first = f"{start}, {_lower(self._steps(then))}"
                self._chosen = before
                return f"{first} Otherwise, {_lower(self._steps(otherwise))}" if otherwise else first
            case Repeat(times, steps):
                return f"{'Twice' if times == 2 else f'{times} times'}: {self._steps(steps)}"
            case Action():
                return _sentence(self._action(step))

    def _noun(self, selector: Selector | None) -> str:
        """A selector in words; the target is introduced when it is first mentioned."""
        if selector is None:
            return ""
        if selector.base is Base.target:
            selector = replace(selector, among=self._chosen)
            self._chosen = None
        elif selector.base in (Base.adjacent_to_target, Base.target_and_adjacent):
            self._chosen = None
        filters = tuple(
            replace(one, value=self._cards[str(one.value)].name) if one.kind is FilterKind.not_card else one
            for one in selector.filters
        )
        return noun(replace(selector, filters=filters), self._self)

    def _condition(self, condition: Condition) -> str:
        if isinstance(condition.value, str):
            condition = replace(condition, value=self._cards[condition.value].name)
        selector = condition.selector
        if selector is not None and selector.base is Base.target:
            condition = replace(condition, selector=replace(selector, among=self._chosen))
            self._chosen = None
        return condition_phrase(condition, self._self)

    def _amount(self, amount: Amount) -> Amount:
        """A number whose target is introduced if this is its first mention."""
        if isinstance(amount, Number) and amount.selector is not None and amount.selector.base is Base.target:
            amount = replace(amount, selector=replace(amount.selector, among=self._chosen))
            self._chosen = None
        return amount

    def _quantity(self, amount: Amount) -> str:
        return quantity(self._amount(amount), self._self)

    def _made(self, action: Action, count: Amount = 1) -> str:
        if isinstance(action.card, CardChoice) and action.card.selector is not None:
            copy = "a copy" if action.card.choice is Choice.copy_of_selected else "a fresh copy"
            return f"{copy} of {self._noun(action.card.selector)}"
        return made_card(action.card, self._cards, count)

    def _action(self, action: Action) -> str:
        match action.op:
            case Op.damage | Op.damage_from | Op.split_damage | Op.heal | Op.heal_fully:
                return self._wound_or_heal(action)
            case Op.set_current_health | Op.set_attack | Op.set_health | Op.buff | Op.buff_weapon:
                return self._stats(action)
            case Op.transform | Op.equip | Op.set_power | Op.replace_hero:
                return self._make(action)
            case Op.summon | Op.summon_around | Op.summon_at_end:
                return self._summon(action)
            case Op.draw | Op.draw_filtered | Op.add_to_hand | Op.copy_to_hand | Op.change_cost | Op.bounce:
                return self._hand(action)
            case Op.gain_armor | Op.gain_crystals | Op.gain_empty_crystals | Op.gain_mana | Op.lose_durability:
                return self._resource(action)
            case Op.enchant_player:
                return self._temporarily(action)
            case Op.attach:
                assert isinstance(action.gives, Trigger | Deathrattle)
                given = _Writer(self._card, self._cards, host=True).slot(action.gives)
                return f"Give {self._noun(action.selector)} “{given}”"
        who = self._noun(action.selector)
        texts = {
            Op.swap_stats: f"Swap the Attack and Health of {who}",
            Op.remove_keywords: f"Remove {keyword_name(action.keywords)} from {who}",
            Op.take_control: f"Take control of {who}{' until the end of the turn' if action.duration else ''}",
            Op.redirect_attack: f"The attack hits {who} instead",
            Op.redirect_spell: f"The spell hits {who} instead",
            Op.counter: "Counter it",
            Op.prevent_damage: "Prevent that damage",
            Op.look_at_top: f"Look at the top {action.amount} cards of your deck. Draw one and discard the others",
            Op.swap_with_hand: f"Swap this minion with {who}",
            Op.return_later: "Return this to your hand next turn",
        }
        return texts.get(action.op, f"{action.op.name.capitalize()} {who}")  # freeze, silence, destroy, discard

    def _wound_or_heal(self, action: Action) -> str:
        if action.dealer is not None:
            start = f"{capital(self._noun(action.dealer))} deals damage equal to {self._quantity(action.amount)}"
        elif action.op is Op.heal_fully:
            start = "Restore all Health"
        elif action.op is Op.heal:
            start = f"Restore {self._quantity(action.amount)} Health"
        elif action.op is Op.split_damage:
            return f"Deal {self._quantity(action.amount)} damage randomly split among {self._noun(action.selector)}"
        elif isinstance(action.amount, int) or action.amount.kind is NumberKind.random_between:
            start = f"Deal {self._quantity(action.amount)} damage"
        elif action.amount.kind is NumberKind.event_amount:
            start = "Deal that much damage"
        else:
            start = f"Deal damage equal to {self._quantity(action.amount)}"
        who = self._noun(action.selector)
        return start if who == "a character" and not self._speaks_of_it else f"{start} to {who}"

    def _stats(self, action: Action) -> str:
        who = self._noun(action.selector)
        if action.op in (Op.buff, Op.buff_weapon):
            attack, health = self._amount(action.amount), self._amount(action.amount2)
            given = gifts(attack, health, action.keywords, self._self, weapon=action.op is Op.buff_weapon)
            start = "Gain" if who == "this minion" else f"Give {who}"
            return f"{start} {given}{_LASTING.get(action.duration, '')}"
        verb = "Set" if action.op is Op.set_current_health else "Change"
        stat = {Op.set_attack: "Attack", Op.set_health: "Health"}.get(action.op, "remaining Health")
        what = f"its {stat}" if who == "it" else f"the {stat} of {who}"
        return f"{verb} {what} to {self._quantity(action.amount)}"

    def _make(self, action: Action) -> str:
        starts = {
            Op.transform: f"Transform {self._noun(action.selector)} into",
            Op.equip: "Equip",
            Op.set_power: "Your Hero Power becomes",
            Op.replace_hero: "Replace your hero with",
        }
        return f"{starts[action.op]} {self._made(action)}"

    def _summon(self, action: Action) -> str:
        full = isinstance(action.amount, Number) and action.amount.kind is NumberKind.free_slots
        made = self._made(action, 2 if full else action.amount).removeprefix("two " if full else "")
        side = " for your opponent" if action.side is Side.enemy else ""
        places = {Op.summon_around: " on both sides of this minion", Op.summon_at_end: " at the right end"}
        return f"Summon {made}{side}{places.get(action.op, '')}{' until your side is full' if full else ''}"

    def _hand(self, action: Action) -> str:
        match action.op:
            case Op.draw:
                return self._draw(action.amount, enemy=action.side is Side.enemy)
            case Op.draw_filtered:
                return f"Draw a {kind(action.selector) if action.selector else 'card'} from your deck"
            case Op.add_to_hand:
                return f"Add {self._made(action, action.amount)} to {whose(action.side)} hand"
            case Op.copy_to_hand:
                several = action.selector is not None and action.selector.count > 1
                copies = "copies" if several else "a copy"
                return f"Put {copies} of {self._noun(action.selector)} into {whose(action.side)} hand"
            case Op.change_cost:
                return f"{capital(self._noun(action.selector))} costs {change(action.amount)}"
        several = action.selector is not None and action.selector.base is Base.minions
        several = several and action.selector is not None and action.selector.pick is Pick.all
        owner = "their owners' hands" if several else "its owner's hand"
        return f"Return {self._noun(action.selector)} to {owner}"

    def _draw(self, amount: Amount, *, enemy: bool) -> str:
        verb = "Your opponent draws" if enemy else "Draw"
        if isinstance(amount, int):
            return f"{verb} a card" if amount == 1 else f"{verb} {amount} cards"
        if counted(amount):
            return f"{verb} a card for each {counted(amount)}"
        return f"{verb} cards equal to {self._quantity(amount)}"

    def _resource(self, action: Action) -> str:
        amount = action.amount
        lost = isinstance(amount, int) and amount < 0
        what = {Op.gain_armor: "Armor", Op.gain_mana: "mana this turn only"}.get(action.op, "Mana Crystal")
        number = self._quantity(-amount if lost else amount)
        if action.op is Op.lose_durability:
            return f"{capital(whose(action.side))} weapon loses {number} Durability"
        if action.op is Op.gain_empty_crystals and not lost:
            what = f"empty {what}"
        if what.endswith("Crystal") and number != "1":
            what = f"{what}s"
        if action.side is Side.enemy:
            return f"Your opponent {'loses' if lost else 'gains'} {number} {what}"
        return f"{'Lose' if lost else 'Gain'} {number} {what}"

    def _temporarily(self, action: Action) -> str:
        gives, lasting = action.gives, _LASTING.get(action.duration, "")
        if isinstance(gives, Aura):
            return f"{capital(self._noun(gives.selector))} have {keyword_name(gives.keywords)}{lasting}"
        assert isinstance(gives, CostAura)
        if lasting:
            return f"{cost_change(gives, self._self)}{lasting}"
        cost = f"({gives.amount})" if gives.change is CostChange.set else change(gives.amount)
        return f"The next {kind(gives.selector)} you play this turn costs {cost}"


def _mentions_target_again(steps: tuple[Step, ...]) -> bool:
    mentions = [node for node in walk(steps) if isinstance(node, Selector) and node.base is Base.target]
    hits = [node for node in walk(steps) if isinstance(node, Action) and node.op in (Op.damage, Op.heal)]
    harmless = len(mentions) - sum(hit.selector in mentions for hit in hits)
    return harmless > 0


def _sentence(text: str) -> str:
    return text if text.endswith((".”", "!")) else f"{text}."


def _lower(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]
