"""Assembly text as LLVM writes it, with the habits of clang, Triton and FlyDSL.

A listing has the same line many times over, because loops are unrolled and debuggers' ``.loc`` repeat; so each
distinct line is interpreted once, and the rows are put together by look-ups. Text has no addresses: rows are numbered
in steps of 4, which keeps their order and tells branch targets apart, and says nothing about distances.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress, count, repeat

from hotloop.isa.amdgcn import rows as rows_
from hotloop.isa.amdgcn.classify import UNDECODED
from hotloop.isa.amdgcn.rows import ListingError
from hotloop.isa.instruction import Function, Instruction, InstructionKind
from hotloop.isa.uncollected import uncollected
from hotloop.targets.target import Target

_STEP = 4
_METADATA, _METADATA_END = "\t.amdgpu_metadata", ".end_amdgpu_metadata"
_COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|(?:;|//)[^\n]*|/\*.*?\*/', re.DOTALL)
"""Texts in quotes and comments up to the end of a line, in which ``/*`` begins nothing, and comments that it does begin."""
_LABEL = re.compile(r"\s*([\w.$@?]+):")
_NUMBERED = re.compile(r"^[ \t]*\d+:", re.MULTILINE)
_ANY_NUMBERED = re.compile(r"\n[ \t]*\d+:")
"""The same behind the end of another line: a pattern that begins with a character is found ten times as fast."""
_NUMBERED_AIM = re.compile(r"(\s*s_(?:c?branch|call)\w*\s(?:.*,)?\s*)(\d+)([bf])(?=\s*(?:;|//|$))")
_TYPE = re.compile(r"\.type\s+\"?([^\s,\"]+)\"?\s*,\s*[@%]?function")
_SIZE = re.compile(r"\.size\s+\"?([^\s,\"]+)")
_TELLING = frozenset({".type", ".size", ".amdgcn_target", UNDECODED})
"""Directives that are read."""
_LABELLED = ("", ":")
"""Ends of a line behind which no instruction stands: nothing but a comment, or a label in several words."""
_BRANCH = InstructionKind.BRANCH


@dataclass(slots=True)
class _Words:
    """What the distinct lines of a listing say."""

    rows: dict[str, rows_.Entry] = field(default_factory=dict)
    aims: dict[int, int] = field(default_factory=dict)
    """Target addresses of branches, by the identity of the branch's entry."""
    branches: list[str] = field(default_factory=list)
    labels: dict[str, str] = field(default_factory=dict)
    """Label by line."""
    functions: set[str] = field(default_factory=set)
    """Names that ``.type`` declares as functions."""
    sized: set[str] = field(default_factory=set)
    """Names whose end is marked by ``.size``."""
    targets: set[str] = field(default_factory=set)
    foreign: set[str] = field(default_factory=set)
    """Lines that look like instructions of something else."""


def read(text: str) -> tuple[Function, ...]:
    """Return the functions of a listing, in order, without resources.

    Raises:
        ListingError: cut off, of another or of several processors, or without any instruction.
    """
    with uncollected():
        return _functions(text)


def _functions(text: str) -> tuple[Function, ...]:
    lines = _named(_uncommented(_code(text)))
    words = _learned(lines)
    processor = _processor(words, lines)
    each = list(map(words.rows.get, lines))
    numbers = list(compress(count(1), each))
    if not numbers:
        raise ListingError(
            "the listing has no instruction of an AMD GPU; give assembly text or the output of llvm-objdump -d"
        )
    places = _places(words.labels, lines, numbers)
    _aim(words, places)
    instructions = _instructions([entry for entry in each if entry], numbers, words.aims)
    functions = rows_.cut(instructions, _starts(words, places), processor, addressed=False)
    _complete(words, functions, text)
    return functions


def _instructions(entries: Sequence[rows_.Entry], numbers: Sequence[int], aims: Mapping[int, int]) -> list[Instruction]:
    """Return the entries as instructions: by columns and without the checks of their constructor, either of which takes half of the time."""
    addresses = range(0, len(entries) * _STEP, _STEP)
    parts = zip(*entries, strict=True)
    targets = map(aims.get, map(id, entries))
    return list(map(tuple.__new__, repeat(Instruction), zip(addresses, *parts, targets, numbers, strict=True)))


def _code(text: str) -> str:
    """Return the text without its metadata block, whose lines would look like labels."""
    begin = text.find(_METADATA)
    if begin < 0:
        return text
    end = text.find(_METADATA_END, begin)
    if end < 0:
        raise ListingError("the listing is cut off inside its .amdgpu_metadata block; write it again")
    return text[:begin] + "\n" * text.count("\n", begin, end) + text[end + len(_METADATA_END) :]


def _uncommented(text: str) -> str:
    """Return the text without comments between ``/*`` and ``*/``, as inline assembly may have them; lines keep their numbers."""
    if "/*" not in text:
        return text
    return _COMMENT.sub(
        lambda found: "\n" * found[0].count("\n") + " " if found[0].startswith("/*") else found[0], text
    )


def _named(text: str) -> list[str]:
    """Return the lines of a text with a name of its own for each numbered label.

    Inline assembly uses such: ``1:`` may stand several times, ``1b`` and ``1f`` mean the nearest before and behind (the GNU
    assembler's manual, "Local Labels", which LLVM's assembler follows).
    """
    lines = text.split("\n")
    if not _ANY_NUMBERED.search(text) and not _NUMBERED.match(text):
        return lines
    seen = Counter[str]()
    for place, line in enumerate(lines):
        if _NUMBERED.match(line):
            number, _, rest = line.lstrip().partition(":")
            seen[number] += 1
            lines[place] = f".Lnumbered{number}_{seen[number]}:{rest}"
        elif aim := _NUMBERED_AIM.match(line):
            lines[place] = f"{aim[1]}.Lnumbered{aim[2]}_{seen[aim[2]] + (aim[3] == 'f')}{line[aim.end() :]}"
    return lines


def _learned(lines: Sequence[str]) -> _Words:
    """Interpret each distinct line."""
    words, distinct, named = _Words(), set(lines), rows_.named
    rows = words.rows
    for line, cells in zip(distinct, map(str.split, distinct, repeat(None), repeat(1)), strict=True):
        plan = named(cells[0]) if len(cells) == 2 else None
        if plan is not None:  # most lines: the name alone tells what it does
            mnemonic, operands = cells
            if ";" in operands or "//" in operands:
                operands = _stated(operands)
            operands = operands.rstrip()
            if operands[-1:] not in _LABELLED:
                traits, careful = plan
                rows[line] = (mnemonic, operands, rows_.seen(mnemonic, operands, line) if careful else traits)
                if traits.kind is _BRANCH:
                    words.branches.append(line)
                continue
        if cells and not _mute(line, cells[0]) and not _labelled(line, cells, words.labels):
            _learn(line, _stated(line), words)
    return words


def _stated(line: str) -> str:
    """Return what stands before a comment."""
    return line.partition(";")[0].partition("//")[0]


def _mute(line: str, first: str) -> bool:
    """Tell at a glance that a line is a comment, or a directive that says nothing about code."""
    if first[0] == ";":
        return True
    return first[0] == "." and first not in _TELLING and (first == ".loc" or (":" not in line and line[0] != "."))


def _labelled(line: str, cells: Sequence[str], labels: dict[str, str]) -> bool:
    """Take a line that has a label of a compiler's own and nothing else but a comment."""
    name = cells[0]
    if name[0] != "." or name[-1] != ":" or not name[1:-1].isidentifier() or (len(cells) > 1 and cells[1][0] != ";"):
        return False
    labels[line] = name[:-1]
    return True


