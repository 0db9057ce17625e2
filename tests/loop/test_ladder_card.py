"""Ladders for NVIDIA cards through real compilers: what each rung's code may use at most, and what its listing must show."""

import json
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import pytest
import strata
from click.testing import CliRunner

from hotloop.app.ladder import data as ladder_data
from hotloop.app.ladder.card import code as ladder_card_code
from hotloop.app.ladder.card.climb import compiled
from hotloop.cli.commands.ladder import COMMAND
from hotloop.host import toolchain

needs_triton = pytest.mark.skipif(toolchain.package("triton") is None, reason="the package triton is not installed")
needs_cuda = pytest.mark.skipif(
    toolchain.nvcc() is None and toolchain.package("ziglang") is None, reason="neither nvcc nor ziglang is installed"
)
STANDING = {
    "gemm": ("tile-32", "descriptors", "persistent", "specialized", "tall-meet"),
    "attention": ("baseline", "double-buffer", "specialized", "three-stages"),
    "conv3d": ("direct", "strip-4", "strip-8", "wide", "toeplitz", "async", "bulk"),
    "reduction": ("tree", "shuffles", "lanes-128", "one-warp"),
}
"""Rungs that stand for the others: compiling all takes a minute, which `hotloop ladder FAMILY --target sm_90` does."""
if not strata.WHOLE:  # what the tests below compare
    STANDING |= {"gemm": ("tile-32", "descriptors", "specialized"), "attention": ("baseline", "double-buffer")}


@cache
def code(family, folder):
    """Facts of some rungs, each held to its bounds."""
    ladder = ladder_data.card_ladder(family, "sm_90")
    rungs = [ladder.rung(name) for name in STANDING[family]]
    with ThreadPoolExecutor(2) as pool:
        made = list(pool.map(lambda rung: ladder_card_code.offline(ladder, rung, "sm_90", folder), rungs))
    assert [(r.name, one.failure, one.absent) for r, one in zip(rungs, made, strict=True) if not one.facts] == []
    broken = [(r.name, ladder_card_code.violations(one, r.bounds)) for r, one in zip(rungs, made, strict=True)]
    assert [row for row in broken if row[1]] == []
    return {rung.name: one.facts for rung, one in zip(rungs, made, strict=True)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("code")


@needs_triton
def test_gemm_uses_what_its_rungs_are_about(folder):
    found = code("gemm", folder)
    assert found["tile-32"]["hgmma"] == 0 < found["tile-32"]["hmma"]
    assert found["tile-32"]["bulk_copies"] == 0 < found["descriptors"]["bulk_copies"]
    assert all(found[name]["hgmma"] for name in STANDING["gemm"][1:])
    assert all(facts["spilled_bytes"] == 0 for facts in found.values())


@needs_triton
def test_attention_uses_what_its_rungs_are_about(folder):
    found = code("attention", folder)
    assert all(facts["hgmma"] and facts["bulk_copies"] for facts in found.values())
    assert found["double-buffer"]["shared_bytes"] > 2 * found["baseline"]["shared_bytes"]
    assert all(facts["spilled_bytes"] == 0 for facts in found.values())


@needs_cuda
def test_conv3d_uses_what_its_rungs_are_about(folder):
    found = code("conv3d", folder)
    assert found["wide"]["hmma"] == 0 < found["toeplitz"]["hmma"]
    assert found["toeplitz"]["async_copies"] == 0 < found["async"]["async_copies"]
    assert found["bulk"]["bulk_copies"] > 0
    assert found["direct"]["registers"] < found["strip-4"]["registers"] < found["strip-8"]["registers"]


@needs_cuda
def test_reduction_uses_what_its_rungs_are_about(folder):
    found = code("reduction", folder)
    assert found["tree"]["shuffles"] == 0 < found["shuffles"]["shuffles"]
    assert found["shuffles"]["barriers"] < found["tree"]["barriers"]
    assert found["one-warp"]["barriers"] == 0
    assert all(facts["spilled_bytes"] == 0 for facts in found.values())


@needs_cuda
def test_the_command_holds_rungs_to_their_limits(monkeypatch):
    ran = CliRunner().invoke(
        COMMAND, ["reduction", "--target", "sm_90", "--rung", "shuffles", "--json"], standalone_mode=False
    )
    data = json.loads(ran.stdout)
    assert ran.return_value == 0
    assert data["sound"]
    assert [row["rung"]["name"] for row in data["rungs"]] == ["tree", "shuffles"]
    assert {row["fact"]: row["after"] for row in data["rungs"][1]["moved"]}["shuffles"] > 0
    found = ladder_card_code.Code({"registers": 300.0})
    monkeypatch.setattr(ladder_card_code, "offline", lambda *_: found)
    assert not compiled("reduction", "sm_90", ["tree"]).sound


def test_a_missing_compiler_is_no_failure_of_a_rung(monkeypatch, tmp_path):
    monkeypatch.setattr(toolchain, "package", lambda _: None)
    ladder = ladder_data.card_ladder("gemm", "sm_90")
    found = ladder_card_code.offline(ladder, ladder.rung("wide"), "sm_90", tmp_path)
    assert (found.failure, found.facts) == ("", {})
    assert "Triton is not installed" in found.absent
