"""Which tool wrote a file: told by its content, never by its name or extension."""

from __future__ import annotations

from functools import cache
from itertools import chain
from pathlib import Path

from hotloop import registry
from hotloop.profilers.foreign import reason
from hotloop.profilers.format import FORMATS, Format
from hotloop.profilers.source import Head, look, named
from hotloop.profilers.tables.timed import unread
from hotloop.profiles.failure import ProfileError

_READS = (
    "hotloop reads counters and times of rocprof, rocprofv3, rocprof-compute, ncu, nsys, PyTorch, Proton, perf stat, likwid and VTune, "
    "tables of times by kernel, and machine code"
)


@cache
def formats() -> tuple[Format, ...]:
    """Return the formats of all tools, in the order of the tools' names, those of no one tool last."""
    return tuple(sorted(chain.from_iterable(registry.load_all(FORMATS, "FORMATS")), key=lambda form: form.general))


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
    why = reason(head.raw, head.text) or unread(head.text)
    if why:
        return why
    if len(head.header) > 1:
        return f"its columns belong to no known table of a profiler; {_READS}"
    return f"its content is of no known format; {_READS}"
