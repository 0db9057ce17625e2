"""``hotloop ladder``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from hotloop.cli import options

if TYPE_CHECKING:
    from hotloop.report.ladder import View

EPILOG = """\b
Examples:
  hotloop ladder gemm                                   run it here: every rung against the last one that paid
  hotloop ladder gemm --shape 256x256x256 --rung vectors --rung register-tile
  hotloop ladder gemm --target gfx942                   compile it for a GPU that is not here
  hotloop ladder gemm --target gfx1012 --rung swizzle --json
  hotloop ladder gemm --target gfx950 --markdown gemm-gfx950.md
  hotloop ladder conv3d --target gfx950 --rung dot2-four
  hotloop ladder gemm --target gfx942 --confirm         check the committed predictions on a card
\b
With --target, exit code 1 says that a rung does not compile, is wrong or breaks a committed limit; with --confirm, that a
prediction did not hold. Without it, the answer is bad only when no rung can be timed.
"""


@click.command("ladder", epilog=EPILOG)
@click.argument("family", metavar="FAMILY")
@click.option(
    "--target", default="", metavar="NAME", help="Compile for this processor, e.g. gfx942; default: run here."
)
@click.option(
    "--rung", "rungs", multiple=True, metavar="NAME", help="Only this rung and those it stands on; repeatable."
)
@click.option("--confirm", is_flag=True, help="Check the committed predictions for --target on a card of this machine.")
@options.shape
@click.option(
    "--markdown",
    type=click.Path(dir_okay=False, writable=True),
    default=None,
    help="Write a Markdown page to this file.",
)
@options.margin
@options.machine
@options.seed
@options.as_json
def COMMAND(
    family: str,
    target: str,
    rungs: tuple[str, ...],
    confirm: bool,
    shape: str,
    markdown: str | None,
    margin: float,
    device: str,
    limit_s: float,
    seed: int,
    as_json: bool,
) -> int:
    """Climb a kernel's ladder from naive to best: run it here, or compile it for a GPU that is not here."""
    from hotloop.cli import output
    from hotloop.cli.live import Progress
    from hotloop.errors import UsageError
    from hotloop.report import ladder as page

    if confirm and not target:
        raise UsageError("--confirm needs the processor whose predictions are meant: give --target, e.g. gfx942.")
    if target and shape:
        raise UsageError("--shape is for a ladder that runs here; with --target the ladder's own problem is compiled.")
    chosen = options.options(device, limit_s, seed=seed)
    view: View
    with Progress(0.0, quiet=as_json) as progress:
        if confirm:
            from hotloop.app import ladder_confirm

            view = ladder_confirm.confirm(family, target, chosen, progress, margin=margin)
            good = view.held
        elif target:
            from hotloop.app import ladder

            view = ladder.compiled(family, target, rungs, progress)
            good = view.sound
        else:
            from hotloop.app import ladder_here

            view = ladder_here.climb(family, shape, chosen, progress, rungs=rungs, margin=margin)
            good = view.best is not None
    if markdown:
        _write(markdown, page.markdown(view, _command(family, target, shape, confirm=confirm)))
    if as_json:
        output.emit(page.as_json(view))
    else:
        output.show(page.render(view))
    return 0 if good else 1


def _command(family: str, target: str, shape: str, *, confirm: bool) -> str:
    words = ["hotloop ladder", family, f"--target {target}" if target else "", f"--shape {shape}" if shape else ""]
    return " ".join(word for word in [*words, "--confirm" if confirm else ""] if word)


def _write(path: str, text: str) -> None:
    from pathlib import Path

    from hotloop.cli import output
    from hotloop.errors import MachineError

    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise MachineError(f"cannot write {path}: {error.strerror}; choose another path.") from None
    output.note(f"wrote {path}")
