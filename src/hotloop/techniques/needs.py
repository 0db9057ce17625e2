"""Preconditions of techniques: what must hold where one is applied, and why it does not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hotloop.model.evidence import Evidence
from hotloop.targets import load
from hotloop.targets.machine import AmdTarget, NvidiaTarget


@dataclass(frozen=True, slots=True)
class Place:
    """What is known about where a technique would be applied; what is not known forbids nothing."""

    target: str = ""
    """Processor: ``gfx942``, ``sm_90``, ``x86-64-avx512``; empty: not known."""
    evidence: Evidence = Evidence()
    machine: AmdTarget | NvidiaTarget | None = None
    """Sizes of register files and local memory; None: not known."""


CPUS = ("x86", "aarch64", "arm")
"""Beginnings of the names of targets that are no GPU."""


def place_of(target: str, evidence: Evidence | None = None) -> Place:
    """Return what is known of a processor. Raises UnknownNameError."""
    facts = evidence or Evidence()
    if not target or target.startswith(CPUS):
        return Place(target, facts)
    return Place(load.canonical(target), facts, load.target(target))


@dataclass(frozen=True, slots=True)
class Need:
    """One precondition."""

    text: str
    """The condition in words."""
    unmet: Callable[[Place], str]
    """Says why it does not hold; empty when it holds or cannot be decided."""
    architectures: tuple[str, ...] = ()
    """Beginnings of the names of the only processors that have it; empty: any."""


def on(*architectures: str, what: str) -> Need:
    """Return the need for a processor whose name begins with one of `architectures`, because of `what` it has."""
    names = ", ".join(f"{name}*" for name in architectures)

    def unmet(place: Place) -> str:
        known = place.target and not place.target.startswith(architectures)
        return f"{place.target} has no {what} (only {names})" if known else ""

    return Need(f"{what}: {names}", unmet, architectures)


def gpu(what: str) -> Need:
    """Return the need for a GPU, because of `what` it has."""
    return on("gfx", "sm_", what=what)


MATRIX_UNIT = on(
    *("gfx908", "gfx90a", "gfx94", "gfx95", "gfx11", "gfx12", "sm_7", "sm_8", "sm_9", "sm_10", "sm_12"),
    what="matrix unit",
)
"""CDNA from the first on, RDNA from the third on, NVIDIA from Volta on."""
DIRECT_COPY = on(
    *("gfx90", "gfx94", "gfx95", "gfx101", "gfx125", "sm_8", "sm_9", "sm_10", "sm_12"),
    what="copy from global to local memory that passes no register",
)
"""LLVM's assembler: ``buffer_load ... lds`` up to gfx10.1 and ``global_load_lds`` on gfx942 and gfx950; ``cp.async`` from sm_80."""


def at_least(fact: str, bound: float, why: str) -> Need:
    """Return the need that a fact, where it is known, is not below a bound."""

    def unmet(place: Place) -> str:
        value = place.evidence.get(fact)
        return f"{why}: {fact} is {value:.3g}, below {bound:g}" if value is not None and value < bound else ""

    return Need(f"{why} ({fact} at least {bound:g})", unmet)


def below(fact: str, bound: float, why: str) -> Need:
    """Return the need that a fact, where it is known, is below a bound."""

    def unmet(place: Place) -> str:
        value = place.evidence.get(fact)
        return f"{why}: {fact} is {value:.3g}, not below {bound:g}" if value is not None and value >= bound else ""

    return Need(f"{why} ({fact} below {bound:g})", unmet)


def local_room(times: float) -> Need:
    """Return the need that a work-group may have `times` the local memory that it has now."""

    def unmet(place: Place) -> str:
        used, most = place.evidence.get("gpu.local_bytes"), _local_bytes(place.machine)
        if used is None or most is None or used * times <= most:
            return ""
        return f"{times:g} × {used:.0f} B of local memory are more than the {most} B that a group may have on {place.target}"

    return Need(f"room for {times:g} times the local memory of a work-group", unmet)


def register_room(more: int) -> Need:
    """Return the need that a work-item may have `more` vector registers than it has now."""

    def unmet(place: Place) -> str:
        used, most = place.evidence.get("gpu.vgprs"), _registers(place.machine)
        if used is None or most is None or used + more <= most:
            return ""
        return (
            f"{used:.0f} vector registers and {more} more do not fit into the {most} of a work-item on {place.target}"
        )

    return Need(f"{more} more vector registers for each work-item", unmet)


def _local_bytes(machine: AmdTarget | NvidiaTarget | None) -> int | None:
    if machine is None:
        return None
    return machine.lds_workgroup_bytes if isinstance(machine, AmdTarget) else machine.shared_block_bytes


def _registers(machine: AmdTarget | NvidiaTarget | None) -> int | None:
    if machine is None:
        return None
    return machine.vgpr_addressable if isinstance(machine, AmdTarget) else machine.registers_thread
