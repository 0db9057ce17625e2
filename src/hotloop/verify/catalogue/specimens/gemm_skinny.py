"""Mutants of hotloop's OpenCL GEMM for few rows or columns: steps of k taken twice or not at all, sums added up wrongly, slices lost."""

from __future__ import annotations

from hotloop.model.record import Record
from hotloop.model.space import Config
from hotloop.verify.catalogue.mutant import Edit, Mutant, Specimen

STRIPS = Config(ODIM=4, KDIM=8, OWI=2, FEW=2, VW=4, KUNROLL=2, SPLIT=1, ARRIVE=0)
"""Strips of 8 rows along k or of 32 columns across it, so that small problems have many and cut the last."""
SLICED = STRIPS.replace(SPLIT=3)
ACROSS = Record(m=3, n=98)
"""The long operand's rows lie across k, and a vector of outputs is cut."""

SPECIMEN = Specimen(
    name="gemm_skinny",
    language="opencl",
    family="gemm",
    implementation="opencl-skinny",
    sizes=Record(m=67, n=3, k=301, beta=0.5),
    config=STRIPS,
    mutants=(
        Mutant(
            name="part-lost",
            kind="lost-tail",
            bug="the part of a vector at the end of k is not taken",
            edits=(Edit("    if (k < k1) {   // a part", "    if (k + VW <= k1) {   // a part"),),
        ),
        Mutant(
            name="round-lost",
            kind="lost-tail",
            bug="what is left of a round is left out",
            edits=(Edit("    if (k + NEEDED <= k1) {\n        ROUND(0)", "    if (k + NEEDED <= k1) {"),),
        ),
        Mutant(
            name="round-not-passed",
            kind="lost-tail",
            bug="after what was left of a round the item goes on from where the round began",
            edits=(Edit("while (k + NEEDED <= k1) k += STEPS;", ""),),
        ),
        Mutant(
            name="slices-overlap",
            kind="split-k",
            bug="the last round of a slice takes steps of the next one",
            edits=(Edit("k + (u) * STEPS + NEEDED <= k1)", "k + (u) * STEPS + NEEDED <= (uint)K)"),),
            config=SLICED,
            sizes=Record(k=3 * 9 * 32),
        ),
        Mutant(
            name="last-slice-lost",
            kind="split-k",
            bug="the second launch does not add the last slice",
            edits=(Edit("for (int s = 0; s < slices; ++s, from", "for (int s = 0; s < slices - 1; ++s, from", 2),),
            config=SLICED,
        ),
        Mutant(
            name="readers-lost",
            kind="split-k",
            bug="of the items that share out the slices only half are heard",
            edits=(Edit("for (int half_r = READERS / 2;", "for (int half_r = READERS / 4;"),),
            config=Config(ODIM=2, KDIM=16, OWI=1, FEW=1, VW=4, KUNROLL=1, SPLIT=16, ARRIVE=1),
            sizes=Record(n=1, k=16 * 64),
            runtime="intel",
        ),
        Mutant(
            name="half-not-waited-for",
            kind="barrier",
            bug="half of the items add what the other half has not left yet",
            edits=(
                Edit("        barrier(CLK_LOCAL_MEM_FENCE);\n        if (in_k < half_k)", "        if (in_k < half_k)"),
            ),
        ),
        Mutant(
            name="other-row",
            kind="fragment",
            bug="the sums of one column are stored in another one of the strip",
            edits=(Edit("/ ODIM * FEW + (q) / STRIP)", "/ ODIM * FEW + (FEW - 1 - (q) / STRIP))"),),
        ),
        Mutant(
            name="edge-stored",
            kind="bounds",
            bug="a vector of outputs is stored whole where the edge cuts it",
            edits=(Edit("(O_OF(q) < EXTENT_O && F_OF", "(O_OF(q) < (EXTENT_O + LANES - 1) / LANES * LANES && F_OF"),),
            sizes=ACROSS,
        ),
    ),
)
