"""The report's form filled from small pieces of code."""

import pytest

from hotloop.isa.dialect import load
from hotloop.isa.summary.build import Source, report
from hotloop.isa.summary.regions import regions

LOOP = """
\t.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
\t.type\tk,@function
k:
\ts_mov_b32 s8, 0
.LBB0_1:
\tglobal_load_dwordx4 v[0:3], v[8:9], off
\ts_waitcnt vmcnt(0)
{between}
\tglobal_load_dwordx4 v[4:7], v[8:9], off offset:16
\ts_waitcnt vmcnt(0)
\tv_fmac_f32_e32 v10, v0, v4
\tv_fmac_f32_e32 v10, v1, v5
\ts_nop 3
\ts_add_u32 s8, s8, 1
\ts_cmp_lg_u32 s8, 24
\ts_cbranch_scc1 .LBB0_1
\ts_endpgm
.Lend:
\t.size\tk, .Lend-k
"""
SASS = """
\t.target\tsm_90
\t.section\t.text.k,"ax",@progbits
k:
        /*0000*/                   MOV R1, R2 ;
.L_x_0:
        /*0010*/                   LDG.E R4, [R2.64] ;
        /*0020*/                   FFMA R5, R4, R4, R5 ;
        /*0030*/              @!P0 BRA `(.L_x_0) ;
        /*0040*/                   EXIT ;
"""


def made(text, dialect="amdgcn"):
    (function,) = load(dialect).parse(text)
    return report(function, Source(dialect=dialect, origin="test"))


def test_hot_loop_with_counts_per_multiply_add():
    found = made(LOOP.format(between=""))
    hot = found.hot
    assert (hot.number, hot.depth, hot.instructions, hot.trips) == (0, 1, 10, 24)
    assert (hot.unit, hot.units) == ("FMA", 2)
    counts = {c.what: (c.count, c.per_unit) for c in hot.counts}
    assert counts["global load"] == (2, 1.0)
    assert counts["wait"] == (2, 1.0)
    assert sum(c.count for c in hot.counts) == hot.instructions
    assert sum(c.share for c in hot.counts) == pytest.approx(1)
    assert [(w.what, w.bits, w.count) for w in hot.widths] == [("global load", 128, 2)]


def test_serial_loads_and_their_waits():
    found = made(LOOP.format(between=""))
    assert found.hot.serial_loads == 2
    (loads,) = found.hot.hiding
    assert (loads.group, loads.operations, loads.verdict) == ("global loads", 2, "exposed")
    first = found.hot.waits[0]
    assert first.counter == "vmcnt(0)"
    assert [(b.mnemonic, b.count, b.instructions) for b in first.blockers] == [("global_load_dwordx4", 1, 1)]
    assert found.evidence.get("isa.serial_loads") == 2
    assert found.evidence.get("isa.global_stall_share") > 0.9
    assert found.evidence.get("isa.wait_states_share") == pytest.approx(16 / found.hot.cycles)


def test_a_load_before_other_work_is_not_serial():
    work = "\n".join("\tv_mul_f32_e32 v11, v11, v11" for _ in range(40))
    found = made(LOOP.format(between=work).replace("off\n\ts_waitcnt vmcnt(0)", "off", 1))
    assert found.hot.serial_loads == 0


def batched(*steps):
    """Return a loop of four loads that are issued together, each waited for at a place of its own as `steps` say."""
    loads = "\n".join(f"\tglobal_load_dword v{n}, v[0:1], off offset:{4 * n}" for n in range(2, 6))
    sums = "\n".join(
        f"\ts_waitcnt vmcnt({left})\n\tv_add_f32_e32 v9, v9, v{n}" for n, left in zip(range(2, 6), steps, strict=True)
    )
    return f'\t.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"\nk:\n\ts_mov_b32 s4, 0\n.L:\n{loads}\n{sums}\n\ts_add_i32 s4, s4, 1\n\ts_cmp_lt_i32 s4, s5\n\ts_cbranch_scc1 .L\n\ts_endpgm\n'


