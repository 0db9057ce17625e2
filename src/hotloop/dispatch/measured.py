"""What was measured once for calls of one form, and is remembered: by this process, and by whoever keeps it between processes."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Protocol

from hotloop.model.record import digest
from hotloop.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Hashable

    from hotloop.model.device import Device
    from hotloop.model.space import Config

COMPILERS = ("torch", "triton")
"""Packages of which another version makes other machine code, or another PyTorch to compare with."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What computes calls of one form fastest."""

    implementation: str
    config: Config
    source: str
    """Time of the measurement, with the measured times, in one line."""


class Keeper(Protocol):
    """Who keeps measurements between processes."""

    def read(self) -> dict[str, Measured]:
        """Return all that is kept; nothing where it cannot be read."""

    def write(self, key: str, measured: Measured) -> None:
        """Keep one more. Raises StoreError."""


_keepers: list[Keeper] = []
_known: dict[str, Measured] = {}
_read: list[bool] = []


def hand_in(keeper: Keeper) -> None:
    """Let `keeper` keep measurements from now on."""
    _keepers[:] = [keeper]


def key(name: str, described: Hashable, device: Device) -> str:
    """Return what a measurement holds for: an operator's form of call, the device with its driver, and what made the code."""
    made = [f"{package} {_version(package)}" for package in COMPILERS]
    return digest([name, repr(described), device.fingerprint, VERSION, *made])


def find(key: str) -> Measured | None:
    """Return what was measured, or None."""
    if not _read and _keepers:
        _read.append(True)
        _known.update({kept_key: kept for kept_key, kept in _keepers[0].read().items() if kept_key not in _known})
    return _known.get(key)


def keep(key: str, measured: Measured) -> None:
    """Remember a measurement. Raises StoreError where it cannot be kept for other processes."""
    _known[key] = measured
    for keeper in _keepers:
        keeper.write(key, measured)


def forget() -> None:
    """Drop what this process knows; it is read again."""
    _known.clear()
    _read.clear()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "absent"
