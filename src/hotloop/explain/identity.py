"""Which device the counters are from: what a person says, what the files say, and what counters exclude, in this order.

A counter that older chips do not have excludes those; it names no chip, as later ones have it, too.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, fields, replace

from hotloop.explain.agents import narrowed
from hotloop.explain.material import Material
from hotloop.profiles.counts import told, unlike
from hotloop.profiles.profile import KernelProfile, Profile
from hotloop.targets import chips, data
from hotloop.targets.chips import Chip, Machine
from hotloop.targets.target import COMPUTE, GRAPHICS, Target

_AMD_TOOLS = ("rocprof", "rocpd", "att")
_NVIDIA_TOOLS = ("ncu", "nsys", "nvprof", "nvfuser")
NVIDIA = "sm_"
"""Target whose formulas are used for Nsight Compute's metrics where nothing names the GPU: those that all GPUs share."""
_ONLY_GRAPHICS = ("GL2C_", "GL1C_", "SQC_LDS_", "SQ_INSTS_TEX", "TCP_REQ")
"""Beginnings of counters that RDNA has and no compute chip."""
_ONLY_COMPUTE = ("TCC_", "TCP_TCC_", "SQ_INSTS_VALU_MFMA", "SQ_VALU_MFMA")
"""Beginnings of counters that compute chips have and RDNA has not."""
_WAVES = ("SQ_WAVES", "Wavefronts")
_WIDE = 64
"""Items of a wave on every compute chip."""
_HARDLY = 0.5
"""Part of a chip's peak below which what a profiler states is no slower memory but a misread table."""
_SAME_ON_ALL = ("simds", "wave_slots", "lds_bytes_per_cycle")
"""Facts of the instruction set, which chips of one target share."""
_BUILT_FOR = re.compile(r"^(?:Cijk_|Custom_Cijk_)\w*?_ISA_?([0-9]{3,4}|90a|90A)(?=_|$)")
"""Tensile's names: ``ISA90a``, ``ISA942``, ``ISA1201``."""
_ALIKE = 1.25
"""Units over those of the data sheet of its name up to which that stands for a device: tools count some more or fewer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """The device that an explanation is about."""

    target: str
    """Processor whose formulas hold, or the oldest that it can be; empty: not known."""
    words: str
    """The device as the reader is told, with the reason where it was inferred."""
    chip: Chip | None = None
    """Chip whose data sheet holds."""
    machine: Machine = Machine()
    """Facts from files about the machine and from the data sheet."""


def identified(
    own: Sequence[Profile], material: Material, target: str, chip_name: str, used: Collection[str] = ()
) -> Identity:
    """Return the device of the profiles that know a kernel; other inputs may be about other machines.

    `used` are the labels of the processors that the kernel ran on.

    Raises:
        UnknownNameError: the target or the chip.
    """
    asked = chips.chip(chip_name) if chip_name else None
    if asked or target:
        name = asked.target if asked else Target.named(target).name
        chip = asked or _sheet(name, own)
        words = (
            f"{chip.name if chip else name} ({name}), as you said"
            if asked or not chip
            else f"{name}, as you said; data sheet of {chips.one(chip.name)}"
        )
        return Identity(target=name, words=words, chip=chip, machine=_machine(own, chip, name))
    describing = _describing(own, material, used)
    stated = [p.architecture for p in describing if p.architecture] + [r.target for r in material.reports if r.target]
    sold = (chips.named(p.device_name) for p in describing if p.device_name)
    stated = stated or [chip.target for chip in sold if chip is not None]
    if stated:
        return _stated(Target.of(stated[0]).name, describing)
    built = _built(own)
    if built:
        identity = _stated(built, describing)
        return replace(identity, words=f"{identity.words}; the processor that a kernel's name says it was built for")
    if any(name.startswith(_ONLY_GRAPHICS) for name in _names(own)) or _halves(own):
        words = (
            "an AMD RDNA chip, whose counters these are; the files do not name the chip: give --target, e.g. gfx1100"
        )
        return Identity(target=GRAPHICS, words=words, machine=_machine(own, None, GRAPHICS))
    least = _least(own)
    if least is not None:
        words = f"a {least[0]} or later, which has the counter {least[1]}; no file names it: --target or --chip does"
        return Identity(target=least[0], words=words, machine=_machine(own, None, least[0]))
    if any(profile.tool.startswith(_AMD_TOOLS) for profile in own):
        words = "an AMD chip; the files do not name the chip: give --target, e.g. gfx942"
        return Identity(target=COMPUTE, words=words, machine=_machine(own, None, COMPUTE))
    if any(profile.tool in _NVIDIA_TOOLS for profile in own):
        card = next((p.device_name for p in own if p.device_name), "an NVIDIA GPU")
        lacks = "its compute capability" if card != "an NVIDIA GPU" else "it"
        return Identity(target=NVIDIA, words=f"{card}; the file does not name {lacks}: give --target, e.g. sm_90")
    told_name = next((p.device_name for p in own if p.device_name), "a processor that the inputs do not name")
    return Identity(target="", words=told_name)


def _halves(own: Sequence[Profile]) -> bool:
    """Tell whether every kernel whose waves were counted ran in waves of 32, which no compute chip has.

    Counters of some engines only make waves fewer, never more; groups whose size leaves a wave of 64 part empty say nothing.
    """
    if any(name.startswith(_ONLY_COMPUTE) for name in _names(own)):
        return False
    found = [half for p in own for kernel in p.kernels if (half := _half(kernel)) is not None]
    return bool(found) and all(found)


def _half(kernel: KernelProfile) -> bool | None:
    """Tell whether a kernel has twice the waves that 64 items each make; None where its counts do not tell.

    A wave of 64 that the file states, or accumulation registers, which RDNA has not, speak against it: tools count some launches twice.
    """
    if kernel.wave_size == _WIDE or kernel.agprs:
        return False
    counted = next((kernel.counters[name] for name in _WAVES if name in kernel.counters), None)
    if not kernel.grid_items or not kernel.workgroup_items or kernel.workgroup_items % _WIDE or counted is None:
        return None
    return counted.minimum is not None and counted.minimum == counted.maximum == 2 * kernel.grid_items / _WIDE


def _built(own: Sequence[Profile]) -> str:
    """Return the processor that kernels of AMD's libraries carry in their names; empty where none does, or several do.

    Their code runs on that processor alone, unlike NVIDIA's, which later ones run too.
    """
    names = {match[1].lower() for p in own for kernel in p.kernels for match in _BUILT_FOR.finditer(kernel.kernel)}
    targets = {name for digits in names if Target.of(name := f"gfx{digits}").listed}
    return targets.pop() if len(targets) == 1 and len(names) == 1 else ""


def _describing(own: Sequence[Profile], material: Material, used: Collection[str]) -> tuple[Profile, ...]:
    """Return the profiles that can name the device: those of the kernel, then files about a machine and no kernel."""
    rest = (p for p in material.profiles if p not in own and not p.kernels and (p.architecture or p.facts))
    return tuple(narrowed(profile, used) for profile in (*own, *rest))


def _stated(target: str, describing: Sequence[Profile]) -> Identity:
    told_name = next((p.device_name for p in describing if p.device_name), None)
    chip = next((named for p in describing if p.device_name and (named := chips.named(p.device_name))), None)
    other = chip if chip is not None and chip.target != target else None
    if other is not None:
        chip = None  # a marketing name of another machine than the counters'
    sheet = chip or (_sheet(target, describing) if describing else None)
    name = f"{told_name} ({target})" if told_name else target
    if other is not None:
        name = f"{target}; the files also tell of {chips.one(other.name)}, which is a {other.target}"
    units = _units(describing)
    if sheet is not None and _other(sheet, units, named=chip is not None):
        name += f"; {units} units, where {chips.one(sheet.name)} has {sheet.machine.compute_units}: its peaks do not hold, --chip names one"
        sheet = None
    elif chip is None and sheet is not None:
        name += f"; peaks of {chips.one(sheet.name)}, which --chip changes"
    elif sheet is None and other is None and any(map(unlike, describing)):
        name += "; the files list processors of different sizes and do not tell which one ran: --chip names it"
    name += _later(target, describing)
    return Identity(target=target, words=name, chip=sheet, machine=_machine(describing, sheet, target))


def _units(describing: Sequence[Profile]) -> int | None:
    return next((units for p in describing if (units := told(p).compute_units)), None)


def _other(sheet: Chip, units: int | None, *, named: bool) -> bool:
    """Tell whether a device has other units than a data sheet says: it is a partition of the chip of that name, or another one."""
    whole, most = sheet.machine.compute_units, _ALIKE if named else 1.0
    return units is not None and whole is not None and not whole / most <= units <= whole * most


def _later(target: str, describing: Sequence[Profile]) -> str:
    """Return that the counters are not the stated processor's, as a clause; empty where nothing speaks against it."""
    order, least = data.names("cdna"), _least(describing)
    if least is None or target not in order or order.index(least[0]) <= order.index(target):
        return ""
    return f"; yet the counter {least[1]} is of a {least[0]} or later: --target says which it is"