BATCH = """
	code for sm_75
		Function : rowsum
        /*00f0*/                   MOV R2, R8 ;  /* 0x0000000800027202 */
        /* 0x000fe20000000f00 */
        /*0100*/                   IMAD.MOV.U32 R3, RZ, RZ, R9 ;  /* 0x000000ffff037224 */
        /* 0x000fd000078e0009 */
        /*0110*/                   LDG.E.SYS R6, [R2] ;  /* 0x0000000002067381 */
        /* 0x000ea800001ee900 */
        /*0120*/                   LDG.E.SYS R5, [R2+0x4] ;  /* 0x0000040002057381 */
        /* 0x000ee800001ee900 */
        /*0130*/                   LDG.E.SYS R8, [R2+0x8] ;  /* 0x0000080002087381 */
        /* 0x000f2800001ee900 */
        /*0140*/                   LDG.E.SYS R10, [R2+0xc] ;  /* 0x00000c00020a7381 */
        /* 0x000f6200001ee900 */
        /*0150*/                   IADD3 R4, R4, -0x4, RZ ;  /* 0xfffffffc04047810 */
        /* 0x000fc80007ffe0ff */
        /*0160*/                   ISETP.GT.AND P1, PT, R4, 0x3, PT ;  /* 0x000000030400780c */
        /* 0x000fe20003f24270 */
        /*0170*/                   FADD R6, R6, R7 ;  /* 0x0000000706067221 */
        /* 0x004fc80000000000 */
        /*0180*/                   FADD R5, R6, R5 ;  /* 0x0000000506057221 */
        /* 0x008fc80000000000 */
        /*0190*/                   FADD R5, R5, R8 ;  /* 0x0000000805057221 */
        /* 0x010fe20000000000 */
        /*01a0*/                   IADD3 R8, P2, R2, 0x10, RZ ;  /* 0x0000001002087810 */
        /* 0x000fc60007f5e0ff */
        /*01b0*/                   FADD R7, R5, R10 ;  /* 0x0000000a05077221 */
        /* 0x020fe20000000000 */
        /*01c0*/                   IADD3.X R9, RZ, R3, RZ, P2, !PT ;  /* 0x00000003ff097210 */
        /* 0x000fe200017fe4ff */
        /*01d0*/               @P1 BRA 0xf0 ;  /* 0xffffff1000001947 */
        /* 0x000fea000383ffff */
        /*01e0*/  EXIT ;  /* 0x000000000000794d */
        /* 0x000fea0003800000 */
"""
"""Sums of a row by ptxas 12.8 for sm_75: four loads, each with a scoreboard of its own."""


def test_loads_that_are_issued_together_are_not_serial_however_they_are_waited_for():
    assert made(batched(3, 2, 1, 0)).hot.serial_loads <= 1
    assert made(batched(0, 0, 0, 0)).hot.serial_loads <= 1
    found = made(BATCH, "sass")
    assert (found.hot.depth, found.hot.serial_loads) == (1, 0)


def test_narrow_and_wide_loads():
    wide, narrow = LOOP.format(between=""), LOOP.format(between="").replace("dwordx4 v[0:3]", "dword v0")
    assert made(wide).evidence.get("isa.narrow_global_share") == 0
    assert made(narrow).evidence.get("isa.narrow_global_share") == 0.5


def test_what_the_input_does_not_say_is_absent_with_a_reason():
    found = made(LOOP.format(between=""))
    assert found.resources is None
    assert ".amdgpu_metadata" in found.why_no_resources
    assert "isa.vgpr_spills" not in found.evidence
    assert found.evidence.why_absent("isa.vgpr_spills") == "the input does not say"


@pytest.mark.parametrize(
    ("accesses", "spilled"),
    [
        (("STL.64 [R1+0x8], R4", "LDL.LU.64 R4, [R1+0x8]", "STL [R1], R6", "LDL R6, [R1]"), 3),
        (("STL [R1+0x8], R4", "STL [R1+0xc], R4", "LDL R4, [R7+0x8]", "LDL R4, [R1+0xc]"), 0),
        (("STL [R1+0x8], R4", "STL [R1+0xc], R4", "LDL R4, [R7]", "LDL.LU R4, [R1+0xc]"), 1),
        ((), 0),
    ],
    ids=["spills", "array", "both", "neither"],
)
def test_registers_that_ptxas_spilled_are_counted_in_the_code(accesses, spilled):
    rows = "".join(
        f"        /*{0x100 + 16 * at:04x}*/                   {text} ;\n" for at, text in enumerate(accesses)
    )
    found = made(SASS.replace("        /*0040*/", f"{rows}        /*0400*/"), "sass")
    assert found.evidence.get("isa.vgpr_spills") == spilled


def test_sass_without_scheduling_control_says_what_is_missing():
    found = made(SASS, "sass")
    assert found.target == "sm_90"
    assert (found.hot.depth, found.hot.units) == (1, 1)
    assert "give the cubin" in found.hot.why_no_hiding
    assert found.hot.cycles is None
    assert "isa.stall_share" not in found.evidence


def test_straight_line_code_leaves_out_padding_that_nothing_reaches():
    text = """
\t.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"
\t.type\tk,@function
k:
\ts_branch .LBB0_1
\ts_nop 0
\ts_nop 0
.LBB0_1:
\tv_mov_b32_e32 v0, 0
\ts_endpgm
.Lend:
\t.size\tk, .Lend-k
"""
    (function,) = load("amdgcn").parse(text)
    (region,) = regions(function)
    assert [i.mnemonic for i in region.hot.instructions] == ["s_branch", "v_mov_b32_e32", "s_endpgm"]


def test_regions_name_every_loop_once_with_the_hot_one_first():
    text = LOOP.format(between="").replace(
        "\ts_endpgm", ".LBB0_2:\n\ts_sub_u32 s9, s9, 1\n\ts_cmp_lg_u32 s9, 0\n\ts_cbranch_scc1 .LBB0_2\n\ts_endpgm"
    )
    (function,) = load("amdgcn").parse(text)
    found = regions(function)
    assert [r.rank for r in found] == [0, 1]
    assert len(found[1].hot.instructions) == 3
