import pytest

from hotloop.isa.dialects.amdgcn import DIALECT
from hotloop.isa.dialects.sass import DIALECT as SASS
from hotloop.isa.hot import hot_loop
from hotloop.isa.summary.contraction import contraction, gathered

HEAD = '\t.amdgcn_target "amdgcn-amd-amdhsa--gfx942"\nkernel:\n\ts_mov_b32 s4, 0\n'
TAIL = "\ts_add_i32 s4, s4, 1\n\ts_cmp_lg_u32 s4, s5\n\ts_cbranch_scc1 .LBB0_1\n\ts_endpgm\n"
TILE = """.LBB0_1:
\tds_read_b64 v[10:11], v1
\tds_read_b64 v[12:13], v2
\ts_waitcnt lgkmcnt(0)
\tv_fmac_f32_e32 v20, v10, v12
\tv_fmac_f32_e32 v21, v10, v13
\tv_fmac_f32_e32 v22, v11, v12
\tv_fmac_f32_e32 v23, v11, v13
"""
SQUARES = """.LBB0_1:
\tglobal_load_dwordx2 v[10:11], v1, s[0:1]
\ts_waitcnt vmcnt(0)
\tv_fmac_f32_e32 v20, v10, v10
\tv_fmac_f32_e32 v20, v11, v11
"""
SCALED = """.LBB0_1:
\tglobal_load_dwordx2 v[10:11], v1, s[0:1]
\tglobal_load_dwordx2 v[12:13], v2, s[0:1]
\ts_waitcnt vmcnt(0)
\tv_fma_f32 v14, v10, v12, v30
\tv_fma_f32 v15, v11, v13, v30
\tglobal_store_dwordx2 v1, v[14:15], s[2:3]
"""
FORCES = """.LBB0_1:
\tds_read_b128 v[10:13], v1
\ts_waitcnt lgkmcnt(0)
\tv_sub_f32_e32 v14, v10, v30
\tv_mul_f32_e32 v15, v14, v14
\tv_rsq_f32_e32 v15, v15
\tv_mul_f32_e32 v15, v13, v15
\tv_fmac_f32_e32 v20, v14, v15
"""
WIDENED = """.LBB0_1:
\tglobal_load_dword v10, v1, s[0:1]
\tglobal_load_dword v11, v2, s[0:1]
\ts_waitcnt vmcnt(0)
\tv_lshlrev_b32_e32 v12, 16, v10
\tv_cvt_f32_f16_e32 v13, v11
\tv_fmac_f32_e32 v20, v12, v13
"""
RECURRENCE = """.LBB0_1:
\tglobal_load_dword v10, v1, s[0:1]
\tglobal_load_dword v11, v2, s[0:1]
\ts_waitcnt vmcnt(0)
\tv_fma_f32 v20, v10, v20, v11
\tglobal_store_dword v1, v20, s[2:3]
"""
WEIGHED = """.LBB0_1:
\ts_load_dword s8, s[6:7], 0x0
\tglobal_load_dword v10, v1, s[0:1]
\ts_waitcnt vmcnt(0) lgkmcnt(0)
\tv_fmac_f32_e32 v10, s8, v20
\tglobal_store_dword v1, v10, s[2:3]
"""


@pytest.mark.parametrize(
    ("body", "products", "reuse"),
    [
        (TILE, 4, 1.0),
        (SQUARES, 0, 0.0),
        (SCALED, 0, 0.0),
        (FORCES, 0, 0.0),
        (WIDENED, 1, 0.5),
        (RECURRENCE, 0, 0.0),
        (WEIGHED, 0, 0.0),
    ],
    ids=[
        "tile of a product",
        "sum of squares",
        "element-wise",
        "forces",
        "widened halves",
        "a recurrence",
        "added to what was loaded",
    ],
)
def test_only_carried_sums_of_loaded_products_count(body, products, reuse):
    (function,) = DIALECT.parse(HEAD + body + TAIL)
    found = contraction(hot_loop(function).instructions, "gfx942")
    assert found.products == products
    assert found.reuse == reuse


def test_a_tile_in_sass():
    text = """        .headerflags    @"EF_CUDA_SM90"
        /*0000*/ MOV R20, RZ ;
.L_x_0:
        /*0010*/ LDS.64 R10, [R1] ;
        /*0020*/ LDS.64 R12, [R2] ;
        /*0030*/ FFMA R20, R10, R12, R20 ;
        /*0040*/ FFMA R21, R10, R13, R21 ;
        /*0050*/ FFMA R22, R11, R12, R22 ;
        /*0060*/ @P0 BRA `(.L_x_0) ;
        /*0070*/ EXIT ;
"""
    (function,) = SASS.parse(text)
    found = contraction(hot_loop(function).instructions, "sm_90")
    assert (found.products, found.share, found.loaded) == (3, 1.0, 4)


