"""Arrays of a C source that begin without values: private memory of which a compiler may leave out what nobody has set.

Of single variables clang warns, of arrays it does not: where a loop sets all elements but the last, it reads something undefined, puts
anything in its place, and no instruction shows it. So the declarations are read from the text. One too many only costs two builds more,
as it is a difference of results that counts (`hotloop.app.emulate.hollow`).
"""

from __future__ import annotations

import re
from typing import NamedTuple

_DECLARED = re.compile(
    r"(?<=[;{})>\n])[ \t]*(?P<type>(?:[A-Za-z_][\w:]*(?:<[\w, ]*>)?[ \t]+)+)(?P<name>[A-Za-z_]\w*)[ \t]*(?:\[[^\]\n;=]*\][ \t]*)+;"
)
_ELSEWHERE = re.compile(
    r"\b(__shared__|__constant__|__device__|__managed__|static|extern|(__)?(local|constant|global)|typedef|return|using|delete|goto)\b"
)
"""Words of declarations in other memories, and of what is no declaration."""


_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


class Unset(NamedTuple):
    """An array that begins without values."""

    line: int
    name: str


def arrays(text: str) -> tuple[Unset, ...]:
    r"""Return the private arrays of a C source that are declared without values, in the order of the text.

    >>> arrays("__shared__ float a[4];\nvoid f() {\n  float b[2][3]; int c[2] = {};\n  // int d[2];\n}")
    (Unset(line=3, name='b'),)
    """
    code = _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), text)
    return tuple(
        Unset(code.count("\n", 0, found.start("name")) + 1, found["name"])
        for found in _DECLARED.finditer(code)
        if not _ELSEWHERE.search(found["type"])
    )
