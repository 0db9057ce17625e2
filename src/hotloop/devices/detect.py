"""Facts about this machine's processor from the operating system (Linux); an unknown fact is None.

The functions that understand text are pure; only `detect` reads files.
"""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from hotloop.host import settings
from hotloop.targets.cpus import of_machine
from hotloop.targets.target import Target
from hotloop.units import parse_bytes

_FIRST_CPU = "sys/devices/system/cpu/cpu0/cache"


@dataclass(frozen=True, slots=True, kw_only=True)
class Processor:
    """What the operating system tells about the processor."""

    name: str
    machine: str
    """Machine name as ``uname -m`` prints it."""
    flags: frozenset[str]
    """Instruction set extensions as the kernel names them."""
    target: str
    """``x86-64-avx512``, ``x86-64-avx2``, ``x86-64``, ``aarch64``, or empty when unknown."""
    vector_bits: int | None
    vector_registers: int | None
    fp16: bool
    """True when the processor computes in half precision, conversion alone does not count."""
    cores: int
    """Hardware threads that this process may use: its affinity, and the quota of its control group if lower."""
    cores_note: str
    """Why fewer cores are usable than there are; empty when nothing limits them."""
    cache_line_bytes: int | None
    l1_bytes: int | None
    """Data cache per core."""
    l2_bytes: int | None
    """Per core."""
    llc_bytes: int | None
    """All last-level caches that the machine's threads share, together."""
    memory_bytes: int | None
    """Memory that can be had now, within the limit of the control group."""


@dataclass(frozen=True, slots=True)
class Cache:
    """One line of the cache hierarchy as seen from one hardware thread."""

    level: int
    kind: str
    """``Data``, ``Instruction`` or ``Unified``."""
    cache_bytes: int
    line_bytes: int | None
    shared: frozenset[int]
    """Hardware threads that share it; empty when unknown."""


def parse_cpuinfo(text: str) -> tuple[str, frozenset[str]]:
    """Return (model name, flags) of the first processor in ``/proc/cpuinfo``; empty where it does not say."""
    first = text.partition("\n\n")[0]
    rows = dict(re.findall(r"^([^\t:]+?)\s*:[ \t]*(.*)$", first, re.MULTILINE))
    return rows.get("model name", "").strip(), frozenset((rows.get("flags") or rows.get("Features") or "").split())


def parse_cpus(text: str) -> frozenset[int]:
    """Return the numbers of a list such as ``0-3,8``.

    >>> sorted(parse_cpus("0-2,7"))
    [0, 1, 2, 7]
    """
    spans = [part.split("-") for part in text.strip().split(",") if part]
    return frozenset(cpu for span in spans for cpu in range(int(span[0]), int(span[-1]) + 1))


def parse_cache(entry: Mapping[str, str]) -> Cache | None:
    """Return one cache from the files of its directory under ``/sys``, None when level or size is missing."""
    level, held = entry.get("level", "").strip(), entry.get("size", "").strip()
    if not level.isdigit() or not re.fullmatch(r"\d+[KMG]?", held):
        return None
    line = entry.get("coherency_line_size", "").strip()
    shared = parse_cpus(entry.get("shared_cpu_list", ""))
    return Cache(
        int(level), entry.get("type", "").strip(), parse_bytes(held), int(line) if line.isdigit() else None, shared
    )


def parse_quota(cpu_max: str) -> float | None:
    """Return the processors that a control group may use, from ``cpu.max``: quota and period; None without limit.

    >>> parse_quota("150000 100000"), parse_quota("max 100000")
    (1.5, None)
    """
    match = re.fullmatch(r"(\d+)\s+(\d+)\s*", cpu_max)
    return int(match[1]) / int(match[2]) if match and int(match[2]) else None


def parse_memory(meminfo: str, limit: str = "") -> int | None:
    """Return the available bytes from ``/proc/meminfo``, no more than a control group's ``memory.max``."""
    match = re.search(r"^MemAvailable:\s+(\d+) kB", meminfo, re.MULTILINE)
    bounds = [int(match[1]) * 1024] if match else []
    bounds += [int(limit)] if limit.strip().isdigit() else []
    return min(bounds, default=None)


def usable_cores(affinity: int, quota: float | None) -> tuple[int, str]:
    """Return hardware threads to count on and, if a quota is what limits them, a note.

    >>> usable_cores(8, 2.5)
    (2, 'control group quota of 2.5 processors')
    """
    if quota is None or quota >= affinity:
        return affinity, ""
    return max(1, int(quota)), f"control group quota of {quota:g} processors"


def llc_bytes(caches: Iterable[Cache], cpus: int) -> int | None:
    """Return the last level's total: one cache's size times how many of them `cpus` hardware threads need."""
    data_caches = [c for c in caches if c.kind != "Instruction"]
    if not data_caches:
        return None
    last = max(data_caches, key=lambda c: c.level)
    return last.cache_bytes * (-(-cpus // len(last.shared)) if last.shared else 1)


def detect(root: Path = Path("/")) -> Processor:
    """Return the facts of this machine, read below `root`."""
    name, flags = parse_cpuinfo(_text(root / "proc/cpuinfo"))
    machine = platform.machine()
    target = Target(of_machine(machine, flags))
    caches = _caches(root / _FIRST_CPU)
    online = len(parse_cpus(_text(root / "sys/devices/system/cpu/online"))) or os.cpu_count() or 1
    cores, note = usable_cores(settings.usable_cores(), parse_quota(_quota(root / "sys/fs/cgroup")))
    return Processor(
        name=name or platform.processor() or machine,
        machine=machine,
        flags=flags,
        target=target.name,
        vector_bits=target.number("vector_bits"),
        vector_registers=target.number("vector_registers"),
        fp16=not flags.isdisjoint({"avx512_fp16", "fphp", "asimdhp"}),
        cores=cores,
        cores_note=note,
        cache_line_bytes=next((c.line_bytes for c in caches), None) or target.number("cache_line"),
        l1_bytes=_level(caches, 1),
        l2_bytes=_level(caches, 2),
        llc_bytes=llc_bytes(caches, online),
        memory_bytes=parse_memory(_text(root / "proc/meminfo"), _limit(root / "sys/fs/cgroup")),
    )


def _level(caches: Iterable[Cache], level: int) -> int | None:
    return next((c.cache_bytes for c in caches if c.level == level and c.kind != "Instruction"), None)


def _caches(folder: Path) -> tuple[Cache, ...]:
    names = ("level", "type", "size", "coherency_line_size", "shared_cpu_list")
    entries = sorted(folder.glob("index[0-9]*"))
    parsed = (parse_cache({name: _text(entry / name) for name in names}) for entry in entries)
    return tuple(cache for cache in parsed if cache is not None)


def _quota(groups: Path) -> str:
    """Return quota and period of version 2 of control groups, or of version 1 in the same form."""
    first = groups / "cpu"
    return _text(groups / "cpu.max") or f"{_text(first / 'cpu.cfs_quota_us')} {_text(first / 'cpu.cfs_period_us')}"


def _limit(groups: Path) -> str:
    """Return the memory limit of either version of control groups."""
    return _text(groups / "memory.max") or _text(groups / "memory/memory.limit_in_bytes")


def _text(path: Path) -> str:
    """Return a file's text, empty when it cannot be read: such files come and go with the kernel's version."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").rstrip("\n")
    except OSError:
        return ""
