"""`deckatlas evaluate`: what happens when a pilot plays decks of Hearthstone against a suite of opponents."""

import math
from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box
from rich.table import Table
from rich.text import Text

from deckatlas.cli.common import SeedOption, check_writable, out, print_table, progress_bar, write_json, write_text
from deckatlas.cli.matches import ThreadsOption, TimeFactorOption
from deckatlas.errors import DeckError, MatchError
from deckatlas.games.hearthstone.cards.deck_files import read_deck_file
from deckatlas.games.hearthstone.cards.decks import Deck, check_class, named_decks
from deckatlas.games.hearthstone.cards.editions import DEFAULT, EDITIONS, Edition
from deckatlas.games.hearthstone.cards.measures import measures
from deckatlas.games.hearthstone.evaluation import Evaluations
from deckatlas.games.hearthstone.evaluation import evaluate as evaluate_decks
from deckatlas.games.hearthstone.evaluation_tables import evaluations_csv, evaluations_json
from deckatlas.games.hearthstone.profiles import PROFILES
from deckatlas.games.hearthstone.setup import deck_of, edition_of
from deckatlas.games.hearthstone.story import narrate
from deckatlas.play.match import MAX_GAMES, positive
from deckatlas.stats.estimate import Estimate

MOST_SHOWN = 50  # decks in the table on the terminal

_TITLES = {
    "win_rate": "wins %",
    "avg_health_diff": "health difference",
    "num_turns": "turns",
    "hand_size": "hand",
    "damage_done": "damage",
    "cards_drawn": "drawn",
    "mana_spent": "spent",
    "mana_wasted": "wasted",
}


def evaluate(
    pilot: Annotated[
        str,
        typer.Option(help="Who plays the decks: an agent (see `deckatlas agents hearthstone`) or exec:CMD, a program."),
    ],
    decks: Annotated[
        list[str] | None, typer.Argument(metavar="DECK", help="Codes, names or card ids of decks.")
    ] = None,
    deck_file: Annotated[
        Path | None,
        typer.Option(
            "--decks",
            help="A file of decks: CSV with a column deck_card_ids or deck (ids separated by blanks) and perhaps a "
            "column class, or a deck code on each line; plain or gzip.",
        ),
    ] = None,
    suite: Annotated[str, typer.Option(help="Whom they meet: starter, elite or a TOML file of opponents.")] = "starter",
    games: Annotated[int, typer.Option(help="Games of each deck, shared out over the opponents in turn.")] = 200,
    seed: SeedOption = 0,
    profile: Annotated[
        str,
        typer.Option(
            help=f"How games are set up and counted: {', '.join(PROFILES)}. The last two are what published programs "
            "did: always first, inverted mulligan, pilots that see everything."
        ),
    ] = "fair",
    edition: Annotated[
        str, typer.Option(help=f"Edition of the cards: {', '.join(EDITIONS)}, or a TOML file with a patch.")
    ] = DEFAULT,
    hero_class: Annotated[
        str | None,
        typer.Option("--class", help="Class of the decks; if not given, that of their class cards."),
    ] = None,
    replay: Annotated[
        int | None,
        typer.Option(metavar="GAME", help="Instead tell one game turn by turn; games are numbered from 0."),
    ] = None,
    threads: ThreadsOption = None,
    time_factor: TimeFactorOption = 1.0,
    csv: Annotated[Path | None, typer.Option(help="Write a row a deck as CSV; `-` is standard output.")] = None,
    json: Annotated[
        Path | None, typer.Option(help="Write the result as JSON, by opponent too; `-` is standard output.")
    ] = None,
) -> None:
    """Plays decks of Hearthstone against a suite of opponents and prints averages with 95 % intervals.

    All decks meet the same opponents with the same shuffles. Health difference is the deck's minus the opponent's at
    the end; hand, damage, cards drawn and mana are for a turn of the deck's player.

    A suite is a TOML file with an array of tables `opponent`, each with a deck (its name or code), a pilot and, if it
    likes, a portion: how many games in a row the opponent has when all take turns.

    Example: deckatlas evaluate "Starter Mage" "Starter Rogue" --pilot planner:score=control --games 24 --seed 1

    Example: deckatlas evaluate "Starter Mage" --pilot planner:score=control --seed 1 --replay 17
    """
    if json is not None and json == csv:
        place = "standard output" if str(json) == "-" else json
        raise MatchError(f"--json and --csv would both write to {place}")
    cards = edition_of(edition)
    chosen = _decks(decks or [], deck_file, cards, hero_class)
    how: dict[str, Any] = {
        "pilot": pilot,
        "suite": suite,
        "seed": seed,
        "profile": profile,
        "edition": cards,
        "time_factor": time_factor,
    }
    if replay is not None:
        if len(chosen) > 1 or csv is not None or json is not None:
            raise MatchError("--replay tells a game of one deck, and writes nothing")
        if not 0 <= replay < positive("games", games, MAX_GAMES):
            raise MatchError(f"--replay: there is no game {replay}, they are numbered from 0 to {games - 1}")
        one = evaluate_decks([chosen[0][1]], **how, games=1, first_game=replay)
        out.print(narrate(one.replay(0, time_factor=time_factor)), markup=False, soft_wrap=True)
        return
    check_writable(csv, json)
    with progress_bar("evaluate", len(chosen) * games) as progress:
        results = evaluate_decks(
            [deck for _, deck in chosen],
            **how,
            games=games,
            threads=threads,
            progress=progress,
        )
    if "-" not in (str(json), str(csv)):
        _print(results, [name for name, _ in chosen])
    if csv is not None:
        write_text(csv, evaluations_csv(results))
    if json is not None:
        write_json(json, evaluations_json(results))


