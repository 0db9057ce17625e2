"""Chips as sold, for profiles that do not tell their machine: units, dies, peak rates from data sheets."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from hotloop.errors import UnknownNameError
from hotloop.metrics.counters import Machine
from hotloop.metrics.hierarchy import Roof
from hotloop.targets import load

_LDS_BYTES_PER_CYCLE = 128
"""Of one compute unit: 32 banks of 4 bytes (AMD CDNA 3 ISA reference, ch. 11)."""
_L1_BYTES_PER_CYCLE = 64
"""Of one compute unit: a lookup a clock, counted as 64 bytes as ``gpu.l1_bytes`` does."""


@dataclass(frozen=True, slots=True)
class Chip:
    """One chip."""

    name: str
    target: str
    machine: Machine
    memory: tuple[Roof, ...]
    """Local memory, first- and second-level cache at the peak clock; device memory as the data sheet says."""
    arithmetic: tuple[Roof, ...]
    first: bool
    """True for the chip that a bare target name is taken to be."""
    source: str


@cache
def chips() -> tuple[Chip, ...]:
    """Return all chips of the data file."""
    text = files("hotloop.targets").joinpath("chips.toml").read_text(encoding="utf-8")
    return tuple(_chip(name, row) for name, row in tomllib.loads(text).items())


def chip(name: str) -> Chip:
    """Return a chip by name, in any case, with or without a maker's words around it. Raises UnknownNameError."""
    found = named(name)
    if found is None:
        raise UnknownNameError("chip", name, tuple(one.name for one in chips()))
    return found


def named(text: str) -> Chip | None:
    """Return the chip that a device's name contains (``AMD Instinct MI300X OAM``, ``MI300X_A1``), None when it has none."""
    words = text.upper()
    return next((one for one in chips() if one.name in words), None)


def of_target(target: str) -> Chip | None:
    """Return the chip that a target name is taken to be, None when none is known."""
    bare = load.canonical(target)
    return next((one for one in chips() if one.target == bare and one.first), None)


def _chip(name: str, row: dict[str, object]) -> Chip:
    known = load.facts(str(row["target"]))
    source, rate, peaks = str(row["source"]), row["hbm_bytes_per_s"], row["flops_per_s"]
    assert isinstance(rate, float)
    assert isinstance(peaks, dict)
    units, dies, engines = row["compute_units"], row["dies"], row["shader_engines"]
    assert isinstance(units, int)
    assert isinstance(dies, int)
    assert isinstance(engines, int)
    clock, channels, width = row["clock_hz"], row["l2_channels"], row["l2_channel_bytes_per_cycle"]
    assert isinstance(clock, float)
    assert isinstance(channels, int)
    assert isinstance(width, int)
    machine = Machine(
        compute_units=units,
        simds=known.number("simds_cu"),
        dies=dies,
        shader_engines=engines,
        wave_slots=known.number("max_waves"),
        lds_bytes_per_cycle=_LDS_BYTES_PER_CYCLE,
        hbm_bytes_per_s=rate,
        clock_hz=clock,
    )
    roofs = tuple(Roof(kind, value, source) for kind, value in peaks.items())
    at_clock = f"{source}; at {clock / 1e9:.4g} GHz, widths as ROCm Compute Profiler's"
    memory = (
        Roof("lds", _LDS_BYTES_PER_CYCLE * units * clock, at_clock),
        Roof("l1", _L1_BYTES_PER_CYCLE * units * clock, at_clock),
        Roof("l2", width * channels * clock, at_clock),
        Roof("hbm", rate, source),
    )
    return Chip(name, known.target, machine, memory, roofs, bool(row.get("first")), source)
