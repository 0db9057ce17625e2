"""Kernels whose heads are calls of a macro, ``KERNEL(f)(__global float *x) { ... }``: the grammar does not see them, the text has them."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace

from hotloop.rewrite import tree as t
from hotloop.rewrite.plain import hidden


def headed(text: str, function: t.Function, macros: Collection[str]) -> t.Function | None:
    """Return a function at its place in a text where its name is a macro's argument; None where that is not so once.

    Args:
        text: as it is written.
        function: as the preprocessor leaves it.
        macros: the macros of the text.
    """
    plain = hidden(text)
    found = [
        match
        for match in re.finditer(rf"\b([A-Za-z_]\w*)\s*\(\s*{re.escape(function.name)}\s*\)\s*\(", plain)
        if match[1] in macros
    ]
    if len(found) != 1:
        return None
    begin = found[0].end() - 1
    end = _closed(plain, begin)
    body = re.match(r"\s*\{", plain[end:]) if end else None
    last = _closed(plain, end + body.end() - 1) if body else 0
    if body is None or not last:
        return None
    line = text.count("\n", 0, begin) + 1
    return replace(function, line=line, span=(end + body.end() - 1, last), head=(begin, end))


def _closed(text: str, at: int) -> int:
    """Return where what a bracket opens has ended, 0 where it does not."""
    depth = 0
    for match in re.compile(r"[({]|[)}]").finditer(text, at):
        depth += 1 if match[0] in "({" else -1
        if depth == 0:
            return match.end()
    return 0
