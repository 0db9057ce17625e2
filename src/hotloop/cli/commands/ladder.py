"""``hotloop ladder``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from hotloop.cli import destination, idle, options, words

if TYPE_CHECKING:
    from hotloop.app.session import Options
    from hotloop.cli.live import Progress
    from hotloop.report.ladder.cardview import CardView
    from hotloop.report.ladder.page import View
    from hotloop.report.ladder.view import ClimbView, LadderView

EPILOG = """\b
Examples:
  hotloop ladder gemm                                   run it here: every rung against the last one that paid
  hotloop ladder gemm --shape 256x256x256 --rung vectors --rung register-tile
  hotloop ladder gemm --target gfx942                   compile it for a GPU that is not here
  hotloop ladder gemm --target gfx1012 --rung swizzle --json
  hotloop ladder gemm --target gfx950 --markdown gemm-gfx950.md
  hotloop ladder conv3d --target gfx950 --rung dot2-four
  hotloop ladder conv3d --target gfx950 --predict       with predicted times of the rungs
  hotloop ladder gemm --target gfx942 --confirm         check the committed predictions on a card
  hotloop ladder attention --device NVIDIA              run it on this machine's Hopper GPU, with counters
  hotloop ladder reduction --target sm_90               compile it for one, and hold it to its limits
  hotloop ladder reduction --from run.json --markdown page.md   draw a recorded run of one again
\b
With --target, exit code 1 says that a rung does not compile, is wrong or breaks a committed limit; with --confirm, that a
prediction did not hold. Without it, the answer is bad only when no rung can be timed.
"""


@click.command("ladder", epilog=EPILOG)
@words.subject("family", metavar="FAMILY")
@click.option(
    "--target",
    default="",
    metavar="NAME",
    help="Compile for this processor, e.g. gfx942; default: run here.",
)
@click.option(
    "--rung", "rungs", multiple=True, metavar="NAME", help="Only this rung and those it stands on; repeatable."
)
@click.option("--confirm", is_flag=True, help="Check the committed predictions for --target on a card of this machine.")
@click.option(
    "--predict",
    is_flag=True,
    help="With --target of an AMD GPU: also predict how long each rung takes, some seconds a rung.",
)
@click.option(
    "--counters/--no-counters",
    default=True,
    help="On an NVIDIA card: count with Nsight Compute, where it is installed.",
)
@click.option(
    "--from",
    "recorded",
    type=click.Path(dir_okay=False),
    default=None,
    metavar="FILE",
    help="Run nothing: show what --json printed of a run on an NVIDIA card.",
)
@options.shape
@click.option(
    "--markdown",
    type=click.Path(dir_okay=False, writable=True),
    default=None,
    callback=destination.writable,
    help="Write a Markdown page to this file.",
)
@options.margin
@options.engine
@options.session(stored=False)
@options.quiet
@options.as_json
def COMMAND(
    family: str,
    target: str,
    rungs: tuple[str, ...],
    confirm: bool,
    predict: bool,
    counters: bool,
    recorded: str | None,
    shape: str,
    markdown: str | None,
    margin: float,
    chosen: Options,
    as_json: bool,
) -> int:
    """Climb a kernel's ladder from naive to best: run it here, or compile it for a GPU that is not here."""
    from hotloop.cli import output, pages
    from hotloop.cli.live import Progress
    from hotloop.errors import UsageError
    from hotloop.report.ladder import page

    if confirm and not target:
        raise UsageError("--confirm needs the processor whose predictions are meant: give --target, e.g. gfx942.")
    if predict and (not target or confirm):
        raise UsageError(
            "--predict is for rungs of a GPU that is not here: give --target, e.g. gfx942, and no --confirm."
        )
    idle.overwriting(("markdown",))
    idle.refuse(*_unused(target, confirm=confirm))
    if recorded and (target or shape or rungs or confirm or chosen.device):
        raise UsageError(
            "--from shows a recorded run as it was; leave out --target, --shape, --rung, --confirm and --device."
        )
    options.predicted_only(target * (not confirm), "", chosen)
    if target and shape:
        raise UsageError("--shape is for a ladder that runs here; with --target the ladder's own problem is compiled.")
    view: View
    with Progress(0.0, quiet=as_json) as progress:
        if recorded:
            view = _recorded(recorded, family)
            good = view.best is not None
        elif confirm:
            from hotloop.app.ladder import confirm as ladder_confirm
            from hotloop.app.predict import ladder as ladder_times

            view = ladder_confirm.confirm(family, target, chosen, progress, margin=margin)
            view = ladder_times.confirmed(view, family, progress)
            good = view.held
        elif target:
            view = _compiled(family, target, rungs, progress, predict=predict)
            good = view.sound
        else:
            view = _climbed(family, shape, chosen, progress, rungs, margin, counters=counters and not chosen.engine)
            good = view.best is not None
    if markdown:
        picture = _picture(markdown, view)
        pages.save(
            markdown,
            page.markdown(view, _command(family, target, shape, chosen.device, recorded, confirm=confirm), picture),
        )
    if as_json:
        output.emit(page.as_json(view))
    else:
        output.show(page.render(view))
    return 0 if good else 1


