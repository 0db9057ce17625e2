"""Statements of PTX: which instructions a function has, where its labels stand, and where each branch goes.

Compilers write one statement a line, which is taken at a glance; whatever is not of that form is cut into statements by a
pattern, which takes four times as long.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate, islice, repeat

from hotloop.isa.instruction import Instruction, InstructionKind, Traits
from hotloop.isa.ptx.classify import classify, named

_BRANCH = InstructionKind.BRANCH
_STEP = 4
"""Distance that the schema assumes between instructions that have no addresses."""
_HEAD = re.compile(r"\.(?P<kind>entry|func)\s*(?:\.noreturn\s*)?(?:\([^()]*\)\s*)?(?P<name>[\w$%]+)")
_STATEMENT = re.compile(
    r"(?P<open>\{)(?!\s*[%\w-]+\s*[,}])|(?P<close>\})|(?P<label>[$\w%]+)\s*:(?!:)"
    r"|(?P<directive>\.(?:loc|file|line)\b[^\n]*)|(?P<text>[^\s;{}][^;]*);"
)
_INSTRUCTION = re.compile(
    r"(?:@(?P<guard>!?%?[\w$]+)\s+)?(?P<mnemonic>[a-z][\w]*(?:(?:\.|::)[\w]+)*)\s*(?P<operands>.*)", re.DOTALL
)
_GUARD = re.compile(r"@!?%?[\w$]+")
_LABEL = re.compile(r"[$\w%]+:")
_RARE_BLANKS = "\r\x0b\x0c\x1c\x1d\x1e\x1f"
"""White space of ASCII beside the space, the tab and the end of a line."""


@dataclass(slots=True)
class Body:
    """One function while it is read; a label is known within the braces around it."""

    drafts: list[tuple[str, str, Traits, int]] = field(default_factory=list)
    """Mnemonic, operands, meaning and line of each instruction."""
    branches: list[tuple[int, tuple[int, ...]]] = field(default_factory=list)
    """Which instructions are branches, with the braces around each."""
    labels: dict[tuple[int, str], int] = field(default_factory=dict)
    scopes: list[int] = field(default_factory=lambda: [0])
    opened: int = 0
    depth: int = 0

    def add(self, mnemonic: str, operands: str, traits: Traits, line: int) -> None:
        """Take an instruction."""
        if traits.kind is _BRANCH:
            self.branches.append((len(self.drafts), tuple(self.scopes)))
        self.drafts.append((mnemonic, operands, traits, line))


@dataclass(frozen=True, slots=True)
class Found:
    """A function with a body and where it stands."""

    head: re.Match[str]
    begin: int
    """Position of the opening brace."""
    end: int
    body: Body


@dataclass(frozen=True, slots=True)
class _Page:
    """A text without comments, and its lines."""

    text: str
    starts: Sequence[int]
    """Position of each line."""
    cells: Sequence[Sequence[str]]
    """The first word of each line and the rest of it."""
    plain: bool
    """True when its blanks are spaces, tabs and ends of lines only."""

    @classmethod
    def of(cls, text: str) -> _Page:
        lines = text.split("\n")
        starts = list(accumulate(map((1).__add__, map(len, lines)), initial=0))
        cells = list(map(str.split, lines, repeat(None), repeat(1)))
        return cls(text, starts, cells, text.isascii() and not any(blank in text for blank in _RARE_BLANKS))

    def line(self, place: int) -> int:
        """Return the line of a position, from 1."""
        return bisect_right(self.starts, place)


def bodies(text: str) -> Iterator[Found]:
    """Yield the functions that have a body; `text` has no comments."""
    page, place = _Page.of(text), 0
    while (head := _HEAD.search(text, place)) is not None:
        begin, semicolon = text.find("{", head.end()), text.find(";", head.end())
        place = head.end()
        if begin < 0 or 0 <= semicolon < begin:
            continue  # only declared
        body, place = _body(page, begin)
        yield Found(head, begin, place, body)


def _body(page: _Page, begin: int) -> tuple[Body, int]:
    """Read from an opening brace to the one that closes it; return the position after it."""
    body, end = Body(), begin
    while True:
        line, end = _cut(page, body, end)
        if line is None:
            return body, end
        end = page.starts[_plain_lines(page, body, line)]


def _cut(page: _Page, body: Body, begin: int) -> tuple[int | None, int]:
    """Read statements until one ends a line; return the index of the following line, None behind the end of the body, and the place."""
    text = page.text
    for match in _STATEMENT.finditer(text, begin):
        if match["open"]:
            body.depth += 1
            body.opened += 1
            body.scopes.append(body.opened)
        elif match["close"]:
            body.depth -= 1
            if body.depth <= 0:
                return None, match.end()
            body.scopes.pop()
        elif match["label"]:
            body.labels[body.scopes[-1], match["label"]] = len(body.drafts)
        elif match["text"] and not match["text"].startswith("."):
            _add(body, match["text"], page.line(match.start()))
        end = match.end()
        newline = text.find("\n", end)
        if newline == end or (newline > end and text[end:newline].isspace()):
            return page.line(end), end
    return None, len(text)


def _add(body: Body, text: str, line: int) -> None:
    match = _INSTRUCTION.fullmatch(text.strip())
    if match is None:
        return
    guard, name, rest = match.groups()
    mnemonic, operands = sys.intern(name), " ".join(rest.split())
    shown = f"@{guard} {operands}".strip() if guard else operands
    body.add(mnemonic, shown, classify(mnemonic, operands, guard or ""), line)


def _plain_lines(page: _Page, body: Body, index: int) -> int:
    """Take lines that hold one instruction, one label, a debugger's mark or nothing; return the index of the first other one."""
    even, drafts = page.plain, body.drafts
    for number, cells in enumerate(islice(page.cells, index, None), index + 1):
        if len(cells) == 2:
            word, rest = cells
            if word == ".loc":
                continue
            if word[0] == "@":
                if not _guarded(body, word, rest, number):
                    return number - 1
                continue
            known = named(word)
            if known is None or rest[-1] != ";" or rest[0] == ":" or rest.find(";") != len(rest) - 1:
                return number - 1
            operands = rest[:-1]
            if "\t" in operands or "  " in operands or operands[-1:] == " " or not even:
                operands = " ".join(operands.split())
            if known[1].kind is _BRANCH:
                body.add(known[0], operands, known[1], number)
            else:
                drafts.append((known[0], operands, known[1], number))
        elif cells and not _labelled(body, cells[0]):
            return number - 1
    return len(page.cells)


