"""Which instruction set a text is written in, by what stands in it."""

from __future__ import annotations

import re

from hotloop.errors import UsageError
from hotloop.isa.dialect import telltales

_PROBE_LINES = 20_000
_ENOUGH = 3
"""Instructions of a second architecture from which a text counts as mixed: fewer may be words of a comment."""
_TEXT = re.compile(
    r"^(?:\s+|(?=(?:v?(?:mov|add|sub|mul|xor|fn?m)|lea|imul|cmp|test|push|pop)[a-z0-9]*\s))[a-z][a-z0-9]{1,15}\s+[^\n]*(?:%(?:r|e|[xyz]mm)[a-z0-9]+|\b(?:[xyz]mm\d+|[re](?:[abcd]x|[sd]i|[sb]p)|r[89]|r1[0-5])\b)"
)
"""A compiler's assembly text for x86, which has no addresses; looked for where nothing else is."""
_OTHERS = (
    ("RISC-V", re.compile(
        r"^\s*(?:\.attribute\s+\d+,\s*\"rv|[^\n]*\belf64-littleriscv\b|(?:[0-9a-f]+:\s+[0-9a-f]{4,8}\s+)?"
        r"(?:addiw?|addw?|mv|lw|ld|sw|sd|flw|fld|fsw|fsd|fmadd\.[sd]|fadd\.[sd]|slli|beqz|bnez|bne|blt|bgtz|vsetvli)\s+(?:[ast]\d|f[ast]\d|sp\b|ra\b|zero\b))"
    )),
    ("PowerPC", re.compile(
        r"^\s*(?:\.abiversion\b|[^\n]*\belf64-powerpc|(?:[0-9a-f]+:\s+(?:[0-9a-f]{2} ){4}\s*)?"
        r"(?:lfsu?|lfd|stfs|lwzu?|stwu?|ldu|std|addis?|mtctr|mtlr|mflr|cmpl?[wd]i?|rldicl|clrldi|lxvd?2?x?|xv[a-z]+)\s+(?:\d|r\d|cr\d))"
    )),
)  # fmt: skip
"""Lines of machine code of processors whose instructions hotloop does not read, so that it can say whose they are."""
_BINARY = re.compile(r"[\x00-\x08\x0e-\x1f\ufffd]")
_SLOPPY = 0.01
"""Share of such characters in a text: clang puts those of strings, NUL too, into comments behind `.byte`."""


def _no_code(lines: list[str]) -> str:
    """Return why a text is not read as code: it is another processor's, or none."""
    *titles, last = (told.title for told in telltales())
    known = f"{', '.join(titles)} or {last}"
    for name, row in _OTHERS:
        if sum(map(bool, map(row.match, lines))) >= _ENOUGH:
            return f"it is machine code for {name}, and hotloop reads that of {known} only"
    return f"it holds no machine code: no instructions of {known}"


def dialect_of(text: str) -> str:
    """Return the name of the dialect of a listing.

    Raises:
        UsageError: empty, binary data, no machine code, or code of several architectures.
    """
    beginning = text[: 1 << 16]
    if not beginning.strip():
        raise UsageError("it is empty; give a listing, a code object, or a source file with --target")
    if len(_BINARY.findall(beginning)) > _SLOPPY * len(beginning):
        raise UsageError(
            "it is binary data but no ELF file; give a listing, or a code object (.hsaco, .co, .cubin, .o)"
        )
    lines = text.split("\n", _PROBE_LINES)[:_PROBE_LINES]
    counts = {told.name: sum(1 for line in lines if told.rows.search(line)) for told in telltales()}
    if counts["sass"] and counts["x86"]:
        counts["x86"] = 0  # a raw-bytes column looks like either
    if counts["aarch64"] >= _ENOUGH:
        counts["x86"] = 0  # without their registers `add` and `mov` behind addresses look like either
    named = [name for name, count in counts.items() if count >= _ENOUGH] or [
        name for name, count in counts.items() if count
    ]
    if not named and sum(map(bool, map(_TEXT.match, lines))) >= _ENOUGH:
        return "x86"
    if not named:
        raise UsageError(_no_code(lines))
    if len(named) > 1:
        raise UsageError(f"it mixes {' and '.join(named)} code; give one architecture's listing at a time")
    return named[0]
