"""Machine code taken out of a runtime's program binary."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from hotloop import registry


@dataclass(frozen=True, slots=True)
class Code:
    """The function that a launch really runs."""

    name: str
    """Symbol."""
    address: int
    code: bytes
    dialect: str
    """Name of the instruction set's dialect."""
    note: str = ""
    """The choice that was made and its reason, one phrase for the evidence's source; empty when there was nothing to choose."""
    virtual: bool = False
    """True for an instruction set that no processor runs: its registers and order are not the machine's."""


class Container(Protocol):
    """Reads one binary format."""

    name: str

    def recognises(self, binary: bytes) -> bool:
        """Tell by its first bytes whether a binary is of this format; never raises."""

    def select(self, binary: bytes, entry: str, local_size: tuple[int, ...] | None) -> Code:
        """Return the code that a launch of kernel `entry` with this group size runs.

        Raises:
            MissingExtraError: the reader of object files is not installed.
            ValueError: damaged, or the code is not in there; the text is the reason.
        """


def select(binary: bytes, entry: str, local_size: tuple[int, ...] | None) -> Code:
    """Return the code of a kernel from any known binary format.

    Raises:
        MissingExtraError: the reader of object files is not installed.
        ValueError: unknown format, damaged, or the kernel is not in there; the text is the reason.
    """
    if not binary:
        raise ValueError("the runtime gave no program binary")
    containers: tuple[Container, ...] = tuple(registry.load_all("hotloop.isa.containers", "CONTAINER"))
    for container in containers:
        if container.recognises(binary):
            return container.select(binary, entry, local_size)
    names = ", ".join(container.name for container in containers)
    raise ValueError(f"unknown program binary starting with {binary[:8]!r}; known formats: {names}")
