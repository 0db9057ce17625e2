"""The calculators against real compilers, a sample of what the proofs in benchmarks/ compare; skipped without them."""

import importlib.util
import runpy
from dataclasses import replace
from pathlib import Path

import pytest

from hotloop.isa.occupancy.amd import AmdRequest, Convention
from hotloop.targets.target import Target

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
pytestmark = pytest.mark.skipif(importlib.util.find_spec("ziglang") is None, reason="ziglang (clang) is not installed")


@pytest.fixture(scope="module")
def occupancy():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BENCHMARKS))  # as Python does for a script
        return runpy.run_path(str(BENCHMARKS / "occupancy_proof.py"))


def test_remarks_of_clang_are_predicted(occupancy):
    verdicts, wholes, places = occupancy["amd_proof"](12, 3, "clang")
    assert len(places) == 58
    assert sum(verdicts.values()) == 58 * 12
    assert [v for v in (*verdicts, *wholes) if v.startswith("unexplained")] == []
    assert verdicts["equal"] > 0.9 * sum(verdicts.values())


def test_the_proof_notices_a_wrong_model(occupancy):
    target = Target.of("gfx942").machine
    request = AmdRequest(vgprs=129, sgprs=0, wave_size=64, mode="cu")
    (said,) = occupancy["clang"]("gfx942", [request])
    assert (said.vgprs, said.waves) == (129, 3)
    assert occupancy["judge"](target, request, said, Convention.CLANG_22)[0] == "equal"
    wrong = replace(target, files=(replace(target.files[0], registers=544),))
    assert occupancy["judge"](wrong, request, said, Convention.CLANG_22)[0] == "unexplained"


@pytest.mark.parametrize("target", ["gfx908", "gfx942", "gfx950", "gfx1100", "gfx1201"])
def test_matrix_instructions_are_the_assemblers(target):
    verdicts = runpy.run_path(str(BENCHMARKS / "matrix_proof.py"))["prove"](target)
    assert [v for v in verdicts if v.startswith("DIFFERS")] == []
    assert verdicts["agrees: accepted"] >= 6
    assert verdicts["agrees: refused"] > verdicts["agrees: accepted"]


@pytest.mark.parametrize("target", ["gfx908", "gfx90a", "gfx942", "gfx950"])
def test_passes_are_those_that_the_compiler_waits_for(target):
    verdicts = runpy.run_path(str(BENCHMARKS / "matrix_proof.py"))["waits"](target)
    assert set(verdicts) == {"agrees: passes"}
    assert verdicts["agrees: passes"] >= 20
