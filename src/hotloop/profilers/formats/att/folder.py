"""A ``ui_output_agent_*_dispatch_*`` folder: code, waves and occupancy of one traced dispatch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from hotloop.profilers.formats.att.code import absences, read_code
from hotloop.profilers.formats.att.occupancy import read_occupancy
from hotloop.profilers.formats.att.waves import FILE_NAME, read_wave
from hotloop.profilers.jsontext import Json, load
from hotloop.profilers.source import look
from hotloop.profiles.profile import DeviceFact, Profile
from hotloop.profiles.trace import Wave

EVENTS_MAX: Final = 1_000_000
"""Executed instructions that are held; a typical trace has some ten thousand."""
_FACTS: Final = ("gfxip", "gfxv", "version", "thread_trace", "pc_sampling", "is_pcs_stochastic", "global_begin_time")


def read(path: Path) -> Profile:
    """Return the trace with its waves. Raises ProfileError."""
    names = look(path).entries
    trace, version = read_code(path / "code.json")
    manifest: Json = load(path / "filenames.json") if "filenames.json" in names else {}
    listed = sorted(_listed(manifest.get("wave_filenames"))) if isinstance(manifest, dict) else []
    present = [n for n in listed or sorted(n for n in names if FILE_NAME.fullmatch(n)) if n in names]
    waves, notes = _waves(path, present)
    if len(present) < len(listed):
        notes.append(f"{len(listed) - len(present)} waves that the file list names are not in the folder")
    resident = read_occupancy(path / "occupancy.json") if "occupancy.json" in names else ()
    return Profile(tool="att", source=path.name, format="folder", tool_version=version, facts=_facts(manifest),
                   trace=replace(trace, waves=tuple(waves), resident=resident), absent=absences(trace), notes=tuple(notes))  # fmt: skip


def read_manifest(path: Path) -> Profile:
    """Return what ``filenames.json`` says of the trace. Raises ProfileError."""
    manifest = load(path)
    version = manifest.get("version") if isinstance(manifest, dict) else None
    return Profile(tool="att", source=path.name, format="file list (JSON)", facts=_facts(manifest),
                   tool_version=version if isinstance(version, str) else None,
                   notes=("this is the list of a trace's files: give the folder to read the trace",))  # fmt: skip


def _facts(manifest: Json) -> tuple[DeviceFact, ...]:
    entries = manifest if isinstance(manifest, dict) else {}
    return tuple(DeviceFact("", n, str(entries[n])) for n in _FACTS if isinstance(entries.get(n), str | int | float))


def _listed(tree: Json) -> Iterator[str]:
    """Yield the file names in engine → SIMD → slot → wave → [file, begin, end], only those that are a wave's name."""
    for engines in _values(tree):
        for simds in _values(engines):
            for slots in _values(simds):
                for entry in _values(slots):
                    name = entry[0] if isinstance(entry, list) and entry else None
                    if isinstance(name, str) and FILE_NAME.fullmatch(name):
                        yield name


def _values(tree: Json) -> list[Json]:
    if isinstance(tree, dict):
        return list(tree.values())
    return tree if isinstance(tree, list) else []


def _waves(path: Path, names: list[str]) -> tuple[list[Wave], list[str]]:
    waves: list[Wave] = []
    held = 0
    for name in names:
        wave = read_wave(path / name)
        held += len(wave.events)
        if held > EVENTS_MAX:
            return waves, [
                f"{len(names) - len(waves)} of {len(names)} waves were left out: the trace is too long to hold"
            ]
        waves.append(wave)
    return waves, []
