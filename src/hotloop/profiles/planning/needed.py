"""Which counters hotloop's metrics are computed from: what to collect when nobody asks for anything else."""

from __future__ import annotations

from functools import cache

from hotloop.metrics.catalogue import COUNTERS, metrics
from hotloop.metrics.counters import Counter


def used_counters(architecture: str) -> tuple[tuple[Counter, tuple[str, ...]], ...]:
    """Return the counters of an architecture that formulas use, each with the facts computed from it, in formula order."""
    counters = {counter.name: counter for counter in COUNTERS}
    used: dict[str, list[str]] = {}
    for metric in (counter for counter in metrics(architecture) if not counter.told):
        for name in metric.inputs:
            if name in counters and metric.name not in used.setdefault(name, []):
                used[name].append(metric.name)
    return tuple((counters[name], tuple(facts)) for name, facts in used.items())


def default_counters(architecture: str) -> tuple[str, ...]:
    """Return the names of `used_counters`; empty for an architecture that no formula covers."""
    return tuple(counter.name for counter, _ in used_counters(architecture))


@cache
def counters_of(fact: str, architecture: str) -> tuple[str, ...]:
    """Return the counters of a fact's first formula, with those of the facts that it is made of; empty where counters do not give it.

    Of a fact that may be refused, as clocks of a window that is longer than the launch, all ways to it are asked for.

    >>> counters_of("gpu.l2_hit_rate", "gfx942"), counters_of("gpu.groups", "gfx942")
    (('TCC_HIT_sum', 'TCC_MISS_sum'), ())
    """
    counters = {counter.name for counter in COUNTERS}
    ways = [metric for metric in metrics(architecture) if metric.name == fact and not metric.told]
    inputs = [name for way in (ways if ways and ways[0].most else ways[:1]) for name in way.inputs]
    named = ((name,) if name in counters else counters_of(name, architecture) for name in inputs if name != fact)
    return tuple(dict.fromkeys(name for names in named for name in names))
