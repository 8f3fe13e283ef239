"""Mutated stores in the studio: every address of the API is asked about each, and a good run beside it must stay whole.

`make studio-fuzz`, or `python -m fuzz.studio --stores 1000`, says how many stores and answers there were. A store that
makes the studio fail is written to the folder of findings.
"""

import argparse
import random
import sys
from collections import Counter
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any, Self

from fastapi.testclient import TestClient

from deckatlas.studio.app import Options, create_app
from fuzz.fuzzing import SLOW_SECONDS
from fuzz.parsers import PARSERS
from fuzz.stores import mutated_store
from helpers.studio_api import ADDRESS, asked_addresses

FINDINGS = Path("findings")
_LISTS = ("/api/runs", "/api/metagames", "/api/studies", "/api/jobs")  # of the folder, and so of the mutated store


@dataclass
class StudioCampaign:
    """A folder with a good run and a mutated one, and a studio that shows it."""

    folder: Path
    rng: random.Random
    stores: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._seeds = PARSERS["store"].seeds()
        runs = self.folder / "runs"
        runs.mkdir()
        (runs / "good.db").write_bytes(self._seeds[0])
        app = create_app(Options(runs))
        self._client = TestClient(app, base_url=ADDRESS, raise_server_exceptions=False)
        asked = asked_addresses(app.openapi(), run="mutated")
        self._addresses = [address for address in asked if "/runs/mutated" in address or address in _LISTS]
        self._addresses.append("/api/compare?runs=mutated&runs=good")
        self._good = {address: self._answer(address) for address in asked_addresses(app.openapi(), run="good")}

    def __enter__(self) -> Self:
        self._client.__enter__()  # one loop for all requests
        return self

    def __exit__(self, *error: Any) -> None:
        self._client.__exit__(*error)

    def step(self) -> None:
        """Asks everything about one mutated store."""
        content = mutated_store(self.rng.choice(self._seeds), self.rng, self.folder / "place.db")
        mutated = self.folder / "runs" / "mutated.db"
        mutated.unlink(missing_ok=True)
        mutated.write_bytes(content)
        self.stores += 1
        problems = [problem for address in self._addresses if (problem := self._problem_at(address))]
        names = {line["name"] for line in self._client.get("/api/runs").json()}
        if names != {"good", "mutated"}:
            problems.append(f"the list of runs has {sorted(names)}")
        if self.stores % 20 == 0:
            changed = [address for address, known in self._good.items() if self._answer(address) != known]
            problems += [f"{address} of the good run has changed" for address in changed if address != "/api/runs"]
        if problems:
            name = f"studio-{sha256(content).hexdigest()[:12]}.db"
            FINDINGS.mkdir(exist_ok=True)
            (FINDINGS / name).write_bytes(content)
            self.findings += [f"{name}: {problem}" for problem in problems]

    def _problem_at(self, address: str) -> str | None:
        begun = process_time()
        status, content = self._answer(address)
        self.statuses[status] += 1
        if status >= 500:
            return f"{address} answered {status}"
        if status >= 400 and list(content) != ["error"]:
            return f"{address} answered {status} without a line"
        if process_time() - begun > SLOW_SECONDS:
            return f"{address} took more than {SLOW_SECONDS} s"
        return None

    def _answer(self, address: str) -> tuple[int, Any]:
        answer = self._client.get(address)
        return answer.status_code, answer.json() if "json" in answer.headers["content-type"] else answer.text


def _main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stores", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with TemporaryDirectory() as folder, StudioCampaign(Path(folder), random.Random(arguments.seed)) as campaign:
        for _ in range(arguments.stores):
            campaign.step()
            if campaign.stores % 100 == 0:
                print(f"{campaign.stores:,} stores, {len(campaign.findings)} findings", flush=True)
    answers = ", ".join(f"{count:,} with status {status}" for status, count in sorted(campaign.statuses.items()))
    print(f"{campaign.stores:,} mutated stores, {campaign.statuses.total():,} answers: {answers}")
    print("\n".join(campaign.findings) or "no findings")
    return 1 if campaign.findings else 0


if __name__ == "__main__":
    sys.exit(_main())
