"""Text that was copied with what stood around it: marks of mail and comments before each line, a terminal's prompt, an indentation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, dropwhile

_QUOTE = re.compile(r"[ \t]*(?:>[ >]{0,8}(?:\| ?)?|//|\|) ?")
"""A mail's mark, behind which its writer may have set a bar before what a tool wrote."""
_FEWEST = 3
"""Lines below which a common beginning may be chance."""
_PROMPT = re.compile(r"^\s*(?:[\w.-]+@[\w.-]+[:~][^$#\n]{0,200}[$#]|\$) \S")
_INDENTED = re.compile(r'^[ \t]+(?=")')
_BEGINNING = 200
"""Lines that are looked at."""


def is_pasted(text: str) -> bool:
    """Tell from a file's beginning whether something stands around what a tool wrote."""
    rows = [row for row in text.splitlines()[:_BEGINNING] if row.strip()]
    return bool(rows) and (_is_quoted(rows) or _PROMPT.match(rows[0]) is not None or bool(_INDENTED.match(rows[0])))


def bare(rows: Iterable[str], text: str) -> Iterator[str]:
    """Yield the lines of a pasted file as the tool wrote them; `text` is its beginning."""
    if _is_quoted([row for row in text.splitlines()[:_BEGINNING] if row.strip()]):
        rows = (row[match.end() :] if (match := _QUOTE.match(row)) else row for row in rows)
    written = dropwhile(lambda row: not row.strip() or _PROMPT.match(row), rows)
    first = next(written, "")
    margin = match[0] if (match := _INDENTED.match(first)) else ""
    yield from (row.removeprefix(margin) for row in chain((first,) if first else (), written))


def _is_quoted(rows: list[str]) -> bool:
    """Tell whether each line begins with one mark; lines of a drawn table end with their margin as well."""
    marks = {match[0].strip()[:1] if (match := _QUOTE.match(row)) else "" for row in rows}
    drawn = any(row.rstrip().endswith("|") and row.strip("> \t|") for row in rows)
    return len(rows) >= _FEWEST and len(marks) == 1 and "" not in marks and not drawn
