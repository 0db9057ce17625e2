"""Which tool wrote a file: told by its content, never by its name or extension."""

from __future__ import annotations

import re
from functools import cache
from itertools import chain
from pathlib import Path

from hotloop import registry
from hotloop.profilers.format import FORMATS, Format
from hotloop.profilers.source import Head, look, named
from hotloop.profiles.failure import ProfileError

_FOREIGN: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"^\s*(?:#[^\n]*\n\s*)*pmc\s*:"), "it is an input file of rocprof: counters to collect, no results"),
    (re.compile(r"^\s*att\s*:"), "it is an input file of rocprof: what a thread trace shall record, no results"),
    (re.compile(r"^CPU name:[^\n]*\n(?:CPU [^\n]*\n)+", re.MULTILINE), "it is likwid-perfctr's beginning without a table of counts"),
    (re.compile(r"^Effective (?:Physical|Logical) Core Utilization:|^Top Hotspots$", re.MULTILINE), ("it is a report of "
     "Intel VTune without pipeline slots: collect 'uarch-exploration', or give what 'perf stat --topdown' counts of the same program")),
    (re.compile(r"\A\s*(?:--(?!-)|PRAGMA\b|CREATE (?:TABLE|VIEW|INDEX)\b|INSERT\b)", re.IGNORECASE), "it is an SQL script"),
    (re.compile(r'^\s*\{\s*"\$schema"'), "it is a JSON schema, a description of results"),
    (re.compile(r"\ACan't find|\Arocprof[^\n]*: error", re.IGNORECASE), "it is an error message of a profiler"),
    (re.compile(r'\A\{"/":\{'), "it is a thread trace's index of source files: give the folder it lies in"),
    (re.compile(r"^timestamp,gpu,|^gpu,(?:timestamp|gfx_activity|socket_power)|(?:^|,)gfx_activity,umc_activity\b|^gpu,gfx,gfx_clock|^timestamp, ?[^\n]*(?:utilization\.gpu|power\.draw)"), ("it is a "
     "log of a device's state (amd-smi, nvidia-smi): it tells load and power over time, and nothing of a kernel")),
    (re.compile(r"^# Overhead\s+(?:Command|Shared|Symbol|Samples)|^# Samples: .* of event", re.MULTILINE), ("it is a report of perf: it tells where "
     "time goes, not what limits it: give what 'perf stat --topdown' counts of the same program")),
    (re.compile(r"^(?:Function|Function Stack|Source Function)[,;\t][^\n]*\bCPU Time\b"), ("it is a list of hotspots of Intel VTune: it tells where time goes, "
     "not what limits it: give 'vtune -collect uarch-exploration' or 'perf stat --topdown' of the same program")),
    (re.compile(r"Function Call Sites and Loops"), "it is a survey of Intel Advisor, which tells loops and no counts of what cores wait for"),
    (re.compile(r"\A#+ "), "it is a text"),
)  # fmt: skip
_PREFIXES = ((b"\x7fELF", "it is a program or a code object"),
             (b"\x28\xb5\x2f\xfd", "it is compressed: unpack it first"), (b"Perf", "it is perf's binary record"),
             (b"PERFILE2", "it is perf's binary record: write it out with 'perf stat -x,' instead"))  # fmt: skip


@cache
def formats() -> tuple[Format, ...]:
    """Return the formats of all tools, in the order of the tools' names."""
    return tuple(chain.from_iterable(registry.load_all(FORMATS, "FORMATS")))


def recognised(path: Path) -> Format:
    """Return the format of a file or folder.

    Raises:
        ProfileError: not readable, or no format of a profiler that hotloop reads; the message says what it seems to be.
    """
    head = look(path)
    candidate = of_head(head)
    if candidate is not None:
        return candidate
    raise ProfileError(f"{named(path)} is no profile that hotloop can read: {foreign(head)}.")


def of_head(head: Head) -> Format | None:
    """Return the format of a file that begins so, None for no profile."""
    return next((candidate for candidate in formats() if candidate.recognise(head)), None)


def foreign(head: Head) -> str:
    """Say what a file that is no profile seems to be."""
    if head.entries or head.size_bytes == 0:
        return "the folder holds no file of a profiler, give one of its files or the folder that a profiler wrote"
    for prefix, reason in _PREFIXES:
        if head.raw.startswith(prefix):
            return reason
    for pattern, reason in _FOREIGN:
        if pattern.search(head.text):
            return reason
    if len(head.header) > 1:
        return "its columns belong to no known table of a profiler"
    return "its content is of no known format"
