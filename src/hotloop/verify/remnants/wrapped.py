"""The same OpenCL C program whose kernels are functions that are called after the stack below them was overwritten.

Private memory that was never set is what a thread's stack holds: on a CPU that is what the work-items before left there, in the same call,
too. A program that reads it is not as fast where it finds nothing. However the text declares such memory, it lies in the frame of the
function, and whatever was called before it at the same depth has had the same place. What overwriting costs is known from a program that
overwrites as much further down, where no kernel's variables lie, and what calling costs from one that overwrites nothing.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from hotloop.verify.remnants.text import bare, closing

if TYPE_CHECKING:
    from hotloop.model.program import Program

Where = Literal["here", "elsewhere", "nowhere"]
_NEAR_BYTES, _OWN_BYTES, _MOST_BYTES = 2**16, 2**12, 2**20
"""What the first work-item of a group overwrites beyond what the kernels need: as far down as an array can be that nothing declares (see
`hotloop.drivers.depths`); what further ones do; and what is overwritten at most."""
_EACH = 16
"""Work-items of a group for each overwriting: fewer than a table pays for."""
_PRELUDE = (
    "__attribute__((noinline)) void hotloop_spoil(const uint words) {{ uint16 own[{words}];"
    " for (uint k = 0; k < words; ++k) own[{words}u - 1u - k] = (uint16)(0x7FC3A5A5u);"
    " volatile uint *at = (volatile uint *)(own + {words} - 1); at[get_local_id(0) & 15u]; }}"
    " __attribute__((noinline)) void hotloop_below(const uint words) {{ volatile uint16 above[{words}];"
    " above[0] = (uint16)(words); hotloop_spoil(words); above[words & 1u]; }}\n#line 1\n"
)
"""Wide words, of which one is read that the compiler cannot tell: it stores all, as fast as it can."""
_ALONE = "__attribute__((intel_vec_len_hint(1)))"
"""Several items at once would have the stack of each overwritten; other runtimes do not know the word and go on."""
_TURN = (
    "const uint me = get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2));"
    " if (me % {each}u == 0u) {{ const bool as_said = get_global_size(0) != 0xfffffffffff1ul;"
    " const uint words = as_said == {some} ? (me ? {few}u : {words}u) : 0u;"
    " if (as_said == {here}) hotloop_spoil(words); else hotloop_below(words); }}"
)
"""All three programs have the same text but for what the compiler cannot know: it would leave out what does nothing, with its cost."""
_ATTRIBUTE = r"(?:__attribute__\s*\(\([^;{}]*?\)\)\s*)*"
_KERNEL = re.compile(rf"(?<!\w)(?:__)?kernel\s+{_ATTRIBUTE}void\s+{_ATTRIBUTE}(\w+)\s*\(")
_OPENED = re.compile(rf"\s*{_ATTRIBUTE}\{{")
_NAMED = re.compile(r"([A-Za-z_]\w*)\s*(?:\[[^\[\]]*\]\s*)?$")
_TOGETHER = re.compile(r"barrier|work_group|sub_?group|(?<![\w.>])(?:__)?local\s+[^;(){}*]*;")
"""Of what groups do together a function may know nothing, and local memory is declared in kernels only."""


def wrapped(program: Program, where: Where, needed_bytes: int = 0) -> Program | None:
    """Return a program that overwrites what its kernels find on the stack, or as much below; None where its text does not allow it.

    `needed_bytes`: what the kernels' own variables take of a stack.
    """
    text = bare(program.source)
    if program.language != "opencl" or _TOGETHER.search(text):
        return None
    few, words = (min(more + needed_bytes, _MOST_BYTES) // 64 for more in (_OWN_BYTES, _NEAR_BYTES))
    some, here = str(where != "nowhere").lower(), str(where == "here").lower()
    turn = _TURN.format(each=_EACH, few=few, words=words, some=some, here=here)
    made, end, names = [_PRELUDE.format(words=words)], 0, set[str]()
    for found in _KERNEL.finditer(text):
        place = _definition(text, found.end())
        arguments = None if place is None else _arguments(text[found.end() : place[0]])
        if place is None or arguments is None or found[1] in names:
            return None
        names.add(found[1])
        called = f"{turn} hotloop_{found[1]}({', '.join(arguments)});"
        outer = f"{_ALONE} {text[found.start() : place[0]]}) {{ {called} }}"
        inner = f"__attribute__((noinline)) void hotloop_{found[1]}({text[found.end() : place[1]]}"
        made += [text[end : found.start()], inner, " ", " ".join(outer.split())]
        end = place[1]
    return replace(program, source="".join([*made, text[end:]])) if names else None


def _definition(text: str, start: int) -> tuple[int, int] | None:
    """Return where the parameters that begin at a place end, and where the body does; None for a declaration."""
    close = closing(text, start, "()")
    opened = None if close is None else _OPENED.match(text, close + 1)
    end = closing(text, opened.end(), "{}") if opened else None
    return None if close is None or end is None else (close, end + 1)


def _arguments(parameters: str) -> list[str] | None:
    """Return the names of parameters; None where they cannot be told.

    >>> _arguments("__global const float *x, int n, __local float part[]"), _arguments("void"), _arguments("int, float y")
    (['x', 'n', 'part'], [], None)
    """
    plain = parameters.strip()
    if plain in ("", "void"):
        return []
    if "#" in plain or "(" in plain:
        return None
    parts = [part.strip() for part in plain.split(",")]
    found = [_NAMED.search(part) for part in parts]
    named = [
        one[1] for one, part in zip(found, parts, strict=True) if one and re.search(r"[\s*]", part[: one.start() + 1])
    ]
    return named if len(named) == len(parts) else None
