"""The card language: the names that card authors use. docs/cards.md explains it.

An effect is an expression of these names only, so a patch can also contain it as text (see `parse`).
"""

from deckatlas.games.hearthstone.cards.codes import Duration, Keyword, Side
from deckatlas.games.hearthstone.cards.deeds import *
from deckatlas.games.hearthstone.cards.happenings import *
from deckatlas.games.hearthstone.cards.nouns import *
from deckatlas.games.hearthstone.cards.terms import Condition, Filter, Number, Query, Selector
from deckatlas.games.hearthstone.cards.verbs import *

_NOUNS = (Keyword, Duration, Side, Selector, Filter, Number, Condition, Query)
_MODULES = tuple(f"{__package__}.{module}" for module in ("nouns", "verbs", "happenings", "deeds"))

VOCABULARY: dict[str, object] = {
    name: value
    for name, value in globals().items()
    if not name.startswith("_")
    and (isinstance(value, _NOUNS) or (name.islower() and getattr(value, "__module__", None) in _MODULES))
}
