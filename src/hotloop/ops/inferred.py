"""Configurations for a device of which nothing is known: those of its nearest relative, marked as untuned.

They are guesses, better than the starting configuration as a rule. A winner of the device itself, as ``hotloop tune`` puts it
into the store, takes their place.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING

from hotloop.devices.relatives import nearest
from hotloop.errors import HotloopError, UnknownNameError
from hotloop.host import settings
from hotloop.ops import book
from hotloop.ops.choice import UNTUNED, Candidate, Origin

if TYPE_CHECKING:
    from hotloop.model.device import Device
    from hotloop.model.problem import Problem
    from hotloop.ops.family import Family

LOG = logging.getLogger("hotloop.ops")


def candidates(family: Family, problem: Problem, device: Device) -> tuple[Candidate, ...]:
    """Return what the store and the shipped table know of the nearest related target, each marked as inferred."""
    tuned = _tuned(family)
    shipped = {preset.target for preset in family.kernel.presets}
    relative = nearest(device.target or device.name, [*tuned, *sorted(shipped)])
    if not relative:
        return ()
    found = (*tuned.get(relative, ()), *book.presets(family, problem, replace(device, target=relative)))
    return tuple(
        replace(one, origin=Origin.INFERRED, source=f"{UNTUNED} from {relative}: {one.source}")
        for one in found
        if _runs(family, one, device)
    )


def _tuned(family: Family) -> dict[str, tuple[Candidate, ...]]:
    """Return the winners of other devices by their targets; the store being of no use is no trouble."""
    from hotloop.store import Store

    try:
        with Store.open(settings.STORE.get() or None, read_only=True, busy_timeout_s=book.BUSY_TIMEOUT_S) as store:
            winners = [known.winner for known in store.all_best() if known.winner.family == family.kernel.family]
    except HotloopError as error:
        LOG.debug("the store tells nothing of related devices: %s", error)
        return {}
    found: dict[str, tuple[Candidate, ...]] = {}
    for winner in winners:
        candidate = Candidate(
            origin=Origin.STORE,
            implementation=winner.implementation,
            config=winner.config,
            sizes=winner.sizes,
            source=f"store, {winner.device}, {winner.created or 'unknown date'}",
        )
        target = _target(winner.device)
        found[target] = (*found.get(target, ()), candidate)
    return found


def _target(key: str) -> str:
    """Return what a device's key, ``runtime:name:target:units``, names last of the known targets; OpenCL's name may be one."""
    return next((word for word in reversed(key.split(":")) if nearest(word, [word])), "")


def _runs(family: Family, candidate: Candidate, device: Device) -> bool:
    """Tell whether the device's backend runs the language of a candidate."""
    try:
        return family.kernel.implementation(candidate.implementation).language == device.backend
    except UnknownNameError:
        return False
