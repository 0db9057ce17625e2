"""Disassembly as ``llvm-objdump -d`` writes it: rows with ``// address: encoding``, functions under ``address <name>:``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from hotloop.isa.amdgcn import rows as rows_
from hotloop.isa.amdgcn.rows import Entry, ListingError
from hotloop.isa.instruction import Function, Instruction, InstructionKind

_REMARK = re.compile(r"// ?[0-9A-Fa-f]{8,16}:")
_ROW = re.compile(r"^[ \t]+\S[^\n]*// ?[0-9A-Fa-f]{8,16}:", re.MULTILINE)
_HEAD = re.compile(r"(?P<address>[0-9a-fA-F]{8,16} )?<(?P<name>[^>\n]+)>:[ \t]*$")
_PLACE = re.compile(r" ?([0-9A-Fa-f]{8,16}):")
_FORMAT = re.compile(r"file format (\S+)", re.IGNORECASE)
_PROBE_CHARACTERS = 1 << 15
"""Characters at a text's beginning within which the file format or a first row must stand for it to be a disassembly."""
_WORD_BYTES = 4


def recognises(text: str) -> bool:
    """Tell whether a text is of this form."""
    probe = text[:_PROBE_CHARACTERS]
    # the quick questions first: most texts are none, and a pattern that begins anywhere takes as long as reading them
    formatted = "file format" in probe.lower() and _FORMAT.search(probe) is not None
    return formatted or (_REMARK.search(probe) is not None and _ROW.search(probe) is not None)


def read(text: str) -> tuple[Function, ...]:
    """Return the functions of a disassembly, in order, without processor and resources.

    Raises:
        ListingError: of another architecture, cut off, or without any instruction.
    """
    _check_format(text)
    reader = _Reader()
    for number, line in enumerate(text.split("\n"), 1):
        reader.take(number, line)
    reader.close_function()
    if not reader.rows:
        raise ListingError("the disassembly has no instruction; was the section .text in the object?")
    functions = rows_.cut(reader.rows, reader.starts, "", addressed=True)
    last = functions[-1]
    ends = last.instructions[-1].kind is InstructionKind.CALL  # of what does not return, as an error's message
    if reader.starts and not ends and all(i.traits.falls_through for i in last.instructions):
        raise ListingError(f"the disassembly is cut off inside function {last.name!r}; write it again")
    return tuple(replace(function, code_bytes=_code_bytes(function.instructions)) for function in functions)


def _check_format(text: str) -> None:
    formats = set(_FORMAT.findall(text[:_PROBE_CHARACTERS]))
    foreign = sorted(name for name in formats if "amdgpu" not in name.lower() and "amdgcn" not in name.lower())
    if foreign:
        raise ListingError(
            f"the disassembly is of {', '.join(foreign)}, not of an AMD GPU; disassemble the device code object"
        )


@dataclass(slots=True)
class _Reader:
    """Rows so far; branches of the function being read get their targets when it ends."""

    rows: list[Instruction] = field(default_factory=list)
    starts: list[tuple[int, str]] = field(default_factory=list)
    _known: dict[str, Entry | None] = field(default_factory=dict)
    _labels: dict[str, int] = field(default_factory=dict)
    """Row by label of this function: ``--symbolize-operands`` numbers them anew in each."""
    _branches: list[int] = field(default_factory=list)

    def take(self, number: int, line: str) -> None:
        """Read one line; what is neither an instruction nor a head (source lines, blanks) is skipped."""
        code, mark, remark = line.partition("//")
        place = _PLACE.match(remark) if mark and line[:1] != ";" else None  # source lines may have comments, too
        if place is None:
            head = _HEAD.match(line)
            if head:
                self._begin(head)
            return
        entry = self._entry(code, number)
        if rows_.branches(entry):
            self._branches.append(len(self.rows))
        self.rows.append(tuple.__new__(Instruction, (int(place[1], 16), *entry, None, number)))

    def close_function(self) -> None:
        """Set the targets of its branches: a label, or a distance in words from the next instruction."""
        for index in self._branches:
            row = self.rows[index]
            target = _target(row.address, rows_.destination(row.operands), self.rows, self._labels)
            self.rows[index] = row._replace(target=target)
        self._branches.clear()
        self._labels.clear()

    def _begin(self, head: re.Match[str]) -> None:
        if head["address"] and not rows_.local(head["name"]):
            self.close_function()
            self.starts.append((len(self.rows), head["name"]))
        else:
            self._labels[head["name"]] = len(self.rows)

    def _entry(self, code: str, number: int) -> Entry:
        if code not in self._known:
            self._known[code] = rows_.entry(code) if code.strip() else None
        entry = self._known[code]
        if entry is None:
            text = code.strip()[:40]
            raise ListingError(
                f"line {number} is no instruction of an AMD GPU: {text!r}; is this a disassembly of amdgcn?"
            )
        return entry


def _target(address: int, operand: str, rows: Sequence[Instruction], labels: Mapping[str, int]) -> int | None:
    if operand in labels:
        index = labels[operand]
        return rows[index].address if index < len(rows) else None
    try:
        words = int(operand, 0)
    except ValueError:
        return None
    words -= 0x10000 if words >= 0x8000 else 0
    return address + _WORD_BYTES * (1 + words)


def _code_bytes(instructions: Sequence[Instruction]) -> int | None:
    """Return the size up to the instruction that ends the program, which is one word long; None when none does."""
    last = instructions[-1]
    return None if last.traits.falls_through else last.address + _WORD_BYTES - instructions[0].address
