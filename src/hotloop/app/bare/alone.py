"""One kernel of a text without the kernels and functions that it does not need: those may lean on types that nobody here has.

Every character stays where it was, for what goes away is blanked: lines of errors and of changes are those of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hotloop.rewrite import parse
from hotloop.rewrite import tree as t

_ENDS = re.compile(r"/\*.*?\*/|//[^\n]*|^[ \t]*#(?:\\\n|[^\n])*|[;{}]", re.DOTALL | re.MULTILINE)
"""What the words before a function's name begin behind: comments, directives, ends of other statements."""
_DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\n|[^\n])*", re.MULTILINE)


def alone(text: str, entry: str) -> str:
    """Return a text in which only a kernel and the functions that it names are left; itself where it has no such kernel.

    >>> alone("kernel void f(global T *x) { x[0] = 1; } kernel void g(global int *x) { x[0] = 1; }", "g").strip()
    'kernel void g(global int *x) { x[0] = 1; }'
    """
    own = (*parse.functions(text), *parse.helpers(text))
    if not any(one.name == entry for one in own):
        return text
    needed, spans = _needed(text, own, entry), []
    ended = 0
    for one in sorted(own, key=lambda each: each.head[0]):
        if one.name not in needed:
            spans.append((_begin(text, ended, one.head[0]), one.span[1]))
        ended = one.span[1]
    for first, last in spans:
        text = text[:first] + "".join(_blanked(text[first:last])) + text[last:]
    return text


def _needed(text: str, own: tuple[t.Function, ...], entry: str) -> set[str]:
    """Return the functions that a kernel names, those that they name, and those that directives name."""
    words = " ".join(_DIRECTIVE.findall(text))
    wanted, seen = {entry, *re.findall(r"\w+", words)}, set[str]()
    while more := [function for function in own if function.name in wanted and function.name not in seen]:
        for function in more:
            seen.add(function.name)
            wanted.update(re.findall(r"\w+", text[function.head[0] : function.span[1]]))
    return seen


def _begin(text: str, first: int, head: int) -> int:
    """Return where a function begins whose parameters begin at `head`."""
    ends = [match.end() for match in _ENDS.finditer(text, first, head)]
    return ends[-1] if ends else first


def _blanked(text: str) -> Iterator[str]:
    """Yield a text with blanks for all but ends of lines and directives, which may end what began elsewhere."""
    place = 0
    for match in _DIRECTIVE.finditer(text):
        yield re.sub(r"[^\n]", " ", text[place : match.start()])
        yield match.group()
        place = match.end()
    yield re.sub(r"[^\n]", " ", text[place:])
