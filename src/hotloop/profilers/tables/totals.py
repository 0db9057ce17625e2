"""Tables of totals by name, as profilers print them at the end of a run: kernels with their launches, calls of the host, copies.

>>> quantity("8.6348ms"), quantity("512ns"), quantity("1,020"), quantity("3.16x"), quantity("123,45")
((8634800.0, 'ns'), (512.0, 'ns'), (1020.0, ''), None, None)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hotloop.model.evidence import Absent
from hotloop.profilers.source import named
from hotloop.profiles.cell import real
from hotloop.profiles.failure import ProfileError
from hotloop.profiles.profile import Calls, KernelProfile, Profile, Tally

NS: Final = {"s": 1e9, "sec": 1e9, "ms": 1e6, "msec": 1e6, "us": 1e3, "usec": 1e3, "µs": 1e3, "ns": 1.0, "nsec": 1.0}
"""Nanoseconds of the units of time that tools print."""
_QUANTITY = re.compile(r"((?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)\s*([a-zµ]*)")
_WHOLE: Final = 99.5
"""Per cent above which rows are all that there is: shares are rounded, and so many rows have too small ones to print."""
_ABSENT: Final = (
    Absent("counters", "a summary holds times only"),
    Absent("dispatches", "a summary holds sums over all launches of a kernel; a trace has each"),
)


@dataclass(frozen=True, slots=True)
class Total:
    """All launches of a kernel, or all calls of a function."""

    name: str
    count: int
    total_ns: float
    least_ns: float | None = None
    most_ns: float | None = None
    domain: str = ""
    """The tool's class of activity; empty: a kernel."""
    percent: float | None = None
    """Share of the time of all rows of its kind, as printed."""

    @property
    def tally(self) -> Tally:
        """Return the totals as counts and times."""
        return Tally(self.count, self.total_ns, self.least_ns, self.most_ns)


def quantity(text: str) -> tuple[float, str] | None:
    """Return a number with ``ns`` where a unit of time stands behind it; None for anything else."""
    match = _QUANTITY.fullmatch(text.strip())
    value = real(match[1].replace(",", "")) if match else None
    if match is None or value is None or (match[2] and match[2] not in NS):
        return None
    return (value * NS[match[2]], "ns") if match[2] else (value, "")


def time_ns(text: str, unit: str = "") -> float | None:
    """Return a time whose unit stands behind it, or else in the head of its column."""
    measured = quantity(text)
    if measured is None:
        return None
    value, own = measured
    return value if own else value * NS[unit] if unit in NS else None


def profile(tool: str, form: str, path: Path, totals: Iterable[Total], notes: Sequence[str] = ()) -> Profile:
    """Return the profile of a summary.

    Raises:
        ProfileError: no row.
    """
    rows = tuple(_once(row for row in totals if row.count >= 1))
    if not rows:
        raise ProfileError(f"{named(path)} has the head of a summary and no row: the tool saw neither kernel nor call.")
    kernels = tuple(KernelProfile(kernel=r.name, dispatches=r.count, duration_ns=r.tally) for r in rows if not r.domain)
    whole_ns = of_all([(row.total_ns, row.percent) for row in rows if not row.domain])
    calls = tuple(Calls(r.domain, r.name, r.tally) for r in rows if r.domain)
    of_calls = [(r.total_ns, r.percent) for r in rows if r.domain] if len({call.domain for call in calls}) == 1 else []
    return Profile(
        tool=tool, source=path.name, format=form, kernels=kernels, kernels_ns=whole_ns, calls=calls, calls_ns=of_all(of_calls),
        absent=_ABSENT if kernels else (), notes=tuple(notes),
    )  # fmt: skip


def _once(totals: Iterable[Total]) -> Iterator[Total]:
    """Yield one row for each name: tables cut long names, so that several rows may have one, and people put tables one below another."""
    rows: dict[tuple[str, str], Total] = {}
    for total in totals:
        key = (total.domain, total.name)
        if key in rows:
            first, tally = rows[key], rows[key].tally.merged(total.tally)
            shares = (first.percent, total.percent)
            share = None if None in shares else sum(filter(None, shares))
            rows[key] = Total(total.name, tally.count, tally.total, tally.minimum, tally.maximum, total.domain, share)
        else:
            rows[key] = total
    yield from rows.values()


def of_all(rows: Sequence[tuple[float, float | None]]) -> float | None:
    """Return the time of all kernels in ns where rows of a table, with their printed shares in per cent, are not all of them.

    >>> round(of_all([(412e6, 48.3), (185e6, 21.7)])), of_all([(60.0, 60.0), (40.0, 40.0)])
    (853002070, None)
    """
    shares = [(spent, percent) for spent, percent in rows if percent]
    if len(shares) != len(rows) or sum(percent for _, percent in shares) > _WHOLE:
        return None
    spent, percent = max(shares, default=(0.0, 0.0))
    return 100 * spent / percent if percent else None
