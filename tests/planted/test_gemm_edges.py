"""Tiles that begin earlier to have no edge read nothing outside an array: on the simulator, where every access is looked at."""

from __future__ import annotations

import pytest

from hotloop.host import oclgrind
from hotloop.kernels.gemm import KERNEL
from hotloop.kernels.gemm.pipelined import PIPELINED
from hotloop.kernels.gemm.pipelined.space import START
from hotloop.kernels.gemm.problem import DEFAULT
from hotloop.model.kernel import Variant
from hotloop.verify.catalogue.mutant import Edit, Mutant, planted
from hotloop.verify.sanitizer import BOUNDS

HOISTED = START.replace(
    MDIM=4, NDIM=8, KWG=8, KUNROLL=8, WIDE=4, BUFFERS=2, HOIST=1, EARLY=1, WEAVE=1,
)  # fmt: skip
"""Tiles of 16 x 32."""
CASES = {
    "nothing aligned": {"m": 37, "n": 53, "k": 29},
    "whole vectors": {"m": 36, "n": 52, "k": 28, "beta": 0.5},
    "padded rows": {"m": 39, "n": 51, "k": 32, "ldb": 52, "ldc": 56, "beta": 1.0},
    "transposed": {"m": 37, "n": 50, "k": 32, "op": "tt"},
    "transposed and padded": {"m": 39, "n": 50, "k": 32, "op": "tn", "lda": 40, "ldb": 52},
    "narrow": {"m": 5, "n": 12, "k": 29, "ldb": 12, "beta": 1.0},
    "narrow and transposed": {"m": 8, "n": 7, "k": 37, "op": "tt"},
    "a single column": {"m": 37, "n": 1, "k": 29, "beta": 0.5},
}


@pytest.fixture
def simulated(simulate):
    def run(cases, edits=(), **options):
        implementation = planted(PIPELINED, Mutant(name="planted", kind="", bug="", edits=edits))
        return simulate(
            KERNEL, Variant(implementation, HOISTED), [DEFAULT.replace(**case) for case in cases], **options
        )

    return run


def test_every_access_is_inside(simulated):
    answer = simulated(list(CASES.values()))
    assert answer.passed, answer


APART = tuple(Edit(f"#define APART_{name} (PTX &&", f"#define APART_{name} (") for name in "AB")
KEPT = (Edit("#define KEPT (EVEN && PTX)", "#define KEPT EVEN"),)


@pytest.mark.parametrize(
    ("cases", "edits"),
    [
        ((CASES["nothing aligned"], CASES["transposed"] | {"k": 21}), APART),
        (({"m": 32, "n": 64, "k": 21, "beta": 0.5}, {"m": 32, "n": 64, "k": 16, "op": "tt"}), KEPT),
    ],
    ids=["apart", "kept"],
)
def test_what_only_nvidias_compiler_gets_is_right_too(simulated, cases, edits):
    """The reference is compared as well: `passed` says so."""
    answer = simulated(cases, edits)
    assert answer.passed, answer


FURTHER = (
    Edit("max(min(own, (END) - (SIDE)), 0)", "(own)"),
    Edit("(HOLD_A || row0 + MWG <= END_M) && (HOLD_B || col0 + NWG <= END_N)", "1"),
)


@pytest.mark.parametrize(
    ("name", "edits"),
    [("nothing aligned", (Edit("? (M + 3) / 4 * 4 : M)", "? M : (M + 3) / 4 * 4)"),)), ("transposed", FURTHER)],
)
def test_the_simulator_sees_a_tile_that_reaches_too_far(simulated, name, edits):
    answer = simulated([CASES[name]], edits, checks=oclgrind.CHECKS[:1])
    assert BOUNDS in {finding.kind for finding in answer.findings}
