"""The studio: a folder of runs in the browser, live while runs are written.

`app.py` makes the application, `safety.py` guards its border, `shelf.py` finds and keeps runs, and `routes/` has a
module for each page. The pages themselves are built from `web/` into `pages/`.
"""

from pathlib import Path

PAGES = Path(__file__).parent / "pages"


def has_pages() -> bool:
    """Whether the pages are built; a wheel has them, a clone builds them with `make pages`."""
    return (PAGES / "index.html").is_file()
