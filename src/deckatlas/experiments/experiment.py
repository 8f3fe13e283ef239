"""Experiments: a TOML file with runs, a kind of report, and the published numbers.

The experiment PAPER/ITEM is the file experiments/PAPER/ITEM.toml. It is looked for in the current folder, in the
installed package and, for a development install, in the repository:

    title = "All against all"
    source = "R. Miernik, table 4.1"
    seed = 1                        # of the evaluation, and of runs of this file that do not set their own
    include = "searches.toml"       # runs that several items share: a file in the same folder, without [report]
    use = ["E_a", "E_aw"]           # which of them
    evaluations = "evaluations"     # a folder for the report's games, if items share them

    [defaults]                      # defaults for every run of this file
    budget = 1_000_000

    [runs.E_x]                      # the configuration of a run, without a name, and its number of repetitions
    repeat = 10                     # runs 1 to 10; with first = 11, runs 11 to 20
    search.algorithm = "E_a"

    [runs.M_x]                      # maps are runs too; in Hearthstone they can play against decks of other maps:
    opponents_from = ["M_y"]        # an opponent of run k is the best deck of run k of each of these maps, or of its
                                    # only run
    recheck = 100                   # each elite of the finished map plays this number of fresh games
    model_from = "M_z"              # a search with a surrogate uses a model of run k of this map, and trains none
    seeds_from = "pairs"            # run k has the same seed as run k of all others with this text, for comparisons

    [report]                        # a kind of deckatlas.papers.kinds and its options
    kind = "league"

    [published]                     # published numbers that the report shows beside ours

    [smoke.defaults]                # changes by --smoke, after the general rules have shrunk everything:
    budget = 500                    # [smoke.defaults] for every run, [smoke.runs.NAME] for one, [smoke.report]

Run k of NAME, counted from 1, is called NAME-k and has a seed of its own, unless `seeds_from` is set.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import Field, create_model

import deckatlas
from deckatlas.documents.document import Document, read_document
from deckatlas.errors import RunError
from deckatlas.experiments.kind import ReportOptions
from deckatlas.experiments.needs import check_needs
from deckatlas.experiments.series import Series
from deckatlas.runs.config import ConfigTable
from deckatlas.shapes import nearest, show

FOLDER = "experiments"


class Heading(ConfigTable):
    """An experiment's file without its runs."""

    title: str = Field(description="What the experiment shows.")
    source: str = Field(description="Where it was published.")
    seed: int = Field(default=0, ge=0, le=2**63 - 1, description="The seed of the evaluation.")
    include: str | None = Field(default=None, description="A file in the same folder that has more runs.")
    use: tuple[str, ...] = Field(default=(), description="The included runs that are used.")
    evaluations: str | None = Field(
        default=None, description="A folder for the report's games, if items share them; otherwise each has its own."
    )
    report: ReportOptions = Field(description="The report on the runs.")
    published: dict[str, Any] = Field(default={}, description="Published numbers.")


@dataclass(frozen=True)
class Experiment:
    """One table or figure of a paper.

    Attributes:
        paper: The name of the folder.
        item: The name of the file without its suffix.
        heading: Everything but the runs.
        series: For each name, the folder in which its runs are stored, and the runs.
        smoke: Whether it was shrunk to take seconds.
    """

    paper: str
    item: str
    heading: Heading
    series: dict[str, tuple[Path, Series]]
    smoke: bool

    @property
    def name(self) -> str:
        """PAPER/ITEM."""
        return f"{self.paper}/{self.item}"

    @property
    def stem(self) -> str:
        """The name of the folder of its files."""
        return f"{self.item}-smoke" if self.smoke else self.item

    @property
    def folder(self) -> Path:
        """The folder of its own stores, within the folder of all runs.

        Runs belong to the file that defines them, so items share the runs that they include. A shrunk item shares no
        runs.
        """
        return Path(f"{self.paper}-smoke" if self.smoke else self.paper, self.item)

    @property
    def evaluations(self) -> Path:
        """The folder of its report's games, within the folder of all runs; shrunk items share nothing."""
        shared = None if self.smoke else self.heading.evaluations
        return self.folder if shared is None else self.folder.parent / shared


