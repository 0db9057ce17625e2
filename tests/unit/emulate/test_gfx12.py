"""What gfx12 has of its own: a wave's number in a trap register, barriers in two halves, floats of the scalar unit."""

from fractions import Fraction

import numpy as np
import pytest

from hotloop.compilers import executor
from hotloop.emulate.errors import UnmodelledError
from hotloop.emulate.launch import Launch, run
from hotloop.emulate.machine import Options
from hotloop.emulate.program import load
from hotloop.emulate.sanitizer.findings import Trouble
from hotloop.emulate.semantics.functions import two_over_pi

ITEMS, WAVE = 96, 32
NUMBER = """
    s_bfe_u32 s8, ttmp8, 0x50019
    v_and_b32_e32 v1, 31, v0
    s_lshl_b32 s9, s8, 5
    v_or_b32_e32 v1, s9, v1
    v_lshlrev_b32_e32 v1, 2, v1
    v_mov_b32_e32 v2, s8
    global_store_b32 v1, v2, s[6:7]
"""
TURN = """
    v_lshlrev_b32_e32 v1, 2, v0
    v_mov_b32_e32 v2, v0
    ds_store_b32 v1, v2
    s_wait_dscnt 0x0
    s_barrier_signal -1
    s_barrier_wait -1
    v_sub_nc_u32_e32 v3, 0x17c, v1
    ds_load_b32 v4, v3
    s_wait_dscnt 0x0
    global_store_b32 v1, v4, s[6:7]
"""


@pytest.fixture(scope="module")
def native():
    return executor.native()


@pytest.fixture
def executed(listing):
    def call(body, target="gfx1201", backend=None, first=0):
        text = listing(body, target=target, wave=WAVE, lds=4 * ITEMS)
        if target.startswith("gfx12"):
            text = text.replace("s_load_dwordx2", "s_load_b64").replace("s_waitcnt lgkmcnt(0)", "s_wait_kmcnt 0x0")
        launch = Launch(
            arguments=[np.full(ITEMS, first, np.uint32), np.zeros(ITEMS, np.uint32)],
            grid=(1, 1, 1),
            workgroup=(ITEMS, 1, 1),
            fresh=frozenset({1}),
        )
        return run(load(text), launch, Options(), backend=backend)

    return call


