"""Assembly text of compilers (``gcc -S``, ``clang -S``, Compiler Explorer), as the rows of a disassembly.

There are no addresses: rows stand `STEP` apart, and branches aim at the row behind their label. Lines repeat themselves, so that each
distinct one is looked at once; compilers write most of them in one of three forms, which are told at a glance.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, compress, count
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
_FORMS = re.compile(
    r"^(?:\t([a-z][a-z0-9]*)\t([^\s#;/](?:[^\t\n#;/]*[^\s#;/])?)[ ]*|(\.\w+):|\t\.[^:\n]*|([^\n]+)|)$", re.MULTILINE
)
"""What most lines hold: word and operands of an instruction, a label of the compiler's own, a directive; else the whole line."""
_BRANCH = re.compile(r"j[a-z]{1,4}|loop\w*")
_LOCAL = re.compile(r"L[A-Z_]*[0-9][0-9_]*$|[0-9]+$|\.L")
"""Labels of compilers' own; functions may begin like them (``LZ4_compress``)."""


@dataclass(frozen=True, slots=True)
class _Sorted:
    """The distinct lines of a text, by what they hold; those that hold neither code nor a label are left out."""

    codes: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Mnemonic and operands, by line."""
    goals: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Mnemonic of a branch and the label that it aims at, by line."""
    labels: dict[str, str] = field(default_factory=dict)
    """Label, by line."""


class _Part(NamedTuple):
    """A function: which rows are its own, and behind which of them its labels stand."""

    name: str
    begin: int
    end: int
    labels: Mapping[str, int]


def cut(text: str) -> Cut:
    """Return the functions of an assembly text; the first one has no name where code begins without a label."""
    distinct = dict[str, str]()
    split = text.splitlines()
    lines = [
        *map(distinct.setdefault, split, split)
    ]  # equal lines are one object, which every later look-up knows at once
    known = _sorted([*distinct])
    held = [*map(known.codes.__contains__, lines)]
    numbers, keys = [*compress(count(1), held)], [*compress(lines, held)]
    parts = [*_parts(_marks(lines, known), numbers)]
    for line in known.goals:
        del known.codes[line]  # most branches get an address in place of a label
    aims = dict[str, tuple[str, int]]()
    for part in parts:
        _aim(keys, part, known, aims)
    addresses = chain.from_iterable(range(0, (part.end - part.begin) * STEP, STEP) for part in parts)
    return Cut([*addresses], keys, numbers, [part[:3] for part in parts], known.codes, aims)


def _sorted(lines: Sequence[str]) -> _Sorted:
    """Sort distinct lines; labels of the compiler's own and instructions behind a tab are known at a glance, all lines at once."""
    if not lines:
        return _Sorted()
    words, operands, labels, odd = zip(*_FORMS.findall("\n".join(lines)), strict=True)
    codes = dict(compress(zip(lines, zip(words, operands, strict=True), strict=True), words))
    branches = {word for word in set(words) if _BRANCH.fullmatch(word)}
    goes = [*compress(lines, map(branches.__contains__, words))]
    known = _Sorted(
        codes, {line: codes[line] for line in goes}, dict(compress(zip(lines, labels, strict=True), labels))
    )
    for line in compress(lines, odd):
        _look(line, known)
    return known


def _look(line: str, known: _Sorted) -> None:
    """Sort a line that may be anything."""
    marked = ":" in line
    if not marked and line.lstrip()[:1] == ".":
        return  # a directive
    if marked and (label := _LABEL.match(line)):
        known.labels[line] = label["name"].strip('"')
        return
    code = _CODE.match(plain := _COMMENT.sub("", line)) or _BARE.match(plain)
    if code is None:
        return
    mnemonic, operands = code["mnemonic"], (code["operands"] or "").strip()
    known.codes[line] = mnemonic, operands
    if operands and _BRANCH.fullmatch(mnemonic):
        known.goals[line] = mnemonic, operands


def _marks(lines: Sequence[str], known: _Sorted) -> Iterator[tuple[int, str]]:
    """Return the labels with their lines, those left out that stand inside a function and that nothing aims at, as those for debuggers."""
    wanted = {label for _, label in known.goals.values()}
    labels = {line: name for line, name in known.labels.items() if name in wanted or not _local(name)}
    found = [*map(labels.get, lines)]
    return ((number, name) for number, name in compress(zip(count(1), found), found) if name)


def _local(label: str) -> bool:
    """Tell whether a label stands inside a function."""
    return label[:2] == ".L" or _LOCAL.match(label) is not None


def _parts(marks: Iterable[tuple[int, str]], numbers: Sequence[int]) -> Iterator[_Part]:
    """Yield the functions; `numbers` are the lines of all rows."""
    name, begin, labels = "", 0, dict[str, int]()
    for number, label in marks:
        row = bisect_left(numbers, number, begin)
        if not _local(label):
            yield _Part(name, begin, row, labels)
            name, begin, labels = label, row, {}
        labels[label] = row - begin
    yield _Part(name, begin, len(numbers), labels)


def _aim(keys: list[str], part: _Part, known: _Sorted, aims: dict[str, tuple[str, int]]) -> None:
    """Put the address of the label that it names into each branch of a function."""
    codes, goals, labels = known.codes, known.goals, part.labels
    own = keys[part.begin : part.end]
    for index in compress(count(part.begin), map(goals.__contains__, own)):
        line = keys[index]
        mnemonic, label = goals[line]
        place = labels.get(label)
        if place is None:
            codes[line] = mnemonic, label
            continue
        keys[index] = key = f"{mnemonic} {place}"
        aims[key] = mnemonic, place * STEP
