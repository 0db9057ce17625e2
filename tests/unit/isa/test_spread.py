"""Bytes that lanes, accesses and iterations read again, of code whose addresses were worked out by hand."""

import pytest

from hotloop.isa.dialect import load
from hotloop.isa.spread.again import Spread
from hotloop.isa.summary.regions import regions

AMD = '\t.amdgcn_target "amdgcn-amd-amdhsa--gfx942"\nk:\n\ts_load_dwordx4 s[0:3], s[4:5], 0x0\n\ts_load_dword s8, s[4:5], 0x10\n'
PLACE = "\tv_lshlrev_b32_e32 v1, 2, v0\n"
ROW = """\ts_mul_i32 s9, s7, s8
\tv_add_u32_e32 v1, s9, v0
\tv_lshlrev_b32_e32 v1, 2, v1
\ts_lshl_b32 s10, s8, {shift}
\tv_add_u32_e32 v2, s10, v1
"""
PAIR = """\tv_mov_b32_e32 v6, 0
\tv_mov_b32_e32 v7, v0
\tv_ashrrev_i64 v[2:3], {by}, v[6:7]
\tv_lshl_add_u64 v[2:3], s[0:1], 0, v[2:3]
\tglobal_load_dword v4, v[2:3], off
"""
LOOP = ".L1:\n{body}\ts_add_i32 s12, s12, -1\n\ts_cmp_lg_u32 s12, 0\n\ts_cbranch_scc1 .L1\n"
MOVING = "\tv_add_co_u32_e32 v2, vcc, {step}, v2\n\tv_addc_co_u32_e32 v3, vcc, 0, v3, vcc\n"
POINTER = "\tv_lshl_add_u64 v[2:3], v[0:1], {shift}, s[0:1]\n"
UNIFORM = "\tv_mov_b32_e32 v2, s0\n\tv_mov_b32_e32 v3, s1\n"
SASS = "\t.target\tsm_90\n\t.section\t.text.k\nk:\n"
SASS_PLACE = ("S2R R0, SR_TID.X", "S2UR UR4, SR_CTAID.Y", "LDC.64 R4, c[0x0][0x220]", "LDC.64 R6, c[0x0][0x210]")
WAVE, WARP = 64, 32


