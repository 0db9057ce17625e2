"""``hotloop predict``."""

from __future__ import annotations

from typing import Any

import click

from hotloop.cli import launch, options, words

EPILOG = """\b
Examples:
  hotloop predict gemm --target gfx942                           a family's starting variant on its default problem
  hotloop predict gemm@MWI=8,NWI=8 --target gfx90a,gfx942,gfx950 --shape 2048x2048x2048
  hotloop predict my_kernel.py --target gfx942 --chip MI300A     a kernel file, on another chip of the same processor
  hotloop predict scale.hip --target gfx1100 --grid 4096 --workgroup 256 --arg x=f32:1048576 --arg y=f32:1048576 --arg n=i32:=1048576
  hotloop predict kernel.s --grid 64,64 --workgroup 256 --arg a=f16:4096x4096 --arg b=f16:4096x4096 --arg c=f32:4096x4096
\b
A few work-groups from the middle of the grid are executed on this machine's CPU; their counts, the caches and facts of the chip
give the time. Nothing is measured, and every figure says so.
"""


def _several(_ctx: click.Context, _param: click.Parameter, value: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in value.split(",") if part.strip())


@click.command("predict", epilog=EPILOG)
@words.subject("source", metavar="INPUT")
@click.option(
    "--target",
    "targets",
    default="",
    callback=_several,
    metavar="NAME[,NAME]",
    help="AMD GPUs to predict for, e.g. gfx942 or gfx942,gfx950.",
)
@click.option(
    "--chip", default="", metavar="NAME", help="Chip as sold, where the target has several: MI300A, MI210, W7800."
)
@options.shape
@click.option(
    "-P",
    "--param",
    "parameters",
    multiple=True,
    metavar="NAME=VALUE",
    help="Parameter, macro or constexpr; may be repeated.",
)
@options.only_kernel
@launch.preprocessed
@launch.given
@options.known_seed
@options.quiet
@options.as_json
def COMMAND(source: str, parameters: tuple[str, ...], as_json: bool, **rest: Any) -> int:  # noqa: ANN401 - the other options, by name
    """Predict how long AMD code takes on a card that is not here: time with an interval, what bounds it, and whether to trust it."""
    from hotloop.app.predict import answer
    from hotloop.app.spec import change
    from hotloop.cli import output
    from hotloop.report.code import predicted

    values = dict(change(source, pair) for pair in parameters)
    asked = answer.Request(text=source, parameters=values, **rest)
    prediction = answer.predict(asked, (lambda _stage: None) if as_json else output.stage)
    if as_json:
        output.emit(predicted.as_json(prediction))
    else:
        output.show(predicted.render(prediction))
    return 0
