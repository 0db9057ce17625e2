"""Weights that reach no multiply-add: found in a real listing with planted defects, and in small ones by hand."""

import re
from pathlib import Path

import pytest

from hotloop.isa.amdgcn.weights import Weights, weight_flow
from hotloop.isa.dialects.amdgcn import DIALECT

LISTING = (Path(__file__).parents[3] / "golden" / "amdgcn" / "weights" / "hip_v103_gfx950.s").read_text()
TILE_BYTES = 24696
PLACES = frozenset(TILE_BYTES + 2 * (line * 6 + k) for line in range(15) for k in range(5))
V103 = Weights(argument=1, expected=75, local=PLACES)
LAST_READ = "\tds_read_b32 v46, v47 offset:24872\n"
"""After it all weights are in registers: pairs and single ones in v2 to v46."""


def flow(text, weights=V103):
    (function,) = DIALECT.parse(text)
    return weight_flow(function, weights)


def small(*lines, weights=Weights(argument=1), target="gfx942"):  # noqa: B008 - frozen
    body = "\n".join(f"\t{line}" for line in lines)
    return flow(f'\t.amdgcn_target "amdgcn-amd-amdhsa--{target}"\nk:\n{body}\n\ts_endpgm\n', weights)


# --- the real listing --------------------------------------------------------------------------------------------------


def test_a_right_listing_keeps_all_weights():
    found = flow(LISTING)
    assert found.kept
    assert (found.loaded, found.reached) == (75, 75)
    assert str(found) == "all 75 weights that are loaded reach a multiply-add"


def test_the_reported_defect_is_found():
    """45 of 75 weights are zero: their registers are written again before any dot2 reads them."""
    registers = range(2, 29)  # 27 words: 9 rows of 5 weights
    zeros = "".join(f"\tv_mov_b32_e32 v{register}, 0\n" for register in registers)
    waited = LISTING.replace(LAST_READ, LAST_READ + "\ts_waitcnt lgkmcnt(0)\n" + zeros)
    assert waited != LISTING
    found = flow(waited)
    assert not found.kept
    assert sum(lost.elements for lost in found.lost) == 45
    assert found.reached == 30
    assert "45 of 75 weights are loaded and never multiplied" in str(found)
    assert "ds_read2_b64" in str(found.lost[0])


def test_one_wrong_operand_is_found():
    """A single dot2 reads a neighbour's register instead of its own, in both outputs."""
    wrong = re.sub(r"(v_dot2_f32_bf16 v\d+, v\d+), v3,", r"\1, v2,", LISTING)
    assert wrong != LISTING
    found = flow(wrong)
    assert not found.kept
    assert sum(lost.elements for lost in found.lost) == 2


def test_a_load_that_is_missing_is_found_by_the_count():
    (read,) = re.findall(r"\tds_read2_b64 v\[42:45\].*\n", LISTING)
    found = flow(LISTING.replace(read, ""))
    assert not found.kept
    assert not found.lost
    assert "only 68 of 75 weights reach a multiply-add" in str(found)


def test_a_listing_without_any_weights_is_not_fine():
    found = flow(LISTING, Weights(argument=1))
    assert not found.kept
    assert str(found) == "no load of weights was found"


# --- small listings ------------------------------------------------------------------------------------------------------

LOAD = ("s_load_dwordx4 s[4:7], s[0:1], 0x0", "s_waitcnt lgkmcnt(0)", "global_load_dword v1, v0, s[6:7]")


def test_only_the_asked_argument_is_followed():
    other = ("s_load_dwordx4 s[4:7], s[0:1], 0x0", "global_load_dword v1, v0, s[4:5]", "v_mul_f32_e32 v2, v1, v3")
    assert small(*other).loads == 0
    assert small(*other, weights=Weights(argument=0)).kept


