"""The last rungs of the RX 5500 XT ladder with a real compiler: what they cost and what the machine code shows of them."""

from __future__ import annotations

from functools import cache

import pytest

from hotloop.app.ladder import data as ladder_data
from hotloop.app.ladder.compiled import compile_rung, compiled
from hotloop.compilers.offer import Compiled
from hotloop.host import toolchain
from hotloop.kernels.gemm.ladders.gates import LANES
from hotloop.targets.target import Target

pytestmark = pytest.mark.skipif(toolchain.package("ziglang") is None, reason="the package ziglang is not installed")
(LADDER,) = (found for found in ladder_data.ladders("gemm") if found.name == "rdna")


@cache
def view():
    return {rung.rung.name: rung for rung in compiled("gemm", "gfx1012", ("lanes-fused", "stream-k", "z-order")).rungs}


@cache
def made(rung, target):
    found = compile_rung(LADDER, LADDER.rung(rung), Target.parse(target))
    assert isinstance(found, Compiled)
    return found


def test_they_keep_their_limits_and_ask_every_lane_equally_often():
    assert [text for rung in view().values() for text in rung.violations] == []
    assert all(rung.limited and not rung.built.hazards for rung in view().values())
    for name in ("lanes-16", "lanes-fused"):
        (gate,) = view()[name].built.gates
        assert (gate.name, gate.passed) == (LANES, True)
    assert view()["stream-k"].built.gates == ()


def test_z_order_costs_nothing_in_the_hot_loop():
    curve, rows = view()["z-order"].built, view()["vectors-both"].built
    assert (curve.instructions, curve.works, curve.local_reads) == (rows.instructions, rows.works, rows.local_reads)
    assert curve.resident_waves == rows.resident_waves
    assert curve.code != rows.code


def test_fused_lanes_need_fewer_reads_instructions_and_registers():
    fused, moved, read = (view()[name].built for name in ("lanes-fused", "lanes-16", "vectors-both"))
    assert fused.works == moved.works == read.works
    assert fused.instructions < read.instructions < moved.instructions
    assert sum(count for _, count in fused.local_reads) < sum(count for _, count in read.local_reads) / 2
    assert fused.total_vgprs < read.total_vgprs
    assert fused.resident_waves > read.resident_waves


@pytest.mark.parametrize(
    ("rung", "target", "instruction"),
    [
        ("lanes-16", "gfx1012", "v_mov_b32_dpp"),
        ("lanes-fused", "gfx1012", "v_fmac_f32_dpp"),
        ("lanes-fused", "gfx1100", "v_fmac_f32_dpp"),
        ("lanes-32", "gfx1030", "v_readlane_b32"),
    ],
)
def test_lanes_exchange_by_the_instructions_of_the_rung(rung, target, instruction):
    kernel = made(rung, target).listing.partition("\ngemm:")[2].partition("s_endpgm")[0]
    assert kernel.count(instruction) >= 32
    assert "ds_bpermute" not in kernel


def test_elsewhere_the_exchange_is_a_permutation():
    """gfx90a has waves of 64 and no row_share of this encoding that the source relies on."""
    assert "ds_bpermute" in made("lanes-16", "gfx90a").listing


def test_the_fix_up_keeps_its_sums_in_registers():
    kernels = {kernel.name: kernel for kernel in made("stream-k", "gfx1012").resources}
    assert set(kernels) == {"gemm", "mend"}
    assert kernels["mend"].vgpr_spills == 0
    assert kernels["mend"].scratch_bytes == 0
    assert (kernels["mend"].vgprs or 0) < (kernels["gemm"].vgprs or 0)