def _sheet(target: str, describing: Sequence[Profile]) -> Chip | None:
    """Return the chip of a target that has as many units as the files tell, else the one it is commonly taken to be.

    None where the files list processors of different sizes and do not tell which of them ran: the peaks may be another's.
    """
    if not Target.of(target).amd:
        return None
    units = _units(describing)
    if units is None and any(map(unlike, describing)):
        return None
    alike = [chip for chip in chips.chips() if chip.target == target and chip.machine.compute_units == units]
    return alike[0] if alike else chips.of_target(target)


def _machine(describing: Sequence[Profile], chip: Chip | None, target: str) -> Machine:
    """Return what the files tell, then the data sheet; without a sheet what all chips of the target share."""
    sources = [*(told(profile) for profile in describing)]
    if chip is not None:
        sources.append(chip.machine)
    elif Target.of(target).listed and Target.of(target).amd:
        common = chips.of_target(target)
        if common is not None:
            sources.append(Machine(**{name: getattr(common.machine, name) for name in _SAME_ON_ALL}))
    values = {
        f.name: next((v for s in sources if (v := getattr(s, f.name)) is not None), None) for f in fields(Machine)
    }
    return credible(Machine(**values), chip.machine) if chip is not None else Machine(**values)


def credible(told: Machine, known: Machine) -> Machine:
    """Return what files tell of a machine, with the data sheet's dies and bandwidth where they tell one die's for all of the chip.

    Versions of ROCm Compute Profiler older than a chip do: one die and 768 GB/s for an MI325X whose 304 units they count.
    """
    if told.compute_units is None or told.compute_units != known.compute_units:
        return told
    peak, stated = known.hbm_bytes_per_s, told.hbm_bytes_per_s
    bandwidth = peak if peak and stated and stated < _HARDLY * peak else stated
    dies = max(told.dies, known.dies) if told.dies and known.dies else told.dies
    return replace(told, hbm_bytes_per_s=bandwidth, dies=dies)


def _least(own: Sequence[Profile]) -> tuple[str, str] | None:
    """Return the oldest target that has all counters, and the counter that tells."""
    return next(_newest(_names(own)), None)


def _names(own: Sequence[Profile]) -> set[str]:
    return {name for profile in own for kernel in profile.kernels for name in kernel.counters}


def _newest(names: set[str]) -> Iterator[tuple[str, str]]:
    for target in reversed(data.names("cdna")):
        seen = next((n for n in sorted(names) if n.startswith(Target(target).names("new_counters"))), None)
        if seen:
            yield target, seen
