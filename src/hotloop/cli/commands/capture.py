"""``hotloop capture``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from hotloop.cli import idle, options
from hotloop.host import interrupt

if TYPE_CHECKING:
    from rich.console import Group

    from hotloop.app.capture.cost import Costs
    from hotloop.app.session import Options
    from hotloop.captures.nouns import Capture

EPILOG = """\b
Examples:
  hotloop capture -- python program.py --steps 3       run it, record every kernel it launches
  hotloop capture --out run.capture -- python p.py     into another folder
  hotloop capture --after 60 --for 30 -- python p.py   of a long run: half a minute after the first one
  hotloop capture --no-values -- python p.py           nothing of what its arrays hold
  hotloop capture -- ./program input.dat               an OpenCL program that is not in Python
  hotloop capture --show program.capture               the table again
  hotloop optimize program.capture                     make the most expensive kernel faster
\b
Recorded are kernels of pyopencl, Triton and CuPy's RawKernel in every Python process of the program, and OpenCL launches of programs in C, C++ and
other languages (Linux, with a C compiler): texts, launches, arguments, times, and the arguments' values up to --max-bytes. The folder is readable by you only; docs/capture.md says what else is in it.
"""


@click.command("capture", epilog=EPILOG, context_settings={"ignore_unknown_options": False})
@click.argument("command", nargs=-1, type=click.UNPROCESSED)
@click.option("--out", default="", metavar="FOLDER", help="Folder to write (default: the script's name, .capture).")
@click.option("--force", is_flag=True, help="Replace a capture that exists.")
@click.option(
    "--max-bytes", callback=options.size, default="256m", show_default=True, metavar="SIZE",
    help="Bytes of the arguments' values to keep; of arrays that do not fit the beginning is kept.",
)  # fmt: skip
@click.option("--values/--no-values", default=True, help="Keep what arguments hold, or only their types and shapes.")
@click.option(
    "--after", "after_s", type=options.Finite(min=0), default=0.0, metavar="SECONDS", help="Record from then on."
)
@click.option(
    "--for", "for_s", type=options.SECONDS, default=None, metavar="SECONDS",
    help="Record so long, then end the program (Ctrl-C, then SIGTERM, then SIGKILL).",
)  # fmt: skip
@click.option("--show", is_flag=True, help="Run nothing: COMMAND is a capture, whose table is printed.")
@click.option("--roof/--no-roof", default=True, help="Measure this device's bandwidth for the distance from the roof.")
@options.session(stored=False)
@options.as_json
def COMMAND(
    command: tuple[str, ...],
    out: str,
    force: bool,
    max_bytes: int | None,
    values: bool,
    after_s: float,
    for_s: float | None,
    show: bool,
    roof: bool,
    chosen: Options,
    as_json: bool,
) -> int:
    """Run COMMAND, the user's program, unchanged, and record every kernel that it launches."""
    from pathlib import Path

    from hotloop.app.capture import cost, run
    from hotloop.captures import folder as folders
    from hotloop.cli import output
    from hotloop.cli.live import Progress
    from hotloop.errors import UsageError
    from hotloop.model.codec import encode

    if not command:
        raise UsageError("name the program behind --, e.g. hotloop capture -- python program.py.")
    if show:
        idle.refuse(
            "is for recording: --show only prints a capture.", "out", "force", "max_bytes", "values", "after_s", "for_s"
        )
        folder = Path(command[0])
        captured = folders.read(folder)
    else:
        wanted = run.Wanted(
            command=command, folder=Path(out) if out else None, max_bytes=max_bytes or 0, after_s=after_s, for_s=for_s,
            values=values, overwrite=force,
        )  # fmt: skip
        folder, captured = run.capture(wanted, quiet=as_json)
    with Progress(0.0, quiet=True) as progress:
        prices = cost.costs(captured, progress, chosen, measure=roof and bool(captured.kernels))
    if as_json:
        output.emit({"folder": str(folder), "capture": encode(captured), "costs": encode(prices)})
    else:
        output.show(_told(str(folder), captured, prices))
    if captured.ended == "stopped":
        return interrupt.CODE
    return 0 if captured.kernels and (captured.returncode == 0 or captured.ended == "limit") else 1


_IDLE = "Nothing here is worth tuning: without any of these kernels it would hardly be faster."
_BARRED = "Nothing here is worth tuning but what cannot be optimized."


def _told(folder: str, capture: Capture, costs: Costs) -> Group:
    from rich.console import Group
    from rich.text import Text

    from hotloop import units
    from hotloop.app import hint
    from hotloop.cli.tables import columns
    from hotloop.report.plain import line

    rows = columns("kernel", "", "calls", "a call", "share", "of its roof", "program at best", "")
    for row in costs.rows:
        rows.add_row(
            line(row.kernel), row.language, str(row.calls),
            "–" if row.call_ns is None else units.duration(row.call_ns),
            "–" if row.share is None else units.percent(row.share),
            "–" if row.roof is None else units.percent(row.roof),
            "–" if row.gain is None else f"{units.significant(row.gain)} ×", line(row.note),
        )  # fmt: skip
    tail = [Text(line(text)) for text in _sentences(capture, costs)]
    able = next((kernel.name for kernel in capture.kernels if not kernel.obstacle), None)
    if able is not None and costs.worthwhile:
        tail.append(Text(f"next: {hint.command('optimize', f'{folder}/{able}')}"))
    return Group(*([rows] if costs.rows else []), *tail)


def _sentences(capture: Capture, costs: Costs) -> list[str]:
    from hotloop import units

    words = " ".join(capture.command)
    made = [
        f"{units.counted(len(capture.kernels), 'kernel')}, {units.duration(costs.launches_ns)} of launches in {units.significant(capture.wall_s)} s of {words}.",
        f"Recording took {units.significant(capture.recording_s)} s.",
    ]
    if costs.unknown and capture.kernels:
        made.append(f"No roof is known: {costs.unknown}.")
    if not capture.kernels:
        made.append("It launched no kernel through OpenCL, Triton or CuPy's RawKernel.")
    elif not costs.worthwhile:
        made.append(_IDLE if costs.gain == costs.reach else _BARRED)
    if capture.ended == "limit":
        made.append("It was ended because its time was up.")
    elif capture.ended == "stopped":
        made.append("It was stopped by Ctrl-C: what it launched until then is recorded.")
    elif capture.returncode:
        how = f"signal {-capture.returncode}" if capture.returncode < 0 else f"code {capture.returncode}"
        made.append(f"It ended with {how}: what it launched until then is recorded.")
    if capture.cut:
        made.append(
            f"{capture.cut} of {capture.processes} processes ended without a word: their last counts are missing."
        )
    return [*made, *(f"Not recorded: {text}." for text in capture.problems)]
