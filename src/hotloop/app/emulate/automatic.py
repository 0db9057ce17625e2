"""Arrays of a C source that begin without values: private memory of which a compiler may leave out what nobody has set.

Of single variables clang warns, of arrays it does not: where a loop sets all elements but the last, it reads something undefined, puts
anything in its place, and no instruction shows it. So the declarations are read from the text. One too many only costs two builds more,
as it is a difference of results that counts (`hotloop.app.emulate.hollow`).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable
from typing import NamedTuple

_DECLARED = re.compile(
    r"(?<=[;{})>\n])[ \t]*(?P<type>(?:[A-Za-z_][\w:]*(?:<[\w, ]*>)?[ \t]+)+)(?P<name>[A-Za-z_]\w*)[ \t]*(?:\[[^\]\n;=]*\][ \t]*)+;"
)
_ELSEWHERE = re.compile(
    r"\b(__shared__|__constant__|__device__|__managed__|static|extern|(__)?(local|constant|global)|typedef|return|using|delete|goto)\b"
)
"""Words of declarations in other memories, and of what is no declaration."""


_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_CONDITION = re.compile(r"[ \t]*#[ \t]*(if|el|endif)(?:(?<=if)[ \t]+(0|false)[ \t]*$)?")
_STRUCTURE = re.compile(r"\b(struct|class|union)\b[^;(){}]*$")
"""What stands before the brace that begins a structure."""
_HEAD = 200
"""Characters of it that are looked at."""
_BRACE = re.compile(r"[{}]")


class Unset(NamedTuple):
    """An array that begins without values."""

    line: int
    name: str
    member: bool = False
    """Of a structure, whose variables may begin without values, or not."""


def arrays(text: str) -> tuple[Unset, ...]:
    r"""Return the private arrays of a C source that are declared without values, in the order of the text, members of structures last.

    >>> arrays("__shared__ float a[4];\nvoid f() {\n  float b[2][3]; int c[2] = {};\n  // int d[2];\n}")
    (Unset(line=3, name='b', member=False),)
    """
    code = _living(_COMMENT.sub(lambda found: "\n" * found[0].count("\n"), text))
    member = _members(code)
    found = [
        Unset(code.count("\n", 0, one.start("name")) + 1, one["name"], member(one.start("name")))
        for one in _DECLARED.finditer(code)
        if not _ELSEWHERE.search(one["type"])
    ]
    return tuple(sorted(found, key=lambda one: one.member))


def _living(code: str) -> str:
    r"""Return a text whose lines under ``#if 0`` are empty.

    >>> _living("#if 0\na\n#if X\nb\n#endif\n#else\nc\n#endif\nd").split()
    ['#if', '0', '#else', 'c', '#endif', 'd']
    """
    lines, dead = list[str](), list[bool]()
    for line in code.split("\n"):
        found = _CONDITION.match(line)
        if found and found[1] == "if":
            dead.append(bool(found[2]))
        elif found and dead:
            dead[-1:] = [False] * (found[1] == "el")
        lines.append("" if any(dead[: len(dead) - bool(found and found[1] == "if")]) else line)
    return "\n".join(lines)


def _members(code: str) -> Callable[[int], bool]:
    """Return a function that tells whether the innermost brace around a place begins a structure."""
    begins, around, stack = list[int](), list[bool](), [False]
    for brace in _BRACE.finditer(code):
        if brace[0] == "{":
            stack.append(bool(_STRUCTURE.search(code, max(0, brace.start() - _HEAD), brace.start())))
        elif len(stack) > 1:
            stack.pop()
        begins.append(brace.start())
        around.append(stack[-1])
    return lambda at: bool(begins) and begins[0] < at and around[bisect_left(begins, at) - 1]
