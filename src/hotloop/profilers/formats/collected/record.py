"""The record of one collection: which runs were made, what became of them, and all counters put together."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from hotloop.model.codec import decode, encode
from hotloop.model.evidence import Absent
from hotloop.model.problem import Work
from hotloop.profilers.formats.collected import MARK
from hotloop.profilers.source import look, named
from hotloop.profilers.summary import absences, summarised
from hotloop.profiles.failure import ProfileError
from hotloop.profiles.profile import DeviceFact, Dispatch, Profile, Reading

_LARGEST_BYTES = 1 << 29


class Status(StrEnum):
    """What became of one run."""

    DONE = "done"
    REFUSED = "refused"
    """The tool may not count, or does not know what it shall count."""
    FAILED = "failed"
    """The tool or the program ended with an error."""
    LATE = "late"
    """The tool was stopped because its time was up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One run of the program under the tool."""

    name: str
    command: tuple[str, ...]
    status: Status
    took_s: float
    files: tuple[str, ...] = ()
    """Results, within the folder."""
    launches: int = 0
    """Launches that were asked for and seen."""
    reason: str = ""
    """Why the status is not ``done``, one sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """Content of a profile that hotloop collected."""

    format: str = MARK
    tool: str
    command: tuple[str, ...]
    """The program that was profiled."""
    subject: str = ""
    """Subject of the profile: a kernel's specification, or the command in words."""
    kernel: str = ""
    skip: int = 0
    tool_version: str | None = None
    architecture: str | None = None
    device_name: str | None = None
    trouble: str = ""
    """Why there are no counters, or not all, and what mends it; empty: nothing is missing."""
    steps: tuple[Step, ...] = ()
    agreement: tuple[str, ...] = ()
    """How the passes were compared, and that they agree."""
    notes: tuple[str, ...] = ()
    counted_launches: int | None = None
    """Launches that `readings` are of; None: they are of the whole process."""
    dispatches: tuple[Dispatch, ...] = ()
    readings: tuple[Reading, ...] = ()
    facts: tuple[DeviceFact, ...] = field(default=())
    work: Work | None = None
    """Work of one launch as the kernel's file declares it; None for a command, or for a call of several launches."""

    @property
    def counted(self) -> bool:
        """True when something was collected."""
        return bool(self.dispatches) or any(reading.value is not None for reading in self.readings)

    @property
    def profile(self) -> Profile:
        """The counters as any other profile."""
        kernels = summarised(self.dispatches)
        missing = (
            absences(kernels, {}, kept=True) if kernels else (Absent("dispatches", self.trouble or "none was seen"),)
        )
        trouble = (self.trouble,) if self.trouble else ()
        return Profile(
            tool=self.tool,
            source=self.subject or self.tool,
            format="collected by hotloop",
            tool_version=self.tool_version,
            architecture=self.architecture,
            device_name=self.device_name,
            dispatches=self.dispatches,
            kernels=kernels,
            readings=self.readings,
            facts=self.facts,
            work=self.work,
            absent=missing,
            notes=(*trouble, *self.notes),
        )


def write(record: Record, path: Path) -> None:
    """Write a record. Raises OSError."""
    path.write_text(json.dumps(encode(record), indent=1) + "\n", encoding="utf-8")


def read(path: Path) -> Record:
    """Return a record.

    Raises:
        ProfileError: not readable, damaged, or of another version.
    """
    if look(path).size_bytes > _LARGEST_BYTES:
        raise ProfileError(f"{named(path)} has more than {_LARGEST_BYTES >> 20} MiB: collect fewer launches.")
    try:
        record = decode(json.loads(path.read_text(encoding="utf-8")), Record)
    except (OSError, ValueError, RecursionError) as error:
        raise ProfileError(f"{named(path)} is no whole record of hotloop profile: collect it again.") from error
    if record.format != MARK:
        raise ProfileError(f"{named(path)} is of another version ({record.format[:40]}): collect it again.")
    return record
