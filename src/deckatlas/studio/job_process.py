"""The process of a job: runs one command of Deckatlas, and writes down how it ended.

It is started by the studio in a session of its own, so it goes on when the studio ends. Signals for the whole session
reach the command, which stores what it has; this process waits for it.
"""

import json
import signal
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

from deckatlas.files.writing import write_text


def main(end: Path, arguments: list[str]) -> int:
    """Runs a command.

    Args:
        end: The file that takes its exit status.
        arguments: The words of the command after `deckatlas`.
    """
    command = subprocess.Popen([sys.executable, "-m", "deckatlas", *arguments], stdin=subprocess.DEVNULL)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # after the start: the command must hear it
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    code = command.wait()
    write_text(end, json.dumps({"code": code, "ended": datetime.now(UTC).isoformat()}) + "\n")
    return code


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