def find_items(name: str) -> list[Path]:
    """The files that PAPER or PAPER/ITEM names, in the order of their names; mistakes in other papers do not matter.

    Raises:
        RunError: If there is no such file; the message has the nearest name, or the folders that were searched.
    """
    paper, _, item = name.partition("/")
    folders = _folders()
    papers: dict[str, dict[str, Path]] = {}
    for folder in reversed(folders):
        for of_paper in sorted(folder.glob("*/")):
            if files := {path.stem: path for path in sorted(of_paper.glob("*.toml"))}:
                papers[of_paper.name] = files
    files = papers.get(paper, {})
    if item in files and _is_item(files[item]):
        return [files[item]]
    if not item and (items := [path for path in files.values() if _is_item(path)]):
        return items
    if known := _known(files):
        raise RunError(f"{paper} has no item {show(item)}: {nearest(item, known)}")
    hint = nearest(paper, [name for name, files in papers.items() if _known(files)])
    raise RunError(f"there is no paper {show(paper)}: {hint} (looked in {', '.join(map(str, folders))})")


def _folders() -> list[Path]:
    """The folders of papers; a paper in an earlier folder hides papers of the same name in later ones."""
    package = Path(deckatlas.__file__).parent
    folders = [Path(FOLDER), package / FOLDER]
    if package.parent.name == "src":  # used in place: a development install
        folders.append(package.parents[1] / FOLDER)
    return folders


def _is_item(path: Path) -> bool:
    """Whether a file is an experiment, not a file to be included."""
    return "report" in read_document(path).values


def _known(files: Mapping[str, Path]) -> list[str]:
    """The names of the experiments that can be read."""
    known = []
    for name, path in files.items():
        with suppress(RunError):
            known += [name] if _is_item(path) else []
    return known


def read_experiment(file: Path, *, reports: Any, settings: Sequence[str] = (), smoke: bool = False) -> Experiment:
    """Reads an experiment.

    Args:
        file: Its file, in the folder of its paper.
        reports: All kinds of reports: a union of options, discriminated by `kind`.
        settings: Values that replace those of the file, each as `a.b=3`. Those below `runs` also replace values of
            the included file. A key below `defaults` is replaced in the files that have it, and becomes a default of
            both if neither has. They apply to the shrunk experiment too.
        smoke: Whether to shrink everything so that it takes seconds.

    Raises:
        RunError: If something in it is unknown or impossible; the message says where and what would be right.
    """
    document = read_document(file)
    of_runs = [setting for setting in settings if _keys(setting)[0] in ("defaults", "runs")]
    for setting in settings:
        if setting not in of_runs:
            document.set_from_text(setting)
    heading = _heading(document, _heading_with(reports), smoke=smoke)
    library = _library(file, document, heading)
    for setting in of_runs:
        _set_runs([document, library], setting)
    paper = file.parent.name
    experiment = Experiment(paper, file.stem, heading, {}, smoke)
    parts = {name: (file.stem, _run_of(document, name, heading.seed)) for name in _run_names(document)}
    parts |= {
        name: (Path(heading.include or "").stem, _run_of(library, name, library.values.get("seed", 0)))
        for name in heading.use
    }
    for name in document.part(("smoke", "runs")).values:
        if name not in parts:
            raise RunError(f"{document.place(('smoke', 'runs', name))}: no run {show(name)}: {nearest(name, parts)}")
    full, small = {}, {}  # both are always read, so that a mistake in [smoke] is always found
    for name, (_, part) in parts.items():
        full[name] = Series.of(part)
        changes = document.part(("smoke", "defaults"), ("smoke", "runs", name)).over(full[name].smoke().to_json())
        _set_again(changes, part)
        small[name] = Series.of(changes)
    for chosen in (full, small):
        check_needs(chosen, {name: part for name, (_, part) in parts.items()})
    for name, (stem, part) in parts.items():
        if full[name].has_archive != heading.report.of_archives:
            kinds = ("searches by matchups", "maps")[:: -1 if heading.report.of_archives else 1]
            raise RunError(f"{part.name}: a report of kind {heading.report.kind} needs {kinds[0]}, not {kinds[1]}")
        experiment.series[name] = (experiment.folder, small[name]) if smoke else (Path(paper, stem), full[name])
    for complaint in heading.report.complaints(heading.published, experiment.series):
        raise RunError(f"{document.likeliest_place(complaint.paths)}: {complaint.text}")
    heading.report.check_series({name: each for name, (_, each) in experiment.series.items()})
    return experiment


