"""Registers whose number is computed, and comparisons with values that nobody has defined."""

import numpy as np
import pytest

from hotloop.compilers import executor
from hotloop.emulate.errors import EmulateError
from hotloop.emulate.launch import Launch, run
from hotloop.emulate.program import load
from hotloop.emulate.sanitizer.findings import Trouble

LANES = 64
ADDRESS = "v_lshlrev_b32_e32 v1, 2, v0\n"
FOUR = "v_add_u32_e32 v8, 100, v0\nv_add_u32_e32 v9, 200, v0\nv_add_u32_e32 v10, 300, v0\nv_add_u32_e32 v11, 400, v0\n"
STORE = "\nglobal_store_dword v1, v4, s[4:5]"


def executed(text, backend=None):
    x = np.zeros(LANES, np.uint32)
    launch = Launch(arguments=[x, x.copy()], grid=(1, 1, 1), workgroup=(LANES, 1, 1), names=["x", "y"])
    done = run(load(text), launch, backend=backend)
    return done.arrays[0], {finding.trouble for finding in done.findings}


def later(body):
    """Return a body as gfx11 writes it."""
    return body.replace("v_add_u32", "v_add_nc_u32").replace("global_store_dword", "global_store_b32")


@pytest.mark.parametrize("index", [0, 2, 3])
def test_a_move_between_switches_reads_the_register_that_the_index_names(listing, index):
    body = f"s_mov_b32 s8, {index}\ns_set_gpr_idx_on s8, gpr_idx(SRC0)\nv_mov_b32_e32 v4, v8\ns_set_gpr_idx_off"
    found, troubles = executed(listing(ADDRESS + FOUR + body + STORE))
    assert (found == np.arange(LANES) + 100 * (index + 1)).all()
    assert not troubles


def test_a_move_between_switches_writes_the_register_that_the_index_names(listing):
    body = "s_mov_b32 s8, 2\ns_set_gpr_idx_on s8, gpr_idx(DST)\nv_mov_b32_e32 v8, v0\ns_set_gpr_idx_off\nv_mov_b32_e32 v4, v10"
    found, troubles = executed(listing(ADDRESS + FOUR + body + STORE))
    assert (found == np.arange(LANES)).all()
    assert not troubles


@pytest.mark.parametrize(
    ("move", "kept"), [("v_movrels_b32_e32 v4, v8", 300), ("v_movreld_b32_e32 v8, v0\nv_mov_b32_e32 v4, v10", 0)]
)
def test_m0_names_registers(listing, move, kept):
    text = later(ADDRESS + FOUR + "s_mov_b32 m0, 2\n" + move + STORE)
    found, troubles = executed(listing(text, target="gfx1100", wave=32))
    assert (found == np.arange(LANES) + kept).all()
    assert not troubles


def test_what_nobody_has_defined_stays_so_through_an_index(listing):
    body = "v_mov_b32_e32 v12, v13\ns_mov_b32 s8, 5\ns_set_gpr_idx_on s8, gpr_idx(SRC0)\nv_mov_b32_e32 v4, v8\ns_set_gpr_idx_off"
    _, troubles = executed(listing(ADDRESS + FOUR + body + STORE))
    assert troubles == {Trouble.UNINITIALISED}


def test_a_register_written_through_an_index_is_defined(listing):
    body = "s_mov_b32 s8, 5\ns_set_gpr_idx_on s8, gpr_idx(DST)\nv_mov_b32_e32 v8, v0\ns_set_gpr_idx_off\nv_mov_b32_e32 v4, v13"
    found, troubles = executed(listing(ADDRESS + FOUR + body + STORE))
    assert (found == np.arange(LANES)).all()
    assert not troubles


def test_an_index_beyond_the_kernels_registers_is_a_sentence(listing):
    body = "s_movk_i32 s8, 0x80\ns_set_gpr_idx_on s8, gpr_idx(SRC0)\nv_mov_b32_e32 v4, v8\ns_set_gpr_idx_off"
    with pytest.raises(EmulateError, match="reaches v8 .* 128"):
        executed(listing(ADDRESS + FOUR + body + STORE))


def test_other_instructions_between_switches_are_a_sentence(listing):
    body = "s_mov_b32 s8, 1\ns_set_gpr_idx_on s8, gpr_idx(SRC0)\nv_add_u32_e32 v4, v8, v9\ns_set_gpr_idx_off"
    with pytest.raises(EmulateError, match="indexed by SRC0"):
        executed(listing(ADDRESS + FOUR + body + STORE))


# -- comparisons for equality -----------------------------------------------------------------------------------------

CHOOSE = "\nv_cndmask_b32_e64 v4, 0, 1, vcc" + STORE
COMPARED = [
    "v_cmp_eq_u32_e32 vcc, 5, v9",
    "v_cmp_ne_u32_e32 vcc, v0, v9",
    "v_cmp_neq_f32_e32 vcc, 1.0, v9",
    "v_cmp_eq_u64_e32 vcc, 7, v[10:11]",
    "s_cmp_eq_u32 s20, 12345\ns_cselect_b64 vcc, -1, 0",
]


@pytest.mark.parametrize("native", [False, True])
@pytest.mark.parametrize("compared", COMPARED)
def test_a_comparison_for_equality_with_an_undefined_value_decides_nothing_defined(listing, compared, native):
    _, troubles = executed(listing(ADDRESS + compared + CHOOSE), executor.native() if native else None)
    assert troubles == {Trouble.UNINITIALISED}


@pytest.mark.parametrize("native", [False, True])
def test_defined_bits_that_decide_a_comparison_are_enough(listing, native):
    body = "v_or_b32_e32 v9, 1, v9\nv_and_b32_e32 v9, 0xff, v9\nv_cmp_eq_u32_e32 vcc, 0x100, v9"
    found, troubles = executed(listing(ADDRESS + body + CHOOSE), executor.native() if native else None)
    assert not found.any()
    assert not troubles


def test_a_packed_instruction_with_too_few_operands_is_a_sentence(listing):
    with pytest.raises(EmulateError, match="v_pk_mul_f32 .* not modelled"):
        load(listing("v_pk_mul_f32 v[0:1], v[0:1]"))