def _learn(line: str, code: str, words: _Words) -> None:
    if not code.strip():
        return
    if code[0] == "\t" and code[1:2] == "." and ":" not in code:
        _directive(code, words)
        return
    # a label may begin like an instruction (``buffer_copy:``), and nothing else ends in a colon
    entry = None if code.rstrip().endswith(":") else rows_.entry(code, line)
    if entry is not None:
        words.rows[line] = entry
        if rows_.branches(entry):
            words.branches.append(line)
        return
    label = _LABEL.match(code)
    if label:
        words.labels[line] = label[1]
        _behind_label(line, code[label.end() :], words)
    elif code.lstrip().startswith("."):
        _directive(code, words)
    elif code[0].isspace() and "=" not in code and rows_.word(code):
        words.foreign.add(line)


def _behind_label(line: str, code: str, words: _Words) -> None:
    """Take the instruction that stands on a label's line, as in assembly written by people."""
    entry = rows_.entry(code, line) if code.strip() else None
    if entry is not None:
        words.rows[line] = entry
        if rows_.branches(entry):
            words.branches.append(line)


def _directive(code: str, words: _Words) -> None:
    stripped = code.lstrip()
    if declared := _TYPE.match(stripped):
        words.functions.add(declared[1])
    elif sized := _SIZE.match(stripped):
        words.sized.add(sized[1])
    elif stripped.startswith(".amdgcn_target"):
        words.targets.add(stripped)