LOOKUPS = """.LBB0_1:
\tglobal_load_ubyte v10, v1, s[0:1]
\ts_waitcnt vmcnt(0)
\tv_lshlrev_b32_e32 v11, 2, v10
\tglobal_load_dword v12, v11, s[2:3]
\ts_waitcnt vmcnt(0)
\tglobal_store_dword v2, v12, s[4:5]
"""
SHARED_ROW = """.LBB0_1:
\tglobal_load_dword v10, v1, s[0:1]
\ts_waitcnt vmcnt(0)
\tv_readfirstlane_b32 s8, v10
\ts_lshl_b32 s8, s8, 2
\tv_add_u32_e32 v11, s8, v3
\tglobal_load_dword v12, v11, s[2:3]
"""
ROWS = LOOKUPS.replace("global_load_dword v12", "global_load_dwordx4 v[12:15]")
REUSED = """.LBB0_1:
\tglobal_load_dword v12, v11, s[2:3]
\ts_waitcnt vmcnt(0)
\tv_lshlrev_b32_e32 v11, 2, v12
"""
BESIDE = """.LBB0_1:
\tv_lshlrev_b32_e32 v11, 2, v1
\tglobal_load_b32 v10, v11, s[0:1]
\ts_waitcnt vmcnt(0)
\tv_dual_mul_f32 v10, s5, v10 :: v_dual_add_nc_u32 v1, s7, v1
"""


@pytest.mark.parametrize(
    ("body", "looped", "found"),
    [
        (LOOKUPS, True, 1), (BESIDE, True, 0), (SHARED_ROW, True, 0), (ROWS, True, 0), (SQUARES, True, 0), (WIDENED, True, 0),
        (REUSED, True, 1), (REUSED, False, 0),
    ],
    ids=["table", "an index that moves on beside arithmetic", "row of a shared index", "wide rows", "own place", "two operands", "chain", "a register used again behind"],
)  # fmt: skip
def test_single_elements_at_loaded_places_are_lookups(body, looped, found):
    (function,) = DIALECT.parse(HEAD + body + TAIL)
    assert len(gathered(hot_loop(function).instructions, "gfx942", looped=looped)) == found


DUAL = """.LBB0_1:
\tds_load_b64 v[10:11], v1
\tds_load_b64 v[12:13], v2
\ts_waitcnt lgkmcnt(0)
\tv_dual_fmac_f32 v20, v10, v12 :: v_dual_fmac_f32 v21, v11, v13
\tv_dual_fmac_f32 v22, v10, v13 :: v_dual_add_nc_u32 v1, s4, v1
\tv_fmac_f32_e32 v23, v11, v12
"""
KEPT_ELSEWHERE = """.LBB0_1:
\tds_read_b64 v[10:11], v1
\tds_read_b64 v[12:13], v2
\tv_mov_b32_e32 v20, v30
\ts_waitcnt lgkmcnt(0)
\tv_fmac_f32_e32 v20, v10, v12
\tv_fmac_f32_e32 v20, v11, v13
\tv_mov_b32_e32 v30, v20
"""
HALVES = """.LBB0_1:
\tds_read_b32 v10, v1
\tds_read_b64 v[12:13], v2
\ts_waitcnt lgkmcnt(0)
\tv_pk_fma_f32 v[20:21], v[10:11], v[12:13], v[20:21] op_sel_hi:[0,1,1]
"""
RESET = """.LBB0_1:
\tds_read_b64 v[10:11], v1
\tv_mov_b32_e32 v20, 0
\ts_waitcnt lgkmcnt(0)
\tv_fmac_f32_e32 v20, v10, v11
\tglobal_store_dword v1, v20, s[2:3]
"""


@pytest.mark.parametrize(("body", "share"), [(DUAL, 1.0), (KEPT_ELSEWHERE, 1.0), (HALVES, 1.0), (RESET, 0.0)])
def test_products_in_pairs_in_other_registers_and_of_halves(body, share):
    (function,) = DIALECT.parse((HEAD + body + TAIL).replace("gfx942", "gfx1100" if "dual" in body else "gfx942"))
    assert contraction(hot_loop(function).instructions, function.target).share == share
