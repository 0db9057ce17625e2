"""Writes tuning spaces computed from models of kernels on a made-up GPU, in the layout that `search_replay.py` reads.

    python benchmarks/search_synthetic.py FOLDER [--family gemm]

The models are no prediction of anything: they give searches what real spaces have, in families that no recording was taken of.
Occupancy moves in steps with registers, local memory and work-group size; register tiles trade reuse against spilling (a cliff of
up to 30 x); loads lose by strides and bank conflicts; the last wave of work-groups is not full; some configurations fail, by resources
or in the compiler for a few combinations of settings; and each combination of the settings that a compiler sees gets a scatter that
nothing explains. Each family comes for two devices. A configuration's time depends on nothing but its values and the device.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
import stand

Columns = Mapping[str, np.ndarray]


@dataclass(frozen=True, slots=True)
class Card:
    """What the models ask of a device."""

    name: str
    units: int
    registers: int
    """Of one unit, in words of 32 bits."""
    local: int
    """Local memory of one unit in bytes; a work-group may have half of it."""
    flops: float
    """Fused multiply-adds of one unit and ns."""
    bytes_ns: float
    latency: float
    """Warps that hide all latency."""


CARDS = (
    Card("wide", 84, 65536, 98304, 180.0, 700.0, 16.0),
    Card("narrow", 30, 65536, 65536, 128.0, 230.0, 28.0),
)


@dataclass(frozen=True, slots=True)
class Family:
    """A kernel's parameters, what its constraints allow, and its time in ms (NaN: it fails)."""

    values: Mapping[str, tuple[int, ...]]
    allowed: Callable[[Columns], np.ndarray]
    time_ms: Callable[[Columns, Card], np.ndarray]
    compiled: tuple[str, ...]
    """Parameters that change the code."""


