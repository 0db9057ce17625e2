"""One work-item does what a group did, where the group's running sums go through local memory in steps.

When it applies: groups of a known size along one dimension that put values into local memory, add up there between barriers in whatever
order, and read what is there. The places are followed one by one on sums instead of numbers; where every element that is read afterwards is
the sum over a range that grows with it (a scan, of all up to it or of all before it) or the sum of all, a loop in order takes the place of the steps.

What it costs: real numbers are added in another order, in double precision, as one after another would be rounded more often; a group's work is
one item's, too little to go round where there are few groups. Steps in which each place works need many times the additions, and a
runtime that runs places one after another pays for every barrier with a loop over the group.
"""

from __future__ import annotations

from math import log2

from hotloop.rewrite import tree as t
from hotloop.rewrite.form import Keeps, Posed, Rewrite
from hotloop.rewrite.groups.alone import placed
from hotloop.rewrite.groups.places import waits
from hotloop.rewrite.groups.scans import Scans


def apply(posed: Posed, _value: int | str) -> Posed:
    """Make the statements of a group one item's."""
    return Scans(posed, placed(posed)).alone()


def lines(posed: Posed) -> tuple[int, ...]:
    """Return the lines where the group meets."""
    apply(posed, 1)
    meets = [inner for inner in t.walk(*posed.function.body) if waits(inner) and isinstance(inner, t.Do)]
    return tuple(sorted({one.line for one in meets if one.line}))


def gain(posed: Posed) -> tuple[float, float]:
    """Return what is expected: up to twice the steps that there were."""
    return (1.2, 2.0 * log2(posed.group[0])) if posed.group and posed.group[0] > 2 else (1.0, 2.0)


REWRITE = Rewrite(
    name="group-scans",
    text=__doc__,
    technique="bypass-local",
    keeps=Keeps.ROUNDING,
    values=(0, 1),
    apply=apply,
    lines=lines,
    gain=gain,
    order=4,
)
"""Groups of work-items that add up running sums, as one item."""
