"""What the occupancy calculators must know about a GPU; values come from the groups of the data files."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from hotloop.errors import UsageError
from hotloop.targets import data


class AccumulationFile(StrEnum):
    """Where accumulation registers (AGPRs) live."""

    NONE = "none"
    SEPARATE = "separate"
    """A file of their own, as large as the vector registers'."""
    UNIFIED = "unified"
    """One pool for both kinds: the vector registers, rounded up to `AmdMachine.agpr_granule`, and then the others."""


@dataclass(frozen=True, slots=True)
class VectorFile:
    """Vector registers of one SIMD as waves of one size see them."""

    wave_size: int
    """Work-items of a wave."""
    registers: int
    """Registers per lane."""
    granule: int
    """Allocation granule in registers."""


@dataclass(frozen=True, slots=True)
class ScalarFile:
    """Scalar registers of one SIMD where waves share them (gfx9)."""

    registers: int
    granule: int
    trap: int
    """Registers that the trap handler adds to every wave."""
    steps: tuple[int, ...]
    """Largest counts for 10, 9, 8 waves in the table of clang up to 22; 7 above."""


@dataclass(frozen=True, slots=True)
class SharedUnit:
    """What a work-group shares in one mode: a CU, or the two CUs of a WGP."""

    mode: str
    """``cu`` or ``wgp``."""
    simds: int
    lds_bytes: int
    barriers: int
    """Work-groups of more than one wave that can be resident."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AmdMachine:
    """Sizes of one AMD processor."""

    name: str
    files: tuple[VectorFile, ...]
    units: tuple[SharedUnit, ...]
    """The default mode first."""
    max_waves: int
    """Waves per SIMD."""
    vgpr_addressable: int
    agprs: AccumulationFile
    agpr_granule: int | None
    """Accumulation registers of a unified file begin at a multiple of this; None without such a file."""
    sgpr_addressable: int
    scalars: ScalarFile | None
    """None: every wave has its own scalar registers, they never limit."""
    lds_workgroup_bytes: int
    lds_granule_bytes: int
    """Granule of LDS allocation in bytes as LLVM rounds."""
    lds_hardware_granule_bytes: int
    """Granule of LDS allocation in bytes of the hardware, where a vendor document states it."""
    workgroup_max: int

    def file(self, wave_size: int) -> VectorFile:
        """Return the register file for a wave size. Raises UsageError when the target has no such waves."""
        for file in self.files:
            if file.wave_size == wave_size:
                return file
        sizes = " and ".join(str(file.wave_size) for file in self.files)
        raise UsageError(f"{self.name} has waves of {sizes} lanes, not of {wave_size}; change --wave.")

    def unit(self, mode: str) -> SharedUnit:
        """Return what a work-group shares in a mode. Raises UsageError when the target has no such mode."""
        for unit in self.units:
            if unit.mode == mode:
                return unit
        raise UsageError(f"{self.name} has no {mode} mode, only {self.units[0].mode}; change --mode.")


@dataclass(frozen=True, slots=True, kw_only=True)
class NvidiaMachine:
    """Sizes of one NVIDIA processor."""

    name: str
    warp: int
    warps: int
    """Per SM."""
    blocks: int
    """Per SM."""
    block_max: int
    """Threads of a block."""
    registers: int
    """Per SM."""
    registers_block: int
    registers_thread: int
    register_granule: int
    """Registers per warp."""
    partitions: int
    shared_block_bytes: int
    """Largest per block, opted in, without the reserve."""
    shared_static_bytes: int
    """Largest per block without asking."""
    shared_granule_bytes: int
    shared_reserve_bytes: int
    """Taken from every block by the system."""
    carveouts_bytes: tuple[int, ...]
    """Sizes that the shared memory of an SM can be set to, ascending."""
    barriers: int | None
    """Block barriers per SM; None where they cannot limit."""


class _Values:
    """The values of one processor's facts by name."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.values = {fact.name: fact.value for kind in ("trait", "group") for fact in data.facts(name, kind)}

    def _stated(self, name: str) -> data.Value:
        if name not in self.values:
            raise LookupError(f"no file in src/hotloop/targets states {name} of {self.name}; add it to a group there.")
        return self.values[name]

    def number(self, name: str) -> int:
        value = self._stated(name)
        assert isinstance(value, int)
        return value

    def numbers(self, name: str) -> tuple[int, ...]:
        value = self._stated(name)
        assert isinstance(value, tuple)
        return tuple(item for item in value if isinstance(item, int))


@cache
def machine(name: str) -> AmdMachine | NvidiaMachine:
    """Return a GPU that the data files name as the occupancy calculators take it."""
    values = _Values(name)
    return _nvidia(values) if "warps" in values.values else _amd(values)


def nvidia(name: str) -> NvidiaMachine:
    """Return an NVIDIA GPU that the data files name: for limits of kernels that are written for it."""
    sizes = machine(name)
    assert isinstance(sizes, NvidiaMachine)
    return sizes


@cache
def multiprocessors(name: str) -> int:
    """Return how many multiprocessors the usual card of an NVIDIA processor has, for rules that were measured on such a card."""
    return _Values(name).number("multiprocessors")


def _amd(values: _Values) -> AmdMachine:
    sizes = values.numbers("wave_sizes")
    modes = [mode for mode in ("wgp", "cu") if f"simds_{mode}" in values.values]
    return AmdMachine(
        name=values.name,
        files=tuple(
            VectorFile(size, values.number(f"vgprs_wave{size}"), values.number(f"vgpr_granule_wave{size}"))
            for size in sizes
        ),
        units=tuple(
            SharedUnit(mode, *(values.number(f"{size}_{mode}") for size in ("simds", "lds_pool", "barriers")))
            for mode in modes
        ),
        max_waves=values.number("max_waves"),
        vgpr_addressable=values.number("vgpr_addressable"),
        agprs=AccumulationFile(str(values.values["agprs"])),
        agpr_granule=values.number("agpr_granule") if "agpr_granule" in values.values else None,
        sgpr_addressable=values.number("sgpr_addressable"),
        scalars=_scalars(values),
        lds_workgroup_bytes=values.number("lds_workgroup"),
        lds_granule_bytes=values.number("lds_granule"),
        lds_hardware_granule_bytes=values.number("lds_granule_hardware"),
        workgroup_max=values.number("workgroup_max"),
    )


def _scalars(values: _Values) -> ScalarFile | None:
    if "sgprs" not in values.values:
        return None
    return ScalarFile(
        values.number("sgprs"), values.number("sgpr_granule"), values.number("sgpr_trap"), values.numbers("sgpr_steps")
    )


def _nvidia(values: _Values) -> NvidiaMachine:
    return NvidiaMachine(
        name=values.name,
        warp=values.number("warp"),
        warps=values.number("warps"),
        blocks=values.number("blocks"),
        block_max=values.number("block_max"),
        registers=values.number("registers"),
        registers_block=values.number("registers_block"),
        registers_thread=values.number("registers_thread"),
        register_granule=values.number("register_granule"),
        partitions=values.number("partitions"),
        shared_block_bytes=values.number("shared_block"),
        shared_static_bytes=values.number("local_static"),
        shared_granule_bytes=values.number("shared_granule"),
        shared_reserve_bytes=values.number("shared_reserve"),
        carveouts_bytes=values.numbers("carveouts"),
        barriers=values.number("barriers") if "barriers" in values.values else None,
    )
