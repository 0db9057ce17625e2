"""Every rung of the attention ladder compiled for its targets: committed limits, barriers and what was reported."""

import json
from functools import cache

import pytest
from click.testing import CliRunner

from hotloop.app.ladder import data as ladder_data
from hotloop.app.ladder.compiled import compile_rung, compiled
from hotloop.cli.commands.ladder import COMMAND
from hotloop.host import toolchain
from hotloop.report.ladder.page import markdown
from hotloop.targets.target import Target

pytestmark = pytest.mark.skipif(toolchain.package("ziglang") is None, reason="the package ziglang is not installed")
TARGETS = ["gfx942", "gfx950"]


@cache
def ladder(target):
    return {rung.rung.name: rung for rung in compiled("attention", target).rungs}


@pytest.mark.parametrize("target", TARGETS)
def test_every_rung_keeps_its_limits(target):
    found = ladder(target)
    assert len(found) == len(ladder_data.ladders("attention")[0].on(target))
    for name, rung in found.items():
        if rung.built is None and rung.rung.series:
            assert "hotloop[flydsl]" in rung.reason, name
            continue
        assert not rung.failure, name
        assert rung.limited, name
        assert rung.violations == (), name
        assert rung.rung.series or rung.numerics.passed, name
        assert rung.built.spills == 0, name
        assert not rung.built.hazards, name
        assert all(gate.passed for gate in rung.built.gates), name


def test_reported_figures_of_the_machine_code():
    found = ladder("gfx942")
    thousands = {name: found[name].built.gates[1].words for name in ("v4.0", "v4.1")}
    assert "40.4 thousand per wave" in thousands["v4.0"]  # reported: 40 K
    assert "32.3 thousand per wave" in thousands["v4.1"]  # reported: 32 K
    assert [found[name].built.resident_waves for name in ("causal-exit", "v4.3")] == [2, 4]
    claims = {claim.what: claim.confirmed for claim in found["v4.3"].claims}
    assert claims["waves per SIMD"]
    assert claims["bytes of LDS"]


def test_halves_of_the_waves_take_turns():
    """All matrix instructions of a step lie in one of its two phases: two groups of waves never want the matrix unit at once."""
    for target in TARGETS:
        found = ladder(target)["staggered-ahead"].built
        gates = {gate.name: gate for gate in found.gates}
        assert gates["phases"].words.startswith("32 of 32 matrix instructions in one phase")
        assert gates["barriers"].words.startswith("2 per step")
        assert found.exposed < ladder(target)["rows-256"].built.exposed / 3


def test_copies_past_the_registers_are_wide_on_gfx950_only():
    listings = {}
    for target, name in (("gfx942", "direct-k"), ("gfx950", "wide-direct")):
        one = ladder_data.ladder_for("attention", target)
        listings[target] = compile_rung(one, one.rung(name), Target.parse(target)).listing
    assert "global_load_lds_dword\t" in listings["gfx942"].replace(" ", "\t")
    assert "global_load_lds_dwordx4" in listings["gfx950"]
    assert "ds_read_b64_tr_b16" in listings["gfx950"]
    assert "ds_write" not in listings["gfx950"]


def test_accumulators_have_to_be_moved():
    """Why accumulation registers do not pay here: the vector unit does not reach them, a rescale fetches O."""
    for target in TARGETS:
        found = ladder(target)["accumulators"].built
        assert found.agprs == 64
        assert (
            "32 of 32 matrix instructions write them"
            in {gate.name: gate.words for gate in found.gates}["accumulation registers"]
        )


@pytest.mark.skipif(toolchain.package("flydsl") is None, reason="the package flydsl is not installed")
@pytest.mark.parametrize("target", TARGETS)
def test_flydsl_rungs_do_to_local_memory_what_the_hip_rungs_do(target):
    found = ladder(target)
    rungs = [name for name, rung in found.items() if rung.rung.series]
    assert rungs
    for name in rungs:
        own, other = found[name].built, found[name.removeprefix("flydsl-")].built
        assert own.compiler.startswith("flydsl "), name
        assert own.lds_bytes == other.lds_bytes, name
        assert own.gates[0].words == other.gates[0].words, name  # barriers
    assert "40.4 thousand" in found["flydsl-v4.0"].built.gates[1].words
    assert "32.3 thousand" in found["flydsl-v4.1"].built.gates[1].words
    if target == "gfx942":
        assert all(claim.confirmed for claim in found["flydsl-v4.3"].claims)  # 124 registers, 4 waves, 12,800 bytes


def test_flydsl_rungs_are_left_out_where_it_is_not_installed(monkeypatch):
    whole = toolchain.package
    monkeypatch.setattr(toolchain, "package", lambda name: None if name == "flydsl" else whole(name))
    view = compiled("attention", "gfx942", ["flydsl-v4.0"])
    assert [rung.decision for rung in view.rungs] == ["skip"]
    assert view.sound
    assert "hotloop[flydsl]" in view.rungs[0].reason
    text = markdown(view, "hotloop ladder attention --target gfx942")
    assert "left out: " in text


def test_page(tmp_path):
    page = tmp_path / "attention.md"
    command = ["attention", "--target", "gfx942", "--rung", "v4.1", "--markdown", str(page), "--json"]
    made = CliRunner().invoke(COMMAND, command, standalone_mode=False)
    assert made.exception is None
    assert made.return_value == 0
    assert [rung["rung"]["name"] for rung in json.loads(made.stdout)["rungs"]][-1] == "v4.1"
    text = page.read_text()
    assert "60.1 TFLOPS" in text
    assert "predict" in text