def _decks(given: list[str], file: Path | None, cards: Edition, hero_class: str | None) -> list[tuple[str, Deck]]:
    """The decks that were asked for, each with what it is called in tables."""
    hero_class = None if hero_class is None else check_class(hero_class)
    if bool(given) == (file is not None):
        raise DeckError(
            "name the decks to evaluate, or give a file of them with --decks" + (", not both" if given else "")
        )
    if file is not None:
        read = read_deck_file(file, cards, hero_class=hero_class)
        return [(f"{number} {deck.hero_class.title()}", deck) for number, deck in enumerate(read, start=1)]
    decks = []
    for number, text in enumerate(given, start=1):
        try:
            deck = deck_of(text, cards, hero_class=hero_class)
        except DeckError as error:
            raise DeckError(f"deck {number}: {error}" if len(given) > 1 else str(error)) from None
        known = next((name for name in named_decks() if name.casefold() == text.casefold()), None)
        decks.append((known or f"{number} {deck.hero_class.title()}", deck))
    return decks


def _print(results: Evaluations, names: list[str]) -> None:
    games = f"{len(results.course):,} game{'' if len(results.course) == 1 else 's'}"
    games += " each" if len(results) > 1 else ""
    about = f"pilot {results.pilot}, suite {results.suite.name}, profile {results.profile.name}, {games}"
    if len(results) == 1:
        print_table(_opponents_table(results, names[0], about))
        deck = measures(results.decks[0], results.edition.by_id)
        out.print(
            f"  mana {deck.deck_mana_sum} (variance {deck.deck_mana_variance:.2f}), {deck.num_minion_cards} minions, "
            f"{deck.num_spell_cards} spells, {deck.dust} dust"
        )
    else:
        print_table(_decks_table(results, names, about))
        if len(results) > MOST_SHOWN:
            out.print(f"  and {len(results) - MOST_SHOWN:,} more: --csv writes all of them")
    if results.retries.any():
        out.print(f"  games played again, since they had become too large for the core: {results.retries.sum():,}")
    if results.voids.any():
        out.print(f"  games that were so each time, and count as not won: {results.voids.sum():,}")
    for reason, count in results.forfeits.items():
        out.print(f"  forfeits: {count:,} x {reason}", markup=False, soft_wrap=True)


def _table(title: str, first: str, about: str) -> Table:
    table = Table(title=Text(title), caption=Text(f"{about}; with 95 % intervals"), box=box.SIMPLE_HEAD)
    table.padding = (0, 1, 0, 0)
    table.add_column(first, no_wrap=True)
    return table


def _decks_table(results: Evaluations, names: list[str], about: str) -> Table:
    table = _table("evaluations", "deck", about)
    for title in _TITLES.values():
        table.add_column(title, justify="right", no_wrap=True)
    for number, name in enumerate(names[:MOST_SHOWN]):
        table.add_row(Text(name), *(_cell(results.averages[key][number]) for key in _TITLES))
    return table


def _opponents_table(results: Evaluations, name: str, about: str) -> Table:
    table = _table(name, "opponent", about)
    for title in ("pilot", "games", *_TITLES.values()):
        table.add_column(title, justify="left" if title == "pilot" else "right", no_wrap=True)
    for number, (opponent, games) in enumerate(zip(results.suite.opponents, results.games_of_opponents, strict=True)):
        cells = (_cell(results.by_opponent[key][0, number]) for key in _TITLES)
        table.add_row(Text(opponent.name), Text(opponent.pilot), f"{games:,}", *cells)
    table.add_section()
    table.add_row("all", "", f"{len(results.course):,}", *(_cell(results.averages[key][0]) for key in _TITLES))
    return table


def _cell(found: Estimate) -> str:
    """A value and its interval, as far as they are known; those of rates are not alike to both sides."""
    if not math.isfinite(found.value):
        return ""
    return found.in_percent().text(1) if found.is_share else found.plus_minus()
