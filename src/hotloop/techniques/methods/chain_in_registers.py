"""Chain in registers: let one product's result layout be the next product's operand layout.

## What it changes
The order of operands of the first product, so that its accumulators already lie as the second product reads them; the
intermediate result never visits local memory.

## What it needs
Matrix instructions whose lane maps agree: with the transposed first product, four consecutive keys of one query lie in a
lane (16×16×16).

## What it costs
Registers for the intermediate tile.

## When it fails
For shapes whose maps do not agree; the layout must be proved with data that is neither square nor symmetric.

## References
Listed by the reported attention work (probabilities in registers); it also leaves 2 instead of 4 exchanges per reduction.
No number.
"""

from __future__ import annotations

from functools import partial

from hotloop.techniques.knobs import switched_on
from hotloop.techniques.needs import MATRIX_UNIT
from hotloop.techniques.technique import Category, Signal, Technique

REMOVES = (0.0, 0.6)

TECHNIQUE = Technique(
    name="chain-in-registers",
    text=__doc__,
    category=Category.REGISTERS,
    propose=partial(switched_on, least=REMOVES[0], most=REMOVES[1]),
    removes=REMOVES,
    requires=(MATRIX_UNIT,),
    signals=(
        Signal("gpu.lds_per_wave"),
        Signal("static.lds_writes_per_matrix"),
        Signal("static.barriers_per_iteration"),
    ),
    answers=("lds-bound", "barrier-stalls", "low-matrix-utilisation"),
)
