"""Preconditions of techniques: what must hold where one is applied, and why it does not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hotloop.model.evidence import Evidence
from hotloop.targets import data
from hotloop.targets.machine import AmdMachine, NvidiaMachine
from hotloop.targets.target import Target


@dataclass(frozen=True, slots=True)
class Place:
    """What is known about where a technique would be applied; what is not known forbids nothing."""

    target: str = ""
    """Processor: ``gfx942``, ``sm_90``, ``x86-64-avx512``; empty: not known."""
    evidence: Evidence = Evidence()
    machine: AmdMachine | NvidiaMachine | None = None
    """Sizes of register files and local memory; None: not known."""


def place_of(target: str, evidence: Evidence | None = None) -> Place:
    """Return what is known of a processor. Raises UnknownNameError."""
    facts, named = evidence or Evidence(), Target.of(target)
    if not target or named.cpu:
        return Place(target, facts)
    return Place(named.name, facts, named.machine)


@dataclass(frozen=True, slots=True)
class Need:
    """A precondition of a technique."""

    text: str
    """The condition in words."""
    unmet: Callable[[Place], str]
    """Says why it does not hold; empty when it holds or cannot be decided."""
    architectures: tuple[str, ...] = ()
    """Beginnings of the names of the only processors that have it; empty: any."""


def having(feature: str) -> Need:
    """Return the need for a processor that has something which `hotloop.targets` lists."""
    return _among(data.feature(feature), feature)


def gpu(what: str) -> Need:
    """Return the need for a GPU, because of `what` it has."""
    return _among(("gfx*", "sm_*"), what)


def _among(names: Sequence[str], what: str) -> Need:
    listed = ", ".join(names)

    def unmet(place: Place) -> str:
        excluded = place.target and not Target.of(place.target).among(*names)
        return f"{place.target} has no {what} (only {listed})" if excluded else ""

    return Need(f"{what}: {listed}", unmet, tuple(name.removesuffix("*") for name in names))


MATRIX_UNIT = having("matrix unit")
DIRECT_COPY = having("copy from global to local memory that passes no register")


def at_least(fact: str, bound: float, why: str) -> Need:
    """Return the need that a fact, where it is known, is not below a bound."""

    def unmet(place: Place) -> str:
        value = place.evidence.get(fact)
        return f"{why}: {fact} is {value:.3g}, below {bound:g}" if value is not None and value < bound else ""

    return Need(f"{why} ({fact} at least {bound:g})", unmet)


LOADS_IN_TURN = at_least("gpu.vmem_per_wave", 4, "a wave that loads again and again, so that a load can be early")
"""A wave with one load and one store, as in a copy, has no next load to begin."""


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


def _local_bytes(machine: AmdMachine | NvidiaMachine | None) -> int | None:
    if machine is None:
        return None
    return machine.lds_workgroup_bytes if isinstance(machine, AmdMachine) else machine.shared_block_bytes


def _registers(machine: AmdMachine | NvidiaMachine | None) -> int | None:
    if machine is None:
        return None
    return machine.vgpr_addressable if isinstance(machine, AmdMachine) else machine.registers_thread
