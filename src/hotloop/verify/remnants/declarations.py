"""Declarations of private variables in the text of a C function: which variables they leave without a value, and where they end.

A word of a text that is not taken for a declaration is memory that nobody looks at. So a declaration is told by the grammar of C, not by how it is
usually written: types of several words and their qualifiers in any order, attributes, pointers and brackets around names, types that are defined where
they are used, several variables of which one has a value (C11, 6.7).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_TOKEN = re.compile(
    r"(?m)^[ \t]*#[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|[A-Za-z_]\w*(?:\s*##\s*\w+)*|\d[\w.]*|[^\s]"
)
_WORD = re.compile(r"[A-Za-z_]")
_CLOSED_BY = {"(": ")", "[": "]", "{": "}"}
_NO_TYPES = frozenset(
    [
        "return",
        "goto",
        "case",
        "default",
        "typedef",
        "extern",
        "static",
        "else",
        "do",
        "if",
        "for",
        "while",
        "switch",
        "break",
        "continue",
        "sizeof",
        "asm",
        "__asm__",
        "global",
        "__global",
        "constant",
        "__constant",
        "local",
        "__local",
    ]
)
"""Words that begin no declaration of a private variable."""
_EXTRAS = frozenset(("__extension__", "__attribute__", "__attribute", "_Alignas", "__declspec"))
_ASKED = frozenset(("typeof", "__typeof__", "__typeof", "_BitInt", "_ExtInt", "_Atomic"))
_TAGGED = frozenset(("struct", "union", "enum"))
_ENDS = frozenset(("[", ";", ",", "=", "("))
_QUALIFIERS = frozenset(
    [
        "const",
        "volatile",
        "restrict",
        "__restrict",
        "__restrict__",
        "private",
        "__private",
        "auto",
        "register",
        "unsigned",
        "signed",
    ]
)
BUILT_IN = re.compile(
    r"(?:unsigned|signed|[a-z]?(?:char|short|int|long|half|float|double|bool|_Bool|size_t|ptrdiff_t))\d*"
)


@dataclass(frozen=True, slots=True)
class Declared:
    """Variables that one declaration leaves without a value."""

    end: int
    """Place behind the semicolon, or where the text ends without one."""
    names: tuple[str, ...]
    named: tuple[str, ...]
    """All that it names, with a value or without, functions too."""
    volatile: bool
    in_head: bool
    """Whether it stands in the head of a loop."""
    partly: bool
    """Whether a union has a value of one of its members, which may leave the rest as it was."""


def declarations(text: str, types: frozenset[str] = frozenset()) -> Iterator[Declared]:
    """Yield the declarations of a function's body, or of the text of a macro; `types` are names of types that the whole text defines.

    >>> [(one.names, one.volatile) for one in declarations("float volatile (t)[64], z = 1; a * b; f(x); long long *p, q[3];")]
    [(('t',), True), (('b',), False), (('p', 'q'), False)]
    >>> [one.names for one in declarations("union { float v[9]; } own; struct S { int n; }; x = y; T (u)[2]; g(u);", frozenset("T"))]
    [('own',), ('u',)]
    >>> [(one.names, one.in_head) for one in declarations("for (float t[4]; ; ) { int u; }")]
    [(('t',), True), (('u',), False)]
    """
    tokens = list(_TOKEN.finditer(text))
    words = [token[0] for token in tokens]
    at, begins = 0, True
    while at < len(words):
        if begins and words[at : at + 2] == ["[", "["]:  # attributes in square brackets
            at = _closed(words, at)
            continue
        found = _declaration(words, at, types) if begins else None
        if found:
            semicolon, named, partly = found
            end = tokens[semicolon].end() if semicolon < len(tokens) else len(text)
            if named:
                names = tuple(name for name, has_value in named if has_value is False)
                whole, in_head = "volatile" in words[at:semicolon], words[at - 2 : at] == ["for", "("]
                yield Declared(end, names, tuple(name for name, _ in named), whole, in_head, partly)
            at = semicolon
        else:
            begins = words[at] in ("{", "}", ";", ":", ")") or words[at].lstrip().startswith("#")
            begins = begins or words[at - 1 : at + 1] == ["for", "("]
            at += 1


def _declaration(
    words: Sequence[str], at: int, types: frozenset[str]
) -> tuple[int, list[tuple[str, bool | None]], bool] | None:
    """Return the place of a declaration's semicolon, its names, whether they have values (None: a function), and whether a union has a part.

    None where none begins there. Behind a closing bracket, where a macro with its own semicolon may stand, only several words are one.
    """
    specifiers, last, place = list[str](), at, at
    while place < len(words) and _WORD.match(words[place]):
        last, place = place, _behind(words, place)
        specifiers += [words[last]] if words[last] not in _EXTRAS else []
    if not specifiers or not _NO_TYPES.isdisjoint(specifiers):
        return None
    follows = words[place] if place < len(words) else ";"
    if follows in _ENDS and not (follows == "(" and _is_type(words[last], types)):
        if words[last] in _TAGGED or len(specifiers) == 1:  # a type alone, or an expression
            return (place, [], False) if words[last] in _TAGGED else None
        first = last
    elif (
        follows == "*" and (len(specifiers) > 1 or words[at - 1 : at] != [")"] or _is_type(words[last], types))
    ) or follows == "(":
        first = place
    else:
        return None
    parts = list(_parts(words, first))
    named = [_named(words[begin:end]) for begin, end in parts]
    partly = "union" in specifiers and any(has_value for _, has_value in named)
    return parts[-1][1], [one for one in named if one[0]], partly


def _behind(words: Sequence[str], place: int) -> int:
    """Return the place behind a word of a type, with what belongs to it: its brackets, the name and members of a structure."""
    word, place = words[place], place + 1
    if word in _EXTRAS or (word in _ASKED and words[place : place + 1] == ["("]):
        return _closed(words, place)
    if word not in _TAGGED:
        return place
    while words[place : place + 1] and words[place] in _EXTRAS:
        place = _closed(words, place + 1)
    place += place < len(words) and _WORD.match(words[place]) is not None
    return _closed(words, place) if words[place : place + 1] == ["{"] else place


def _closed(words: Sequence[str], place: int) -> int:
    """Return the place behind the brackets that open at a place; the place itself where none do."""
    depth = 0
    for at in range(place, len(words)):
        depth += (words[at] in _CLOSED_BY) - (words[at] in _CLOSED_BY.values())
        if depth <= 0:
            return at + 1 if at > place else place
    return len(words)


def _parts(words: Sequence[str], first: int) -> Iterator[tuple[int, int]]:
    """Yield where the variables of a declaration begin and end."""
    begin = at = first
    while at < len(words) and words[at] not in (";", ")", "}"):
        if words[at] == ",":
            yield begin, at
            begin = at + 1
        at = _closed(words, at) if words[at] in _CLOSED_BY else at + 1
    yield begin, at


def _named(words: Sequence[str]) -> tuple[str, bool | None]:
    """Return the name of a declared variable, empty where it has none, and whether it has a value; None for a function."""
    at = 0
    while at < len(words) and (words[at] in "*(" or words[at] in _QUALIFIERS or words[at] in _EXTRAS):
        at = _closed(words, at + 1) if words[at] in _EXTRAS else at + 1
    if at >= len(words) or not _WORD.match(words[at]):
        return "", False
    value = words[words.index("=", at) + 1 :] if "=" in words[at:] else []
    has_value = bool(value) and words[at] not in value  # a copy of itself is none
    return words[at], None if words[at + 1 : at + 2] == ["("] else has_value


def _is_type(word: str, types: frozenset[str]) -> bool:
    return word in types or word in _QUALIFIERS or BUILT_IN.fullmatch(word) is not None
