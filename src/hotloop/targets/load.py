"""Reading the data files, and making what the calculators take."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from hotloop.errors import UnknownNameError
from hotloop.targets.machine import (
    AccumulationFile,
    AmdTarget,
    NvidiaTarget,
    ScalarFile,
    SharedUnit,
    VectorFile,
)

_FAMILIES = ("cdna", "rdna", "nvidia")


@dataclass(frozen=True, slots=True)
class GpuFact:
    """One fact with its unit and where it is written."""

    name: str
    value: int | str | tuple[int, ...]
    unit: str
    source: str


class Facts:
    """Everything that the data files say about one target."""

    def __init__(self, target: str, facts: tuple[GpuFact, ...]) -> None:
        self.target = target
        self.facts = facts
        self._by_name = {fact.name: fact for fact in facts}

    def get(self, name: str) -> GpuFact | None:
        """Return one fact, None when it is not known."""
        return self._by_name.get(name)

    def number(self, name: str) -> int:
        """Return the value of a fact that every target of its family has."""
        value = self._by_name[name].value
        assert isinstance(value, int)
        return value

    def numbers(self, name: str) -> tuple[int, ...]:
        """Return the value of a fact that is a list of numbers."""
        value = self._by_name[name].value
        assert isinstance(value, tuple)
        return value

    def text(self, name: str) -> str:
        """Return the value of a fact that is a word."""
        return str(self._by_name[name].value)


@cache
def groups(family: str) -> tuple[dict[str, Any], ...]:
    """Return the groups of one data file as they stand there."""
    text = files(__package__).joinpath(f"{family}.toml").read_text(encoding="utf-8")
    return tuple(tomllib.loads(text)["group"])


@cache
def names(family: str) -> tuple[str, ...]:
    """Return the targets of one data file in the order of their first mention."""
    return tuple(dict.fromkeys(target for group in groups(family) for target in group["targets"]))


def all_names() -> tuple[str, ...]:
    """Return every target that the data files know."""
    return tuple(name for family in _FAMILIES for name in names(family))


def canonical(name: str) -> str:
    """Return the spelling of the data files: without features, ``sm_90`` for ``sm90a`` or ``90``.

    >>> canonical("gfx942:xnack-"), canonical("SM90a"), canonical("90")
    ('gfx942', 'sm_90', 'sm_90')
    """
    bare = name.strip().lower().partition(":")[0]
    digits = bare.removeprefix("sm").removeprefix("_").rstrip("af")
    return f"sm_{digits}" if digits.isdecimal() else bare


@cache
def facts(name: str) -> Facts:
    """Return what is known about a target. Raises UnknownNameError."""
    wanted = canonical(name)
    found: list[GpuFact] = []
    for family in _FAMILIES:
        for group in groups(family):
            if wanted in group["targets"]:
                found += [_fact(key, entry) for key, entry in group.items() if key != "targets"]
    if not found:
        raise UnknownNameError("GPU target", name, all_names())
    return Facts(wanted, tuple(found))


def _fact(name: str, entry: dict[str, Any]) -> GpuFact:
    value = entry["value"]
    return GpuFact(name, tuple(value) if isinstance(value, list) else value, entry["unit"], entry["source"])


@cache
def target(name: str) -> AmdTarget | NvidiaTarget:
    """Return a target as the occupancy calculators take it. Raises UnknownNameError."""
    known = facts(name)
    return _nvidia(known) if known.target.startswith("sm_") else _amd(known)


def _amd(known: Facts) -> AmdTarget:
    sizes = known.numbers("wave_sizes")
    modes = [mode for mode in ("wgp", "cu") if known.get(f"simds_{mode}")]
    return AmdTarget(
        name=known.target,
        files=tuple(
            VectorFile(size, known.number(f"vgprs_wave{size}"), known.number(f"vgpr_granule_wave{size}"))
            for size in sizes
        ),
        units=tuple(
            SharedUnit(mode, *(known.number(f"{name}_{mode}") for name in ("simds", "lds_pool", "barriers")))
            for mode in modes
        ),
        max_waves=known.number("max_waves"),
        vgpr_addressable=known.number("vgpr_addressable"),
        agprs=AccumulationFile(known.text("agprs")),
        sgpr_addressable=known.number("sgpr_addressable"),
        scalars=_scalars(known),
        lds_workgroup_bytes=known.number("lds_workgroup"),
        lds_granule_bytes=known.number("lds_granule"),
        lds_hardware_granule_bytes=known.number("lds_granule_hardware"),
        workgroup_max=known.number("workgroup_max"),
    )


def _scalars(known: Facts) -> ScalarFile | None:
    if known.get("sgprs") is None:
        return None
    return ScalarFile(
        known.number("sgprs"), known.number("sgpr_granule"), known.number("sgpr_trap"), known.numbers("sgpr_steps")
    )


def _nvidia(known: Facts) -> NvidiaTarget:
    return NvidiaTarget(
        name=known.target,
        warp=known.number("warp"),
        warps=known.number("warps"),
        blocks=known.number("blocks"),
        block_max=known.number("block_max"),
        registers=known.number("registers"),
        registers_block=known.number("registers_block"),
        registers_thread=known.number("registers_thread"),
        register_granule=known.number("register_granule"),
        partitions=known.number("partitions"),
        shared_block_bytes=known.number("shared_block"),
        shared_granule_bytes=known.number("shared_granule"),
        shared_reserve_bytes=known.number("shared_reserve"),
        carveouts_bytes=known.numbers("carveouts"),
        barriers=known.number("barriers") if known.get("barriers") else None,
    )
