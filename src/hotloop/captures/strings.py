"""Texts that a Python source has as strings, changed where they stand: what is made says what was wanted, and nothing else."""

from __future__ import annotations

import ast
import re
from typing import NamedTuple

_NO_TEXT = re.compile("[\udc80-\udcff]")
"""Bytes that are no UTF-8, as `surrogateescape` reads them."""


class Text(NamedTuple):
    """A string of a source."""

    node: ast.Constant
    value: str


def changed(source: str, before: str, after: str, *, entry: str = "") -> str | None:
    r"""Return a Python source with one text in its strings changed; None where it does not stand there exactly once, or cannot be changed there.

    Args:
        source: the file, its lines ended by line feeds.
        before: the text; without the space around it where the program cuts that off.
        after: what becomes of it.
        entry: a word that the same string must have, where `before` is only a part of a text.

    >>> changed('A = "a b"', "b", "c")
    'A = "a c"'
    >>> changed('A = "a b"', "b", "b\nc")
    """
    texts = _texts(source)
    found = [one for one in texts if before.strip() in one.value]
    if len(found) != 1 or not re.search(rf"\b{re.escape(entry)}\b" if entry else "", found[0].value):
        return None
    (text,) = found
    start, end = span(source, text.node)
    old, new = (before, after) if before in text.value else (before.strip(), after.strip())
    if source[start:end].count(old) != 1:
        return None
    made = source[:start] + source[start:end].replace(old, new) + source[end:]
    wanted = [one.value.replace(old, new) if one is text else one.value for one in texts]
    return made if [one.value for one in _texts(made)] == wanted else None


def parsed(source: str) -> ast.Module | None:
    """Return a source's tree; None where it is no Python."""
    try:
        return ast.parse(without_bytes(source))
    except (SyntaxError, ValueError, RecursionError):
        return None


def without_bytes(source: str) -> str:
    """Return a source of as many characters in which bytes that are no UTF-8 are question marks."""
    return _NO_TEXT.sub("?", source)


def _texts(source: str) -> list[Text]:
    """Return a source's strings in a fixed order; none where it is no Python."""
    tree = parsed(source)
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Constant)] if tree is not None else []
    return [Text(node, node.value) for node in found if isinstance(node.value, str)]


def span(source: str, node: ast.expr) -> tuple[int, int]:
    """Return where an expression begins and ends in its source, in characters."""
    rows = without_bytes(source).split("\n")

    def place(line: int, column: int) -> int:
        before = sum(len(row) + 1 for row in rows[: line - 1])
        return before + len(rows[line - 1].encode()[:column].decode())

    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return place(node.lineno, node.col_offset), place(node.end_lineno, node.end_col_offset)