def again(text, dialect, lanes):
    (function,) = load(dialect).parse(text)
    return Spread(function, regions(function)[0].hot.instructions).read_again(lanes)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (PLACE + "".join(f"\tglobal_load_dword v{4 + n}, v1, s[0:1] offset:{4 * n}\n" for n in range(3)), 2 * WAVE * 4 - 8),
        (PLACE + "\tglobal_load_dwordx4 v[4:7], v1, s[0:1]\n", WAVE * 16 - (WAVE + 3) * 4),
        ("\tv_lshlrev_b32_e32 v1, 4, v0\n\tglobal_load_dwordx4 v[4:7], v1, s[0:1]\n", 0),
        ("\tv_mul_lo_u32 v1, v0, s8\n\tglobal_load_dword v4, v1, s[0:1]\n\tglobal_load_dword v5, v1, s[0:1] offset:4\n", 0),
        (PLACE + "\tglobal_load_dword v4, v1, s[0:1]\n\tglobal_load_dword v5, v1, s[2:3]\n", 0),
        (PLACE + "\tglobal_load_dword v4, v1, s[0:1]\n\tglobal_store_dword v1, v4, s[0:1]\n", 0),
        (ROW.format(shift=2) + "\tglobal_load_dword v4, v1, s[0:1]\n\tglobal_load_dword v5, v2, s[0:1]\n", WAVE * 4),
        (ROW.format(shift=1) + "\tglobal_load_dword v4, v1, s[0:1]\n\tglobal_load_dword v5, v2, s[0:1]\n", 0),
        (POINTER.format(shift=2) + LOOP.format(body="\tglobal_load_dword v4, v[2:3], off\n" + MOVING.format(step=4)), WAVE * 4 - 4),
        (POINTER.format(shift=2) + LOOP.format(body="\tglobal_load_dword v4, v[2:3], off\n" + MOVING.format(step="0x400")), 0),
        (POINTER.format(shift=4) + LOOP.format(body="\tglobal_load_dword v4, v[2:3], off\n" + MOVING.format(step=4)), 0),
        (POINTER.format(shift=2) + LOOP.format(body="\tglobal_load_dword v4, v[2:3], off\n" + MOVING.format(step="s8")), 0),
        (UNIFORM + LOOP.format(body="\tglobal_load_dwordx4 v[4:7], v[2:3], off\n" + MOVING.format(step=16)), WAVE * 16 - 16),
        (UNIFORM + LOOP.format(body="\tglobal_load_dwordx2 v[2:3], v[2:3], off\n"), 0),
        (PAIR.format(by=30) + "\tglobal_load_dword v5, v[2:3], off offset:4\n", WAVE * 4 - 4),
        (PAIR.format(by=34), WAVE * 4 - 19),
        (PAIR.format(by=34).replace("v6, 0", "v6, v9"), WAVE * 4 - 19),
        (PAIR.format(by=29).replace("v6, 0", "v6, v9"), 0),
        (PLACE + LOOP.format(body="\tglobal_store_dword v1, v4, s[0:1]\n"), WAVE * 4),
        (PLACE + LOOP.format(body="\tv_add_u32_e32 v3, s12, v1\n\tv_min_u32_e32 v3, 0x400, v3\n\tglobal_store_dword v3, v4, s[0:1]\n"), 0),
        ("\tv_and_b32_e32 v1, 7, v0\n\tv_lshl_or_b32 v1, s6, 3, v1\n\tv_lshlrev_b32_e32 v1, 2, v1\n\tglobal_load_dword v4, v1, s[0:1]\n", (WAVE - 8) * 4),
        ("\tv_lshrrev_b32_e32 v1, 4, v0\n\tv_lshlrev_b32_e32 v1, 2, v1\n\tglobal_load_dword v4, v1, s[0:1]\n", (WAVE - 4) * 4),
        ("\tv_lshlrev_b32_e32 v1, 3, v0\n\tv_and_b32_e32 v1, 0x78, v1\n\tglobal_load_dword v4, v1, s[0:1]\n", (WAVE - 16) * 4),
        ("\tv_bfe_u32 v1, v0, 2, 3\n\tv_mul_u32_u24_e32 v1, 0x100, v1\n\tglobal_load_dword v4, v1, s[0:1]\n", (WAVE - 8) * 4),
        ("\tv_dual_mov_b32 v4, 0 :: v_dual_and_b32 v1, 7, v0\n\tv_and_or_b32 v1, v0, 0x30, v1\n\tglobal_load_ubyte v4, v1, s[0:1]\n", WAVE - 32),
        ("\tv_and_b32_e32 v1, 7, v0\n\tv_and_or_b32 v1, 0x7fff8, s2, v1\n\tglobal_load_ubyte v4, v1, s[0:1]\n", WAVE - 8),
        ("\tv_and_b32_e32 v1, 5, v0\n\tglobal_load_ubyte v4, v1, s[0:1]\n", 0),
        (PLACE + "\tglobal_load_dword v2, v1, s[0:1]\n\tglobal_load_dword v5, v2, s[0:1]\n\tglobal_load_dword v6, v2, s[0:1]\n", 0),
    ],
    ids=[
        "neighbours", "wide overlap", "wide apart", "a row for each lane", "two arrays", "written back", "the row below", "half a row below",
        "taps", "next tile", "rows of four", "unknown step", "one for all", "a list", "an index shifted down from a high word", "and its lowest bits lost", "above anything", "above what is not known", "a result at one place", "a place within bounds that moves",
        "eight lanes' places", "a place for sixteen lanes", "shifted, then masked", "rows of four lanes", "halves of a pair", "a group's part", "bits apart", "looked up",
    ],
)  # fmt: skip
def test_what_lanes_of_amd_read_again(code, expected):
    assert again(f"{AMD}{code}\ts_endpgm\n", "amdgcn", WAVE) == expected


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (("IMAD.WIDE R2, R0, 0x4, R6", "LDG.E R8, [R2.64]", "LDG.E R9, [R2.64+0x4]"), WARP * 4 - 4),
        (("HFMA2.MMA R3, -RZ, RZ, 0, 2.384185791015625e-07", "IMAD.WIDE R2, R0, R3, R6", "LDG.E R8, [R2.64]", "LDG.E R9, [R2.64+0x4]"), WARP * 4 - 4),
        (("IMAD R1, R4, UR4, R0", "IADD3 R9, R1, R4, RZ", "IMAD.WIDE R2, R1, 0x4, R6", "IMAD.WIDE R10, R9, 0x4, R6", "LDG.E R8, [R2.64]", "LDG.E R9, [R10.64+0x4]"), WARP * 4 - 4),
        (("IMAD R1, R4, R0, RZ", "IMAD.WIDE R2, R1, 0x4, R6", "LDG.E R8, [R2.64]", "LDG.E R9, [R2.64+0x4]"), 0),
        (("LDG.E R8, desc[UR6][R6.64]",), WARP * 4),
        (("IMAD.WIDE R2, R4, UR4, R6", "LDG.E R8, [R2.64]"), WARP * 4 - 4),
        (("LOP3.LUT R1, R0, 0x7, RZ, 0xc0, !PT", "LEA R1, R4, R1, 0x3", "IMAD.WIDE.U32 R2, R1, 0x2, R6", "LDG.E.U16 R8, [R2.64]"), (WARP - 8) * 2),
        (("SHF.R.U32.HI R1, RZ, 0x3, R0", "IMAD.WIDE.U32 R2, R1, 0x4, R6", "LDG.E R8, [R2.64]"), (WARP - 4) * 4),
        (("SHF.R.S64 R2, RZ, 0x1e, R0", "IADD3 R2, P0, R2, R6, RZ", "LDG.E R8, [R2.64]", "LDG.E R9, [R2.64+0x4]"), WARP * 4 - 4),
        (("SGXT.U32 R1, R0, 0x2", "IMAD.WIDE.U32 R2, R1, 0x4, R6", "LDG.E R8, [R2.64]"), (WARP - 4) * 4),
        (("LEA R2, P0, R0, R6, 0x3", "LDG.E.64 R8, desc[UR6][R2.64]", "LDG.E R10, desc[UR6][R2.64+0x4]"), WARP * 4),
        (("IADD3 R1, R0, -0x1, RZ", "VIMNMX R1, RZ, R1, !PT", "IMAD.WIDE R2, R1, 0x4, R6", "IMAD.WIDE R10, R0, 0x4, R6", "LDG.E R8, [R2.64]", "LDG.E R9, [R10.64]"), WARP * 4 - 4),
    ],
    ids=["neighbours", "a constant as halves", "the row below", "a row for each lane", "one for all", "one for all of a group", "eight threads' places", "a place for eight threads", "an index shifted down from a high word", "its lowest bits", "a part", "held within bounds"],
)  # fmt: skip
def test_what_lanes_of_nvidia_read_again(rows, expected):
    code = "".join(f"        /*{16 * n:04x}*/ {row} ;\n" for n, row in enumerate((*SASS_PLACE, *rows, "EXIT")))
    assert again(SASS + code, "sass", WARP) == expected


