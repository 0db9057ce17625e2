"""Chips as sold, for profiles that do not tell their machine: units, dies, peak rates from data sheets."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from hotloop.errors import UnknownNameError
from hotloop.targets import data
from hotloop.targets.target import Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """What formulas must know of the device; None: not known, and what needs it is absent."""

    compute_units: int | None = None
    """Compute units or streaming multiprocessors."""
    simds: int | None = None
    """SIMDs (schedulers) of one unit."""
    dies: int | None = None
    """Compute dies (XCD) of one device."""
    shader_engines: int | None = None
    wave_slots: int | None = None
    """Most waves (warps) that one SIMD holds."""
    lds_bytes_per_cycle: float | None = None
    """Peak of one unit's local memory."""
    hbm_bytes_per_s: float | None = None
    """Peak of the device memory."""
    clock_hz: float | None = None
    """Peak engine clock."""


@dataclass(frozen=True, slots=True)
class Roof:
    """One limit of a device."""

    name: str
    """A memory level (``lds``, ``l1``, ``l2``, ``hbm``) or a kind of arithmetic (``bf16 matrix``, ``fp32 vector``)."""
    per_second: float
    """Bytes or operations per second."""
    source: str
    """Data sheet, or where it was measured."""


@dataclass(frozen=True, slots=True)
class Chip:
    """A chip as it is sold, with its peak rates."""

    name: str
    target: str
    machine: Machine
    memory: tuple[Roof, ...]
    """Local memory, first- and second-level cache at the peak clock; device memory as the data sheet says."""
    arithmetic: tuple[Roof, ...]
    first: bool
    """True for the chip that a bare target name is taken to be."""
    source: str
    l2_bytes: int | None = None
    """Second-level cache of one die."""
    mall_bytes: int | None = None
    """Memory-side cache of the device; None: it has none, or that is not known."""
    mall_bytes_per_s: float | None = None
    ids: tuple[str, ...] = ()
    """Numbers of its PCI device in decimal digits."""


def one(name: str) -> str:
    """Return a chip's name behind its article, as it is spoken.

    >>> one("MI300X"), one("RX 7600"), one("Radeon 8060S"), one("W7800")
    ('an MI300X', 'an RX 7600', 'a Radeon 8060S', 'a W7800')
    """
    return f"an {name}" if name.startswith(("MI", "RX")) else f"a {name}"


@cache
def chips() -> tuple[Chip, ...]:
    """Return all chips of the data file."""
    return tuple(_chip(name, row) for name, row in data.table("chips").items())


def chip(name: str) -> Chip:
    """Return a chip by name, in any case, with or without a maker's words around it. Raises UnknownNameError."""
    sold = named(name)
    if sold is None:
        raise UnknownNameError("chip", name, tuple(row.name for row in chips()))
    return sold


def named(text: str) -> Chip | None:
    """Return the chip that a device's name contains (``AMD Instinct MI300X OAM``, ``MI300X_A1``), None when it has none."""
    words = text.upper().replace("(TM)", "")
    return next((row for row in chips() if row.name.upper() in words), None)


def numbered(device: str) -> Chip | None:
    """Return the chip whose PCI device has a number, in decimal digits; None where no chip is known by it.

    >>> numbered("29861").name
    'MI325X'
    """
    return next((row for row in chips() if device in row.ids), None)


def of_target(target: str) -> Chip | None:
    """Return the chip that a target name is taken to be, None when none is known."""
    bare = Target.of(target).name
    return next((row for row in chips() if row.target == bare and row.first), None)


def _chip(name: str, row: dict[str, object]) -> Chip:
    target = Target.named(str(row["target"]))
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
        simds=target.number("simds_cu"),
        dies=dies,
        shader_engines=engines,
        wave_slots=target.number("max_waves"),
        lds_bytes_per_cycle=target.rate("lds_bytes_per_cycle"),
        hbm_bytes_per_s=rate,
        clock_hz=clock,
    )
    roofs = tuple(Roof(kind, value, source) for kind, value in peaks.items())
    at_clock = f"{source}; at {clock / 1e9:.4g} GHz, widths as ROCm Compute Profiler's"
    widths = {"lds": target.rate("lds_bytes_per_cycle"), "l1": target.rate("l1_bytes_per_cycle")}
    memory = (
        *(Roof(level, each * units * clock, at_clock) for level, each in widths.items() if each),
        Roof("l2", width * channels * clock, at_clock),
        Roof("hbm", rate, source),
    )
    sizes = {key: value for key in ("l2_bytes", "mall_bytes") if isinstance(value := row.get(key), int)}
    mall, ids = row.get("mall_bytes_per_s"), row.get("ids", [])
    assert isinstance(ids, list)
    return Chip(
        name, target.name, machine, memory, roofs, bool(row.get("first")), source,
        l2_bytes=sizes.get("l2_bytes"), mall_bytes=sizes.get("mall_bytes"), mall_bytes_per_s=mall if isinstance(mall, float) else None,
        ids=tuple(str(number) for number in ids),
    )  # fmt: skip
