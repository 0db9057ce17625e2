"""What became of a kernel without one of its waits or barriers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Need(StrEnum):
    """What became of a kernel without the instruction."""

    REPORTED = "needed"
    CHANGED = "needed: the result changes"
    REDUNDANT = "redundant"


@dataclass(frozen=True, slots=True, kw_only=True)
class Deletion:
    """One wait or barrier taken away."""

    kernel: str
    line: int | None
    instruction: str
    need: Need
    why: str