SEARCH = """.L_x_1:
        /*0100*/ LDG.E R3, [R4.64] ;
        /*0110*/ ISETP.NE.U32.AND P1, PT, R3, 0x7, PT ;
        /*0120*/ STG.E @!P1 [R2.64], R3 ;
        /*0130*/ IADD3 R4, P2, R4, 0x1000, RZ ;
        /*0140*/ BRA @P1 `(.L_x_1) ;
        /*0150*/ EXIT ;
"""


def test_points_that_every_item_is_compared_with_are_read_once():
    points = SEARCH.replace("LDG.E R3, [R4.64]", "LDG.E.128 R12, [R6.64]").replace(
        "IADD3 R4, P2, R4,", "IADD3 R6, P2, R6,"
    )
    begin = (*SASS_PLACE, "IMAD.WIDE R2, R0, 0x4, R6")
    code = "".join(f"        /*{16 * n:04x}*/ {row} ;\n" for n, row in enumerate(begin))
    assert again(SASS + code + points, "sass", WARP) == WARP * (4 + 16)


def test_what_is_stored_as_a_loop_is_left_counts_once():
    begin = (*SASS_PLACE, "IMAD.WIDE R2, R0, 0x4, R6", "IMAD.WIDE R4, R0, 0x4, R8")
    code = "".join(f"        /*{16 * n:04x}*/ {row} ;\n" for n, row in enumerate(begin))
    assert again(SASS + code + SEARCH, "sass", WARP) == WARP * 4


INDEX = PLACE + "\tglobal_load_dword v2, v1, s[0:1]\n\tv_lshlrev_b32_e32 v2, 4, v2\n"
WIDE = "\tglobal_load_dwordx4 v[4:7], {at}, s[2:3]\n"

