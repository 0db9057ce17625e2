"""Strips that end beyond the product, parts of vectors and shares of slices touch nothing outside an array: on the simulator."""

from __future__ import annotations

import pytest

from hotloop.host import oclgrind
from hotloop.kernels.gemm import KERNEL
from hotloop.kernels.gemm.problem import DEFAULT
from hotloop.kernels.gemm.skinny import SKINNY
from hotloop.model.kernel import Variant
from hotloop.verify.catalogue.mutant import Edit, Mutant, planted
from hotloop.verify.catalogue.specimens.gemm_skinny import STRIPS
from hotloop.verify.sanitizer import BOUNDS, RACE

SMALL = STRIPS.replace(ODIM=2, KDIM=4)
"""Strips are 4 rows or 16 columns long and 2 wide; items take 16 steps at once along k, 4 across it, two times each."""
SLICED = SMALL.replace(SPLIT=3)
CASES = {
    "aligned rows": {"m": 16, "n": 2, "k": 48},
    "rows that are not": {"m": 11, "n": 3, "k": 45, "beta": 0.5},
    "rows with a gap": {"m": 11, "n": 3, "k": 45, "lda": 48, "ldb": 5, "ldc": 7, "offset_a": 8, "offset_b": 3, "offset_c": 1},
    "whole vectors across": {"m": 2, "n": 40, "k": 13, "beta": 1.0},
    "cut vectors across": {"m": 3, "n": 34, "k": 13},
    "cut vectors across, with a gap": {"m": 3, "n": 34, "k": 13, "ldb": 36, "ldc": 35, "offset_b": 4, "beta": 1.0},
    "transposed": {"m": 34, "n": 3, "k": 13, "op": "tt"},
    "transposed, in columns": {"m": 3, "n": 11, "k": 45, "op": "tt", "layout": "col", "epilogue": "bias"},
    "one column": {"m": 11, "n": 1, "k": 45, "beta": 0.5},
    "one column of a wider matrix": {"m": 11, "n": 1, "k": 45, "ldb": 3, "ldc": 2},
    "one row": {"m": 1, "n": 34, "k": 13},
    "one row of elements": {"m": 1, "n": 3, "k": 2},
    "one element": {"m": 1, "n": 1, "k": 1},
    "no step": {"m": 9, "n": 1, "k": 0, "beta": 2.0},
}  # fmt: skip


@pytest.fixture
def simulated(simulate):
    def run(cases, *edits, config=SMALL, **options):
        implementation = planted(SKINNY, Mutant(name="planted", kind="", bug="", edits=edits))
        return simulate(KERNEL, Variant(implementation, config), [DEFAULT.replace(**case) for case in cases], **options)

    return run


WIDE = SMALL.replace(VW=8, KUNROLL=4, FEW=4, OWI=1)


@pytest.mark.parametrize(
    ("config", "names"),
    [
        (SMALL, tuple(CASES)),
        (SLICED, ("rows that are not", "cut vectors across", "one column", "one element")),
        (WIDE, ("rows that are not", "cut vectors across", "one row of elements")),
    ],
    ids=["all", "slices of k are added", "wider vectors, more of them at once"],
)
def test_every_access_is_inside(simulated, config, names):
    """The reference is compared as well: `passed` says so."""
    answer = simulated([CASES[name] for name in names], config=config)
    assert answer.passed, answer


GPU = Edit("#if VW == 1 || IN_PLACE", "#if VW == 1")


def test_the_vectors_that_only_a_gpu_reads_are_inside_too(simulated):
    changes = ({}, {"op": "nt", "ldb": 52}, {"op": "nt", "n": 1, "ldb": 50}, {"op": "tn"})
    answer = simulated([CASES["aligned rows"] | change for change in changes], GPU)
    assert answer.passed, answer


LATER = "rows with a gap"
CUT = "cut vectors across"
ALONE = "one column"
REACHES = {
    "rows beyond the last": (LATER, Edit("(size_t)min(o, EXTENT_O - 1) * ld", "(size_t)o * ld")),
    "columns beyond the last": (CUT, Edit("inside[i] = clamp(EXTENT_O - o, 0, VW);", "inside[i] = VW;")),
    "rows of the short side": (CUT, Edit("(size_t)min(first_f + f, EXTENT_F - 1) * apart", "(size_t)(first_f + f) * apart")),
    "a vector at the end of k": (ALONE, Edit("first_of(from[i] + k, k1 - k, 1)", "first_of(from[i] + k, VW, 1)")),
    "the column's last vector": (ALONE, Edit("first_of(with[f] + k * step, k1 - k, step)", "first_of(with[f] + k * step, VW, step)")),
    "a guarded round": (ALONE, Edit("#define PRESENT_AT(u, certain) ((certain) ||", "#define PRESENT_AT(u, certain) (1 ||")),
    "outputs": (CUT, Edit("(O_OF(q) < EXTENT_O && F_OF(q) < EXTENT_F)", "(O_OF(q) < EXTENT_O)")),
    "whole vectors of another strip": ("whole vectors across", Edit("min(o, EXTENT_O - VW)", "o")),
}  # fmt: skip


@pytest.mark.parametrize("name", REACHES)
def test_the_simulator_sees_what_reaches_too_far(simulated, name):
    case, edit = REACHES[name]
    answer = simulated([CASES[case]], edit, checks=oclgrind.CHECKS[:1])
    assert BOUNDS in {finding.kind for finding in answer.findings}


def test_the_simulator_sees_a_sum_that_nobody_waited_for(simulated):
    barrier = "        barrier(CLK_LOCAL_MEM_FENCE);\n        if (in_k < half_k)"
    edit = Edit(barrier, "        if (in_k < half_k)")
    answer = simulated([CASES["aligned rows"]], edit, checks=oclgrind.CHECKS[:1])
    assert RACE in {finding.kind for finding in answer.findings}
