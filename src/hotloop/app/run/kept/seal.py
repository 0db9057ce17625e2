"""What tells whether a winner is still the code that won: a digest of its machine code, with the versions that made it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hotloop.errors import HotloopError
from hotloop.isa import code
from hotloop.model.record import digest
from hotloop.version import VERSION

if TYPE_CHECKING:
    from hotloop.app.desk import Desk
    from hotloop.model.program import Launch, Program

KEY = "seal"
"""Key under which a run's journal keeps the seal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seal:
    """A winner's machine code on one device, at one time."""

    code: str
    """Digest of the kernels' instructions; empty where the runtime gives no binary."""
    device: str
    """Name of the device."""
    runtime: str
    driver: str
    hotloop: str


def of(desk: Desk, program: Program) -> Seal:
    """Return the seal of a program that ran at this desk."""
    device = desk.device
    return Seal(
        code=_digest(desk, program), device=device.name, runtime=device.runtime, driver=device.driver, hotloop=VERSION
    )  # fmt: skip


def _digest(desk: Desk, program: Program) -> str:
    try:
        binary = desk.engine.binary(program)
    except HotloopError:
        return ""
    if not binary:
        return ""
    return digest([hashlib.sha256(_instructions(binary, launch)).hexdigest() for launch in program.launches])


def _instructions(binary: bytes, launch: Launch) -> bytes:
    """Return a kernel's instructions, or the whole binary where they cannot be told from the rest of it."""
    try:
        return bytes(code.select(binary, launch.entry, launch.local_size).code)
    except (ValueError, HotloopError):
        return binary
