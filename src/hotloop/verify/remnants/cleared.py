"""The same OpenCL C program whose groups overwrite their local memory before they do anything else.

A group must write local memory before it reads it. On a CPU a thread's groups have the same memory in turn, so that one may find there what
the one before it made, in the same call. Such a program is as right with its arrays overwritten, and no longer fast. What overwriting costs
is known from the program that writes what is there already.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hotloop.model.program import Local, Value
from hotloop.verify.remnants.text import (
    ME,
    OWN,
    Definition,
    Variable,
    alike,
    bare,
    in_local_memory,
    kernels,
    longer,
    parameters,
    prelude,
    variables,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hotloop.model.program import Program

_PRELUDE = prelude(
    f"void {OWN}_clear(volatile __local uint *a, const uint words, const bool other) {{"
    " const uint all = get_local_size(0) * get_local_size(1) * get_local_size(2);"
    " const bool changed = other != (get_global_size(0) == 0xfffffffffff1ul);"
    f" for (uint k = {ME}; k < words; k += all) {{ const uint old = a[k]; a[k] = changed ? 0x7FC3A5A5u : old; }} }}"
)
"""Both programs have the same text but for a word, if any, that the compiler cannot use: the loop alone can double the time of a kernel's first part."""
_BEHIND = 128
"""Words behind each declaration that are overwritten, too: what lies there is other local memory, or the runtime's."""
_WAIT = " barrier(CLK_LOCAL_MEM_FENCE);"


def cleared(program: Program, *, other: bool, shared: bool = True) -> Program | None:
    """Return a program that overwrites the local memory of its text, and of its arguments; None where it has none.

    Without `other` it writes what is there already, and is what the other one is measured by. Where they are `shared` both have one text,
    and are told apart by one more argument, so that they are compiled once; not where a macro makes a kernel, which lacks that argument.
    """
    if program.language != "opencl":
        return None
    program = roomier(program, 4 * _BEHIND)
    plain, made, end = bare(program.source), [_PRELUDE], 0
    every = alike(program, plain) if shared else None
    changed = f"{OWN}_clears" if every else str(other).lower()
    for kernel in every or filter(None, kernels(plain)):
        given = plain[kernel.parameters : kernel.close]
        made += [plain[end : kernel.parameters], longer(given, f"{OWN}_clears") if every else given]
        made += [plain[kernel.close : kernel.body], _given(program, plain, kernel, changed)]
        end = kernel.body
    bodies = "".join([*made, plain[end:]])
    text = in_local_memory(program).sub(lambda found: found[0] + _declared(found[1], changed), bodies)
    if f"{OWN}_clear(" not in text.removeprefix(_PRELUDE):
        return None
    how = (Value(int(other), "uint32"),) if every else ()
    launches = tuple(replace(launch, arguments=(*launch.arguments, *how)) for launch in program.launches)
    return replace(program, source=text, launches=launches)


def roomier(program: Program, more_bytes: int) -> Program:
    """Return a program whose local memory that comes as arguments is larger: a text may reach behind what it was given."""
    launches = tuple(
        replace(
            launch,
            arguments=tuple(
                Local(-(-argument.local_bytes // 4) * 4 + more_bytes) if isinstance(argument, Local) else argument
                for argument in launch.arguments
            ),
        )
        for launch in program.launches
    )
    return replace(program, launches=launches)


def doubled(program: Program) -> Program | None:
    """Return the program that overwrites it once with all local memory of its text twice, as far as the text tells; None where it tells of none.

    Local memory that nobody sees is there once only.
    """
    plain = bare(program.source)
    text = in_local_memory(program).sub(lambda found: found[0] + _twins(found[1]) + _declared(found[1], "true"), plain)
    return None if text == plain else replace(program, source=_PRELUDE + text)


def _given(program: Program, text: str, kernel: Definition, changed: str) -> str:
    """Return what overwrites the local memory that a kernel gets as arguments."""
    names = parameters(text[kernel.parameters : kernel.close]) or []
    sizes = dict(_sizes(program, kernel.name, names))
    once = "".join(_call(name, f"{size // 4}u", changed) for name, size in sizes.items())
    return f"{once}{_WAIT}" if sizes else ""


def _sizes(program: Program, entry: str, names: list[str]) -> Iterator[tuple[str, int]]:
    for launch in program.launches:
        if launch.entry == entry and len(names) == len(launch.arguments):
            yield from (
                (name, given.local_bytes)
                for name, given in zip(names, launch.arguments, strict=True)
                if isinstance(given, Local)
            )


def _declared(declared: str, changed: str) -> str:
    """Return what overwrites declared arrays, and what lies right behind them, where a text may reach although it declares nothing there."""
    names = [variable.name for variable in variables(declared)]
    if not names:
        return ""
    behind = f"{OWN}_behind_{names[-1]}"
    once = "".join(_call(f"&{name}", f"sizeof({name}) / 4", changed) for name in (*names, behind))
    return f" __local uint {behind}[{_BEHIND}];{once}{_WAIT}"


def _call(address: str, words: str, changed: str) -> str:
    return f" {OWN}_clear((volatile __local uint *){address}, {words}, {changed});"


def _twins(declared: str) -> str:
    every = variables(declared)
    behind = [Variable("uint", f"behind_{every[-1].name}_", f"[{_BEHIND}]")] if every else []
    made = ((f"{OWN}_{one.name}", one) for one in (*every, *behind))
    return "".join(f" __local {one.kind} {name}{one.extents};{_call(f'&{name}', '1u', 'true')}" for name, one in made)
