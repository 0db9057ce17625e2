"""``hotloop isa``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from hotloop.cli import destination, idle, options, words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hotloop.app.code.analysis import Request
    from hotloop.isa.summary.limits import Check
    from hotloop.isa.summary.model import KernelReport

EPILOG = """\b
Examples:
  hotloop isa kernel.s                                        a listing: amdgcn, SASS, PTX, x86 or AArch64
  hotloop isa kernel.hsaco                                    a code object; also .co, .cubin, .o, offload bundles
  hotloop isa ~/.triton/cache --kernel matmul                 what Triton compiled
  hotloop isa conv.hip --target gfx942 -P TILE=32             compiled here, without a GPU
  hotloop isa gemm@MWI=4,NWI=4 --target gfx1012               one of hotloop's own kernels
  hotloop isa conv.hip --target gfx90a,gfx942,gfx950          several targets side by side
  hotloop isa kernel.s --annotate                             line by line: unit, stall, live registers, source; --html FILE: a page
  hotloop isa diff before.s after.s                           what moved
  hotloop isa gate kernel.s --max-vgpr 128 --no-spills --min-occupancy 4 --max-exposed-loads 0
  hotloop isa mfma v_mfma_f32_32x32x8_f16                     shape, cycles and operand layout of a matrix instruction
\b
INPUT may be - for standard input. Without --target, a family or kernel file is compiled for this machine's CPU.
"""
_GATE_EPILOG = """\b
Examples:
  hotloop isa gate kernel.s --max-vgpr 128 --no-spills --min-occupancy 4
  hotloop isa gate gemm.hip --target gfx942 --limits limits.toml --sarif gate.sarif
\b
A limits file is TOML: max-vgpr = 128, no-spills = true. Options win over the file. What is not known fails.
"""


def _shared(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say what is analysed."""
    chosen = (
        click.option("--target", default="", metavar="NAME", help="GPU to compile for or to choose, e.g. gfx942, gfx1012:wave64, sm_90."),
        click.option("-P", "--param", "parameters", multiple=True, metavar="NAME=VALUE", help="Parameter, macro or constexpr; may be repeated."),
        options.only_kernel,
        click.option("--workgroup", type=options.Whole(1, 1024), default=None, help="Work-items of a work-group, where the code does not say."),
        options.dynamic_lds(None),
        click.option("--lds-address", "addresses", multiple=True, metavar="OP:BITS:EXPRESSION", help="Local memory access of the loop, as in hotloop banks --address."),
    )  # fmt: skip
    for option in reversed(chosen):
        function = option(function)
    return function


@click.group(
    "isa",
    cls=options.Verb,
    epilog=EPILOG,
    invoke_without_command=True,
    no_args_is_help=True,
    subcommand_metavar="",
    context_settings={"allow_interspersed_args": True, "allow_extra_args": False},
)
@words.subject("source", metavar="INPUT")
@_shared
@click.option("--loop", type=options.Whole(min=0), default=0, show_default=True, help="Loop to show; 0 is the hot one.")
@click.option(
    "--source", "with_source", is_flag=True, help="Show which source lines the loop's instructions come from."
)
@click.option("--annotate", is_flag=True, help="Print the listing line by line: unit, stall, live registers, source.")
@click.option(
    "--html",
    type=click.Path(dir_okay=False),
    default="",
    callback=destination.writable,
    metavar="FILE",
    help="Write the annotated listing as a page; needs --annotate.",
)
@click.option("--markdown", is_flag=True, help="Print Markdown.")
@options.as_json
def COMMAND(
    source: str, loop: int, with_source: bool, annotate: bool, html: str, markdown: bool, as_json: bool, **shared: Any,  # noqa: ANN401
) -> int:  # fmt: skip
    """Explain machine code: registers and occupancy, the hot loop, its waits, and what to change first.

    A FlyDSL file is also read for mistakes that its compiler accepts, or reports badly.

    Further: isa diff A B, isa gate INPUT, isa mfma NAME.
    """
    from dataclasses import asdict, replace

    from hotloop.app.code import analysis, offline
    from hotloop.cli import output
    from hotloop.diagnose.code import as_json as plain
    from hotloop.report.code import listing as page

    if html and not annotate:
        raise click.UsageError("--html writes the annotated listing; give --annotate too.")
    idle.overwriting(("html",))
    idle.one_of("markdown", "as_json")
    if annotate:
        idle.refuse("is for the report: --annotate prints the listing, with its sources.", "markdown", "with_source")
    if "," in shared["target"]:
        idle.refuse("is for one target.", "annotate", "loop", "with_source")
        return _beside(source, shared, markdown=markdown, as_json=as_json)
    if annotate:
        return _annotate(_request(source, **shared), loop, html, as_json=as_json)
    mistakes = offline.mistakes(source)
    for mistake in mistakes:
        output.note(f"{source}, {mistake}")
    reports = analysis.analyse(replace(_request(source, **shared), sources=with_source))
    _loop_of(reports, loop)
    if as_json:
        extra = {"mistakes": [asdict(mistake) for mistake in mistakes]} if mistakes else {}
        output.emit({"kernels": [plain(report) for report in reports], **extra})
    elif markdown:
        click.echo(page.markdown(reports, loop))
    else:
        output.show(page.render(reports, loop))
    return 0


