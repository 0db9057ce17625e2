"""What an instruction does to memory."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
    """Reading, writing, or both at once."""

    READ = "read"
    WRITE = "write"
    ATOMIC = "atomic"
    COPY = "copy"
    """A write of local memory by a load that passes no register."""

    @property
    def verb(self) -> str:
        """What an access of this kind does, for sentences."""
        return _VERBS.get(self, "changes")


_VERBS = {Kind.READ: "reads", Kind.WRITE: "writes", Kind.COPY: "copies"}


@dataclass(frozen=True, slots=True)
class Access:
    """Kind and size of each lane's access."""

    kind: Kind
    bytes: int
