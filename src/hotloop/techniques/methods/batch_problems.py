"""Batch problems: several independent problems in one launch.

## What it changes
The number of problems that one launch takes, as a further dimension of the grid.

## What it needs
A caller that has several problems at once.

## What it costs
Results come together, so the first one comes later.

## When it fails
When problems differ much in size, the last long one holds the launch; when one problem fills the device already.

## References
Recorded on H100: an index fill of 2.3 µs keeps the busiest unit active in 866 of 5,147 cycles, so up to 83 % of such a
launch is start and end.
"""

from __future__ import annotations

from functools import partial

from hotloop.techniques.knobs import upwards
from hotloop.techniques.needs import gpu
from hotloop.techniques.technique import Category, Signal, Technique

REMOVES = (0.2, 0.95)

TECHNIQUE = Technique(
    name="batch-problems",
    text=__doc__,
    category=Category.PARALLELISM,
    propose=partial(upwards, least=REMOVES[0], most=REMOVES[1]),
    removes=REMOVES,
    requires=(gpu("launches that cost more than small problems"),),
    signals=(Signal("gpu.ramp_share"), Signal("gpu.groups", rises=True), Signal("time.launch_share")),
)