def _heading_with(reports: Any) -> type[Heading]:
    """The model of a heading whose report is one of these."""
    return create_model("Heading", __base__=Heading, report=(reports, ...))


def _heading(document: Document, model: type[Heading], *, smoke: bool) -> Heading:
    own = document.copy()
    for key in ("runs", "defaults", "smoke"):
        own.pop(key)
    full = own.check(model)
    changes = document.part(("smoke",))
    for key in changes.values:
        if key not in ("defaults", "runs", "report"):
            raise RunError(
                f"{changes.place((key,))}: unknown key {show(key)} in [smoke]: it can have defaults, runs, report"
            )
    for key in ("defaults", "runs"):
        changes.pop(key)
    small = changes.over({**own.values, "report": full.report.smoke().model_dump(mode="json")})
    _set_again(small, own.part(()))
    shrunk = small.check(model)
    return shrunk if smoke else full


def _set_again(small: Document, full: Document) -> None:
    """Lets values from `--set` win over the values that shrink a part of a file, as they do in runs."""
    for path, place in full.places.items():
        value: Any = full.values
        for key in path:
            value = value[key]
        if place.startswith("--set ") and not isinstance(value, dict):
            small.set(tuple(map(str, path)), value, place)


def _library(file: Path, document: Document, heading: Heading) -> Document:
    """The file with the runs that several items share, checked to have all runs in `use`."""
    if heading.include is None:
        if heading.use:
            raise RunError(f"{document.place(('use',))}: use needs include, the file that has these runs")
        return Document("", {})
    library = read_document(file.parent / heading.include)
    known = library.part(("runs",)).values
    for number, name in enumerate(heading.use):
        if name not in known:
            raise RunError(
                f"{document.place(('use', number))}: no run {show(name)} in {library.name}: {nearest(name, known)}"
            )
    return library


def _keys(setting: str) -> list[str]:
    """The keys of a setting: `a.b=3` has the keys a and b."""
    return [key.strip() for key in setting.partition("=")[0].split(".")]


def _set_runs(documents: Sequence[Document], setting: str) -> None:
    """Changes a run in the document that has it, or the defaults of runs in those that have this key, or in all."""
    table, *keys = _keys(setting)
    if table == "defaults":
        having = [each for each in documents if keys and _has(each, (table, *keys))]
        for document in having or documents:
            document.set_from_text(setting)
            document.part(("defaults",))  # finds a mistake even if there are no runs
        return
    known = {name: document for document in documents for name in _run_names(document)}
    if not keys:
        raise RunError(f"--set {setting}: write runs.NAME.KEY=VALUE; NAME is one of {', '.join(known)}")
    if keys[0] not in known:
        raise RunError(f"--set {setting}: no run {show(keys[0])}: {nearest(keys[0], known)}")
    known[keys[0]].set_from_text(setting)


def _has(document: Document, path: Sequence[str]) -> bool:
    value: Any = document.values
    for key in path:
        if not isinstance(value, dict) or key not in value:
            return False
        value = value[key]
    return True


def _run_names(document: Document) -> list[str]:
    """The runs of a document, including those with an empty table, which are all defaults."""
    document.part(("runs",))  # refuses anything but a table
    return list(document.values.get("runs", {}))


def _run_of(document: Document, name: str, seed: int) -> Document:
    """Everything that a document says about a run."""
    part = document.part(("defaults",), ("runs", name))
    part.values = {"name": name, "seed": seed, **part.values}
    return part
