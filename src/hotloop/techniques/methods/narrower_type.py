"""Narrower type: fewer bytes per element, or a type that a faster unit takes.

## What it changes
The element type of operands or of stored results.

## What it needs
A tolerance that allows it; the check decides before anything is timed.

## What it costs
Accuracy; conversions or unpacking: int4 weights take a sequence of 7 vector instructions per pack.

## When it fails
When the kernel is bound by instructions and the narrow type must be widened in the loop; 16-byte alignment of rows may
go.

## References
Counting: half the bytes are half the time of a kernel at the memory roof. Nothing reported for the change alone.
"""

from __future__ import annotations

from functools import partial

from hotloop.techniques.knobs import others
from hotloop.techniques.technique import Category, Signal, Technique

REMOVES = (0.0, 0.6)

TECHNIQUE = Technique(
    name="narrower-type",
    text=__doc__,
    category=Category.ALGORITHM,
    propose=partial(others, least=REMOVES[0], most=REMOVES[1]),
    removes=REMOVES,
    signals=(Signal("gpu.hbm_bytes"), Signal("gpu.l2_bytes"), Signal("gpu.flops_per_hbm_byte", rises=True)),
)
