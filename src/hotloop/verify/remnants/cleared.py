"""The same OpenCL C program whose groups overwrite their local and private arrays before they do anything else.

A group must write local memory before it reads it, a work-item private memory. On a CPU a thread's groups have the same memory in turn, so
that one may find there what the one before it made, in the same call. Such a program is as right with its arrays overwritten, and no longer
fast. What overwriting costs is known from the program that does it twice; with private ones nothing, where they are written before they are read.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from hotloop.verify.remnants.text import bare, closing

if TYPE_CHECKING:
    from hotloop.model.program import Program

_PRELUDE = (
    "void hotloop_clear(volatile __local uint *a, uint words) {"
    " const uint all = get_local_size(0) * get_local_size(1) * get_local_size(2);"
    " const uint me = get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2));"
    " for (uint k = me; k < words; k += all) a[k] = 0x7FC3A5A5u; }\n#line 1\n"
)
_WORDS = r"__local|local"
_DECLARED = r"(?<![\w.>])(?:{})\s+([^;{{}}]*);"
_ALIAS = re.compile(rf"#[ \t]*define[ \t]+(\w+)[ \t]+[^\n]*\b(?:{_WORDS})\b")
_OPTION = re.compile(rf"-D\s*(\w+)=(?:{_WORDS})\b")
_EXTENT, _EXTRA = re.compile(r"\[[^\[\]]*\]"), re.compile(r"__attribute__\s*\(\(.*?\)\)\)?")
_PRIVATE = re.compile(
    r"(?<=[;{}])\s*(?!(?:typedef|extern|static|return|goto|case|else|struct|union|enum)\b)"
    r"(?:(?!(?:__)?(?:local|constant|global)\b)[A-Za-z_]\w*\s+)+?(?P<declared>[A-Za-z_]\w*\s*\[[^;{}=()]*\](?:\s*,[^;{}=()*]*)?);"
)
"""A declaration of arrays without values, in a function or a structure."""
_STRUCTURE = re.compile(r"\b(?:struct|union)\b[^;{}()]*\{")
_NAME = re.compile(r"([A-Za-z_]\w*)\s*(?:\[\]\s*)*$")


def cleared(program: Program, times: int) -> Program | None:
    """Return a program that overwrites the local arrays of its text so many times, and private ones if any; None where it declares no local ones.

    With none it waits as the others do, and is what they are measured by. Local memory that comes as an argument is not met, nor private memory that is no array.
    """
    if program.language != "opencl":
        return None
    aliases = [*_ALIAS.findall(program.source), *_OPTION.findall(" ".join(program.options))]
    declared = re.compile(_DECLARED.format("|".join((_WORDS, *aliases))))
    plain = bare(program.source)
    text = declared.sub(lambda found: found[0] + _clearing(found[1], times), plain)
    return None if text == plain else replace(program, source=_PRELUDE + (_spoiled(text) if times else text))


def _clearing(declared: str, times: int) -> str:
    names = _names(declared)
    once = "".join(f" hotloop_clear((volatile __local uint *)&{name}, sizeof({name}) / 4);" for name in names)
    return f"{once * times} barrier(CLK_LOCAL_MEM_FENCE);" if names else ""


def _spoiled(text: str) -> str:
    """Return a text that gives private arrays values, which a compiler leaves out where they are written before they are read."""
    types = [(at.end(), closing(text, at.end(), "{}") or at.end()) for at in _STRUCTURE.finditer(text)]

    def followed(found: re.Match[str]) -> str:
        if any(begin <= found.start("declared") < end for begin, end in types):
            return found[0]
        names = _names(found["declared"])
        return found[0] + "".join(f" __builtin_memset((void *)&{name}, 0x7f, sizeof({name}));" for name in names)

    return _PRIVATE.sub(followed, text)


def _names(declared: str) -> list[str]:
    """Return the variables of a declaration; none where it has pointers or is a list of parameters.

    >>> _names("float tile[16 * (N + 1)][4], sums[WG]"), _names("int found"), _names("float *at"), _names("float *p, int n)")
    (['tile', 'sums'], ['found'], [], [])
    """
    plain = _EXTENT.sub("[]", _EXTRA.sub("", declared))
    if "*" in plain or "(" in plain or ")" in plain:
        return []
    return [found[1] for part in plain.split(",") if (found := _NAME.search(part.strip()))]
