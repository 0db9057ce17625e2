"""Work-group size: how many work-items form one group.

## What it changes
The local size, per dimension or as a whole.

## What it needs
Items that do not share local memory, or a kernel that takes its group size as a parameter.

## What it costs
On GPUs large groups limit how many of them a unit can hold; small ones leave lanes empty. On CPUs a group is a task:
many small ones cost hand-out time, few large ones balance badly.

## When it fails
Runtimes that vectorise across the items of a group lose their vectors when the group becomes one item, unless the
kernel has explicit vectors.

## References
saxpy on 262144 floats, Intel's CPU runtime, two cores: 3.95 ms with groups of 1, 0.42 with 16, 0.25 with 256. SGEMM
with register tiles is fastest with groups of one item.
"""

from __future__ import annotations

from collections.abc import Iterator

from hotloop.model.space import Parameter
from hotloop.techniques.gain import removing
from hotloop.techniques.knobs import downwards, others, upwards
from hotloop.techniques.situation import Situation
from hotloop.techniques.steps import smaller
from hotloop.techniques.technique import Category, Proposal, Signal, Technique

SHORT_GROUP_NS = 1000.0
"""A group that takes less core time than this suffers from its own hand-out (28 ns measured)."""


def propose(situation: Situation, parameters: tuple[Parameter, ...]) -> Iterator[Proposal]:
    """Shrink for idle units, grow for hasty groups; on a CPU otherwise try groups of one item, on a GPU both sides."""
    if situation.starved:
        yield from downwards(situation, parameters, -0.1, 0.8)
    elif _hasty(situation):
        yield from upwards(situation, parameters, -0.1, 0.9, steps=3)
    elif situation.device.local_mem_dedicated:
        yield from others(situation, parameters, -0.2, 0.4)
    else:
        yield from _single(situation, parameters)
        yield from others(situation, parameters, -0.2, 0.4)


def _hasty(situation: Situation) -> bool:
    call_ns, groups = situation.fact("time.call_ns"), situation.fact("launch.groups")
    if not call_ns or not groups or situation.device.local_mem_dedicated:
        return False
    return call_ns * situation.device.compute_units / groups < SHORT_GROUP_NS


def _single(situation: Situation, parameters: tuple[Parameter, ...]) -> Iterator[Proposal]:
    """One item per group, the form of register-tile kernels: all dimensions at once."""
    lowest = {p.name: down[-1] for p in parameters if (down := smaller(p, situation.value(p)))}
    if lowest:
        yield Proposal(lowest, removing(situation.share, -0.1, 0.6))


TECHNIQUE = Technique(
    name="workgroup-size",
    text=__doc__,
    category=Category.PARALLELISM,
    propose=propose,
    removes=(-0.2, 0.8),
    signals=(
        Signal("launch.tail_waste"),
        Signal("gpu.occupancy_limit", rises=True),
        Signal("gpu.busy_share", rises=True),
    ),
)
