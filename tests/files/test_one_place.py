"""No other module reads or writes files on its own: limits and whole files hold for all, or for none."""

import ast
from collections.abc import Iterator
from pathlib import Path

import deckatlas

SOURCE = Path(deckatlas.__file__).parent
THE_PLACE = "files/"

# Names that open, read or write files, or parse what came from one.
MODULES = {"tomllib", "gzip", "bz2", "lzma", "zipfile", "tarfile", "pickle", "marshal", "shelve", "shutil", "sqlite3"}
CALLS = {
    *("open", "read_text", "read_bytes", "write_text", "write_bytes", "savefig", "savez", "save", "load", "loadtxt"),
    *("loads", "fromfile", "tofile", "genfromtxt", "unlink", "rename", "replace_file", "mkdir", "touch", "fdopen"),
    *("symlink_to", "hardlink_to", "as_file"),
}
OURS = {"read_text", "read_bytes", "write_text", "write_bytes"}  # also names of the one place's own functions

ALLOWED = {
    "runs/run_file.py": "opens stores by SQLite",
    "runs/store.py": "names SQLite's classes",
    "runs/writer.py": "makes stores by SQLite: an empty file, then transactions",
    "runs/migration.py": "converts old stores in SQLite's memory",
    "runs/lock.py": "locks stores",
    "runs/hashes.py": "names SQLite's classes",
    "games/__init__.py": "loads games of installed packages, which are code",
    "play/external.py": "finds programs",
    "play/guardian.py": "reads what the system says of processes, on its own: it runs without this package",
    "play/program_settings.py": "finds the sandbox, and makes logs that programs write while they run",
    "studio/jobs.py": "makes logs that jobs write while they run, and reads what the system says of processes",
    "cli/main.py": "replaces a broken standard output by nothing",
    "cli/bot.py": "replaces a broken standard output by nothing",
    "games/locm/agents.py": "names files of the package, which the one place reads",
    "games/locm/metagame.py": "names files of the package, which the one place reads",
    "games/locm/signature.py": "names files of the package, which the one place reads",
    "games/hearthstone/agents.py": "names files of the package, which the one place reads",
    "games/hearthstone/metagame.py": "names files of the package, which the one place reads",
    "games/hearthstone/growth.py": "names files of the package, which the one place reads",
    "games/hearthstone/suites.py": "names files of the package, which the one place reads",
    "games/hearthstone/training/contents.py": "names files of the package, which the one place reads",
    "views/figures.py": "draws into memory",
    "views/map_report.py": "compresses in memory",
    "experiments/results.py": "draws into memory",
}


def uses(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names if each.name in MODULES)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in MODULES:
            yield str(node.module)
        elif isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute) and node.func.attr in CALLS:
                yield node.func.attr
            elif isinstance(node.func, ast.Name) and node.func.id in CALLS - OURS:
                yield node.func.id


def found() -> dict[str, set[str]]:
    every = {str(path.relative_to(SOURCE)): set(uses(ast.parse(path.read_text()))) for path in SOURCE.rglob("*.py")}
    return {path: names for path, names in every.items() if names and not path.startswith(THE_PLACE)}


def test_files_are_read_and_written_in_one_place() -> None:
    assert {path: names for path, names in found().items() if path not in ALLOWED} == {}


def test_the_list_of_exceptions_has_no_old_ones() -> None:
    assert set(ALLOWED) - set(found()) == set()


def test_a_module_that_opens_a_file_would_be_found() -> None:
    assert set(uses(ast.parse("import gzip\nopen(1)\nPath('x').write_text('')\nread_text(1)"))) == {
        *("gzip", "open", "write_text")
    }
