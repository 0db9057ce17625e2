"""A rocprof-compute workload folder: counters, accumulating counters, times, system and ceilings put together."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from hotloop.model.evidence import Absent
from hotloop.profilers.formats.compute.counters import read_counters
from hotloop.profilers.formats.compute.passes import passes, read_pass
from hotloop.profilers.formats.compute.system import read_roofline, read_system
from hotloop.profilers.joining import joined
from hotloop.profilers.source import look, named
from hotloop.profilers.summary import absences, summarised
from hotloop.profilers.tables.csvtext import normal
from hotloop.profilers.tables.longtable import read_long
from hotloop.profiles.failure import ProfileError
from hotloop.profiles.profile import DeviceFact, Dispatch, Profile

_PASS = re.compile(r"(?:results_)?pmc_perf_[0-9]+\.csv")
_LEVEL = re.compile(r"SQ_[A-Z0-9_]*LEVEL[A-Z0-9_]*\.csv")


@dataclass(slots=True)
class _Folder:
    dispatches: tuple[Dispatch, ...] = ()
    facts: list[DeviceFact] = field(default_factory=list)
    absent: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    system: Profile | None = None

    def join(self, other: tuple[Dispatch, ...], name: str) -> None:
        if not self.dispatches:
            self.dispatches = other
            return
        result = joined(self.dispatches, other, name)
        self.dispatches = result.dispatches
        self.notes.extend(result.notes)


def read(path: Path) -> Profile:
    """Return the dispatches of a workload with the counters of all its files.

    Raises:
        ProfileError: the folder has no counters, or a file in it is damaged.
    """
    names = look(path).entries
    folder = _Folder()
    tables = ["pmc_perf.csv"] if "pmc_perf.csv" in names else sorted(n for n in names if _PASS.fullmatch(n))
    runs = () if tables else passes(path)
    if not tables and not runs:
        raise ProfileError(f"{named(path)} holds no pmc_perf.csv and no file of a pass: profile the workload first.")
    for name in tables:
        _take(folder, path / name, _any_counters)
    for run in runs:
        _take(folder, run, read_pass)
    for name in sorted(n for n in names if _LEVEL.fullmatch(n)):
        _take(folder, path / name, read_counters)
    if "timestamps.csv" in names:
        _take(folder, path / "timestamps.csv", read_counters)
    if "sysinfo.csv" in names:
        folder.system = read_system(path / "sysinfo.csv")
        folder.facts.extend(folder.system.facts)
    if "roofline.csv" in names:
        folder.facts.extend(read_roofline(path / "roofline.csv").facts)
    return _profile(path, folder)


def _take(folder: _Folder, path: Path, reader: Callable[[Path], Profile]) -> None:
    profile = reader(path)
    folder.join(profile.dispatches, path.name)
    for absent in profile.absent:
        folder.absent.setdefault(absent.name, absent.reason)
    folder.notes.extend(f"{path.name}: {sentence}" for sentence in profile.notes)


def _any_counters(path: Path) -> Profile:
    columns = {normal(column) for column in look(path).header}
    return read_long(path, "rocprof-compute") if "counter_value" in columns else read_counters(path)


def _profile(path: Path, folder: _Folder) -> Profile:
    kernels = summarised(folder.dispatches)
    absent = absences(kernels, folder.absent, kept=True)
    if not any(fact.name == "HBMBw" for fact in folder.facts):
        absent = (*absent, Absent("ceilings", "the workload was profiled without roofline.csv"))
    system = folder.system
    return Profile(
        tool="rocprof-compute",
        source=path.name,
        format="workload folder",
        tool_version=None if system is None else system.tool_version,
        architecture=None if system is None else system.architecture,
        device_name=None if system is None else system.device_name,
        dispatches=folder.dispatches,
        kernels=kernels,
        facts=tuple(folder.facts),
        absent=absent,
        notes=tuple(dict.fromkeys(folder.notes)),
    )
