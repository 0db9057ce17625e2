"""What is known for a device: the user's own winners and the shipped presets."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from hotloop.dispatch.choice import Candidate, Origin
from hotloop.dispatch.place import Winners
from hotloop.errors import HotloopError, MissingExtraError, NoStoreError, StoreError
from hotloop.host import settings
from hotloop.model.kernel import Variant
from hotloop.model.problem import Problem
from hotloop.units import duration

if TYPE_CHECKING:
    from hotloop.dispatch.family import Family
    from hotloop.model.device import Device
    from hotloop.model.kernel import Kernel, Preset
    from hotloop.store import Known

LOG = logging.getLogger("hotloop.ops")
BUSY_TIMEOUT_S = 1.0
"""Longest wait for a store that another process is writing: a user's program must not hang on it."""


def winners(kernel: Kernel, device: Device) -> Winners:
    """Return the store's winners of a family on a device, and why the store was of no use, if so.

    A store that is missing or unreadable is no error: the shipped presets remain.
    """
    from hotloop.store import Store

    location = settings.STORE.get() or None
    try:
        with Store.open(location, read_only=True, busy_timeout_s=BUSY_TIMEOUT_S) as store:
            kept = store.winners_near(kernel.family, device.key, fingerprint=device.fingerprint)
    except (NoStoreError, MissingExtraError) as error:  # nothing was recorded here yet, which is no trouble
        LOG.debug("the store is not used: %s", error)
        return Winners(trouble=f"store not used: {error}")
    except StoreError as error:
        LOG.warning("the store's winners cannot be read and are not used: %s", error)
        return Winners(trouble=f"store not used: its winners cannot be read ({error})")
    return Winners(tuple(_winner(kernel, winner, device) for winner in kept))


def presets(family: Family, problem: Problem, device: Device) -> tuple[Candidate, ...]:
    """Return what the family advises for a problem, then the shipped presets for the device's instruction set."""
    advice = family.advise(problem, device)
    shipped = tuple(
        Candidate(
            origin=Origin.PRESET,
            implementation=preset.implementation,
            config=preset.config,
            sizes=preset.sizes,
            source=f"shipped preset: {preset.evidence}",
        )
        for preset in family.kernel.presets
        if preset.target == device.target and _runs(family, preset, device)
    )
    return (advice, *shipped) if advice else shipped


def _runs(family: Family, preset: Preset, device: Device) -> bool:
    """Tell whether the device's backend runs the language of a preset."""
    return family.kernel.implementation(preset.implementation).language == device.backend


def _winner(kernel: Kernel, best: Known, device: Device) -> Candidate:
    winner = best.winner
    run = f"run {winner.run[:8]}" if winner.run else "a run without record"
    return Candidate(
        origin=Origin.STORE,
        implementation=winner.implementation,
        config=winner.config,
        sizes=winner.sizes,
        source=f"store, {run} of {winner.created or 'unknown date'}: {duration(winner.call_ns)} a call",
        stale=_staleness(kernel, best, device),
    )


def _staleness(kernel: Kernel, best: Known, device: Device) -> str:
    """Return why a winner's measurement may no longer hold."""
    if best.stale:
        return "measured under another driver or runtime than the present one"
    recorded = best.winner.fingerprint
    if not recorded:
        return ""
    try:
        variant = Variant(kernel.implementation(best.winner.implementation), best.winner.config)
        present = variant.fingerprint(Problem(kernel.family, best.winner.sizes), device)
    except (ValueError, KeyError, HotloopError):
        return "measured with a source that no longer takes this configuration"
    return "" if present == recorded else "measured with another version of the kernel's source"
