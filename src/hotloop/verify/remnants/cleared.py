"""The same OpenCL C program whose groups overwrite their local memory before they do anything else.

A group must write local memory before it reads it. On a CPU a thread's groups have the same memory in turn, so that one may find there what
the one before it made, in the same call. Such a program is as right with its arrays overwritten, and no longer fast. What overwriting costs
is known from the program that does it twice.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hotloop.model.program import Local, Program
from hotloop.verify.remnants.text import (
    ME,
    OWN,
    Definition,
    bare,
    in_local_memory,
    kernels,
    parameters,
    prelude,
    variables,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

_PRELUDE = prelude(
    f"uint {OWN}_turns(const uint times) {{ return get_global_size(0) == 0xfffffffffff1ul ? 9u : times; }}"
    f" void {OWN}_clear(volatile __local uint *a, const uint words, const uint turns) {{"
    " const uint all = get_local_size(0) * get_local_size(1) * get_local_size(2);"
    f" for (uint turn = 0; turn < turns; ++turn) for (uint k = {ME}; k < words; k += all) a[k] = 0x7FC3A5A5u; }}"
)
"""All programs have the same text but for a number that the compiler cannot use: a loop alone can double the time of a kernel's first part."""
_WAIT = " barrier(CLK_LOCAL_MEM_FENCE);"


def cleared(program: Program, times: int) -> Program | None:
    """Return a program that overwrites the local memory of its text, and of its arguments, so many times; None where it has none.

    With none it waits as the others do, and is what they are measured by.
    """
    if program.language != "opencl":
        return None
    plain, made, end = bare(program.source), [_PRELUDE], 0
    for kernel in kernels(plain):
        if kernel is not None and (begin := _given(program, plain, kernel, times)):
            made += [plain[end : kernel.body], begin]
            end = kernel.body
    text = "".join([*made, plain[end:]])
    whole = in_local_memory(program).sub(lambda found: found[0] + _declared(found[1], times), text)
    return None if whole == _PRELUDE + plain else replace(program, source=whole)


def doubled(program: Program) -> Program | None:
    """Return the program that overwrites it once with all local memory of its text twice, as far as the text tells; None where it tells of none.

    Local memory that nobody sees is there once only.
    """
    plain = bare(program.source)
    text = in_local_memory(program).sub(lambda found: found[0] + _twins(found[1]) + _declared(found[1], 1), plain)
    return None if text == plain else replace(program, source=_PRELUDE + text)


def _given(program: Program, text: str, kernel: Definition, times: int) -> str:
    """Return what overwrites the local memory that a kernel gets as arguments."""
    names = parameters(text[kernel.parameters : kernel.close]) or []
    sizes = dict(_sizes(program, kernel.name, names))
    once = "".join(_call(name, f"{size // 4}u", times) for name, size in sizes.items())
    return f"{once}{_WAIT}" if sizes else ""


def _sizes(program: Program, entry: str, names: list[str]) -> Iterator[tuple[str, int]]:
    for launch in program.launches:
        if launch.entry == entry and len(names) == len(launch.arguments):
            yield from (
                (name, given.local_bytes)
                for name, given in zip(names, launch.arguments, strict=True)
                if isinstance(given, Local)
            )


def _declared(declared: str, times: int) -> str:
    names = [one.name for one in variables(declared)]
    once = "".join(_call(f"&{name}", f"sizeof({name}) / 4", times) for name in names)
    return f"{once}{_WAIT}" if names else ""


def _call(address: str, words: str, times: int) -> str:
    return f" {OWN}_clear((volatile __local uint *){address}, {words}, {OWN}_turns({times}u));"


def _twins(declared: str) -> str:
    made = ((f"{OWN}_{one.name}", one) for one in variables(declared))
    return "".join(f" __local {one.kind} {name}{one.extents};{_call(f'&{name}', '1u', 1)}" for name, one in made)
