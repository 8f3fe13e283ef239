"""`deckatlas bench`: speed and the bench signature."""

from pathlib import Path
from typing import Annotated

import typer
from rich import box
from rich.table import Table

from deckatlas.cli.common import err, out, write_json
from deckatlas.files.writing import check_writable
from deckatlas.play.bench import measure
from deckatlas.play.measurement import REPEATS


def bench(
    json: Annotated[
        Path | None, typer.Option(help="Write the results as a flat JSON object; `-` means standard output.")
    ] = None,
) -> None:
    """Measures speed in CPU time, the best of several runs, and prints the signature of the core's behaviour.

    The signature changes only when the core behaves differently.

    Example: deckatlas bench --json bench.json
    """
    from deckatlas.models.bench import measurements  # pydantic is slow to import

    check_writable(json)
    with err.status("measuring") as status:

        def report(what: str) -> None:
            status.update(f"measuring {what}")

        lines = [*measurements(report), *measure(report)]
    if json is None or str(json) != "-":
        table = Table("what", title=f"CPU time, best of {REPEATS} runs", box=box.SIMPLE_HEAD)
        table.add_column("value", justify="right")
        for line in lines:
            if not isinstance(line.value, str):
                table.add_row(line.label, line.text)
        out.print(table)
        for line in lines:
            if isinstance(line.value, str):
                out.print(f"  {line.label}: {line.value}", soft_wrap=True)
    if json is not None:
        write_json(json, {line.key: line.value for line in lines})
