"""Every rung of the attention ladder compiled for its targets: committed limits, barriers and what was reported."""

import json
from functools import cache

import pytest
from click.testing import CliRunner

from hotloop.app import ladder_data
from hotloop.app.ladder import compiled
from hotloop.cli.commands.ladder import COMMAND
from hotloop.host import toolchain

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
        assert not rung.failure, name
        assert rung.limited, name
        assert rung.violations == (), name
        assert rung.numerics.passed, name
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
