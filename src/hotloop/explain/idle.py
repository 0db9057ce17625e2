"""How long a device stands still between its kernels, by a trace of launches: then the host or copies limit the program."""

from __future__ import annotations

from hotloop import units
from hotloop.explain.code import is_copy
from hotloop.explain.material import Material
from hotloop.profiles.profile import Profile

MUCH = 0.5
"""Share of the time between the first and the last launch from which standing still is worth a sentence."""
_FEWEST = 8
"""Launches below which a pause between them is as likely the person's own."""
_FILL = "memset"


def idle(material: Material) -> str:
    """Return that the device stands still for most of the time between its launches, as a clause; empty where nothing says so.

    Tools that count run launches one after another, so a profile with counters says nothing of pauses.
    """
    if any(kernel.counters for profile in material.profiles for kernel in profile.kernels):
        return ""
    return next((clause for profile in material.profiles if (clause := _clause(profile))), "")


def _clause(profile: Profile) -> str:
    launches = sum(kernel.dispatches for kernel in profile.kernels)
    if not profile.span_ns or launches < _FEWEST:
        return ""
    busy = _busy_ns(profile)
    share = 1 - busy / profile.span_ns
    if share < MUCH:
        return ""
    return (
        f"between its first and its last launch the device works {units.duration(busy)} of {units.duration(profile.span_ns)} under the "
        f"profiler: it stands still {units.percent(share)} of the time at least and waits for the host, so a faster kernel changes little"
    )


def _busy_ns(profile: Profile) -> float:
    """Return the time of kernels, copies and fills, as if none ran beside another: so it is at least the time in which the device worked."""
    kernels = sum(kernel.duration_ns.total for kernel in profile.kernels if kernel.duration_ns)
    return kernels + sum(c.duration_ns.total for c in profile.calls if is_copy(c) or _FILL in c.domain.lower())