DRAWN = "\t{next}\n\tv_lshrrev_b32_e32 v3, 20, v1\n\tv_lshlrev_b32_e32 v3, 4, v3\n" + WIDE.format(at="v3")
"""What a generator's state draws from a table."""

PROBE = """\tglobal_load_dword v2, v1, s[0:1]
\ts_branch .L2
.L1:
\tv_add_u32_e32 v2, 1, v2
\ts_cbranch_scc1 .L3
.L2:
\tv_and_b32_e32 v3, s8, v2
\tv_lshlrev_b32_e32 v3, 4, v3
\tglobal_load_dwordx4 v[4:7], v3, s[2:3]
\ts_cmp_lg_u32 s12, 0
\ts_branch .L1
.L3:
"""


@pytest.mark.parametrize(
    ("code", "found"),
    [
        (PLACE + PROBE, 1),
        (INDEX + WIDE.format(at="v2"), 1),
        (INDEX + "\tv_add_u32_e32 v2, v1, v2\n" + WIDE.format(at="v2"), 0),
        (INDEX + "\tv_and_b32_e32 v3, 15, v0\n\tv_add_u32_e32 v2, v3, v2\n" + WIDE.format(at="v2"), 0),
        (PLACE + "\tv_cvt_f32_u32_e32 v2, v0\n" + WIDE.format(at="v2"), 0),
        (PLACE + "\tds_read_b32 v2, v1\n" + WIDE.format(at="v2"), 1),
        (INDEX + LOOP.format(body="\tglobal_load_dwordx4 v[4:7], v2, s[2:3]\n\tv_add_u32_e32 v2, 16, v2\n"), 0),
        (PLACE + WIDE.format(at="v1"), 0),
        (PLACE + LOOP.format(body=WIDE.format(at="v1") + "\tv_lshlrev_b32_e32 v1, 4, v4\n"), 1),
        (PLACE + LOOP.format(body=DRAWN.format(next="v_mul_lo_u32 v1, 0x19660d, v1")), 1),
        (PLACE + LOOP.format(body=DRAWN.format(next="v_lshlrev_b32_e32 v2, 13, v1\n\tv_xor_b32_e32 v1, v1, v2")), 1),
        (PLACE + LOOP.format(body=DRAWN.format(next="v_add_u32_e32 v1, 0x100, v1")), 0),
    ],
    ids=["probes of a loop entered in its middle", "an element", "a row's part", "a row's part by sixteen lanes", "a hash of the lane", "a stack in local memory", "a list goes on", "a stream", "a chain", "drawn by a product", "drawn by shifts", "the next row"],
)  # fmt: skip
def test_elements_that_lanes_look_up_whatever_their_width(code, found):
    (function,) = load("amdgcn").parse(f"{AMD}{code}\ts_endpgm\n")
    chosen = Spread(function, regions(function)[0].hot.instructions).looked_up()
    assert [i.mnemonic for i in chosen] == ["global_load_dwordx4"] * found


@pytest.mark.parametrize(
    ("code", "found"),
    [
        (INDEX + WIDE.format(at="v2"), 1),
        (INDEX + "\tv_mul_hi_u32 v3, 0x55555556, v0\n\tv_add_u32_e32 v2, v3, v2\n" + WIDE.format(at="v2"), 1),
        (INDEX + LOOP.format(body=WIDE.format(at="v2") + "\tv_add_u32_e32 v2, 16, v2\n"), 1),
        (INDEX + WIDE.format(at="v1"), 0),
    ],
    ids=["an element", "lanes' own parts of rows", "a row goes on", "a stream beside it"],
)
def test_places_that_depend_on_what_lanes_have_loaded(code, found):
    (function,) = load("amdgcn").parse(f"{AMD}{code}\ts_endpgm\n")
    chosen = Spread(function, regions(function)[0].hot.instructions).indexed()
    assert [i.mnemonic for i in chosen] == ["global_load_dwordx4"] * found


COLUMN = """	s_lshl_b32 s9, s6, 8
	v_add_u32_e32 v1, s9, v0
	v_lshlrev_b32_e32 v1, 2, v1
	v_mov_b32_e32 v6, {result}
	s_lshl_b32 s10, s8, 2
"""
PRODUCT = """	global_load_dword v4, v1, s[0:1]
	global_load_dword v5, v7, s[2:3]
	v_fmac_f32_e32 v8, v4, v5
	v_add_u32_e32 v1, s10, v1
	v_add_u32_e32 v7, 4, v7
"""
TALL = "\ts_mul_i32 s11, s7, s8\n\tv_add_u32_e32 v6, s11, v6\n"