@pytest.mark.parametrize("fast", [False, True])
def test_a_wave_finds_its_number_in_the_group(executed, native, fast):
    done = executed(NUMBER, backend=native if fast else None)
    assert done.findings == ()
    assert (done.arrays[1] == np.arange(ITEMS) // WAVE).all()


def test_trap_registers_that_nobody_sets_are_undefined(executed):
    done = executed(NUMBER, target="gfx1100")
    assert Trouble.UNINITIALISED in {one.trouble for one in done.findings}
    assert Trouble.UNINITIALISED in {one.trouble for one in executed(NUMBER.replace("ttmp8", "ttmp3")).findings}


@pytest.mark.parametrize("fast", [False, True])
def test_both_halves_of_a_barrier_are_needed(executed, native, fast):
    backend = native if fast else None
    done = executed(TURN, backend=backend)
    assert done.findings == ()
    assert (done.arrays[1] == np.arange(ITEMS)[::-1]).all()
    lost = executed(TURN.replace("s_barrier_signal -1", "s_nop 0"), backend=backend)
    assert Trouble.NEVER in {one.trouble for one in lost.findings}
    ran_on = executed(TURN.replace("s_barrier_wait -1", "s_nop 0"), backend=backend)
    assert Trouble.LOCAL_RACE in {one.trouble for one in ran_on.findings}


SCALARS = {
    "v_s_rcp_f32 s9, s8": np.float32(1 / 3.5),
    "v_s_exp_f32 s9, s8": np.float32(2**3.5),
    "v_s_sqrt_f32 s9, s8": np.float32(3.5**0.5),
    "s_cvt_f16_f32 s9, s8": np.float16(3.5),
    "s_cvt_f16_f32 s9, s8\ns_mul_f16 s9, s9, s9": np.float16(12.25),
    "s_cvt_f16_f32 s9, s8\nv_s_rcp_f16 s9, s9": np.float16(1 / 3.5),
    "s_cvt_pk_rtz_f16_f32 s9, s8, s8\ns_cvt_hi_f32_f16 s9, s9": np.float32(3.5),
}


@pytest.mark.parametrize("text", SCALARS)
@pytest.mark.parametrize("fast", [False, True])
def test_floats_of_the_scalar_unit(executed, native, text, fast):
    body = f"s_mov_b32 s8, 0x40600000\n{text}\nv_lshlrev_b32_e32 v1, 2, v0\nv_mov_b32_e32 v2, s9\nglobal_store_b32 v1, v2, s[6:7]"
    done = executed(body, backend=native if fast else None)
    wanted = SCALARS[text]
    assert done.findings == ()
    assert (done.arrays[1] == int(wanted.view(f"u{wanted.itemsize}"))).all()


@pytest.mark.parametrize(
    ("load", "wanted"),
    [("u8", 0xFE), ("i8", 0xFFFFFFFE), ("u16", 0x83FE), ("i16", 0xFFFF83FE)],
)
@pytest.mark.parametrize("way", ["s_load_{} s9, s[4:5], 0x2", "s_buffer_load_{} s9, s[8:11], 0x2"])
@pytest.mark.parametrize("fast", [False, True])
def test_scalar_loads_below_a_word(executed, native, load, wanted, way, fast):
    body = f"""
        s_mov_b32 s8, s4
        s_and_b32 s9, s5, 0xffff
        s_mov_b32 s10, 4
        s_mov_b32 s11, 0
        {way.format(load)}
        s_wait_kmcnt 0x0
        v_lshlrev_b32_e32 v1, 2, v0
        v_mov_b32_e32 v2, s9
        global_store_b32 v1, v2, s[6:7]
    """
    done = executed(body, backend=native if fast else None, first=0x83FE0102)
    assert done.findings == ()
    assert (done.arrays[1] == wanted).all()
    outside = executed(body.replace("0x2\n", "0x180\n"), backend=native if fast else None)
    assert (Trouble.BOUNDS in {one.trouble for one in outside.findings}) == ("buffer" not in way)


def test_the_segments_of_two_over_pi_add_up():
    segments = two_over_pi(np.full(3, 1.0), np.arange(3, dtype=np.uint32))
    whole = sum(Fraction(float(one)) for one in segments)
    # 2/pi in hexadecimal to 39 digits, as in tables for reducing angles (Payne and Hanek)
    known = Fraction(int("A2F9836E4E441529FC2757D1F534DDC0DB62959", 16), 16**39)
    assert abs(known - whole) < Fraction(1, 2**155)


SAME_BYTE = """
    v_lshrrev_b32_e32 v5, 5, v0
    v_mov_b32_e32 v1, 3
    v_mov_b32_e32 v2, 0x107
    ds_store_b8 v1, v2
    s_wait_dscnt 0x0
    s_barrier_signal -1
    s_barrier_wait -1
    ds_load_u8 v4, v1
    s_wait_dscnt 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    global_store_b32 v1, v4, s[6:7]
"""


@pytest.mark.parametrize("fast", [False, True])
def test_waves_that_write_the_same_byte_do_not_race_and_others_do(executed, native, fast):
    backend = native if fast else None
    same = executed(SAME_BYTE, backend=backend)
    assert same.findings == ()
    assert (same.arrays[1] == 7).all()
    upper = executed(SAME_BYTE.replace("v_mov_b32_e32 v2, 0x107", "v_lshl_or_b32 v2, v5, 8, 7"), backend=backend)
    assert upper.findings == ()
    other = executed(SAME_BYTE.replace("v_mov_b32_e32 v2, 0x107", "v_mov_b32_e32 v2, v5"), backend=backend)
    assert Trouble.LOCAL_RACE in {one.trouble for one in other.findings}


@pytest.mark.parametrize("fast", [False, True])
def test_a_carry_reads_its_first_operand_through_dpp(executed, native, fast):
    body = """
        v_mov_b32_e32 v2, 0
        v_add_co_u32_e64_dpp v2, vcc_lo, v0, v0 row_shr:1 row_mask:0x1 bank_mask:0xf bound_ctrl:1
        v_lshlrev_b32_e32 v1, 2, v0
        global_store_b32 v1, v2, s[6:7]
    """
    done = executed(body, backend=native if fast else None)
    items, lane = np.arange(ITEMS), np.arange(ITEMS) % WAVE
    sums = items + np.where(lane % 16 > 0, items - 1, 0)
    assert done.findings == ()
    assert (done.arrays[1] == np.where(lane < 16, sums, 0)).all()


def test_what_does_not_know_dpp_says_so(executed):
    with pytest.raises(UnmodelledError, match="its form with DPP"):
        executed("v_dot2c_f32_f16_dpp v2, v0, v0 row_shr:1 row_mask:0xf bank_mask:0xf", target="gfx1100")


HALVES = """
    v_lshlrev_b32_e32 v1, 2, v0
    v_mov_b32_e32 v2, 0x70009
    ds_store_b32 v1, v2
    s_wait_dscnt 0x0
    ds_load_u16_d16 v3, v1
    ds_load_u16_d16_hi v3, v1 offset:2
    s_wait_dscnt 0x1
    global_store_b16 v1, v3, s[6:7]
    v_add_nc_u16 v4.l, v3.l, v3.l
    s_wait_dscnt 0x0
    global_store_d16_hi_b16 v1, v3, s[6:7] offset:2
"""


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize(
    ("operands", "troubles"),
    [("v4.l, v3.l, v3.l", set()), ("v4.l, v3.l, v3.h", {Trouble.WAIT}), ("v3.h, v3.l, v3.l", {Trouble.WAIT})],
)
def test_one_half_of_a_register_is_used_while_a_load_brings_the_other(executed, native, fast, operands, troubles):
    done = executed(HALVES.replace("v4.l, v3.l, v3.l", operands), backend=native if fast else None)
    assert {one.trouble for one in done.findings} == troubles
    assert (done.arrays[1] == 0x70009).all()


def test_one_wave_is_first_at_a_split_barrier_and_lanes_are_permuted_by_a_register(executed):
    body = """
        s_barrier_signal_isfirst -1
        s_cselect_b32 s8, 1, 0
        s_barrier_wait -1
        v_xor_b32_e32 v2, 5, v0
        v_permlanex16_var_b32 v3, v0, v2
        v_lshl_or_b32 v3, s8, 8, v3
        v_lshlrev_b32_e32 v1, 2, v0
        global_store_b32 v1, v3, s[6:7]
    """
    done = executed(body)
    assert done.findings == ()
    assert (done.arrays[1] & 255).tolist() == [(n ^ 16) ^ 5 for n in range(ITEMS)]
    assert (done.arrays[1] >> 8).reshape(-1, WAVE).max(axis=1).sum() == 1


@pytest.mark.parametrize("in_c", [False, True])
@pytest.mark.parametrize(
    ("load_", "brought"),
    [("u8 s8, s[4:5], 0x3", 0xF1), ("i8 s8, s[4:5], 0x3", 0xFFFFFFF1), ("u16 s8, s[4:5], 0x2", 0xF1E2), ("i16 s8, s[4:5], 0x0", 0x3344)],
)  # fmt: skip
def test_bytes_and_halves_are_loaded_into_scalars(executed, native, load_, brought, in_c):
    # A kernel that asks for its block's size loads a half.
    body = f"s_load_{load_}\ns_wait_kmcnt 0x0\nv_mov_b32_e32 v2, s8\nv_lshlrev_b32_e32 v1, 2, v0\nglobal_store_b32 v1, v2, s[6:7]"
    done = executed(body, backend=native if in_c else None, first=0xF1E23344)
    assert done.findings == ()
    assert (done.arrays[1] == brought).all()


SCALED = """
    v_sub_nc_u32_e32 v1, 95, v0
    v_mov_b32_e32 v2, v0
    global_store_b32 v1, v2, s[6:7] scale_offset
"""
BUFFER = """
    s_or_b64 s[8:9], s[6:7], 0x8000000000000000
    s_mov_b32 s10, 2
    s_mov_b32 s11, 0
    v_lshlrev_b32_e32 v1, 2, v0
    v_mov_b32_e32 v2, 7
    buffer_store_b32 v2, v1, s[8:11], null offen
"""
WIDE = """
    v_mov_b32_e32 v3, 0
    v_mad_nc_u64_u32 v[4:5], v0, v0, v[2:3]
    v_lshlrev_b32_e32 v1, 2, v0
    v_dual_mov_b32 v6, v4 :: v_dual_bitop2_b32 v4, 31, v4 bitop3:0x14
    global_store_b32 v1, v4, s[6:7]
"""


@pytest.mark.parametrize("fast", [False, True])
def test_offsets_of_gfx1250_may_count_elements(executed, native, fast):
    done = executed(SCALED, target="gfx1250", backend=native if fast else None)
    assert done.findings == ()
    assert (done.arrays[1] == np.arange(ITEMS)[::-1]).all()


@pytest.mark.parametrize("fast", [False, True])
def test_offsets_of_scalar_loads_may_count_elements(executed, native, fast):
    body = (
        "    s_mov_b32 s8, 1\n    s_load_b64 s[10:11], s[0:1], s8 offset:0x0 scale_offset\n    s_wait_kmcnt 0x0\n"
        + SCALED.replace("s[6:7]", "s[10:11]")
    )
    done = executed(body, target="gfx1250", backend=native if fast else None)
    assert done.findings == ()
    assert (done.arrays[1] == np.arange(ITEMS)[::-1]).all()


def test_descriptors_of_gfx1250_have_other_fields(executed):
    """64 and 2 times 128 bytes are within range: the first 80 elements."""
    done = executed(BUFFER, target="gfx1250")
    assert done.findings == ()
    assert (done.arrays[1] == np.where(np.arange(ITEMS) < 80, 7, done.arrays[1])).all()
    assert (done.arrays[1][80:] != 7).all()


def test_functions_of_bits_and_wide_sums_of_gfx1250(executed):
    done = executed("    v_mov_b32_e32 v2, 5\n" + WIDE, target="gfx1250")
    assert (done.arrays[1] == (np.arange(ITEMS) ** 2 + 5 ^ 31)).all()


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("s_set_vgpr_msb 1", "beyond the 256th"),
        ("global_load_b32 v2, v1, s[6:7] doubled", "nothing is known of doubled"),
        ("v_add_nc_u32_e64 v2, v1, v1 turned:1", "nothing is known of turned"),
        ("scratch_load_b32 v2, v1, off scale_offset", "nothing is known of scale_offset"),
        ("ds_add_u32 v2, v1 gds", "nothing is known of gds"),
        ("v_mfma_f64_4x4x4_4b_f64 v[2:3], v[4:5], v[6:7], v[8:9] neg:[1,0,0]", "nothing is known of neg"),
    ],
)
def test_what_may_change_an_instruction_is_not_passed_over(executed, line, why):
    with pytest.raises(UnmodelledError, match=why):
        executed("    v_mov_b32_e32 v1, 0\n    " + line, target="gfx1250")


