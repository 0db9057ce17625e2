"""``hotloop explain``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from hotloop.cli import options

if TYPE_CHECKING:
    from pathlib import Path

EPILOG = """\b
Examples:
  hotloop explain results.csv --target gfx942               counters of rocprof, on any machine
  hotloop explain results.csv kernel.s att_output/          counters, code and thread trace together
  hotloop explain ncu-raw.csv --kernel softmax              one kernel of many
  hotloop explain before.csv --against after.csv            which bottleneck shifted
  hotloop explain kernel.s --html kernel.html               a page to pass on
  hotloop explain results.csv --store team.db               predictions corrected by earlier trials of optimize
\b
Inputs are told by their content: profiles of rocprof v1 to v3, rocpd, ROCm Compute Profiler, Nsight Compute and perf,
thread traces, listings, code objects, source files and kernel families. No GPU is needed.
"""


@click.command("explain", epilog=EPILOG)
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@click.option("--kernel", default="", metavar="NAME", help="Explain this kernel; default: the one with the most time.")
@click.option(
    "--target",
    default=None,
    callback=options.named,
    metavar="NAME",
    help="Processor where the files do not say, e.g. gfx942.",
)
@click.option(
    "--chip", default="", metavar="NAME", help="Chip where the files do not say, e.g. MI300X: units and peak rates."
)
@click.option(
    "--against", multiple=True, metavar="AFTER", help="Profile of the kernel after a change; may be repeated."
)
@options.store
@options.pages
@options.as_json
def COMMAND(
    inputs: tuple[str, ...],
    kernel: str,
    target: str,
    chip: str,
    against: tuple[str, ...],
    store: str,
    markdown: str | None,
    html: str | None,
    as_json: bool,
) -> int:
    """Say why a kernel is slow and what to try next, from counters, traces and code."""
    from pathlib import Path

    from hotloop.app.explain import answer as explain
    from hotloop.cli import output

    page = explain.explain(
        explain.Request(inputs=inputs, kernel=kernel, target=target, chip=chip, against=against, store=store)
    )
    if markdown:
        from hotloop.report.explanation import markdown as markdown_page

        _write(Path(markdown), markdown_page.render(page))
    if html:
        from hotloop.report.explanation import html as html_page

        _write(Path(html), html_page.render(page))
    if as_json:
        from hotloop.report.explanation import json as json_page

        output.emit(json_page.render(page))
    else:
        from hotloop.report.explanation import terminal

        output.show(terminal.render(page))
    return 0


def _write(path: Path, text: str) -> None:
    from hotloop.cli import output
    from hotloop.errors import MachineError

    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise MachineError(f"cannot write {path}: {error.strerror}; choose another path.") from None
    output.note(f"wrote {path}")
