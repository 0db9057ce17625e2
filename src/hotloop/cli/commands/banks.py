"""``hotloop banks``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from hotloop.cli import options

if TYPE_CHECKING:
    from rich.console import Group
    from rich.text import Text

    from hotloop.isa.banks.ask import Answer, Found
    from hotloop.isa.banks.conflict import Conflicts
    from hotloop.isa.banks.layout import Layout, Swizzle
    from hotloop.isa.banks.solve import Solution

EPILOG = """\b
Examples:
  hotloop banks --target gfx942 --address 'read:32:lane * 256'              one column of a 64-float row
  hotloop banks --target gfx942 --access 'read:128:lane % 16:8 * (lane // 16)' --ld 64 --element 2
  hotloop banks --target gfx950 --access 'read:128:lane % 16:8 * (lane // 16) + k' --for k=0:64:32 --ld 64 --element 2 --solve
  hotloop banks --target sm_90 --access 'read:128:lane % 16:8 * (lane // 16)' --ld 64 --element 2 --swizzle 8,1,8
  hotloop banks --target gfx942 --address 'read:64:lane * 260' --lds-share 0.19   how much it can matter
\b
OP is read, write or read_tr (transposing reads of gfx950). Expressions know lane and the variables of --for.
"""
_MARKS = ".123456789"


@click.command("banks", epilog=EPILOG)
@options.processor
@click.option(
    "--access", "accesses", multiple=True, metavar="OP:BITS:ROW:COLUMN", help="Access to an element of the tile."
)
@click.option("--address", "addresses", multiple=True, metavar="OP:BITS:EXPRESSION", help="Access to a byte address.")
@click.option("--ld", type=int, default=None, help="Leading dimension of the tile in elements.")
@click.option("--element", type=int, default=None, help="Bytes of an element.")
@click.option(
    "--rows",
    type=options.Whole(min=1),
    default=None,
    help="Rows of the tile; as many as the accesses touch unless given.",
)
@click.option("--pad", type=int, default=0, help="Elements added to every row.")
@click.option(
    "--swizzle", default=None, metavar="VEC,PER_PHASE,MAX_PHASE", help="XOR swizzle (Gluon's SwizzledSharedLayout)."
)
@click.option(
    "--padded",
    multiple=True,
    metavar="INTERVAL:PADDING",
    help="Padding by offset (Gluon's PaddedSharedLayout), in elements.",
)
@click.option("--base", type=int, default=0, help="Byte address of the tile.")
@click.option(
    "--for", "sweeps", multiple=True, metavar="NAME=START:STOP:STEP", help="Loop variable of the expressions."
)
@options.wave
@click.option("--solve", is_flag=True, help="Find the smallest padding and an XOR swizzle without conflicts.")
@click.option(
    "--lds-share", type=options.Finite(0, 1), default=None, help="Share of the loop's time that local memory takes."
)
@options.as_json
def COMMAND(
    target: str,
    accesses: tuple[str, ...],
    addresses: tuple[str, ...],
    ld: int | None,
    element: int | None,
    rows: int | None,
    pad: int,
    swizzle: str | None,
    padded: tuple[str, ...],
    base: int,
    sweeps: tuple[str, ...],
    wave: int | None,
    solve: bool,
    lds_share: float | None,
    as_json: bool,
) -> int:
    """Count bank conflicts of local memory accesses, show where they are, and find layouts without them."""
    from hotloop.cli import output
    from hotloop.isa.banks import ask as banks

    question = banks.Question(
        target=target,
        accesses=accesses,
        addresses=addresses,
        layout=_layout(ld, element, pad, swizzle, padded, base),
        rows=rows,
        sweeps=sweeps,
        wave=wave,
        lds_share=lds_share,
    )
    answer = banks.ask(question, solving=solve)
    if as_json:
        output.emit(answer.as_json())
    else:
        output.show(_page(answer))
    return 0 if answer.free and answer.injective is not False else 1


def _layout(
    ld: int | None, element: int | None, pad: int, swizzle: str | None, padded: tuple[str, ...], base: int
) -> Layout | None:
    from hotloop.errors import UsageError
    from hotloop.isa.banks.layout import Layout

    if ld is None and element is None:
        if pad or swizzle or padded or base:
            raise UsageError("--pad, --swizzle, --padded and --base describe a tile: give --ld and --element too.")
        return None
    if ld is None or element is None:
        raise UsageError("a tile needs both --ld (elements) and --element (bytes).")
    pairs = tuple(_numbers("--padded", text, ":", 2) for text in padded)
    return Layout(
        element_bytes=element,
        leading=ld,
        pad=pad,
        swizzle=_swizzle(swizzle),
        intervals=tuple((pair[0], pair[1]) for pair in pairs),
        base_bytes=base,
    )


def _swizzle(text: str | None) -> Swizzle | None:
    from hotloop.isa.banks.layout import Swizzle

    return None if text is None else Swizzle(*_numbers("--swizzle", text, ",", 3))


def _numbers(option: str, text: str, separator: str, count: int) -> list[int]:
    from hotloop.errors import UsageError

    parts = text.split(separator)
    if len(parts) != count or not all(part.strip().isdecimal() for part in parts):
        raise UsageError(f"{option} {text!r} must be {count} numbers with {separator!r} between them.")
    return [int(part) for part in parts]


def _page(answer: Answer) -> Group:
    from rich.console import Group
    from rich.text import Text

    lines = [line for access in answer.found for line in _found(access)]
    if answer.injective is False:
        lines.append(Text("the layout puts two elements into one place: it loses data", style="bold red"))
    if answer.solutions:
        lines += [Text(""), *_solutions(answer)]
    return Group(*lines)


def _found(access: Found) -> list[Text]:
    from rich.text import Text

    model, worst = access.access.model, access.worst
    lines = [
        Text(f"{access.access.label} on {model.target}: {model.banks} banks, {len(model.phases)} phases"),
        Text.assemble((_verdict(access), "green" if access.cycles == access.ideal_cycles else "bold red")),
    ]
    if worst.misaligned:
        lines.append(
            Text(
                f"{len(worst.misaligned)} lanes are not aligned to {model.width_bytes} B: compilers emit narrower accesses",
                style="yellow",
            )
        )
    lines += [Text(line) for line in _picture(worst)]
    if access.worth:
        lines.append(Text(f"removing them saves at most {access.worth.saving:.1%} of the loop: {access.worth.verdict}"))
    lines.append(Text(f"phases: {model.status}: {model.source}", style="dim"))
    return lines


def _verdict(access: Found) -> str:
    cases = f", mean of {len(access.cases)} cases" if len(access.cases) > 1 else ""
    if access.cycles == access.ideal_cycles:
        return f"no conflicts: {access.cycles:g} cycles{cases}"
    return f"{access.worst.degree}-way conflicts: {access.cycles:g} cycles instead of {access.ideal_cycles:g}{cases}"


def _picture(worst: Conflicts) -> list[str]:
    """Return one line per phase: how many different words each bank is asked for."""
    lines = []
    for n, phase in enumerate(worst.phases):
        marks = "".join(_MARKS[words] if words < len(_MARKS) else "#" for words in phase.words)
        lines.append(f"  phase {n}  {_ranges(phase.lanes):18} |{marks}| x{phase.degree}")
    return lines


def _ranges(lanes: tuple[int, ...]) -> str:
    parts: list[list[int]] = []
    for lane in lanes:
        if parts and lane == parts[-1][1] + 1:
            parts[-1][1] = lane
        else:
            parts.append([lane, lane])
    return ",".join(f"{a}-{b}" if a != b else f"{a}" for a, b in parts)


def _solutions(answer: Answer) -> list[Text]:
    from rich.text import Text

    solutions = answer.solutions
    assert solutions is not None
    rows = (
        ("smallest padding", solutions.padding),
        ("smaller, but breaks alignment", solutions.narrow_padding),
        ("XOR swizzle", solutions.swizzle),
    )
    lines = [
        Text(f"{name}: {_solution(solution)}") for name, solution in rows if solution or not name.startswith("smaller")
    ]
    return [*lines, Text(f"{solutions.tried} layouts tried, every lane, phase and element enumerated", style="dim")]


def _solution(solution: Solution | None) -> str:
    if solution is None:
        return "none among those tried"
    layout, size = solution.layout, solution.layout.size_bytes(solution.rows)
    if layout.swizzle:
        s = layout.swizzle
        layout_words = f"vec {s.vec}, per_phase {s.per_phase}, max_phase {s.max_phase}"
    else:
        layout_words = f"{layout.pad} elements per row" if layout.pad else "none is needed"
    return f"{layout_words}; {size} B for {solution.rows} rows, {solution.extra_bytes} B more"
