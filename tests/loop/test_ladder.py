"""Ladders with real compilers and on a real OpenCL runtime; each test skips when what it needs is not installed."""

import json
from functools import cache

import pytest
from click.testing import CliRunner

from hotloop.app.events import Silent
from hotloop.app.ladder import data as ladder_data
from hotloop.app.ladder.compiled import compiled
from hotloop.app.ladder.here import climb
from hotloop.app.session import Options
from hotloop.cli.commands.ladder import COMMAND
from hotloop.errors import MachineError
from hotloop.host import toolchain
from hotloop.model.verdict import Verdict
from hotloop.report.ladder.view import Decision

needs_clang = pytest.mark.skipif(toolchain.package("ziglang") is None, reason="the package ziglang is not installed")
needs_triton = pytest.mark.skipif(toolchain.package("triton") is None, reason="the package triton is not installed")
STAGES = ("base", "stage1", "stage2")


@cache
def ladder(target, *rungs):
    return compiled("gemm", target, rungs)


def rungs(view):
    return {rung.rung.name: rung for rung in view.rungs}


def hidden(view, *groups):
    return [h.verdict for h in view.built.hiding if h.group in groups]


def covered(view):
    """Share of the latency of LDS reads that passes before their waits."""
    (share,) = (h.covered for h in view.built.hiding if h.group == "LDS reads")
    return share


@needs_triton
@pytest.mark.parametrize("target", ["gfx942", "gfx950"])
def test_each_stage_exposes_less_than_the_one_below(target):
    found = rungs(ladder(target, "stage2"))
    assert tuple(found) == STAGES
    base, first, second = (found[name].built for name in STAGES)
    assert base.exposed > first.exposed > second.exposed
    assert hidden(found["base"], "global loads", "copies to LDS") == ["exposed"]
    assert hidden(found["stage1"], "global loads", "copies to LDS") == ["hidden"]
    assert covered(found["base"]) < covered(found["stage1"]) < covered(found["stage2"])
    assert all(found[name].numerics.passed and not found[name].built.hazards for name in STAGES)


@needs_triton
def test_only_the_load_mechanism_differs_between_the_architectures():
    groups = {t: {h.group for h in rungs(ladder(t, "stage2"))["stage2"].built.hiding} for t in ("gfx942", "gfx950")}
    assert groups == {"gfx942": {"global loads", "LDS reads"}, "gfx950": {"copies to LDS", "LDS reads"}}
    waits = {t: dict(rungs(ladder(t, "stage2"))["stage2"].built.waits) for t in groups}
    assert waits["gfx950"]["vmcnt(4)"] == 1  # one group of four copies stays in flight
    assert "vmcnt(0)" not in waits["gfx950"]
    assert "vmcnt(0)" in waits["gfx942"]  # the last store to LDS needs the last load: no sign of a missing pipeline


@needs_triton
@pytest.mark.parametrize("target", ["gfx942", "gfx950"])
def test_stages_keep_their_committed_limits(target):
    view = ladder(target, "stage2")
    assert [text for rung in view.rungs for text in rung.violations] == []
    assert all(rung.limited for rung in view.rungs)
    assert view.sound
    bounds = ladder_data.limits("gemm", target)
    for rung in view.rungs:
        assert bounds[rung.rung.name].max_spills == 0
        assert rung.built.lds_bytes <= bounds[rung.rung.name].max_lds_bytes
        assert rung.built.total_vgprs <= bounds[rung.rung.name].max_vgpr


@needs_clang
def test_roadmap_variants_keep_their_limits_and_padding_pays_in_conflicts():
    found = rungs(ladder("gfx1012", "unroll-4", "tile-4x8"))
    assert [text for rung in found.values() for text in rung.violations] == []
    assert found["pad"].decision is Decision.PROCEED
    assert found["pad"].built.conflict_cycles < found["baseline"].built.conflict_cycles
    assert found["unroll-4"].same_code == "vectors-4"
    assert found["tile-4x8"].built.waves > found["vectors-4"].built.waves


@needs_clang
def test_command_line_compiles_one_rung():
    result = CliRunner().invoke(
        COMMAND, ["gemm", "--target", "gfx1012", "--rung", "pad", "--json"], standalone_mode=False
    )
    assert result.exception is None
    data = json.loads(result.stdout)
    assert [row["rung"]["name"] for row in data["rungs"]] == ["baseline", "pad"]
    assert data["rungs"][1]["built"]["lds_bytes"] == 8704


def test_rungs_are_run_here_and_compared_with_the_last_one_that_paid():
    try:
        view = climb("gemm", "96x96x96", Options(), Silent(), rungs=("vectors", "too-many-sums"))
    except MachineError as missing:
        pytest.skip(str(missing))
    naive, vectors, sums = view.rungs
    assert [rung.rung.name for rung in view.rungs] == ["naive", "vectors", "too-many-sums"]
    assert (naive.over, vectors.over, sums.over) == ("", "naive", "vectors" if vectors.kept else "naive")
    assert vectors.comparison is not None
    # On a busy machine the vectors may not show that they pay; more sums than the naive rung's tile has do not apply then.
    assert sums.comparison is not None or (not vectors.kept and sums.reason.startswith("not applicable: "))
    for rung in (vectors, sums):
        assert rung.kept == (rung.comparison is not None and rung.comparison.verdict is Verdict.FASTER)
    assert view.best is not None