def _guarded(body: Body, guard: str, rest: str, number: int) -> bool:
    """Take an instruction with a predicate; False where it is none of the plain form."""
    word, _, operands = rest.partition(" ")
    known = named(word)
    if known is None or operands[-1:] != ";" or operands.find(";") != len(operands) - 1 or not _is_guard(guard):
        return False
    body.add(known[0], f"{guard} {' '.join(operands[:-1].split())}".strip(), known[2], number)
    return True


@lru_cache(maxsize=1 << 12)
def _is_guard(text: str) -> bool:
    return _GUARD.fullmatch(text) is not None


def _labelled(body: Body, word: str) -> bool:
    """Take the label of a line that has nothing else."""
    if word[-1] != ":" or not _LABEL.fullmatch(word):
        return False
    body.labels[body.scopes[-1], word[:-1]] = len(body.drafts)
    return True


def numbered(body: Body) -> tuple[Instruction, ...]:
    """Give instructions their number as address, and branches the number of their label."""
    drafts = body.drafts
    if not drafts:
        return ()
    targets: list[int | None] = [None] * len(drafts)
    for number, scopes in body.branches:
        targets[number] = _aim(body, drafts[number][1], scopes)
    mnemonics, operands, traits, lines = zip(*drafts, strict=True)
    addresses = range(0, len(drafts) * _STEP, _STEP)
    parts = zip(addresses, mnemonics, operands, traits, targets, lines, strict=True)
    return tuple(map(tuple.__new__, repeat(Instruction), parts))


def _aim(body: Body, operands: str, scopes: Sequence[int]) -> int | None:
    """Return where a branch goes: to the label of the innermost braces that have it."""
    name = operands.rpartition(" ")[2]
    labels = (body.labels.get((scope, name)) for scope in reversed(scopes))
    place = next((place for place in labels if place is not None and place < len(body.drafts)), None)
    return None if place is None else _STEP * place
