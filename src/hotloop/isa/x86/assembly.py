"""Assembly text of compilers (``gcc -S``, ``clang -S``, Compiler Explorer), as the rows of a disassembly.

There are no addresses: rows stand `STEP` apart, and branches aim at the row behind their label.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from hotloop.isa.listing import Row

STEP: Final = 4
_LABEL = re.compile(r"^\s*(?P<name>[A-Za-z_.$@\"][^\s\"]*?\"?(?:\([^)]*\))?(?: \[clone [^\]]*\])?):\s*(?:[#;/].*)?$")
_COMMENT = re.compile(r"\s*(?:#|//|;|/\*).*$")
_CODE = re.compile(r"^\s+(?P<mnemonic>[a-z][a-z0-9]*)(?:\s+(?P<operands>\S.*))?$")
_BARE = re.compile(
    r"^(?P<mnemonic>(?:ret|leave|cltq|cqto|cdq|cqo|nop|ud2|vzeroupper)q?(?=\s*$)|[a-z][a-z0-9]*(?=\s))"
    r"\s*(?P<operands>[%$(\[*-].*|[^\s,]+(?: ptr [^,]*)?,.*|\.?L\w+|[re]?(?:[a-d]x|[sd]i|[sb]p)|r\d+d?)?\s*$"
)
"""A row without indentation: a word with operands, which a sentence has not."""
_BRANCH = re.compile(r"j[a-z]{1,4}|loop\w*")
_LOCAL = re.compile(r"\.?L[A-Z_]*[0-9]|[0-9]+$|\.L")


@dataclass(slots=True)
class _Function:
    name: str
    rows: list[tuple[str, str, int]] = field(default_factory=list)
    """Mnemonic, operands and line."""
    labels: dict[str, int] = field(default_factory=dict)
    """Row behind each label."""


def functions(text: str) -> Iterator[tuple[str, list[Row]]]:
    """Yield the functions of an assembly text with their rows; the first one has no name where code begins without a label."""
    for function in _functions(text):
        if function.rows:
            rows = [
                Row(n * STEP, f"{m} {_aimed(m, o, function.labels)}".strip(), line)
                for n, (m, o, line) in enumerate(function.rows)
            ]
            yield function.name, rows


def _functions(text: str) -> Iterator[_Function]:
    function = _Function("")
    for number, line in enumerate(text.splitlines(), 1):
        label = _LABEL.match(line)
        if label:
            name = label["name"].strip('"')
            if not _LOCAL.match(name):
                yield function
                function = _Function(name)
            function.labels[name] = len(function.rows)
            continue
        plain = _COMMENT.sub("", line)
        if code := _CODE.match(plain) or _BARE.match(plain):
            function.rows.append((code["mnemonic"], (code["operands"] or "").strip(), number))
    yield function


def _aimed(mnemonic: str, operands: str, labels: dict[str, int]) -> str:
    """Return operands with the address of the label that a branch names."""
    place = labels.get(operands.strip()) if _BRANCH.fullmatch(mnemonic) else None
    return operands if place is None else f"{place * STEP:x}"