def test_the_addend_is_no_factor():
    assert not small(*LOAD, "v_fma_f32 v2, v3, v4, v1").kept
    assert small(*LOAD, "v_fma_f32 v2, v3, v1, v4").kept
    assert small(*LOAD, "v_fmac_f32_e32 v2, v1, v4").kept
    assert not small(*LOAD, "v_fmac_f32_e32 v1, v3, v4").kept
    assert not small(*LOAD, "v_mul_lo_u32 v2, v1, v3").kept


def test_halves_are_told_apart():
    low, high = "v_lshlrev_b32_e32 v2, 16, v1", "v_and_b32_e32 v3, 0xffff0000, v1"
    both = small(*LOAD, low, high, "v_fmac_f32_e32 v5, v2, v6", "v_fmac_f32_e32 v5, v3, v6")
    assert (both.kept, both.loaded) == (True, 2)
    one = small(*LOAD, low, high, "v_fmac_f32_e32 v5, v2, v6")
    assert (one.kept, one.reached) == (False, 1)
    twice = small(*LOAD, "s_mov_b32 s9, 0xffff0000", "v_and_b32_e32 v3, s9, v1", "v_fmac_f32_e32 v5, v3, v6")
    assert (twice.kept, twice.reached) == (False, 1)


def test_packing_puts_halves_where_dot2_reads_both():
    shifted = ("global_load_dword v2, v0, s[6:7] offset:4", "v_alignbit_b32 v3, v2, v1, 16")
    found = small(*LOAD, *shifted, "v_dot2_f32_bf16 v5, v3, v6, v5", target="gfx950")
    assert (found.loaded, found.reached) == (4, 2)


def test_scalar_loads_and_spills_to_lanes_are_followed():
    code = (
        "s_load_dwordx2 s[4:5], s[0:1], 0x8", "s_load_dwordx2 s[6:7], s[4:5], 0x0", "v_writelane_b32 v9, s7, 0",
        "v_fmac_f32_e32 v5, s6, v6", "v_readlane_b32 s8, v9, 0", "v_fmac_f32_e32 v5, s8, v6",
    )  # fmt: skip
    assert small(*code).kept
    assert not small(*code[:-1]).kept


def test_what_is_spilled_is_not_called_lost_but_missing_from_the_count():
    code = (*LOAD, "scratch_store_dword off, v1, off offset:4")
    found = small(*code, weights=Weights(argument=1, expected=2))
    assert (found.kept, found.lost, found.reached) == (False, (), 0)


def test_what_a_comparison_says_is_no_weight():
    found = small(
        *LOAD, "v_cmp_gt_f32_e32 vcc, 0, v1", "v_cndmask_b32_e32 v2, v3, v4, vcc", "v_fmac_f32_e32 v5, v2, v6"
    )
    assert not found.kept


def test_a_path_that_keeps_a_weight_is_enough():
    code = (
        *LOAD, "s_cbranch_scc0 .LBB0_2", "v_mov_b32_e32 v1, 0", "\n.LBB0_2:", "v_fmac_f32_e32 v5, v1, v6",
    )  # fmt: skip
    assert small(*code).kept


def test_weights_of_a_loop_are_followed_around_it():
    code = (*LOAD, "\n.LBB0_1:", "v_fmac_f32_e32 v5, v2, v6", "v_mov_b32_e32 v2, v1", "s_cbranch_scc0 .LBB0_1")
    assert small(*code).kept


@pytest.mark.parametrize("mnemonic", ["v_mfma_f32_4x4x4_16b_bf16", "v_mfma_f32_16x16x16_bf16"])
def test_matrix_operands_are_factors(mnemonic):
    code = (*LOAD[:2], "global_load_dwordx2 v[2:3], v0, s[6:7]")
    assert small(*code, f"{mnemonic} v[8:11], v[2:3], v[4:5], v[8:11]").kept
    assert not small(*code, f"{mnemonic} v[8:11], v[4:5], v[6:7], v[2:5]").kept
