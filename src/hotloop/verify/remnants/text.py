"""The text of a C program: without comments, and where what a bracket opens ends."""

from __future__ import annotations

import re

_COMMENTS = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)


def bare(source: str) -> str:
    r"""Return a text without comments; its lines keep their numbers.

    >>> bare("a /* one\ntwo */ b // c\nd")
    'a \n b \nd'
    """
    return _COMMENTS.sub(lambda found: "\n" * found[0].count("\n"), source)


def closing(text: str, start: int, pair: str) -> int | None:
    """Return the place of the bracket that closes one opened before a place; None where none does.

    >>> closing("f(g(x), y) z", 2, "()"), closing("f(x", 2, "()")
    (9, None)
    """
    depth = 1
    for place in range(start, len(text)):
        depth += (text[place] == pair[0]) - (text[place] == pair[1])
        if not depth:
            return place
    return None
