"""``hotloop patch``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hotloop.cli import destination, idle, options, words

if TYPE_CHECKING:
    from hotloop.app.patch.apply import Answer

EPILOG = """\b
Examples:
  hotloop patch conv3d:v97-batched --target gfx950 --recipe dot2.toml --shape n=1,c=2,d=4   a rung of a ladder
  hotloop patch kernel.s --recipe waits.toml --launch launch.toml -o patched.s              a listing
  hotloop patch kernel.s --recipe edit.toml -o patched.s --object patched.hsaco             not executed: exit code 1
\b
A recipe is TOML: [[rules]] with find, replace, where and scratch; [[edits]]; [[moves]]; fresh, sweep, drop_waits. See docs/patch.md.
Exit code 0: the same bits on every launch, or differences within the arithmetic's own error bound; 1: not, or not executed.
"""


@click.command("patch", epilog=EPILOG)
@words.subject("source", metavar="INPUT")
@click.option(
    "--recipe", type=click.Path(path_type=Path), required=True, metavar="FILE", help="What to change, as TOML."
)
@click.option("--target", default="", metavar="NAME", help="GPU, e.g. gfx950, where INPUT does not say.")
@options.only_kernel
@click.option(
    "--shape",
    default="",
    metavar="SIZES",
    help="Sizes of a rung's problem, name=value,...; otherwise so few work-groups that it takes seconds.",
)
@click.option(
    "--launch",
    type=click.Path(path_type=Path),
    default=None,
    metavar="FILE",
    help="How a listing is launched, as TOML.",
)
@click.option("--chip", default="", metavar="NAME", help="For the predicted time: the chip as sold, e.g. MI300A.")
@click.option(
    "-o", "--output", default="", callback=destination.writable, metavar="FILE", help="Write the patched listing."
)
@click.option(
    "--object",
    "binary",
    default="",
    callback=destination.writable,
    metavar="FILE",
    help="Write the patched code object.",
)
@options.as_json
def COMMAND(output: str, binary: str, as_json: bool, **asked: Any) -> int:  # noqa: ANN401
    """Patch machine code of an AMD GPU, and execute it before and after on this CPU.

    INPUT is a listing, - for standard input, or FAMILY:RUNG of a ladder. Rules replace instructions where registers allow it; the
    result is assembled, compared in registers and cycles, and executed on usual and awkward inputs under an adversary: memory as
    late and as early as waits allow, waves in extreme orders.
    """  # fmt: skip
    from hotloop.app.patch.apply import Question, answer
    from hotloop.cli import output as out
    from hotloop.cli import pages

    idle.overwriting(("output", "binary"))
    result = answer(Question(**{**asked, "target": asked["target"] or ""}), (lambda _: None) if as_json else out.note)
    for path, data in ((output, result.patched.text.encode()), (binary, result.binary)):
        if path:
            pages.save(path, data)
    if as_json:
        out.emit(_data(result))
    else:
        _show(result)
    return 0 if result.proof is not None and result.proof.holds else 1


def _show(answer: Answer) -> None:
    from hotloop.cli import output as out
    from hotloop.report.code import diff
    from hotloop.report.code import patch as page

    for line in (*page.changes(answer.patched.applied), *page.needs(answer.patched.found)):
        click.echo(line)
    out.show(diff.render(answer.moved))
    for line in (*page.proof(answer.proof), *page.clock(answer.clocked)):
        click.echo(line)


def _data(answer: Answer) -> dict[str, Any]:
    from dataclasses import asdict

    from hotloop.report.code.predicted import MARK

    names = ("kernel", "loop", "latencies")
    moved = asdict(answer.moved)
    proof = answer.proof
    return {
        "kernel": answer.patched.kernel,
        "applied": [asdict(step) for step in answer.patched.applied],
        "rules": {name: asdict(step) for name, step in answer.patched.found},
        "moved": {name: moved[name] for name in names},
        "predicted": None if answer.clocked is None else {"mark": MARK, **asdict(answer.clocked)},
        "proof": None if proof is None else {"identical": proof.identical, "holds": proof.holds, **asdict(proof)},
        "assembler": answer.assembler,
    }
