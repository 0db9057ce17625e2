"""Assembly text of compilers (``gcc -S``, ``clang -S``, Compiler Explorer), as the rows of a disassembly.

There are no addresses: rows stand `STEP` apart, and branches aim at the row behind their label.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import compress, count
from typing import Final, NamedTuple

from hotloop.isa.listing import Cut

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


class _Code(NamedTuple):
    """What a line with an instruction says."""

    text: str
    mnemonic: str
    goal: str
    """What a branch aims at; empty: it is no branch."""


@dataclass(slots=True)
class _Function:
    name: str
    rows: list[tuple[_Code, int]] = field(default_factory=list)
    """Instructions with their lines."""
    labels: dict[str, int] = field(default_factory=dict)
    """Row behind each label."""

    def keys(self) -> list[str]:
        """Return the texts of the instructions."""
        return [self._aimed(code) if code.goal else code.text for code, _ in self.rows]

    def _aimed(self, branch: _Code) -> str:
        """Return the text of a branch with the address of the label that it names."""
        place = self.labels.get(branch.goal)
        return branch.text if place is None else f"{branch.mnemonic} {place * STEP:x}"


def cut(text: str) -> Cut:
    """Return the functions of an assembly text; the first one has no name where code begins without a label."""
    keys: list[str] = []
    addresses, lines, functions = list[int](), list[int | None](), []
    for function in _functions(text):
        functions.append((function.name, len(keys), len(keys) + len(function.rows)))
        keys += function.keys()
        lines += [line for _, line in function.rows]
        addresses += range(0, len(function.rows) * STEP, STEP)
    return Cut(addresses, keys, lines, functions, dict(zip(keys, keys, strict=True)))


def _functions(text: str) -> Iterator[_Function]:
    function = _Function("")
    lines = text.splitlines()
    known = {line: _said(line) for line in set(lines)}  # lines repeat themselves: directives, labels, moves
    each = list(map(known.__getitem__, lines))
    for number, said in compress(zip(count(1), each), each):
        if isinstance(said, _Code):
            function.rows.append((said, number))
        elif said:
            if not _LOCAL.match(said):
                yield function
                function = _Function(said)
            function.labels[said] = len(function.rows)
    yield function


def _said(line: str) -> _Code | str | None:
    """Return the instruction or the label that stands in a line; None: neither."""
    marked = ":" in line
    if not marked and line.lstrip()[:1] == ".":
        return None  # a directive
    if marked and (label := _LABEL.match(line)):
        return label["name"].strip('"')
    code = _CODE.match(plain := _COMMENT.sub("", line)) or _BARE.match(plain)
    if code is None:
        return None
    mnemonic, operands = code["mnemonic"], (code["operands"] or "").strip()
    return _Code(f"{mnemonic} {operands}".strip(), mnemonic, operands if _BRANCH.fullmatch(mnemonic) else "")
