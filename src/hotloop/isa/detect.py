"""Which instruction set a text is written in, by what stands in it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from hotloop.errors import UsageError

_PROBE_LINES = 20_000
_ENOUGH = 3
"""Instructions of a second architecture from which a text counts as mixed: fewer may be words of a comment."""
_SASS = r"[FDHI](?:ADD[23]?|MUL2?|FMA2?|MAD|SETP2?)|[HIQ]G?MMA|MUFU|U?LDC|LDCU|U?LOP3|S2U?R|CS2R|LD[GSL]|ST[GSL]"
"""Roots that hardly any other machine has: rows that were copied from a profiler's page have neither address nor semicolon."""
_ROWS: Mapping[str, re.Pattern[str]] = {
    "amdgcn": re.compile(
        r"^\s+(?:s_|v_|ds_|buffer_|global_|flat_|scratch_|tensor_)[a-z0-9_]+(?:\s|$)|^\s*\.amdgcn_target|file format elf64-amdgpu"
        r"|^(?:s_(?:waitcnt|wait_\w+|barrier|endpgm|c?branch\w*|\w+_[bfiu]\d+)|v_\w+_[bfiu]\d+\w*|(?:ds|buffer|global|flat|scratch)_(?:load|store|read|write)_\w+)(?:\s|$)"
    ),
    "sass": re.compile(
        r"^\s*(?:\[[-\w?:]{12,}\]\s*)?/\*[0-9a-f]{4,8}\*/\s+\S|^\s+(?:@!?U?P\d\s+)?[A-Z][A-Z0-9]+(?:\.[A-Z0-9_]+)*\s[^;]*;\s*(?:/\*|$)|^\s*\.headerflags"
        rf"|^\s*(?:@!?U?P[0-9T]\s+)?(?:{_SASS})(?:\.[A-Z0-9_]+)*(?:\s+[-~!|@]*(?:U?[RP](?:\d+|Z|T)\b|\[|`|desc|gdesc|c\[|SR_)[^;]*);?\s*$"
    ),
    "ptx": re.compile(
        r"^\s*\.version\s+\d|^\s*(?:@%?p\d+\s+)?[a-z][a-z0-9_]*(?:\.[a-z0-9_:]+)+\s+[^\s;=+*/<>&|^-][^;]*;|^\s*\.visible\s+\.entry"
    ),
    "x86": re.compile(
        r"^\s*[0-9a-f]+:\s+(?:[0-9a-f]{2}\s)*\s*(?:v?mov|push|pop|call|ret|lea|add|sub|vfm|vmul|vadd|j[a-z]{1,3}\b)|file format elf64-x86"
    ),
}
_TEXT = re.compile(
    r"^(?:\s+|(?=(?:v?(?:mov|add|sub|mul|xor|fn?m)|lea|imul|cmp|test|push|pop)[a-z0-9]*\s))[a-z][a-z0-9]{1,15}\s+[^\n]*(?:%(?:r|e|[xyz]mm)[a-z0-9]+|\b(?:[xyz]mm\d+|[re](?:[abcd]x|[sd]i|[sb]p)|r[89]|r1[0-5])\b)"
)
"""A compiler's assembly text for x86, which has no addresses; looked for where nothing else is."""
_BINARY = re.compile(r"[\x00-\x08\x0e-\x1f\ufffd]")
_SLOPPY = 0.01


def dialect_of(text: str) -> str:
    """Return the name of the dialect of a listing.

    Raises:
        UsageError: empty, binary data, no machine code, or code of several architectures.
    """
    beginning = text[: 1 << 16]
    if not beginning.strip():
        raise UsageError("it is empty; give a listing, a code object, or a source file with --target")
    if "\0" in beginning or len(_BINARY.findall(beginning)) > _SLOPPY * len(beginning):
        raise UsageError(
            "it is binary data but no ELF file; give a listing, or a code object (.hsaco, .co, .cubin, .o)"
        )
    lines = text.split("\n", _PROBE_LINES)[:_PROBE_LINES]
    counts = {name: sum(1 for line in lines if rule.search(line)) for name, rule in _ROWS.items()}
    if counts["sass"] and counts["x86"]:
        counts["x86"] = 0  # a raw-bytes column looks like either
    named = [name for name, count in counts.items() if count >= _ENOUGH] or [
        name for name, count in counts.items() if count
    ]
    if not named and sum(map(bool, map(_TEXT.match, lines))) >= _ENOUGH:
        return "x86"
    if not named:
        raise UsageError("it holds no machine code: no instructions of amdgcn, SASS, PTX or x86")
    if len(named) > 1:
        raise UsageError(f"it mixes {' and '.join(named)} code; give one architecture's listing at a time")
    return named[0]