COPY = """
    v_lshlrev_b32_e32 v1, 2, v0
    global_load_async_to_lds_b32 v1, v0, s[4:5] scale_offset
    s_wait_asynccnt 0x0
    s_barrier_signal -1
    s_barrier_wait -1
    v_sub_nc_u32_e32 v3, 0x17c, v1
    ds_load_b32 v4, v3
    s_wait_dscnt 0x0
    global_store_b32 v1, v4, s[6:7]
"""
OWN = COPY.replace("v_sub_nc_u32_e32 v3, 0x17c, v1", "v_mov_b32_e32 v3, v1")


def test_copies_of_gfx1250_go_where_each_lane_says(executed):
    done = executed(COPY, target="gfx1250", first=7)
    assert done.findings == ()
    assert (done.arrays[1] == 7).all()


@pytest.mark.parametrize(
    ("body", "trouble"),
    [
        (COPY.replace("s_wait_asynccnt 0x0", ""), Trouble.LOCAL_RACE),
        (COPY.replace("s_wait_asynccnt 0x0", "s_wait_loadcnt 0x0"), Trouble.LOCAL_RACE),
        (COPY.replace("s_barrier_signal -1\n    s_barrier_wait -1", ""), Trouble.LOCAL_RACE),
        (OWN.replace("s_wait_asynccnt 0x0", ""), Trouble.WAIT),
        (COPY.replace("_b32 v1, v0, s", "_b128 v1, v0, s"), Trouble.BOUNDS),
    ],
)
def test_mistakes_with_copies_of_gfx1250(executed, body, trouble):
    assert trouble in {one.trouble for one in executed(body, target="gfx1250").findings}


@pytest.mark.parametrize(
    "line", ["global_load_async_to_lds_b32 v1, v0, s[4:5] offset:4", "global_load_async_to_lds_b8 v1, v0, s[4:5]"]
)
def test_copies_of_gfx1250_that_nobody_describes_are_refused(executed, line):
    with pytest.raises(UnmodelledError, match="async"):
        executed(f"v_mov_b32_e32 v1, 0\n{line}", target="gfx1250")