def _unused(target: str, *, confirm: bool) -> tuple[str, ...]:
    """Return why some options do nothing, and which."""
    if confirm:
        return "is for rungs that are compiled or run: --confirm checks all committed predictions.", "rungs", "counters"
    if target:
        return "is for a ladder that runs here: with --target nothing is timed.", "margin", "counters", "limit_s"
    return ("",)


def _recorded(path: str, family: str) -> CardView:
    from pathlib import Path

    from hotloop.app.ladder import data as ladder_data
    from hotloop.compilers import reading
    from hotloop.errors import UsageError
    from hotloop.report.ladder.read import read

    try:
        view = read(json.loads(reading.text(Path(path))))
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}; name what hotloop ladder --json printed.") from None
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise UsageError(
            f"{path} is not what hotloop ladder --json prints of an NVIDIA card: {_lacking(error)}; write it again with that."
        ) from None
    if view.ladder.family != ladder_data.family_of(family):
        raise UsageError(f"{path} is of the family {view.ladder.family}, not of {family}; name that family.")
    return view


def _lacking(error: Exception) -> str:
    """Return what was wrong with a recorded ladder."""
    match error:
        case KeyError():
            return f"it has no {error.args[0]!r}"
        case RecursionError() | UnicodeError() | json.JSONDecodeError():
            return "it is no JSON"
    return "a part of it is of another kind"


def _compiled(
    family: str, target: str, rungs: tuple[str, ...], progress: Progress, *, predict: bool
) -> LadderView | CardView:
    from dataclasses import replace

    from hotloop.app.ladder import compiled as ladder
    from hotloop.app.ladder import data as ladder_data
    from hotloop.app.ladder.card import climb as ladder_card

    if target in ladder_data.card_targets(family):
        idle.refuse(f"is for AMD GPUs, not for {target}: leave it out.", "predict")
        return ladder_card.compiled(family, target, rungs, progress)
    view = ladder.compiled(family, target, rungs, progress)
    if not predict:
        return view
    from hotloop.app.predict import ladder as ladder_times

    return replace(view, times=ladder_times.clocked(family, target, rungs, progress))


def _climbed(
    family: str,
    shape: str,
    chosen: Options,
    progress: Progress,
    rungs: tuple[str, ...],
    margin: float,
    *,
    counters: bool,
) -> ClimbView | CardView:
    from hotloop.app.ladder import here as ladder_here
    from hotloop.app.ladder.card import climb as ladder_card

    if ladder_card.wanted(family, chosen):
        return ladder_card.climb(family, shape, chosen, progress, rungs=rungs, margin=margin, counters=counters)
    if counters:
        idle.refuse("is for an NVIDIA card: leave it out here.", "counters")
    return ladder_here.climb(family, shape, chosen, progress, rungs=rungs, margin=margin)


def _command(family: str, target: str, shape: str, device: str, recorded: str | None, *, confirm: bool) -> str:
    words = ["hotloop ladder", family, f"--target {target}" if target else "", f"--shape {shape}" if shape else ""]
    words += [f"--device {device}" if device else "", "--confirm" if confirm else ""]
    words += [f"--from {recorded}" if recorded else ""]
    return " ".join(word for word in words if word)


def _picture(path: str, view: View) -> str:
    """Write the picture of a measured ladder beside its page and return its name; nothing for other ladders."""
    from pathlib import Path

    from hotloop.cli import pages
    from hotloop.report.ladder import plot as ladder_card_plot
    from hotloop.report.ladder.cardview import CardView

    if not isinstance(view, CardView) or not view.measured:
        return ""
    picture = Path(path).with_suffix(".svg")
    pages.save(picture, ladder_card_plot.draw(view) + "\n")
    return picture.name
