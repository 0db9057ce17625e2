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

from hotloop.model.program import Value
from hotloop.verify.remnants.emptied import EMPTY, HOW, emptied
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
    from hotloop.model.program import Program

Where = Literal["here", "elsewhere", "nowhere"]
_NEAR_BYTES, _OWN_BYTES, _MOST_BYTES = 2**16, 2**12, 2**20
"""What the first work-item of a group overwrites beyond what the kernels need: as far down as an array can be that nothing declares (see
`hotloop.drivers.depths`); what further ones do; and what is overwritten at most."""
_EACH = 16
"""Work-items of a group for each overwriting: fewer than a table pays for."""
_PRELUDE = (
    f"uint {OWN}_me(void) {{{{ return {ME}; }}}}"
    f" __attribute__((noinline)) void {OWN}_spoil(const uint words) {{{{ uint16 own[{{words}}];"
    " for (uint k = 0; k < words; ++k) own[{words}u - 1u - k] = (uint16)(0x7FC3A5A5u);"
    f" volatile uint *at = (volatile uint *)(own + {{words}} - 1); at[{OWN}_me() & 15u]; }}}}"
    f" __attribute__((noinline)) void {OWN}_below(const uint words) {{{{ volatile uint16 above[{{words}}];"
    f" above[0] = (uint16)(words); {OWN}_spoil(words); above[words & 1u]; }}}}"
    f" {EMPTY}"
    f" __attribute__((always_inline)) void {OWN}_turn(const uint how) {{{{ const uint me = {OWN}_me();"
    " if (me % {each}u == 0u) {{ const uint words = how ? (me ? {few}u : {words}u) : 0u;"
    f" if (how == 2u) {OWN}_spoil(words); else {OWN}_below(words); }}}} }}}}"
)
"""Wide words, of which one is read that the compiler cannot tell: it stores all, as fast as it can. All three programs have one text, which is
compiled once: what they do is one more argument of each kernel."""
_HOW = {"nowhere": 0, "elsewhere": 1, "here": 2}
FOUND = f"{OWN}_of_"
"""Beginning of the names of kernels that call the functions. These keep the kernels' names, so that no text tells by its own name what it is;
where a macro made another kernel of that name, which was not found in the text, the program does not compile."""
_GAP = f"volatile uint16 {OWN}_gap[4]; {OWN}_gap[0] = (uint16)(0);"
"""Kernels begin so much further down than what overwrites: the first places of their frames would be left otherwise."""
_OWN_NAME = (
    r"__PRETTY_FUNCTION__|__builtin_(?:FUNCTION|COLUMN|return_address|frame_address|object_size|dynamic_object_size)\b"
)
_QUOTED = r"#[ \t]*define[^\n]*[^#\n]#[ \t]*[A-Za-z_]\w*"
"""A macro that makes a text of its argument."""
_ALONE = "__attribute__((intel_vec_len_hint(1)))"
"""Several items at once would have the stack of each overwritten; other runtimes do not know the word and go on."""


def wrapped(program: Program, where: Where, needed_bytes: int = 0) -> Program | None:
    """Return a program that overwrites what its kernels find on the stack, or as much below; None where its text does not allow it.

    `needed_bytes`: what the kernels' own variables take of a stack.
    """
    if program.language != "opencl":
        return None
    text, declared = bare(program.source), in_local_memory(program)
    few, words = (min(more + needed_bytes, _MOST_BYTES) // 64 for more in (_OWN_BYTES, _NEAR_BYTES))
    made, end, names = [prelude(_PRELUDE.format(words=words, few=few, each=_EACH))], 0, set[str]()
    for kernel in kernels(text):
        pair = None if kernel is None or kernel.name in names else _pair(text, kernel, declared)
        if kernel is None or pair is None:
            return None
        names.add(kernel.name)
        made += [text[end : kernel.start], *pair]
        end = kernel.end
    if not names or not {launch.entry for launch in program.launches} <= names:
        return None
    how = Value(_HOW[where], "uint32")
    launches = tuple(
        replace(launch, entry=FOUND + launch.entry, arguments=(*launch.arguments, how)) for launch in program.launches
    )
    return replace(program, source="".join([*made, text[end:]]), launches=launches)


def telling(program: Program) -> str:
    """Return the words by which a text could tell that its kernels became functions; empty where it has none.

    The names of its local memory are macros there.
    """
    text = bare(program.source)
    names = [variable.name for found in in_local_memory(program).finditer(text) for variable in variables(found[1])]
    asked = rf"|#[ \t]*(?:el)?if[^\n]*\b(?:{'|'.join(names)})\b|{_QUOTED}" if names else ""
    found = re.search(f"{_OWN_NAME}{asked}", text)
    return " ".join(found[0].split()) if found else ""


def _pair(text: str, kernel: Definition, declared: re.Pattern[str]) -> tuple[str, str] | None:
    """Return a kernel as a function, and the kernel that calls it; local memory is declared there and met through pointers."""
    given = text[kernel.parameters : kernel.close]
    arguments = parameters(given)
    if arguments is None:
        return None
    body, statements, more, passed = lifted(text[kernel.body : kernel.end - 1], declared)
    taken = [given] if given.strip() not in ("", "void") else []
    alone = emptied(body)
    lifts = [*(f"{OWN}_{one[1:]}" for one in passed), *((HOW,) if alone else ())]
    signature = f"({', '.join([*taken, *more, *((f'const uint {HOW}',) if alone else ())]) or 'void'})"
    inner = f"\n#undef {kernel.name}\n__attribute__((noinline)) void {kernel.name}{signature}"
    deeper = f"__attribute__((noinline)) void {OWN}_{kernel.name}{signature} {{ {_GAP} "
    deeper += f"{kernel.name}({', '.join([*arguments, *lifts])}); {OWN}_gap[1]; }}"
    head, tail = text[kernel.start : kernel.named], text[kernel.close : kernel.body]
    opened = f"{head}{FOUND}{kernel.name}({', '.join([*taken, f'const uint {OWN}_how'])}{tail}"
    opened, turn = " ".join(opened.split()), f"{OWN}_turn({OWN}_how);"
    called = f"{OWN}_{kernel.name}({', '.join([*arguments, *passed, *((f'{OWN}_how',) if alone else ())])});"
    return f"{inner} {{{alone or body}", f"{deeper} {_ALONE} {opened} {' '.join(statements)} {turn} {called} }}"


def lifted(body: str, declared: re.Pattern[str]) -> tuple[str, list[str], list[str], list[str]]:
    """Return a body without its local memory, the declarations, and the parameters and arguments in their place."""
    statements: list[str] = []
    more: list[str] = []
    passed: list[str] = []

    def met(found: re.Match[str]) -> str:
        own = variables(found[1])
        if not own:
            return found[0]
        statements.append(" ".join(found[0].split()))
        more.extend(f"__local {one.kind} (*{OWN}_{one.name}){one.extents}" for one in own)
        passed.extend(f"&{one.name}" for one in own)
        return "".join(f"\n#define {one.name} (*{OWN}_{one.name})\n" for one in own)

    text = declared.sub(met, body)
    return (
        f"{text}}}" + "".join(f"\n#undef {one[1:]}" for one in passed) + ("\n" if passed else ""),
        statements,
        more,
        passed,
    )
