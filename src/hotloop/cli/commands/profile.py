"""``hotloop profile``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from hotloop.cli import options, words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hotloop.app.profile.answer import Answer
    from hotloop.profilers.formats.collected.record import Record

EPILOG = """\b
Examples:
  hotloop profile gemm --shape 1024x1024x1024                 one of hotloop's kernels: perf, ncu or rocprofv3
  hotloop profile 'gemm@MWI=8' --launches 10 --out before     one variant, results in the folder before
  hotloop profile --kernel persistent --skip 3 --launches 2 -- python train.py
  hotloop profile --tool rocprofv3 --target gfx942 --kernel gemm -- ./program
  hotloop profile counters --target gfx942                    counters, and what is computed from them
  hotloop profile plan --target gfx942 --counters SQ_WAVES,SQ_INSTS_VALU,TCC_HIT_sum --write passes
\b
Under ncu and rocprof, clocks are left alone. Without counters (tool missing, access denied) it says what mends that
and explains the machine code alone; the exit code is then 3.
"""
_PLAN_EPILOG = """\b
Examples:
  hotloop profile plan --target gfx942                        all counters that hotloop's metrics need
  hotloop profile plan --target gfx90a --counters SQ_WAVES,SQ_LEVEL_WAVES_ACCUM,TCC_HIT_sum
  hotloop profile plan --target gfx942 --kernel gemm --write passes
"""
_COUNTERS_EPILOG = """\b
Examples:
  hotloop profile counters --target gfx942
  hotloop profile counters --target sm_90 --json