def residency(card: Card, threads: np.ndarray, registers: np.ndarray, local: np.ndarray) -> np.ndarray:
    """Return resident warps of a unit, 0 where a work-group does not fit."""
    warps = -(-threads // 32)
    by_registers = card.registers // (warps * 32 * (-(-np.minimum(registers, 255) // 8) * 8)).astype(int)
    by_local = card.local // np.maximum(local, 1).astype(int)
    groups = np.minimum.reduce([by_registers, by_local, 48 // warps, np.full_like(warps, 16)])
    return np.where((local > card.local // 2) | (threads > 1024), 0, groups * warps)


def seconds(
    card: Card, work: np.ndarray, traffic: np.ndarray, warps: np.ndarray, ilp: np.ndarray, registers: np.ndarray
) -> np.ndarray:
    """Return ms of `work` FMAs and `traffic` bytes, by how many warps and independent operations hide latency and what is spilled."""
    hidden = 1 - np.exp(-2.2 * warps * np.minimum(ilp, 8.0) ** 0.6 / card.latency)
    spilled = 1 + 0.12 * np.maximum(registers - 255, 0) ** 0.75
    compute = work / (card.units * card.flops) / hidden
    memory = traffic / card.bytes_ns / (1 - np.exp(-3.0 * warps / card.latency))
    return 1e-6 * (np.maximum(compute, memory) + 0.25 * np.minimum(compute, memory)) * spilled


def waves(card: Card, groups: np.ndarray, resident: np.ndarray) -> np.ndarray:
    """Return the factor by which the last wave of work-groups is not full."""
    slots = np.maximum(card.units * resident, 1)
    full = groups / slots
    return np.where(resident > 0, np.ceil(full) / full, np.nan)


def _gemm_allowed(c: Columns) -> np.ndarray:
    threads = c["MDIM"] * c["NDIM"]
    return (
        (c["MWG"] % (c["MDIM"] * c["VWM"]) == 0)
        & (c["NWG"] % (c["NDIM"] * c["VWN"]) == 0)
        & (c["MWG"] % (c["MDIMA"] * c["VWM"]) == 0)
        & (c["NWG"] % (c["NDIMB"] * c["VWN"]) == 0)
        & (threads % c["MDIMA"] == 0)
        & (threads % c["NDIMB"] == 0)
        & (c["KWG"] % np.maximum(threads // c["MDIMA"], 1) == 0)
        & (c["KWG"] % np.maximum(threads // c["NDIMB"], 1) == 0)
    )


def _gemm(c: Columns, card: Card) -> np.ndarray:
    size = 2048.0
    threads = c["MDIM"] * c["NDIM"]
    tile_m, tile_n = c["MWG"] // c["MDIM"], c["NWG"] // c["NDIM"]
    registers = 24 + tile_m * tile_n + 2 * (tile_m + tile_n)
    local = 4 * c["KWG"] * (c["SA"] * c["MWG"] + c["SB"] * c["NWG"])
    warps = residency(card, threads, registers, local)
    reads_a = np.where(c["SA"] == 1, c["NWG"], tile_n * np.minimum(c["NDIM"], 8) * 0.6)
    reads_b = np.where(c["SB"] == 1, c["MWG"], tile_m * np.minimum(c["MDIM"], 8) * 0.6)
    narrow_a = 1 + 0.5 / np.minimum(c["VWM"] * c["MDIMA"] / 32.0, 4) ** 0.7
    narrow_b = 1 + 0.5 / np.minimum(c["VWN"] * c["NDIMB"] / 32.0, 4) ** 0.7
    traffic = 4 * size**3 * (narrow_a / reads_a + narrow_b / reads_b) * 0.35
    conflicts = (
        1 + 0.35 * c["SA"] * ((c["VWM"] > 2) & (c["STR"] == 0)) + 0.25 * c["SB"] * ((c["VWN"] > 2) & (c["STR"] == 1))
    )
    inner = 1 + 1.3 / tile_m + 1.3 / tile_n + 2.0 / c["KWG"]
    time = seconds(card, size**3 * conflicts * inner, traffic, warps, np.sqrt(tile_m * tile_n), registers)
    return time * waves(card, (size / c["MWG"]) * (size / c["NWG"]), warps * 32 // threads)


def _dedispersion_allowed(c: Columns) -> np.ndarray:
    threads = c["bx"] * c["by"]
    return (threads >= 32) & (threads <= 1024) & ((c["tx"] > 1) | (c["sx"] == 0)) & ((c["ty"] > 1) | (c["sy"] == 0))


def _dedispersion(c: Columns, card: Card) -> np.ndarray:
    threads, tile = c["bx"] * c["by"], c["tx"] * c["ty"]
    registers = 20 + 3 * tile + 4 * c["ty"] + 2 * c["unroll"]
    warps = residency(card, threads, registers, np.zeros_like(threads))
    contiguous = np.where(c["sx"] == 1, c["bx"], c["bx"] * c["tx"])
    coalesced = np.minimum(contiguous / 32.0, 1.0) ** 0.5 * np.where((c["sx"] == 0) & (c["tx"] > 1), 0.8, 1.0)
    span = c["by"] * c["ty"]
    reuse = span**0.75 / (1 + (span * c["bx"] * c["tx"] / 6000.0) ** 2) * np.where(c["sy"] == 1, 1.12, 1.0)
    traffic = 4 * 2.2e10 / (1 + reuse) / coalesced
    ragged = np.ceil(25000 / (c["bx"] * c["tx"])) * c["bx"] * c["tx"] / 25000 * np.ceil(2048 / span) * span / 2048
    work = 2.2e10 * (1 + 0.9 / (c["unroll"] * tile) ** 0.5) * ragged
    limited = np.where(c["bps"] > 0, np.minimum(warps, np.maximum(c["bps"], 1) * -(-threads // 32)), warps)
    time = seconds(
        card, work, traffic, limited, np.sqrt(tile * c["unroll"]), registers + 40 * (c["bps"] > 2) * (tile > 8)
    )
    return (
        time
        * np.where((c["unroll"] > 8) & (tile > 12), 1.6, 1.0)
        * waves(card, 25000.0 * 2048 / (threads * tile), warps * 32 // threads)
    )


def _hotspot_allowed(c: Columns) -> np.ndarray:
    threads, halo = c["bx"] * c["by"], 2 * c["steps"]
    local = (c["bx"] * c["tx"] + halo) * (c["by"] * c["ty"] + halo) * (2 + c["power"]) * 4
    return (threads >= 32) & (threads <= 1024) & (c["steps"] % c["unroll"] == 0) & (local <= 49152)


def _hotspot(c: Columns, card: Card) -> np.ndarray:
    threads, halo = c["bx"] * c["by"], 2 * c["steps"]
    wide, high = c["bx"] * c["tx"], c["by"] * c["ty"]
    tile = c["tx"] * c["ty"]
    local = (wide + halo) * (high + halo) * (2 + c["power"]) * 4
    registers = 22 + 2 * tile + 3 * c["unroll"] * np.sqrt(tile)
    warps = residency(card, threads, registers, local)
    redundant = (wide + halo) * (high + halo) / (wide * high)
    cells = 4096.0**2 * 10
    traffic = (
        cells
        * 4
        * (2 + np.where(c["power"] == 1, 1.0, 1.0 * c["steps"] ** 0.5))
        * redundant
        / c["steps"]
        / np.minimum(c["bx"] / 32.0, 1) ** 0.4
    )
    barrier = 1 + 0.5 * np.sqrt(threads / 1024) * (1 + 1 / tile)
    odd = np.where((c["bx"] % 32 == 0) & (c["tx"] % 2 == 0), 1.12, 1.0)  # rows of local memory meet in the same banks
    work = cells * 9 * (1 + redundant) / 2 * barrier * odd * (1 + 0.4 / c["unroll"])
    time = seconds(card, work, traffic, warps, np.sqrt(tile), registers)
    return time * waves(card, 4096.0**2 / (wide * high), warps * 32 // threads)


def _nbody_allowed(c: Columns) -> np.ndarray:
    return (c["inner1"] <= c["inner2"]) & (c["vector"] * c["outer"] <= 16) & ((c["shared"] == 1) | (c["inner1"] == 1))


def _nbody(c: Columns, card: Card) -> np.ndarray:
    bodies = 65536.0
    unrolled = np.maximum(c["inner1"], c["inner2"])
    registers = 18 + 7 * c["outer"] * c["vector"] ** 0.5 + 1.5 * unrolled * np.where(c["soa"] == 1, 1.0, 1.25)
    local = c["shared"] * 16 * c["block"]
    warps = residency(card, c["block"], registers, local)
    work = bodies**2 * (1 + 0.7 / c["outer"] + 0.5 / unrolled**0.8) * np.where(c["rsqrt"] == 1, 10, 15)
    loads = np.where(c["shared"] == 1, 1.0 / c["block"], 0.02 / c["outer"]) * np.where(
        (c["soa"] == 1) & (c["vector"] == 1), 0.7, 1.0
    )
    conflict = np.where((c["shared"] == 1) & (c["soa"] == 0) & (c["vector"] > 2), 1.3, 1.0)
    cache = np.where(unrolled * c["outer"] * c["vector"] > 256, 2.5, 1.0)  # the loop leaves the instruction cache
    time = seconds(card, work * conflict * cache, 16 * bodies**2 * loads, warps, c["outer"] * 1.0, registers)
    return time * waves(card, bodies / (c["block"] * c["outer"]), warps * 32 // c["block"])


def _attention_allowed(c: Columns) -> np.ndarray:
    return (c["BM"] * c["BN"] <= 32768) & (c["warps"] * 16 <= c["BM"] * c["split"]) & (c["BM"] >= c["SUB"])


def _attention(c: Columns, card: Card) -> np.ndarray:
    length, head = 4096.0, 128
    threads = c["warps"] * 32
    local = 2 * head * (c["BM"] * (1 - c["inreg"]) + c["BN"] * c["stages"] * 2)
    registers = 40 + (c["BM"] * c["BN"] + c["BM"] * head * (1 + 0.5 * c["inreg"])) / threads / np.where(
        c["SUB"] < c["BM"], 1.3, 1.0
    )
    warps = residency(card, threads, registers, np.minimum(local, card.local // 2))
    warps = np.where(local > card.local, 0, warps)
    heads, work = 32, 32 * length * length * head * 2 / 8.0
    exposed = 1 + 0.9 / c["stages"] ** 1.5 + 18 / c["BN"] + 10 / c["BM"] + 0.1 * (c["split"] - 1)
    swizzled = np.where((c["BN"] >= 64) & (c["swizzle"] == 0), 1.35, 1.0) * np.where(
        (c["BN"] < 64) & (c["swizzle"] > 1), 1.1, 1.0
    )
    traffic = heads * 4 * length * head * (2 + 2 * length / c["BM"] * 0.3)
    groups = heads * length / c["BM"] * c["split"]
    time = seconds(card, work * exposed * swizzled, traffic, warps, np.minimum(c["BN"] / 16.0, 8), registers)
    return time * waves(card, groups, warps * 32 // threads)


def _stencil_allowed(c: Columns) -> np.ndarray:
    threads = c["bx"] * c["by"]
    return (
        (threads >= 64) & (threads <= 1024) & (c["sweep"] % c["unroll"] == 0) & ((c["stage"] > 0) | (c["ahead"] == 0))
    )


def _stencil(c: Columns, card: Card) -> np.ndarray:
    cells, radius = 512.0**3, 4
    threads, wide, high = c["bx"] * c["by"], c["bx"] * c["vector"], c["by"] * c["tile"]
    planes = np.where(c["stage"] == 2, 2 * radius + 1, 1)
    local = np.where(c["stage"] > 0, 4 * planes * (wide + 2 * radius) * (high + 2 * radius), 0)
    held = np.where(c["stage"] == 2, 2, 2 * radius + 1) * c["vector"] * c["tile"]
    registers = 20 + held + 3 * c["unroll"] + 6 * c["ahead"]
    warps = residency(card, threads, registers, local)
    halo = (wide + 2 * radius) * (high + 2 * radius) / (wide * high)
    cached = np.where(c["stage"] > 0, halo, 1 + 6.0 / np.minimum(wide * high / 256.0, 4) ** 0.5)
    ends = 1 + 2.0 * radius / c["sweep"]
    narrow = 1 + 0.6 / np.minimum(wide / 32.0, 4)
    barriers = np.where(
        c["stage"] > 0, 1 + 0.3 * np.sqrt(threads / 1024) / c["unroll"] ** 0.3 - 0.12 * c["ahead"], 1.15
    )
    work = cells * (25 + 9 / c["unroll"]) * ends * barriers
    time = seconds(
        card, work, 4 * cells * (1 + cached * ends) * narrow, warps, np.sqrt(c["vector"] * c["tile"] * 1.0), registers
    )
    return time * waves(card, cells / (wide * high * c["sweep"]), warps * 32 // threads)


_POWERS = tuple(2**n for n in range(6))
FAMILIES = {
    "gemm": Family(
        {
            "MWG": (16, 32, 64, 128), "NWG": (16, 32, 64, 128), "KWG": (32,), "MDIM": (8, 16, 32), "NDIM": (8, 16, 32), "MDIMA": (8, 16, 32),
            "NDIMB": (8, 16, 32), "VWM": (1, 2, 4, 8), "VWN": (1, 2, 4), "STR": (0, 1), "SA": (0, 1), "SB": (0, 1),
        },
        _gemm_allowed, _gemm, ("MWG", "NWG", "MDIM", "NDIM", "VWM", "VWN"),
    ),
    "dedispersion": Family(
        {
            "bx": (*_POWERS, 64, 128), "by": (32, 64, 96, 128, 192, 256), "tx": (1, 2, 3, 4), "ty": (1, 2, 3, 4, 6, 8), "sx": (0, 1), "sy": (0, 1),
            "unroll": (1, 2, 4, 8), "bps": (0, 2, 4),
        },
        _dedispersion_allowed, _dedispersion, ("tx", "ty", "sx", "sy", "unroll", "bps"),
    ),
    "hotspot": Family(
        {
            "bx": (1, 2, 4, 8, 16, 32, 64, 96, 128, 256), "by": _POWERS, "tx": (1, 2, 3, 4, 6, 8), "ty": (1, 2, 3, 4, 6, 8),
            "steps": (1, 2, 3, 4, 6, 8), "unroll": (1, 2, 4, 8), "power": (0, 1),
        },
        _hotspot_allowed, _hotspot, ("tx", "ty", "steps", "unroll", "power"),
    ),
    "nbody": Family(
        {
            "block": (32, 64, 128, 192, 256, 512, 1024), "outer": (1, 2, 4, 8), "inner1": (1, 2, 4, 8, 16, 32), "inner2": (1, 2, 4, 8, 16, 32, 64),
            "vector": (1, 2, 4), "shared": (0, 1), "soa": (0, 1), "rsqrt": (0, 1),
        },
        _nbody_allowed, _nbody, ("outer", "inner1", "inner2", "vector", "shared", "soa"),
    ),
    "attention": Family(
        {
            "BM": (16, 32, 64, 128, 256), "BN": (16, 32, 64, 128, 256), "warps": (1, 2, 4, 8, 16), "stages": (1, 2, 3, 4), "SUB": (16, 32, 64),
            "inreg": (0, 1), "split": (1, 2), "swizzle": (0, 1, 2, 3),
        },
        _attention_allowed, _attention, ("BM", "BN", "warps", "stages", "inreg"),
    ),
    "stencil": Family(
        {
            "bx": (8, 16, 32, 64, 128), "by": (1, 2, 4, 8, 16, 32), "vector": (1, 2, 4), "tile": (1, 2, 3, 4), "sweep": (16, 32, 64, 128, 512),
            "unroll": (1, 2, 4, 8), "stage": (0, 1, 2), "ahead": (0, 1),
        },
        _stencil_allowed, _stencil, ("vector", "tile", "unroll", "stage", "ahead"),
    ),
}  # fmt: skip
_SCATTER = 0.025
_REFUSED = 0.03
"""Share of combinations of the settings that a compiler sees with which it fails, and that it compiles badly."""


def hashed(columns: Columns, names: tuple[str, ...], salt: str) -> np.ndarray:
    """Return a number in [0, 1) for each combination of some settings, with nothing behind it."""
    keys = zip(*(columns[name].tolist() for name in names), strict=True)
    return np.array([zlib.crc32(f"{salt}{key}".encode()) / 2**32 for key in keys])


def recorded(name: str, card: Card) -> dict:
    """Return one space as a cache of Kernel Tuner."""
    family = FAMILIES[name]
    rows = np.array(list(product(*family.values.values())))
    columns = dict(zip(family.values, rows.T, strict=True))
    rows = rows[family.allowed(columns)]
    columns = dict(zip(family.values, rows.T, strict=True))
    with np.errstate(divide="ignore", invalid="ignore"):
        times = family.time_ms(columns, card)
    luck = hashed(columns, family.compiled, card.name)
    times = times * np.exp(_SCATTER * np.sin(40 * luck)) * np.where((luck > _REFUSED) & (luck < 2 * _REFUSED), 1.8, 1.0)
    times = times * np.exp(0.01 * (hashed(columns, tuple(columns), card.name) - 0.5))
    times[luck < _REFUSED] = np.nan
    cache = {}
    for row, ms in zip(rows.tolist(), times.tolist(), strict=True):
        entry: dict[str, object] = dict(zip(columns, row, strict=True)) | {"time": ms}
        cache[",".join(map(str, row))] = entry if np.isfinite(ms) else entry | {"time": "failed", "__error__": "failed"}
    parameters = {key: list(values) for key, values in family.values.items()}
    return {
        "device_name": card.name, "kernel_name": f"synthetic-{name}", "problem_size": 1, "objective": "time",
        "tune_params_keys": list(parameters), "tune_params": parameters, "cache": cache,
    }  # fmt: skip


def main() -> None:
    """Write each family for each device and say how large and how hard the space is."""
    parser = stand.parser(__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--family", action="append", choices=tuple(FAMILIES))
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    for name in asked.family or FAMILIES:
        for card in CARDS:
            data = recorded(name, card)
            content = gzip.compress(json.dumps(data).encode(), mtime=0)
            (asked.folder / f"synthetic-{name}-{card.name}.json.gz").write_bytes(content)
            times = np.array([e["time"] for e in data["cache"].values() if "__error__" not in e])
            near = int((times <= 1.05 * times.min()).sum())
            print(
                f"{name:14s} {card.name:8s} {len(data['cache']):7d} configurations, {len(times):7d} work, best / median "
                f"{times.min() / np.median(times):.3f}, within 5 %: {near}, random draws {(len(data['cache']) + 1) / (near + 1):.0f}"
            )


if __name__ == "__main__":
    main()
