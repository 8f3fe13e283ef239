"""The balance studies of a folder as the studio knows them: found by their records, and read again when they change."""

from dataclasses import dataclass
from pathlib import Path

from deckatlas.balancing.record import StudyRecord, read_study, state_of, studies_in
from deckatlas.errors import RunError
from deckatlas.studio.shelf import Shelf, UnknownRunError, id_of


@dataclass(frozen=True)
class KnownStudy:
    """A study of the folder: its name, its file, its state in a word, its record; if it cannot be read, the reason."""

    name: str
    path: Path
    state: str
    record: StudyRecord | None = None
    problem: str = ""


@dataclass(frozen=True)
class Studies:
    """All studies of a folder.

    Attributes:
        shelf: The folder.
    """

    shelf: Shelf

    def all(self) -> list[tuple[str, KnownStudy]]:
        """All studies with their ids, the newest first, unreadable ones last."""
        found = [(study, self._known_at(name, path)) for study, (name, path) in self._paths().items()]
        return sorted(found, key=lambda each: -each[1].record.begun.timestamp() if each[1].record else 0.0)

    def find(self, study: str) -> KnownStudy:
        """A study by its id.

        Raises:
            RunError: If there is no such study, or it cannot be read.
        """
        path = self._paths().get(study)
        if path is None:
            raise UnknownRunError("there is no balance study with this id in the folder of this studio")
        known = self._known_at(*path)
        if known.record is None:
            raise RunError(known.problem)
        return known

    def _paths(self) -> dict[str, tuple[str, Path]]:
        if not self.shelf.folder.is_dir():
            return {}
        return {id_of(name): (name, path) for name, path in studies_in(self.shelf.folder)}

    def _known_at(self, name: str, path: Path) -> KnownStudy:
        return self.shelf.read(path, "study", lambda: _read(name, path))


def _read(name: str, path: Path) -> KnownStudy:
    try:
        record = read_study(path)
    except RunError as error:
        return KnownStudy(name, path, "unreadable", problem=str(error))
    return KnownStudy(name, path, state_of(path, record), record)