def _processor(words: _Words, lines: Sequence[str]) -> str:
    """Return the processor that the text names, empty for none."""
    named = {name.name for text in words.targets if (name := Target.in_identifier(text))}
    if len(named) > 1:
        raise ListingError(f"the listing mixes code for {' and '.join(sorted(named))}; give one processor's at a time")
    if words.foreign:
        number, line = next((n, line) for n, line in enumerate(lines, 1) if line in words.foreign)
        raise ListingError(
            f"line {number} is no instruction of an AMD GPU: {line.strip()[:40]!r}; give a listing of one architecture only"
        )
    return next(iter(named), "")


def _places(labels: Mapping[str, str], lines: Sequence[str], numbers: Sequence[int]) -> dict[str, int]:
    """Return the row that each label stands before, in order."""
    marked = compress(zip(count(1), lines), map(labels.__contains__, lines))
    return {labels[line]: rows_.row_at(numbers, number) for number, line in marked}


def _aim(words: _Words, places: Mapping[str, int]) -> None:
    """Set the targets of the branches; in a whole listing every label must exist."""
    for line in words.branches:
        entry = words.rows[line]
        name = rows_.destination(entry[1])
        if name in places:
            words.aims[id(entry)] = places[name] * _STEP
        elif words.functions and name.startswith("."):
            raise ListingError(f"the listing branches to {name} but does not define it; is it cut off? Write it again")


def _starts(words: _Words, places: Mapping[str, int]) -> list[tuple[int, str]]:
    """Return where functions begin: at the labels declared as such; without declarations at labels that look global."""
    aimed = {rows_.destination(words.rows[line][1]) for line in words.branches}
    chosen = words.functions or {name for name in places if not rows_.local(name) and name not in aimed}
    return [(row, name) for name, row in places.items() if name in chosen]


def _complete(words: _Words, functions: Sequence[Function], text: str) -> None:
    """Refuse a listing whose last function or descriptor does not end.

    People pass a kernel on from its label to its last instruction: every branch of it has its label, so nothing is behind that.
    """
    last, code = functions[-1].name, functions[-1].instructions
    ended = bool(code) and code[-1].mnemonic == "s_endpgm"
    if last in words.functions and last not in words.sized and not ended:
        raise ListingError(f"the listing is cut off inside function {last!r}; write it again")
    if text.rfind("\t.amdhsa_kernel") > text.rfind("\t.end_amdhsa_kernel"):
        raise ListingError("the listing is cut off inside its last .amdhsa_kernel block; write it again")
