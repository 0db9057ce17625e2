"""``hotloop explain``."""

from __future__ import annotations

import click

from hotloop.cli import destination, launch, options, words

EPILOG = """\b
Examples:
  hotloop explain results.csv --target gfx942               counters of rocprof, on any machine
  hotloop explain results.csv kernel.s att_output/          counters, code and thread trace together
  hotloop explain ncu-raw.csv --kernel softmax              one kernel of many
  hotloop explain before.csv --against after.csv            which bottleneck shifted
  hotloop explain kernel.s --html kernel.html               a page to pass on
  hotloop explain kernel_trace.csv kernel.s --arg x=f32:4096 --arg n=i32:=4096   predicted beside measured
  hotloop explain results.csv --store team.db               predictions corrected by earlier trials of optimize
\b
Inputs are told by their content: profiles of rocprof v1 to v3, rocpd, ROCm Compute Profiler, Nsight Compute and perf,
thread traces, listings, code objects, source files and kernel families. No GPU is needed.
"""


@click.command("explain", epilog=EPILOG)
@words.subject("inputs", nargs=-1, required=True, metavar="INPUT...")
@click.option("--kernel", default="", metavar="NAME", help="Explain this kernel; default: the one with the most time.")
@click.option(
    "--target",
    default="",
    metavar="NAME",
    help="Processor where the files do not say, e.g. gfx942.",
)
@click.option(
    "--chip", default="", metavar="NAME", help="Chip where the files do not say, e.g. MI300X: units and peak rates."
)
@click.option(
    "--bytes",
    "needed",
    default="",
    metavar="SIZE",
    help="Bytes that one launch cannot avoid moving, e.g. 2G: inputs read once and outputs written once.",
)
@click.option(
    "--flops",
    "useful",
    type=float,
    default=None,
    metavar="NUMBER",
    help="Useful operations of one launch, e.g. 1.4e11, where the profile does not say: what it executes beyond is found.",
)
@click.option(
    "--against", multiple=True, metavar="AFTER", help="Profile of the kernel after a change; may be repeated."
)
@launch.posed
@options.store
@destination.pages("explanation")
@options.as_json
def COMMAND(
    inputs: tuple[str, ...],
    kernel: str,
    target: str,
    chip: str,
    needed: str,
    useful: float | None,
    against: tuple[str, ...],
    store: str,
    as_json: bool,
    given: tuple[str, ...],
    grid: tuple[int, int, int] | None,
    workgroup: tuple[int, int, int] | None,
    shared_bytes: int,
    **files: str | None,
) -> int:
    """Say why a kernel is slow and what to try next, from counters, traces and code."""
    from hotloop.app.explain.answer import Request
    from hotloop.app.predict.beside import Posed, explain
    from hotloop.cli import output, pages
    from hotloop.report.explanation import json, terminal

    page = explain(
        Request(
            inputs=inputs,
            kernel=kernel,
            target=target,
            chip=chip,
            against=against,
            store=store,
            needed_bytes=_bytes(needed),
            useful_flops=_operations(useful),
        ),
        Posed(given=given, grid=grid, workgroup=workgroup, shared_bytes=shared_bytes),
    )
    pages.put("explanation", page, files)
    if as_json:
        output.emit(json.render(page))
    else:
        output.show(terminal.render(page))
    return 0


def _operations(number: float | None) -> float | None:
    """Return the number of operations that an option gives. Raises UsageError."""
    from math import isfinite

    from hotloop.errors import UsageError

    if number is not None and not (isfinite(number) and number > 0):
        raise UsageError(f"--flops {number} is no amount: write a number of operations, or 1.4e11.")
    return number


def _bytes(text: str) -> float | None:
    """Return the number of bytes that an option gives, None where it is not given. Raises UsageError."""
    from hotloop import units
    from hotloop.errors import UsageError

    if not text:
        return None
    try:
        amount = float(units.parse_bytes(text))
    except ValueError:
        amount = 0.0
    if amount <= 0:
        raise UsageError(f"--bytes {text[:40]!r} is no amount: write a number of bytes, or 2G, 512M, 23k.")
    return amount
