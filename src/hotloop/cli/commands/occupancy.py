"""``hotloop occupancy``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from hotloop.cli import idle, options

if TYPE_CHECKING:
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    from hotloop.isa.occupancy.ask import Answer
    from hotloop.isa.occupancy.cliffs import Cliff, Step
    from hotloop.isa.occupancy.result import Limit, Occupancy

EPILOG = """\b
Examples:
  hotloop occupancy --target gfx942 --vgpr 124 --lds 23k --workgroup 256
  hotloop occupancy --target gfx950 --vgpr 86 --agpr 0 --lds 32576      waves, limits and cliffs
  hotloop occupancy --target gfx1012 --vgpr 96 --wave 64 --mode cu      compute-unit mode, wave64
  hotloop occupancy --target sm_90 --vgpr 168 --lds 100k --workgroup 384
  hotloop occupancy --target gfx942 --vgpr 124 --table vgpr             every step of one resource
  hotloop occupancy --target gfx950 --vgpr 86 --plot lds                the same as a picture
\b
Two figures are shown for AMD: waves per SIMD as LLVM counts them, and whole work-groups that are resident together.
"""
_BAR = 40


def _threads(ctx: click.Context, param: click.Parameter, value: str) -> tuple[int | None, int]:  # noqa: ARG001
    """Return smallest (None: the same) and largest size."""
    low, colon, high = value.partition(":")
    try:
        return (int(low), int(high)) if colon else (None, int(low))
    except ValueError:
        message = f"{value!r} is not a work-group size; write 256, or 64:256 for a range"
        raise click.BadParameter(message, param=param) from None


@click.command("occupancy", epilog=EPILOG)
@options.processor
@click.option(
    "--vgpr", type=int, required=True, help="Vector registers of a work-item; on NVIDIA registers of a thread."
)
@click.option("--agpr", type=int, default=0, help="Accumulation registers (CDNA).")
@click.option("--sgpr", type=int, default=None, help="Scalar registers with the reserved ones; matters on gfx9 only.")
@click.option(
    "--lds",
    callback=options.size,
    default="0",
    metavar="SIZE",
    help="Static local (shared) memory of a work-group, e.g. 23k.",
)
@options.dynamic_lds("0")
@click.option(
    "--workgroup",
    callback=_threads,
    metavar="THREADS",
    default="256",
    help="Work-items of a work-group, or a range MIN:MAX as LLVM knows it.",
)
@options.wave
@click.option("--mode", type=click.Choice(["cu", "wgp"]), default=None, help="What a work-group shares on RDNA.")
@click.option(
    "--carveout",
    callback=options.size,
    default=None,
    metavar="SIZE",
    help="Shared memory of an SM that the launch prefers (NVIDIA).",
)
@click.option("--barriers", type=int, default=None, help="Named barriers of a block (NVIDIA).")
@click.option(
    "--table", type=click.Choice(["vgpr", "agpr", "sgpr", "lds"]), default=None, help="List every step of a resource."
)
@click.option(
    "--plot", type=click.Choice(["vgpr", "agpr", "sgpr", "lds"]), default=None, help="Draw the steps of a resource."
)
@options.as_json
def COMMAND(
    target: str,
    vgpr: int,
    agpr: int,
    sgpr: int | None,
    lds: int,
    dynamic_lds: int,
    workgroup: tuple[int | None, int],
    wave: int | None,
    mode: str | None,
    carveout: int | None,
    barriers: int | None,
    table: str | None,
    plot: str | None,
    as_json: bool,
) -> int:
    """Say how many waves a kernel keeps resident, what limits them, and how far the next cliff is; without a GPU."""
    from dataclasses import asdict

    from hotloop.cli import output
    from hotloop.isa.occupancy import ask as occupancy

    idle.one_of("table", "plot")
    if as_json:
        idle.refuse("is a picture: with --json give --table, whose steps are data.", "plot")
    question = occupancy.Question(
        target=target,
        vgprs=vgpr,
        agprs=agpr,
        sgprs=sgpr,
        lds_bytes=lds,
        dynamic_lds_bytes=dynamic_lds,
        workgroup=workgroup[1],
        workgroup_min=workgroup[0],
        wave=wave,
        mode=mode,
        carveout_bytes=carveout,
        barriers=barriers,
    )
    answer = occupancy.ask(question)
    stairs = occupancy.staircase(question, resource) if (resource := table or plot) else ()
    if as_json:
        data = answer.as_json()
        data["steps"] = [asdict(step) for step in stairs]
        output.emit(data)
    elif resource:
        output.show(_stairs(answer, resource, stairs, drawn=plot is not None))
    else:
        output.show(_page(answer))
    return 0 if answer.occupancy.launches else 1


def _page(answer: Answer) -> Group:
    from rich.console import Group
    from rich.text import Text

    resident = answer.occupancy
    lines: list[Text | Table] = [Text(_shape(answer)), _headline(resident), _limits(resident)]
    lines += [Text(f"  {line}") for line in _cliffs(answer)]
    lines += [Text(f"note: {note}", style="yellow") for note in resident.notes]
    return Group(*lines)


def _shape(answer: Answer) -> str:
    question, resident = answer.question, answer.occupancy
    low = f"{question.workgroup_min} to " if question.workgroup_min else ""
    mode = f", {answer.mode.upper()} mode" if resident.unit == "WGP" or answer.mode == "cu" else ""
    return f"{resident.target}, waves of {answer.wave}{mode}, work-group of {low}{question.workgroup} = {resident.group_waves} waves"


def _headline(occupancy: Occupancy) -> Text:
    from rich.text import Text

    if not occupancy.launches:
        return Text(f"does not launch: {occupancy.why_not}", style="bold red")
    if occupancy.unit == "SM":
        return Text.assemble(
            (f"{occupancy.waves} of {occupancy.max_waves} ", "bold"),
            f"{occupancy.convention}: {occupancy.groups} per SM",
        )
    groups_line = (
        f"{occupancy.groups} whole work-groups per {occupancy.unit} = {occupancy.resident_waves:g} waves per SIMD"
    )
    return Text.assemble(
        (f"{occupancy.waves} of {occupancy.max_waves} ", "bold"), f"{occupancy.convention}\n{groups_line}"
    )


def _limits(occupancy: Occupancy) -> Table:
    from rich.table import Table

    rows = Table(box=None, pad_edge=False, header_style="dim")
    for head in ("resource", "used -> allocated", "waves", f"groups per {occupancy.unit}", ""):
        rows.add_column(head, justify="right" if head == "waves" or head.startswith("groups") else "left")
    for limit in occupancy.limits:
        rows.add_row(limit.resource, limit.detail, str(limit.waves), str(limit.groups), _mark(limit, occupancy))
    return rows


def _mark(limit: Limit, occupancy: Occupancy) -> str:
    waves, groups = (
        limit.resource in occupancy.limiting,
        limit.resource in occupancy.limiting_groups and occupancy.unit != "SM",
    )
    return "<- limits both" if waves and groups else "<- limits" if waves else "<- limits groups" if groups else ""


def _cliffs(answer: Answer) -> list[str]:
    resident = answer.occupancy
    unit_name = "waves" if resident.unit != "SM" else "warps"
    lines = [_cliff(c, unit_name) for c in answer.cliffs]
    resource_cliffs = {(c.resource, c.better.most if c.better else None, c.last) for c in answer.cliffs}
    apart = (
        c
        for c in answer.group_cliffs
        if (c.resource, c.better.most if c.better else None, c.last) not in resource_cliffs
    )
    lines += [_cliff(c, f"whole groups per {resident.unit}") for c in apart]
    if answer.together:
        bounds = " and ".join(f"{name} <= {most}" for name, most in answer.together.bounds)
        lines.append(f"for {answer.together.waves} {unit_name}: {bounds}, together")
    return [line for line in lines if line]


def _cliff(cliff: Cliff, what: str) -> str:
    parts = []
    if cliff.better:
        parts.append(f"{cliff.fewer} {cliff.unit} fewer ({cliff.better.most}) for {cliff.better.figure} {what}")
    if cliff.worse is not None:
        parts.append(f"up to {cliff.last} is free, above {what} fall to {cliff.worse}")
    return f"{cliff.resource}: {'; '.join(parts)}" if parts else ""


def _stairs(answer: Answer, resource: str, stairs: tuple[Step, ...], *, drawn: bool) -> Group:
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    from hotloop.isa.occupancy import ask as occupancy

    rows = Table(box=None, pad_edge=False, header_style="dim")
    for head in ("waves", f"up to {resource} {occupancy.unit_of(resource)}", ""):
        rows.add_column(head, justify="left" if not head else "right")
    value, end, above = occupancy.value_of(answer.question, resource), stairs[-1].most or 1, -1
    for step in stairs:
        bar = "█" * max(1, round(_BAR * step.most / end)) if drawn else ""
        here = f" <- {value}" if above < value <= step.most else ""
        rows.add_row(str(step.figure), str(step.most), f"{bar}{here}")
        above = step.most
    return Group(Text(_shape(answer)), Text(answer.occupancy.convention, style="dim"), rows)
