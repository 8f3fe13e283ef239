"""What a command prints as a page: it is whole, in order, and safe from names that look like HTML."""

from deckatlas.games.game import PlainTable
from deckatlas.views.parts_page import parts_page

TABLE = PlainTable(
    "a <b> title", "below", ("card", "n"), frozenset({"card"}), ((("Fire & Ice", "3"),), (("all", "4"),))
)


def test_tables_and_notes_come_in_their_order_with_the_command() -> None:
    page = parts_page([TABLE, "  a note\n  on two lines"], title="Evaluation", command=["deckatlas", "evaluate", "A B"])
    places = [page.index(text) for text in ("<h1>Evaluation", "Fire &amp; Ice", ">all<", "a note on two lines", "A B")]
    assert places == sorted(places)
    assert "deckatlas evaluate &#x27;A B&#x27;" in page


def test_names_are_escaped() -> None:
    page = parts_page([TABLE], title="<script>", command=["deckatlas"])
    assert "<script>" not in page
    assert "a &lt;b&gt; title" in page
