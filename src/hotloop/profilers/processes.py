"""Processes of one parallel run, which profilers write into one folder, a file each: ``2001_kernel_stats.csv``, ``2002_kernel_stats.csv``.

Only times are added up. Files with counters may be passes, each another run of the same work, which must not be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path

from hotloop.profilers.summary import merged
from hotloop.profiles.profile import KernelProfile, Profile

_NUMBER = re.compile(r"[0-9]+")


def together(profiles: Sequence[tuple[str, Profile]]) -> Iterator[tuple[str, Profile]]:
    """Yield the profiles of a folder's files by path; of several processes one, with all their launches, under the first's path."""
    for _, group in groupby(profiles, key=_series):
        listed = list(group)
        name, first = listed[0]
        yield name, first if len(listed) == 1 else _added([profile for _, profile in listed], first)


def _series(named: tuple[str, Profile]) -> tuple[str, ...]:
    """Return what the files of one run have in common; a file with counters, or without times, stands alone."""
    name, profile = named
    timed = bool(profile.kernels) and not any(kernel.counters for kernel in profile.kernels)
    path = Path(name)
    return (str(path.parent), _NUMBER.sub("#", path.name), profile.format) if timed else (name,)


def _added(profiles: Sequence[Profile], first: Profile) -> Profile:
    kernels: dict[str, KernelProfile] = {}
    for kernel in (kernel for profile in profiles for kernel in profile.kernels):
        earlier = kernels.get(kernel.kernel)
        kernels[kernel.kernel] = (
            kernel if earlier is None else merged(earlier, kernel, earlier.dispatches + kernel.dispatches)
        )
    whole = [profile.kernels_ns for profile in profiles]
    return replace(
        first,
        kernels=tuple(kernels.values()),
        kernels_ns=sum(spent for spent in whole if spent is not None) if None not in whole else None,
        dispatches=tuple(launch for profile in profiles for launch in profile.dispatches),
        notes=(*first.notes, f"{len(profiles)} processes' times were added up"),
    )
