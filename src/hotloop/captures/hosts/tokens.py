"""A C or C++ source as its tokens: enough to tell code from comments, texts and directives, and no more."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, pairwise

from hotloop.captures.hosts.sizes import UnclearError

_TOKEN = re.compile(
    r"""
    (?P<blank>//(?:\\\n|[^\n])*|/\*.*?\*/|[ \t\f\v]+|\\\n)
    |(?P<line>\n)
    |(?P<text>(?:u8|[uUL])?(?:R"(?P<end>[^\s()\\]{0,16})\(.*?\)(?P=end)"|"(?:\\.|[^"\\\n])*"))
    |(?P<mark>(?:u8|[uUL])?'(?:\\.|[^'\\\n])+')
    |(?P<number>\.?\d(?:[eEpP][+-]|'?[\w.])*)
    |(?P<word>[A-Za-z_$][\w$]*)
    |(?P<sign>->|::|==|!=|.)
    """,
    re.VERBOSE | re.DOTALL,
)
_TRAPS = re.compile(r"\?\?[=/'()!<>-]|\\[ \t\f\v]+\n")
"""Spellings of signs by three, and lines that go on behind blanks: what they mean hangs on the compiler."""
_TWINS = ("<:", ":>", "<%", "%>", "%:")
"""Spellings of signs by two."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token of a source: its kind (``text``, ``mark``, ``number``, ``word`` or ``sign``), and where it stands."""

    kind: str
    value: str
    start: int
    end: int
    directive: bool
    """It belongs to a preprocessor's line."""


@lru_cache(maxsize=8)
def tokens(source: str) -> tuple[Token, ...]:
    """Return a source's tokens. Raises UnclearError where compilers may read other ones."""
    if trap := _TRAPS.search(source):
        raise UnclearError(f"line {line(source, trap.start())} has {trap[0].strip()}, which compilers read differently")
    found: list[Token] = []
    directive, fresh = False, True
    for match in _TOKEN.finditer(source):
        kind = str(match.lastgroup)
        if kind == "line":
            directive, fresh = False, True
        elif kind != "blank":
            directive |= fresh and match[0] == "#"
            fresh = False
            found.append(Token(kind, match[0], match.start(), match.end(), directive))
        elif match[0] == "\\\n" and re.fullmatch(
            r"[\w$]\\\n[\w$]", source[max(0, match.start() - 1) : match.end() + 1]
        ):
            raise UnclearError(f"line {line(source, match.start())} ends in the middle of a word")
    for one, after in pairwise(found):
        if (one.value in ("\\", '"') and not one.directive) or (
            one.end == after.start and one.value + after.value in _TWINS
        ):
            raise UnclearError(f"line {line(source, one.start)} has a {one.value} that is not followed")
    return tuple(found)


def line(source: str, at: int) -> int:
    """Return the number of the line in which a place stands."""
    return source.count("\n", 0, at) + 1


def words(found: tuple[Token, ...]) -> set[str]:
    """Return the words of a source, those of its directives included."""
    return {one.value for one in found if one.kind == "word"}


def braces(found: tuple[Token, ...]) -> list[int]:
    """Return how many braces are open before each token."""
    return [0, *accumulate({"{": 1, "}": -1}.get(one.value, 0) * (not one.directive) for one in found)]


def conditions(found: tuple[Token, ...]) -> list[int]:
    """Return within how many conditional groups of the preprocessor each token stands; a group's own first line is not within."""
    depth, made = 0, []
    for before, one in zip((None, *found), found, strict=False):
        first = one.directive and before is not None and before.value == "#" and before.directive
        made.append(depth)
        if first and one.value in ("if", "ifdef", "ifndef", "endif"):
            depth += -1 if one.value == "endif" else 1
    return made
