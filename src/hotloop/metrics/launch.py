"""Launch geometry against the device."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, prod

from hotloop.metrics.fact import absent, evidence, fact
from hotloop.model.device import Device
from hotloop.model.evidence import Absent, Evidence, Fact, Provenance
from hotloop.model.program import Launch, Program

_GROUPED = ("launch.groups", "launch.group_size", "launch.groups_per_unit", "launch.tail_waste")


def launch(program: Program, device: Device) -> Evidence:
    """Return the ``launch.*`` facts of a program; those of the main launch are absent when there is none."""
    rows: list[Fact | Absent] = [fact("launch.count", len(program.launches), Provenance.DERIVED, "program")]
    main = program.main
    if main is None:
        rows += [absent(name, "the program launches no main kernel") for name in ("launch.work_items", *_GROUPED)]
    else:
        rows.append(fact("launch.work_items", main.work_items, Provenance.DERIVED, f"global size of {main.entry}"))
        rows += _groups(main, device.compute_units)
    return evidence(rows)


def tail_waste(groups: int, units: int) -> float:
    """Return the share of unit time that is idle because the last wave is not full, if all groups take equally long.

    >>> tail_waste(4, 2), tail_waste(5, 2), tail_waste(1, 4)
    (0.0, 0.16666666666666663, 0.75)
    """
    waves = ceil(groups / units)
    return 1.0 - groups / (waves * units) if waves else 0.0


def launch_share(program: Program, launch_ns: float | None, call_ns: float | None) -> Evidence:
    """Return ``time.launch_share``: what empty launches would take of a call.

    It exceeds 1 where the runtime overlaps launches that, measured alone, are slower.
    """
    name = "time.launch_share"
    if launch_ns is None or not call_ns:
        return evidence([absent(name, "no time of an empty launch" if launch_ns is None else "no time of a call")])
    share = len(program.launches) * launch_ns / call_ns
    return evidence([fact(name, share, Provenance.DERIVED, "launch.count × time.launch_ns / time.call_ns")])


def _groups(main: Launch, units: int) -> Iterator[Fact | Absent]:
    if main.local_size is None or main.groups is None:
        yield from (absent(name, "the runtime chooses the group size") for name in _GROUPED)
        return
    source = f"global and local size of {main.entry}"
    yield fact("launch.groups", main.groups, Provenance.DERIVED, source)
    yield fact("launch.group_size", prod(main.local_size), Provenance.DERIVED, source)
    yield fact("launch.groups_per_unit", main.groups / units, Provenance.DERIVED, f"{source}, {units} compute units")
    yield fact(
        "launch.tail_waste", tail_waste(main.groups, units), Provenance.DERIVED, f"{source}, {units} compute units"
    )
