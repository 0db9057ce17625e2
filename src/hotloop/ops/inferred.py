"""Configurations for a device of which nothing is known: those of its nearest relative, marked as untuned.

They are guesses, better than the starting configuration as a rule. A winner of the device itself, as ``hotloop tune`` puts it
into the store, takes their place.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING

from hotloop.dispatch.choice import Candidate, Origin
from hotloop.errors import HotloopError, UnknownNameError
from hotloop.host import settings
from hotloop.ops import book
from hotloop.targets.relatives import Relative, of_key, ranked

if TYPE_CHECKING:
    from hotloop.dispatch.family import Family
    from hotloop.model.device import Device
    from hotloop.model.problem import Problem

LOG = logging.getLogger("hotloop.ops")


def candidates(family: Family, problem: Problem, device: Device) -> tuple[Candidate, ...]:
    """Return what the store and the shipped table know of the nearest related target, each marked as inferred.

    Of several devices with that target, the one whose number of compute units is most alike comes first. A target of which
    nothing runs here is passed over.
    """
    tuned = _tuned(family)
    for target in sorted({preset.target for preset in family.kernel.presets}):
        shipped = book.presets(family, problem, replace(device, target=target))
        tuned[Relative(target)] = (*tuned.get(Relative(target), ()), *shipped)
    order = ranked(Relative(device.target or device.name, device.compute_units), tuned)
    for target in dict.fromkeys(relative.target for relative in order):
        lent = tuple(candidate for relative in order if relative.target == target for candidate in tuned[relative])
        if running := tuple(candidate for candidate in lent if _runs(family, candidate, device)):
            return tuple(
                replace(
                    candidate, origin=Origin.INFERRED, source=f"untuned, inferred from {target}: {candidate.source}"
                )
                for candidate in running
            )
    return ()


def _tuned(family: Family) -> dict[Relative, tuple[Candidate, ...]]:
    """Return the winners of other devices by target and compute units; the store being of no use is no trouble."""
    from hotloop.store import Store

    try:
        with Store.open(settings.STORE.get() or None, read_only=True, busy_timeout_s=book.BUSY_TIMEOUT_S) as store:
            winners = [best.winner for best in store.all_best() if best.winner.family == family.kernel.family]
    except HotloopError as error:
        LOG.debug("the store tells nothing of related devices: %s", error)
        return {}
    by_relative: dict[Relative, tuple[Candidate, ...]] = {}
    for winner in winners:
        candidate = Candidate(
            origin=Origin.STORE,
            implementation=winner.implementation,
            config=winner.config,
            sizes=winner.sizes,
            source=f"store, {winner.device}, {winner.created or 'unknown date'}",
        )
        relative = of_key(winner.device)
        by_relative[relative] = (*by_relative.get(relative, ()), candidate)
    return by_relative


def _runs(family: Family, candidate: Candidate, device: Device) -> bool:
    """Tell whether the device's backend runs the language of a candidate."""
    try:
        return family.kernel.implementation(candidate.implementation).language == device.backend
    except UnknownNameError:
        return False
