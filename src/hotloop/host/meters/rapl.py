"""The energy that the processors of this machine take, as Linux counts it (powercap, RAPL of Intel and AMD).

Zones and their files: https://docs.kernel.org/power/powercap/powercap.html. A zone ``package-N`` is a socket with its cores and
caches; ``dram`` below it, where there is one, is its memory. What lies below a package otherwise is part of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hotloop.errors import MachineError
from hotloop.host import settings
from hotloop.model.energy import Unmetered

FOLDER = Path("/sys/class/powercap")
MICROJOULE = 1e-6


@dataclass(slots=True)
class _Zone:
    """One counter, which begins anew after its range."""

    folder: Path
    name: str
    range_uj: int
    latest_uj: int
    total_uj: int = 0

    def read(self) -> int:
        """Return µJ since the zone was opened; it must be asked more often than the counter begins anew."""
        now_uj = _number(self.folder / "energy_uj")
        step_uj = now_uj - self.latest_uj
        self.total_uj += step_uj if step_uj >= 0 else step_uj + self.range_uj + 1
        self.latest_uj = now_uj
        return self.total_uj


class Packages:
    """A `Meter` of all processor packages, and of their memory where that is counted apart."""

    resolution_j = MICROJOULE
    period_s: float | None = None

    def __init__(self, zones: list[_Zone]) -> None:
        self._zones = zones
        self.source = f"RAPL {', '.join(zone.name for zone in zones)}"

    def joules(self) -> float:
        """Return what all zones counted since they were opened."""
        try:
            return MICROJOULE * sum(zone.read() for zone in self._zones)
        except (OSError, ValueError) as error:
            raise MachineError(f"the energy counter {self.source} cannot be read any more: {error}.") from error


def meter(folder: Path | None = None) -> Packages | Unmetered:
    """Return the meter of this machine's processors, or why there is none."""
    root = folder or Path(settings.POWERCAP.get() or FOLDER)
    packages: list[_Zone] = []
    try:
        for path in sorted(root.glob("intel-rapl:*")):
            name = (path / "name").read_text(encoding="utf-8").strip()
            if name.startswith("package") or name == "dram":
                packages.append(_opened(path, name))
    except PermissionError:
        return Unmetered(
            f"only root may read the energy counters below {root}; allow it with: sudo chmod a+r {root}/intel-rapl:*/energy_uj"
        )
    except (OSError, ValueError) as error:
        return Unmetered(f"the energy counters below {root} cannot be read: {error}")
    if not any(zone.name.startswith("package") for zone in packages):
        return Unmetered(
            f"this machine shows no energy counter of its processors: {root} has no RAPL package, as in most virtual machines"
        )
    return Packages(packages)


def _opened(path: Path, name: str) -> _Zone:
    parent = path.name.split(":")[1]
    title = name if name.startswith("package") else f"{name} of package-{parent}"
    return _Zone(path, title, _number(path / "max_energy_range_uj"), _number(path / "energy_uj"))


def _number(path: Path) -> int:
    return int(path.read_text(encoding="ascii"))
