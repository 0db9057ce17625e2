"""The reduction ladder for AMD with real compilers: limits as gates, and how lanes meet in the machine code."""

from functools import cache

import pytest

from hotloop.app.emulate.ask import Request, emulate
from hotloop.app.ladder import data as ladder_data
from hotloop.app.ladder.compiled import compiled, unit_of
from hotloop.app.ladder.contest import launched
from hotloop.compilers.offer import Compiled
from hotloop.host import toolchain
from hotloop.isa.dialects.amdgcn import DIALECT
from hotloop.kernels.reduction.ladders import meeting
from hotloop.kernels.reduction.ladders.amd import flydsl_text, unit
from hotloop.model.program import Array, Value

pytestmark = pytest.mark.skipif(toolchain.package("ziglang") is None, reason="the package ziglang is not installed")
(LADDER,) = (found for found in ladder_data.ladders("reduction") if found.name == "cdna")


@cache
def rungs(target):
    return {view.rung.name: view for view in compiled("reduction", target).rungs}


@pytest.mark.parametrize("target", ["gfx942", "gfx950"])
def test_every_rung_compiles_within_its_limits(target):
    found = {name: view for name, view in rungs(target).items() if view.built or view.failure}
    assert {
        name: view.failure or view.violations for name, view in found.items() if view.failure or view.violations
    } == {}
    assert all(view.limited and not view.built.hazards for view in found.values())
    assert {name for name, view in found.items() if not view.built.gates[0].passed} == set()
    left_out = set(rungs(target)) - set(found)
    assert all(name.startswith("flydsl") for name in left_out)
    assert toolchain.package("flydsl") is None or not left_out


@pytest.mark.parametrize(
    ("target", "rung", "words"),
    [
        ("gfx942", "tree", "36 LDS reads and writes; 20 barriers"),
        ("gfx942", "held", "12 shuffles, 4 LDS reads and writes; 2 barriers"),
        ("gfx942", "swizzle", "2 shuffles, 10 swizzles, 4 LDS reads and writes; 2 barriers"),
        ("gfx942", "dpp", "12 DPP, 2 reads of lanes, 4 LDS reads and writes; 2 barriers"),
        ("gfx950", "swaps", "8 DPP, 4 row swaps, 4 LDS reads and writes; 2 barriers"),
        ("gfx950", "one-wave", "12 DPP, 2 reads of lanes; 0 barriers"),
    ],
)
def test_lanes_meet_as_the_rung_says(target, rung, words):
    assert rungs(target)[rung].built.gates[0].words == words


def test_a_kernel_that_shuffles_is_no_rung_of_dpp():
    made = next(f for f in DIALECT.parse("k:\n\tds_bpermute_b32 v0, v1, v0\n\ts_endpgm\n") if f.name == "k")
    (gate,) = meeting.gates(LADDER, LADDER.rung("dpp"), made)
    assert not gate.passed
    assert "1 shuffles" in gate.words


def test_a_launch_takes_the_arrays_and_the_number_of_rows():
    held = LADDER.rung("one-wave")
    made = unit_of(LADDER, held, "gfx942", {"rows": 37})
    assert (made.grid, made.threads, made.numbers) == ((10, 1, 1), 256, (37,))
    code = Compiled(
        kernel="rows_reduce", language="hip", target="gfx942", listing="", dialect="amdgcn", binary=b"x", resources=(),
        compiler="clang",
    )  # fmt: skip
    (launch,) = launched(made, code, "one-wave").launches
    assert launch.arguments == (*map(Array, ("x", "scale", "y", "shift")), Value(37, "int32"))
    assert launch.global_size == (2560, 1, 1)


def test_what_a_rung_cannot_solve_is_said():
    with pytest.raises(ValueError, match="tree computes softmax, not sum"):
        unit(LADDER, LADDER.rung("tree"), "gfx942", {"operation": "sum"})
    with pytest.raises(ValueError, match="gfx942 cannot exchange rows of lanes between registers"):
        unit(LADDER, LADDER.rung("swaps"), "gfx942", {})
    with pytest.raises(ValueError, match="rows of 1000 are no whole vectors of 256 threads"):
        unit(LADDER, LADDER.rung("flydsl"), "gfx942", {"columns": 1000})
    with pytest.raises(ValueError, match="has no switch TILE"):
        flydsl_text({"TILE": 3})


EXECUTED = ("tree", "swizzle", "dpp", "swaps", "packed", "sum-swaps", "max-dpp", "rmsnorm-early", "layernorm-swaps")


@pytest.mark.parametrize("rung", EXECUTED)
def test_rungs_reduce_rows_when_executed(rung):
    target = "gfx950" if rung.endswith("swaps") else "gfx942"
    done = emulate(Request(text="reduction", target=target, rung=rung))
    assert done.passed
    assert done.findings == ()