def _annotate(request: Request, loop: int, html: str, *, as_json: bool) -> int:
    from hotloop.app.code import analysis
    from hotloop.cli import output, pages
    from hotloop.errors import UsageError
    from hotloop.report.code import annotated

    kernels = analysis.annotate(request)
    if all(not kernel.regions for kernel in kernels):
        raise UsageError(f"{request.text} is not timed: {kernels[0].why_not or 'it has no code'}.")
    if html:
        pages.save(html, annotated.page(kernels))
    if as_json:
        output.emit(annotated.as_json(kernels))
    elif not html:
        click.echo(annotated.text(kernels, loop))
    return 0


def _beside(source: str, shared: dict[str, Any], *, markdown: bool, as_json: bool) -> int:
    """Show one kernel on several targets."""
    from hotloop.app.code.analysis import analyse
    from hotloop.cli import output
    from hotloop.diagnose.code import as_json as plain
    from hotloop.report.code import beside

    targets = [name.strip() for name in shared["target"].split(",") if name.strip()]
    reports = [report for name in targets for report in analyse(_request(source, **{**shared, "target": name}))]
    if as_json:
        output.emit({"kernels": [plain(report) for report in reports]})
    elif markdown:
        click.echo("\n".join(beside.table(reports).pipes()))
    else:
        output.show(beside.table(reports).grid())
    return 0


@COMMAND.command("diff")
@words.subject("before", metavar="A")
@words.subject("after", metavar="B")
@_shared
@click.option("--markdown", is_flag=True, help="Print Markdown.")
@options.as_json
def diff(before: str, after: str, markdown: bool, as_json: bool, **shared: Any) -> int:  # noqa: ANN401
    """Say what moved between two versions: resources, occupancy, instructions, and which latency became hidden."""
    from dataclasses import asdict

    from hotloop.app.code.analysis import analyse
    from hotloop.cli import output
    from hotloop.isa.summary.diff import compare, pair
    from hotloop.report.code import diff as page

    first, second = (analyse(_request(text, **{**shared, "kernel": ""})) for text in (before, after))
    moved = compare(*pair(first, second, shared["kernel"]))
    if as_json:
        names = ("kernel", "loop", "latencies", "gone", "new")
        data = asdict(moved)
        output.emit({"verdict": page.verdict(moved), **{name: data[name] for name in names}})
    elif markdown:
        click.echo(page.markdown(moved))
    else:
        output.show(page.render(moved))
    return 0


_LIMITS = (
    ("--max-vgpr", int, "Vector registers of a work-item (NVIDIA: registers of a thread)."),
    ("--max-agpr", int, "Accumulation registers (CDNA)."),
    ("--max-sgpr", int, "Scalar registers (AMD)."),
    ("--max-lds", "size", "Local memory of a work-group."),
    ("--max-scratch", "size", "Private memory of a work-item."),
    ("--max-spills", int, "Spilled vector registers."),
    ("--min-occupancy", int, "Resident waves per SIMD (AMD) or warps per SM (NVIDIA)."),
    ("--max-exposed-loads", int, "Global loads and copies of the hot loop with exposed latency."),
    ("--max-exposed-lds", int, "Local memory reads of the hot loop with exposed latency."),
    ("--max-serial-loads", int, "Global loads of the hot loop that are waited for one by one."),
    ("--max-barriers", int, "Barriers per iteration of the hot loop."),
    ("--max-instructions-per-matrix", float, "Instructions of the hot loop over its matrix instructions."),
    ("--min-matrix", int, "Matrix instructions in the hot loop."),
    ("--max-code", "size", "Machine code of the kernel."),
    (
        "--max-hazards",
        int,
        "Missing waits: registers used too early or never written, local memory writes in flight at a barrier.",
    ),
    ("--max-finding", float, "Share of the run time that the largest finding may explain."),
)


