"""The type stubs of the extension are those that nanobind writes for it now; `make golden` writes them, too."""

import subprocess
import sys
from pathlib import Path

STUBS = Path(__file__).parents[2] / "src" / "deckatlas" / "_core"


def contents(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.pyi")}


def test_the_stubs_say_what_the_extension_has(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "nanobind.stubgen", "-q", "-r", "-m", "deckatlas._core", "-O", str(tmp_path)]
    subprocess.run(command, check=True)
    written = contents(tmp_path / "_core")
    modules = ("__init__", "hearthstone", "learning", "locm", "numeric", "patterns", "surrogate")
    assert set(written) == {f"{module}.pyi" for module in modules}
    assert written == contents(STUBS), "the stubs are stale: write them with `make golden` (or `make stubs` alone)"
