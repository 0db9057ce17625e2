"""rocprof-compute's ``sysinfo.csv`` and ``roofline.csv``, as facts in the file's own words and units."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from hotloop.profilers.tables.csvtext import table
from hotloop.profiles.profile import DeviceFact, Profile
from hotloop.targets import chips

_PRIVATE = frozenset({"hostname", "host_name", "sbios", "vbios"})
"""Columns that name a machine, not a kind of machine: kept out of reports."""


_OLD: Final = {
    "gpu_soc": "gpu_arch",
    "name": "gpu_model",
    "numSE": "se_per_gpu",
    "numCU": "cu_per_gpu",
    "numSIMD": "simd_per_cu",
    "maxWavesPerCU": "max_waves_per_cu",
    "sclk": "max_sclk",
    "LDSBanks": "lds_banks_per_cu",
    "hbmBW": "hbm_bw",
}
"""Columns of Omniperf 1 under the names that they have since."""


def read_system(path: Path) -> Profile:
    """Return the machine's description. Raises ProfileError."""
    facts = _facts(path, "")
    if any(fact.name == "gpu_soc" for fact in facts):
        facts = tuple(replace(fact, name=_OLD.get(fact.name, fact.name)) for fact in facts)
    values = {fact.name: fact.value for fact in facts}
    return Profile(tool="rocprof-compute", source=path.name, format="system (CSV)", tool_version=values.get("version"),
                   architecture=values.get("gpu_arch"), device_name=sold(values), facts=facts)  # fmt: skip


def sold(system: Mapping[str, str]) -> str | None:
    """Return the device's name: the profiler's, or its PCI number's where the profiler knew only the series.

    >>> sold({"gpu_model": "MI300", "chip_id": "29861"}), sold({"gpu_model": "MI300X_A1", "chip_id": "29861"})
    ('MI325X', 'MI300X_A1')
    """
    model, by_number = system.get("gpu_model"), chips.numbered(system.get("chip_id", ""))
    return model if by_number is None or (model and chips.named(model)) else by_number.name


def read_roofline(path: Path) -> Profile:
    """Return the measured ceilings of each device: bandwidths in GB/s, rates in GFLOP/s. Raises ProfileError."""
    return Profile(tool="rocprof-compute", source=path.name, format="measured ceilings (CSV)", facts=_facts(path, "device"),
                   notes=("bandwidths are in GB/s, rates in GFLOP/s or GOP/s",))  # fmt: skip


def _facts(path: Path, device: str) -> tuple[DeviceFact, ...]:
    with table(path) as opened:
        place = opened.index(device) if device else None
        return tuple(
            DeviceFact("" if place is None else row[place].strip(), column, cell.strip())
            for row in opened.rows
            for column, cell in zip(opened.columns, row, strict=True)
            if cell.strip() and column.lower() not in _PRIVATE and column != device
        )
