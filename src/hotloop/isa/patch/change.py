"""A change of a listing by lines, and the listing with it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial

from hotloop.errors import UsageError

_LABELLED = re.compile(r"^\s*[\w.$]+:\s*\S")
_GRANULE = 4


@dataclass(frozen=True, slots=True)
class Applied:
    """One thing that was done."""

    what: str
    """``rule NAME``, ``edit``, ``move``, ``wait``, ``sweep``."""
    line: int
    """Line of the listing before the change."""
    before: tuple[str, ...]
    after: tuple[str, ...]
    note: str = ""


@dataclass(slots=True)
class Change:
    """Lines with what stands instead of each, and the registers that are needed beyond those there are."""

    lines: dict[int, tuple[str, ...]] = field(default_factory=dict)
    applied: list[Applied] = field(default_factory=list)
    registers: int = 0
    """Vector registers in all; 0: as many as before."""

    def put(self, line: int, instead: Iterable[str]) -> None:
        """Replace a line.

        Raises:
            UsageError: something else changes it already.
        """
        if line in self.lines:
            raise UsageError(f"line {line} is changed twice; apply one after the other, in two recipes.")
        self.lines[line] = tuple(instead)


def rewritten(text: str, change: Change, kernel: str) -> str:
    """Return the listing with a change; directives of `kernel` tell the number of registers.

    Raises:
        UsageError: a line that holds a label beside the instruction, or is not there.
    """
    lines = text.split("\n")
    for number in change.lines:
        if not 0 < number <= len(lines) or _LABELLED.match(lines[number - 1]):
            raise UsageError(
                f"line {number} of the listing is no instruction of its own; write labels on lines of their own."
            )
    made = [
        new
        for number, line in enumerate(lines, 1)
        for new in (["\t" + code for code in change.lines[number]] if number in change.lines else [line])
    ]
    new_text = "\n".join(made)
    return _with_registers(new_text, change.registers, kernel) if change.registers else new_text


def _with_registers(text: str, count: int, kernel: str) -> str:
    """Raise the numbers in a kernel's directives and metadata."""
    begin = text.find(f".amdhsa_kernel {kernel}")
    end = text.find(".end_amdhsa_kernel", begin)
    if begin < 0 or end < 0:
        raise UsageError(f"the listing has no .amdhsa_kernel {kernel}, so that a further register cannot be declared.")
    block, offset = text[begin:end], -(-count // _GRANULE) * _GRANULE
    for directive, least in ((".amdhsa_accum_offset", offset), (".amdhsa_next_free_vgpr", count)):
        block = re.sub(rf"({re.escape(directive)}\s+)([^\n]+)", partial(_raised, least), block)
    text = text[:begin] + block + text[end:]
    symbol = rf"(\.set\s+\.?L?{re.escape(kernel)}\.num_vgpr,\s*)(\d+)"
    text = re.sub(symbol, partial(_raised, count), text)
    return _metadata(text, count, kernel)


def _raised(least: int, found: re.Match[str]) -> str:
    """Return a directive with a number of at least this; an expression of symbols stays, the symbols are raised."""
    value = found[2].strip()
    return found[1] + (str(max(int(value), least)) if value.isdigit() else found[2])


def _metadata(text: str, count: int, kernel: str) -> str:
    """Raise ``.vgpr_count`` of the entry whose ``.name`` is the kernel's."""
    begin = text.find(".amdgpu_metadata")
    head, tail = text[:begin], text[begin:]
    parts = re.split(r"(?m)(?=^  - )", tail)
    for number, part in enumerate(parts):
        if re.search(rf"(?m)^\s*(?:- )?\.name:\s*['\"]?{re.escape(kernel)}['\"]?\s*$", part):
            parts[number] = re.sub(r"(\.vgpr_count:\s*)(\d+)", partial(_raised, count), part)
    return head + "".join(parts)


def counts(before: Mapping[str, int], after: Mapping[str, int]) -> tuple[tuple[str, int, int], ...]:
    """Return mnemonics whose number differs, with both numbers."""
    names = sorted({*before, *after})
    return tuple(
        (name, before.get(name, 0), after.get(name, 0)) for name in names if before.get(name, 0) != after.get(name, 0)
    )
