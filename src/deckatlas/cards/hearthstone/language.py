"""The card language: what card authors write. docs/cards.md teaches it.

An effect is an expression of these names and nothing else, so it can also stand as text in a patch (see `parse`).
"""

from deckatlas.cards.hearthstone.codes import Duration, Keyword, Side
from deckatlas.cards.hearthstone.deeds import *
from deckatlas.cards.hearthstone.happenings import *
from deckatlas.cards.hearthstone.nouns import *
from deckatlas.cards.hearthstone.terms import Condition, Filter, Number, Query, Selector
from deckatlas.cards.hearthstone.verbs import *

_NOUNS = (Keyword, Duration, Side, Selector, Filter, Number, Condition, Query)
_MODULES = tuple(f"{__package__}.{module}" for module in ("nouns", "verbs", "happenings", "deeds"))

VOCABULARY: dict[str, object] = {
    name: value
    for name, value in globals().items()
    if not name.startswith("_")
    and (isinstance(value, _NOUNS) or (name.islower() and getattr(value, "__module__", None) in _MODULES))
}
