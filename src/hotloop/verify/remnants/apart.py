"""The same OpenCL C program with bands of bytes beside each of its arrays in local memory.

Local arrays lie side by side, so that what reads or writes one beyond its end finds the next one, or memory of nobody's, and results may be right
all the same. A kernel becomes a function here, and the kernel that calls it declares its arrays with a band before the first and behind each,
all of numbers that spoil what is computed from them. Where a band was written when the function has returned, what the kernel's own pointers lead
to begins with large numbers, which no result is.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from hotloop.model.program import Local
from hotloop.verify.remnants.cleared import roomier
from hotloop.verify.remnants.text import ME, OWN, Definition, bare, in_local_memory, kernels, parameters, prelude
from hotloop.verify.remnants.wrapped import lifted

if TYPE_CHECKING:
    from hotloop.model.program import Program

_BETWEEN_BYTES, _LAST_BYTES = 256, 4096
"""Of bands between arrays, and of the one behind the last: further away there is memory of others, and such a kernel mostly crashes."""
_MOST_BANDS = 32
_SPOILED_BYTES = 8
_FUNCTIONS = f"""
uint OWN_me(void) {{ return {ME}; }}
uint OWN_all(void) {{ return get_local_size(0) * get_local_size(1) * get_local_size(2); }}
uchar OWN_due(const uint k) {{ return (k & 3u) == 3u ? 0x7F : (k & 3u) == 2u ? 0xC3 : 0x91; }}
void OWN_fill(volatile __local uchar *band, const uint bytes) {{
    for (uint k = OWN_me(); k < bytes; k += OWN_all()) band[k] = OWN_due(k);
}}
uint OWN_hurt(volatile __local uchar *band, const uint bytes) {{
    uint found = 0;
    for (uint k = OWN_me(); k < bytes; k += OWN_all()) found |= band[k] != OWN_due(k);
    return found;
}}
void OWN_spoil(volatile __global uchar *at) {{ for (uint k = 0; k < {_SPOILED_BYTES}u; ++k) at[k] = 0x7F; }}
"""
_PRELUDE = prelude(_FUNCTIONS.replace("OWN_", f"{OWN}_"))
_APART = f"{OWN}_apart_"
_POINTER = re.compile(r"(?<!\w)(?:__)?global\b(?!.*\bconst\b).*\*")


def apart(program: Program) -> Program | None:
    """Return a program with bands beside its local arrays; None where it declares none in plain sight."""
    if program.language != "opencl":
        return None
    text, declared = bare(program.source), in_local_memory(program)
    made, end, names = [_PRELUDE], 0, set[str]()
    for kernel in kernels(text):
        if kernel is None or kernel.name in names:
            return None
        if pair := _pair(text, kernel, declared, _behind(program, text, kernel)):
            names.add(kernel.name)
            made += [text[end : kernel.start], pair]
            end = kernel.end
    if not names & {launch.entry for launch in program.launches}:
        return None
    launches = tuple(
        replace(launch, entry=_APART + launch.entry) if launch.entry in names else launch for launch in program.launches
    )
    return roomier(replace(program, source="".join([*made, text[end:]]), launches=launches), _LAST_BYTES)


def _behind(program: Program, text: str, kernel: Definition) -> list[tuple[str, str]]:
    """Return where the bands behind local memory that comes as arguments begin, and their sizes; none where its size is not always the same."""
    names = parameters(text[kernel.parameters : kernel.close]) or []
    sizes = {
        tuple(argument.local_bytes if isinstance(argument, Local) else 0 for argument in launch.arguments)
        for launch in program.launches
        if launch.entry == kernel.name
    }
    if len(sizes) != 1 or len(names) != len(every := sizes.pop()):
        return []
    return [
        (f"(volatile __local uchar *){name} + {size}", f"{_LAST_BYTES}")
        for name, size in zip(names, every, strict=True)
        if size
    ]


def _pair(text: str, kernel: Definition, declared: re.Pattern[str], behind: list[tuple[str, str]]) -> str:
    """Return a kernel as a function, and the kernel that calls it with bands beside its arrays; empty where it has none."""
    given = text[kernel.parameters : kernel.close]
    arguments = parameters(given)
    body, statements, more, passed = lifted(text[kernel.body : kernel.end - 1], declared)
    if arguments is None or not (statements or behind) or len(statements) > _MOST_BANDS:
        return ""
    taken = [given] if given.strip() not in ("", "void") else []
    inner = f"\n#undef {kernel.name}\nvoid {kernel.name}({', '.join([*taken, *more])}) {{{body}"
    head, tail = text[kernel.start : kernel.named], text[kernel.close : kernel.body]
    opened = " ".join(f"{head}{_APART}{kernel.name}({given}{tail}".split())
    names = [f"{OWN}_band{place}" for place in range(len(statements) + 1)]
    sizes = [_BETWEEN_BYTES] * len(statements) + [_LAST_BYTES]
    bands = [f"__local uchar {name}[{size}];" for name, size in zip(names, sizes, strict=True)]
    between = " ".join(part for pair in zip(bands, [*statements, ""], strict=True) for part in pair)
    every = [*((name, f"sizeof({name})") for name in names), *behind]
    filled = " ".join(f"{OWN}_fill({band}, {size});" for band, size in every)
    hurt = " | ".join(f"{OWN}_hurt({band}, {size})" for band, size in every)
    spoiled = " ".join(f"{OWN}_spoil((volatile __global uchar *){name});" for name in _pointers(given, arguments))
    called = f"{kernel.name}({', '.join([*arguments, *passed])});"
    wait = "barrier(CLK_LOCAL_MEM_FENCE);"
    return f"{inner} {opened} {between} {filled} {wait} {called} {wait} if ({hurt}) {{ {spoiled} }} }}"


def _pointers(given: str, names: list[str]) -> list[str]:
    """Return the parameters that point to global memory and may be written through.

    >>> _pointers("__global const float *x, __global float *restrict y, const int n", ["x", "y", "n"])
    ['y']
    """
    return [name for name, part in zip(names, given.split(","), strict=True) if _POINTER.search(part)]