"""


class Verb(options.Verb):
    """Profiles its first argument unless that is the name of a subcommand, and keeps a command after -- whole."""

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,  # noqa: ANN401 - click's signature
    ) -> click.Context:
        """Take the command away before the rest is read."""
        if args and args[0] in self.commands:
            return super().make_context(info_name, args, parent, **extra)
        place = args.index("--") if "--" in args else len(args)
        context = super().make_context(info_name, args[:place], parent, **extra)
        context.params["command"] = tuple(args[place + 1 :])
        return context


def _names(ctx: click.Context, param: click.Parameter, value: str) -> tuple[str, ...]:  # noqa: ARG001 - click's signature
    return tuple(name.strip() for name in value.split(",") if name.strip())


_unlisted = click.option(
    "--unlisted", is_flag=True, help="Also take counters of AMD that hotloop does not know: its list is not complete."
)
_counters = click.option(
    "--counters",
    callback=_names,
    default="",
    metavar="A,B,...",
    help="Counters, metrics or events by the tool's names.",
)


@click.group(
    "profile",
    cls=Verb,
    epilog=EPILOG,
    invoke_without_command=True,
    no_args_is_help=False,
    subcommand_metavar="[-- PROGRAM ARGUMENTS]",
    context_settings={"allow_interspersed_args": True, "allow_extra_args": False},
)
@words.subject("spec", metavar="[KERNEL]", required=False, default="")
@click.option(
    "--tool", type=click.Choice(["auto", "rocprofv3", "rocprofv2", "rocprof", "ncu", "perf"]), default="auto",
    show_default=True, help="What counts.",
)  # fmt: skip
@click.option("--kernel", default="", metavar="NAME", help="Kernel function, or regex:PATTERN (default: the main one of KERNEL, all of a program).")  # fmt: skip
@_counters
@_unlisted
@click.option("--target", default="", metavar="NAME", help="AMD GPU by which counters are divided into passes, e.g. gfx942.")  # fmt: skip
@options.shape
@click.option("--skip", type=options.Whole(min=0), default=None, help="Launches before those that count (default: 3 of KERNEL, 0 of a program).")  # fmt: skip
@click.option("--launches", type=options.Whole(min=1), default=None, help="Launches that count (default: 5 of KERNEL, up to 100 of each kernel of a program).")  # fmt: skip
@click.option("--code", multiple=True, metavar="FILE", help="Listing or code object of the kernel, for the explanation; may be repeated.")  # fmt: skip
@click.option("--out", default="", metavar="FOLDER", help="Folder for the results (default: the first free profile-NAME).")  # fmt: skip
@click.option("--device", default="", metavar="NAME", help="Part of a device's or runtime's name (default: HOTLOOP_DEVICE, else the best).")  # fmt: skip
@click.option("--limit", "limit_s", type=options.SECONDS, default=300.0, show_default=True, metavar="SECONDS", help="Wall-clock limit of each run under the tool.")  # fmt: skip
@options.seed
@options.quiet
@options.as_json
def COMMAND(
    spec: str,
    tool: str,
    kernel: str,
    counters: tuple[str, ...],
    unlisted: bool,
    target: str,
    shape: str,
    skip: int | None,
    launches: int | None,
    code: tuple[str, ...],
    out: str,
    device: str,
    limit_s: float,
    seed: int | None,
    as_json: bool,
    command: tuple[str, ...] = (),
) -> int:
    """Profile a KERNEL, or any program after --, with hardware counters, and explain the result.

    Further: hotloop profile plan, hotloop profile counters.
    """
    from hotloop.app.profile import answer as profile
    from hotloop.app.profile.profiled import Request
    from hotloop.cli import output

    request = Request(
        spec=spec, command=tuple(command), tool=tool, kernel=kernel, counters=counters, unlisted=unlisted, target=target,
        shape=shape,
        warmups=(3 if spec else 0) if skip is None else skip, launches=launches or 0, folder=out, limit_s=limit_s, code=code,
    )  # fmt: skip
    answer = profile.profile(
        request,
        options.options(device, seed=seed),
        (lambda _text: None) if as_json else output.stage,
    )
    if as_json:
        output.emit(_data(answer))
    else:
        from hotloop.report.explanation import terminal
        from hotloop.report.plain import line

        click.echo("\n".join("  " * text.startswith("  ") + line(text) for text in _page(answer)))
        if answer.explanation is not None:
            click.echo()
            output.show(terminal.render(answer.explanation))
    return _code(answer.record)


def _code(record: Record) -> int:
    """Return 0 when everything was counted, 3 when the machine did not let it, 1 when the program failed or hung."""
    from hotloop.profilers.formats.collected.record import Status

    if any(step.status in (Status.FAILED, Status.LATE) for step in record.steps):
        return 1
    return 3 if record.trouble else 0


def _data(answer: Answer) -> dict[str, Any]:
    from hotloop.model.codec import encode
    from hotloop.report.explanation import json as page

    explained = None if answer.explanation is None else page.render(answer.explanation)
    return {
        "folder": str(answer.folder),
        "counted": answer.record.counted,
        "record": encode(answer.record),
        "explanation": explained,
        "unexplained": answer.unexplained,
    }


def _page(answer: Answer) -> Iterator[str]:
    from hotloop.app import hint

    record = answer.record
    yield f"{record.subject} under {record.tool}: {_seen(record)}"
    if record.trouble:
        yield f"not counted: {record.trouble}"
    for step in record.steps:
        launches = f", {step.launches} launches" if record.dispatches else ""  # perf sees a process, no launches
        yield f"  {step.name}: {step.status}{launches}, {step.took_s:.1f} s"
    yield from (f"  {text}" for text in record.agreement)
    yield from (f"  note: {text}" for text in record.notes)
    yield from _readings(record)
    if answer.explanation is None:
        yield f"no explanation: {answer.unexplained}"
    further = f" ({hint.command('explain', str(answer.folder))})" if record.dispatches else ""
    yield f"results: {answer.folder}{further}"


def _seen(record: Record) -> str:
    from hotloop import units

    kernels = record.profile.kernels
    if kernels:
        counters = len({name for kernel in kernels for name in kernel.counters})
        subject = kernels[0].kernel[:60] if len(kernels) == 1 else f"{len(kernels)} kernels"
        return f"{units.counted(len(record.dispatches), 'launch')} of {subject}, {units.counted(counters, 'counter')}"
    if record.readings:
        counted = f"{record.counted_launches} launches" if record.counted_launches else "the whole process"
        return f"{sum(reading.value is not None for reading in record.readings)} of {len(record.readings)} events of {counted}"
    return "nothing was counted"


def _readings(record: Record) -> Iterator[str]:
    from hotloop import units
    from hotloop.profiles.ratios import ratios

    for reading in record.readings:
        if reading.value is None:
            continue
        each = (
            f", {units.significant(reading.value / record.counted_launches)} a launch"
            if record.counted_launches
            else ""
        )
        shared = f", counted {reading.running_share:.0%} of the time" if (reading.running_share or 1) < 1 else ""
        yield f"  {reading.event}: {units.significant(reading.value)} {reading.unit}".rstrip() + each + shared
    absent = [reading.event for reading in record.readings if reading.value is None]
    if absent:
        yield f"  not counted here: {', '.join(absent)}"
    yield from (f"  {reading.name}: {units.significant(reading.value)} ({reading.formula}; {reading.meaning})" for reading in ratios(record.readings))  # fmt: skip


@COMMAND.command("plan", epilog=_PLAN_EPILOG)
@click.option("--target", required=True, metavar="NAME", help="AMD GPU, e.g. gfx942.")
@_counters
@_unlisted
@click.option("--kernel", default="", metavar="NAME", help="Only this kernel, or regex:PATTERN.")
@click.option(
    "--write", "folder", default="", metavar="FOLDER", help="Write input files of rocprofv3 and rocprof there."
)
@options.as_json
def plan(target: str, counters: tuple[str, ...], unlisted: bool, kernel: str, folder: str, as_json: bool) -> int:
    """Divide counters of an AMD GPU into the fewest passes that the hardware can collect; no GPU is needed."""
    from dataclasses import asdict

    from hotloop.app.profile import plan as profile_plan
    from hotloop.cli import output

    passes = profile_plan.passes(target, counters, kernel, folder, unlisted=unlisted)
    if as_json:
        output.emit(asdict(passes))
        return 0
    click.echo(f"{passes.architecture}: {len(passes.passes)} pass{'es' if len(passes.passes) != 1 else ''}")
    for place, single in enumerate(passes.passes, 1):
        click.echo(f"  {place}: {' '.join(single.counters)}")
    click.echo("run:")
    for command in passes.commands:
        click.echo(f"  {command}")
    if passes.files:
        click.echo(f"written: {', '.join(passes.files)}")
    return 0


@COMMAND.command("counters", epilog=_COUNTERS_EPILOG)
@click.option("--target", required=True, metavar="NAME", help="GPU, e.g. gfx942 or sm_90.")
@options.as_json
def counters_(target: str, as_json: bool) -> int:
    """List the counters of a GPU that hotloop's metrics use, with units, meaning, and what is computed from each."""
    from dataclasses import asdict

    from hotloop.app.profile import plan as profile_plan
    from hotloop.cli import output

    listed = profile_plan.counters(target)
    if as_json:
        output.emit({"target": target, "counters": [asdict(row) for row in listed]})
        return 0
    for row in listed:
        click.echo(f"{row.name} [{row.unit}]: {row.meaning}")
        click.echo(f"    {', '.join(row.facts)}")
    return 0