@pytest.mark.parametrize(
    ("between", "body", "alone"),
    [("", PRODUCT, True), (TALL, PRODUCT, False), ("", PRODUCT.replace("v4, v1", "v4, v9"), False)],
    ids=["a matrix times a vector", "a product of matrices", "an address that is not known"],
)
def test_operands_that_no_other_group_reads(between, body, alone):
    text = f"{AMD}{COLUMN.format(result='v1')}\tv_mov_b32_e32 v7, 0\n{between}{LOOP.format(body=body)}\tglobal_store_dword v6, v8, s[2:3]\n\ts_endpgm\n"
    (function,) = load("amdgcn").parse(text)
    assert Spread(function, regions(function)[0].hot.instructions).alone() is alone


@pytest.mark.parametrize(
    ("place", "found"), [("F2I.TRUNC.NTZ R9, R8", 1), ("F2I.TRUNC.NTZ R9, R0", 0)], ids=["read", "of the lane"]
)
def test_a_place_that_was_read_as_a_real_number_is_looked_up(place, found):
    rows = (
        *SASS_PLACE,
        "IMAD.WIDE R2, R0, 0x4, R6",
        "LDG.E R8, [R2.64]",
        place,
        "IMAD.WIDE R10, R9, 0x10, R6",
        "LDG.E.128 R12, [R10.64]",
        "EXIT",
    )
    (function,) = load("sass").parse(
        SASS + "".join(f"        /*{16 * n:04x}*/ {row} ;\n" for n, row in enumerate(rows))
    )
    chosen = Spread(function, regions(function)[0].hot.instructions).looked_up()
    assert [i.mnemonic for i in chosen] == ["LDG.E.128"] * found


HALVING = """.L_x_1:
        /*0100*/ IADD3 R12, R8, R11, RZ ;
        /*0110*/ LEA.HI R12, R12, R12, RZ, 0x1 ;
        /*0120*/ SHF.R.S32.HI R12, RZ, 0x1, R12 ;
        /*0130*/ IMAD.WIDE R14, R12, 0x8, R6 ;
        /*0140*/ LDG.E.64 R16, [R14.64] ;
        /*0150*/ ISETP.LT.AND P0, PT, {low}, R20, PT ;
        /*0160*/ SEL R8, R12, R8, P0 ;
        /*0170*/ SEL R11, R11, R12, P0 ;
        /*0180*/ ISETP.GE.AND P1, PT, R8, R11, PT ;
        /*0190*/ BRA @!P1 `(.L_x_1) ;
        /*01a0*/ EXIT ;
"""


@pytest.mark.parametrize(("low", "found"), [("R16", 1), ("R4", 0)], ids=["each lane for itself", "all lanes alike"])
def test_a_search_that_lanes_end_apart_looks_its_places_up(low, found):
    begin = (*SASS_PLACE, "LDC R11, c[0x0][0x218]", "LDC R20, c[0x0][0x228]", "CS2R R8, SRZ")
    code = "".join(f"        /*{16 * n:04x}*/ {row} ;\n" for n, row in enumerate(begin))
    (function,) = load("sass").parse(SASS + code + HALVING.format(low=low))
    chosen = Spread(function, regions(function)[0].hot.instructions).looked_up()
    assert [i.mnemonic for i in chosen] == ["LDG.E.64"] * found


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("\tv_mul_lo_u32 v1, v0, s8\n\tv_lshlrev_b32_e32 v1, 2, v1\n\tglobal_load_dword v4, v1, s[0:1]\n", 1),
        (PLACE + "\tglobal_load_dword v4, v1, s[0:1]\n\tglobal_store_dword v1, v4, s[2:3]\n", 0),
        (ROW.format(shift=2) + "\tglobal_load_dword v4, v1, s[0:1]\n", 0),
        ("\tv_lshlrev_b32_e32 v1, 9, v0\n\tglobal_load_dword v4, v1, s[0:1]\n", 0),
    ],
    ids=["a row each", "neighbours", "a row of the group", "rows of known length"],
)
def test_lanes_that_lie_apart_by_what_the_launch_gives(code, expected):
    """A softmax whose lanes have a row each was called bound by memory, without what makes it move so much."""
    (function,) = load("amdgcn").parse(AMD + code + "\ts_endpgm\n")
    assert len(Spread(function, regions(function)[0].hot.instructions).strided()) == expected