def _limits(function: Callable[..., Any]) -> Callable[..., Any]:
    for name, kind, text in reversed(_LIMITS):
        if kind == "size":
            option = click.option(name, callback=options.size, default=None, metavar="SIZE", help=text)
        else:
            least = options.Whole(min=0) if kind is int else options.Finite(min=0)
            option = click.option(name, type=least, default=None, help=text)
        function = option(function)
    function = click.option("--no-hazards", is_flag=True, help="Same as --max-hazards 0.")(function)
    return click.option("--no-spills", is_flag=True, help="Same as --max-spills 0.")(function)


@COMMAND.command("gate", epilog=_GATE_EPILOG)
@words.subject("source", metavar="INPUT")
@_shared
@_limits
@click.option(
    "--limits", "file", type=click.Path(dir_okay=False), default=None, metavar="FILE", help="TOML file with limits."
)
@click.option(
    "--sarif",
    type=click.Path(dir_okay=False),
    default=None,
    callback=destination.writable,
    metavar="FILE",
    help="Write failures and findings as SARIF 2.1.0.",
)
@options.as_json
def gate(
    source: str,
    no_spills: bool,
    no_hazards: bool,
    file: str | None,
    sarif: str | None,
    as_json: bool,
    **given: Any,  # noqa: ANN401
) -> int:
    """Fail (exit code 1) when a kernel breaks a limit, or when it is not known whether it does."""
    from dataclasses import asdict
    from pathlib import Path

    from hotloop.app.code.analysis import analyse
    from hotloop.app.code.gate import limits_of, write_sarif
    from hotloop.cli import output
    from hotloop.isa.summary.limits import Limits, check, merged

    idle.overwriting(("sarif",))
    names = [name.removeprefix("--").replace("-", "_") for name, _, _ in _LIMITS]
    asked: dict[str, Any] = {name: given.pop(name) for name in names}
    asked |= {"max_spills": 0} if no_spills else {}
    asked |= {"max_hazards": 0} if no_hazards else {}
    limits = merged(limits_of(Path(file)) if file else Limits(), Limits(**asked))
    reports = analyse(_request(source, **given))
    checks = check(reports, limits)
    if sarif:
        write_sarif(Path(sarif), reports, checks)
    failed = [each for each in checks if not each.passed]
    if as_json:
        output.emit({"passed": not failed, "checks": [asdict(each) for each in checks]})
    else:
        _show(checks, failed)
    return 1 if failed else 0


def _show(checks: Sequence[Check], failed: Sequence[Check]) -> None:
    from rich.console import Group
    from rich.text import Text

    from hotloop.cli import output
    from hotloop.report import plain

    count = f"{len(failed)} of {len(checks)} limits broken" if failed else f"all {len(checks)} limits hold"
    lines = [Text(count, style="bold red" if failed else "bold green")]
    lines += [
        Text(plain.line(f"{'pass' if c.passed else 'FAIL'}  {c.message}"), style="" if c.passed else "red")
        for c in checks
    ]
    output.show(Group(*lines))


@COMMAND.command("mfma")
@click.argument("name", metavar="NAME")
@click.option("--target", default=None, metavar="NAME", help="Only an instruction of this GPU.")
@options.as_json
def mfma(name: str, target: str | None, as_json: bool) -> int:
    """Show shape, cycles and the place of every element in a matrix instruction's operands (MFMA, WMMA, mma, wgmma)."""
    from hotloop.cli import output
    from hotloop.isa.matrix.explain import explain_matrix

    matrix = explain_matrix(name, target)
    if as_json:
        output.emit(matrix.as_json())
    else:
        click.echo(matrix.text)
    return 0


def _request(
    source: str, *, target: str, parameters: tuple[str, ...], kernel: str, workgroup: int | None, dynamic_lds: int | None,
    addresses: tuple[str, ...],
) -> Request:  # fmt: skip
    from hotloop.app.code.analysis import Request
    from hotloop.diagnose.code import Launched

    return Request(
        text=source,
        target=target,
        parameters=options.assignments(parameters),
        kernel=kernel,
        launched=Launched(workgroup=workgroup, dynamic_lds_bytes=dynamic_lds, lds_addresses=addresses),
    )


def _loop_of(reports: Sequence[KernelReport], loop: int) -> None:
    from hotloop.errors import UsageError

    fewest = min(reports, key=lambda report: len(report.loops))
    if loop >= len(fewest.loops):
        last = len(fewest.loops) - 1
        has = "no loop" if last < 0 else "one loop, number 0" if not last else f"loops 0 to {last}"
        other = "; name another kernel with --kernel" if len(reports) > 1 else ""
        raise UsageError(f"--loop {loop}: {fewest.kernel} has {has}{other}.")
