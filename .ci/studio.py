"""Checks that an installed wheel has the pages of the studio, and serves them: run by the Python of its environment."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.request import urlopen


def main() -> None:
    """Starts the studio outside the checkout, fetches its first page, a script of it and the list of runs."""
    command = [Path(sys.executable).parent / "deckatlas", "studio", ".", "--port", "0", "--no-open"]
    with (
        TemporaryDirectory() as folder,
        subprocess.Popen(
            command, cwd=folder, stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONUNBUFFERED": "1"}
        ) as studio,
    ):
        try:
            assert studio.stdout is not None
            said = studio.stdout.readline()
            found = re.search(r"http://\S+/", said)
            assert found, f"the studio said {said!r}"
            page = _get(found[0])
            script = re.search(r'src="/(assets/[^"]+\.js)"', page)
            assert script, "the wheel has no built pages"
            assert len(_get(found[0] + script[1])) > 10_000
            assert _get(f"{found[0]}api/runs") == "[]"
        finally:
            studio.send_signal(signal.SIGINT)
        assert studio.wait(10) == 0, studio.returncode
    print("the wheel serves the studio")


def _get(address: str) -> str:
    with urlopen(address, timeout=20) as answer:
        return str(answer.read().decode())


if __name__ == "__main__":
    main()
