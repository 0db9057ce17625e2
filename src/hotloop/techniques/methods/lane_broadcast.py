"""Lane broadcast: neighbours that need the same elements read one each and pass them on.

## What it changes
How an operand that several lanes share gets to them: each lane reads all of it from local memory, or each reads a part and
the others take it from its register.

## What it needs
Lanes side by side that work on the same rows: 16 for a row of AMD's data-parallel primitives, a whole wave for a broadcast
through the scalar unit. RDNA has row_share from gfx10 on; elsewhere sub-group shuffles, or permlane16.

## What it costs
A move between lanes per element, unless the multiply-add takes the neighbour's register itself (``v_fmac_f32_dpp``), for
which compilers have no builtin. On gfx11 that form excludes the dual issue of multiply-adds.

## When it fails
When local memory is not what the kernel waits for: the moves are vector instructions. Where the exchange goes through local
memory after all (``ds_bpermute``, or barriers on runtimes without sub-groups) it is pure loss.

## References
SGEMM on gfx1012, clang 22: 172 instructions for 128 multiply-adds with moves and 139 fused, instead of 147; 3 instead of 8
reads of local memory. DPP expected +10–15 %, subgroup operations +5–15 %, neither measured.
"""

from __future__ import annotations

from functools import partial

from hotloop.techniques.knobs import switched_on
from hotloop.techniques.needs import gpu
from hotloop.techniques.technique import Category, Signal, Technique

REMOVES = (-0.2, 0.6)

TECHNIQUE = Technique(
    name="lane-broadcast",
    text=__doc__,
    category=Category.REGISTERS,
    propose=partial(switched_on, least=REMOVES[0], most=REMOVES[1]),
    removes=REMOVES,
    requires=(gpu("exchange between lanes"),),
    signals=(Signal("gpu.lds_per_wave"), Signal("gpu.lds_wait_ratio"), Signal("static.shuffle_share", rises=True)),
    answers=("lds-bound", "exposed-local-reads", "static-exposed-local"),
)
