"""Finding cards of an edition: by words of their names and texts, and by class, cost, type and keyword."""

from collections.abc import Iterable

from deckatlas.arguments import checked
from deckatlas.errors import CardError
from deckatlas.games.card_query import CostRange, did_you_mean, has_words, in_words, near_names, query_text, words_of
from deckatlas.games.hearthstone.cards.codes import CardType, HeroClass, Race
from deckatlas.games.hearthstone.cards.editions import DEFAULT, Edition, EditionLike, edition_of
from deckatlas.games.hearthstone.cards.table import COUNTED, MARKS, PRINTED, Card
from deckatlas.games.hearthstone.cards.texts import text_of
from deckatlas.shapes import nearest, show

CLASSES = tuple(each.name for each in HeroClass)
TYPES = tuple(each.name for each in CardType if each is not CardType.none)
KEYWORDS = (*PRINTED, *COUNTED, *MARKS)


@checked
def find_cards(
    query: str | Iterable[str] = "",
    *,
    hero_class: str | None = None,
    cost: int | str | None = None,
    type: str | None = None,
    keyword: str | None = None,
    edition: EditionLike = DEFAULT,
) -> tuple[Card, ...]:
    """The cards that decks can have and that fit everything asked for; tokens only if no such card fits.

    Cards with the words in their names come first, then cards in the order of their costs and names.

    Args:
        query: Words, in upper or lower case: each must start a word of the card's name, text, race or keywords.
        hero_class: The class of the cards; "neutral" for those of every class.
        cost: Their cost, such as 4, or a range, such as "2-4" or "7+".
        type: "minion", "spell", "weapon", "hero" or "power".
        keyword: A keyword of the card tables, such as "taunt", "divine-shield" or "battlecry".
        edition: The edition, as an object, a name, or the path of a TOML file with a patch.

    Raises:
        CardError: If there is no such edition, class, type or keyword, the cost is no range, or no card fits; the
            message has the names that were probably meant.
    """
    cards = edition_of(edition)
    text = query_text(query)
    asked = words_of(text)
    of_class = None if hero_class is None else HeroClass[_known("class", hero_class, CLASSES)]
    of_type = None if type is None else CardType[_known("type", type, TYPES)]
    having = None if keyword is None else _known("keyword", keyword, KEYWORDS)
    costs = None if cost is None else CostRange.read(cost)
    fitting = [
        card
        for card in cards.cards
        if (of_class is None or card.hero_class is of_class)
        and (of_type is None or card.type is of_type)
        and (having is None or having in _keywords(card))
        and (costs is None or card.cost in costs)
        and has_words(_searched(card, cards), asked)
    ]
    found = [card for card in fitting if card.collectible] or fitting
    if not found:
        options = {"class": hero_class, "cost": cost, "type": type, "keyword": keyword}
        raise CardError(f"no card fits {in_words(text, options)}{_hint(text, cards)}")
    return tuple(sorted(found, key=lambda card: (not has_words(card.name, asked), card.cost, card.name, card.id)))


def _known(what: str, given: str, names: tuple[str, ...]) -> str:
    name = given.strip().lower().replace(" ", "-") if isinstance(given, str) else given
    if name not in names:
        raise CardError(f"unknown {what} {show(given)}: {nearest(given, names)}")
    return name


def _keywords(card: Card) -> set[str]:
    return {keyword.partition("=")[0] for keyword in card.keywords}


def _searched(card: Card, cards: Edition) -> str:
    race = "" if card.race is Race.none else card.race.name
    return " ".join((card.name, text_of(card, cards), race, *_keywords(card)))


def _hint(text: str, cards: Edition) -> str:
    near = near_names(text, (card.name for card in cards.cards if card.collectible))
    return f": {did_you_mean(near)}" if near else ""
