"""SASS text: rows, labels, classes, control bits and registers, on single instructions."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hotloop.errors import UsageError
from hotloop.isa.detect import dialect_of
from hotloop.isa.dialects.sass import DIALECT
from hotloop.isa.hot import hot_loop
from hotloop.isa.instruction import InstructionKind as K
from hotloop.isa.instruction import MemorySpace as S
from hotloop.isa.nvidia import control
from hotloop.isa.nvidia.classify import classify
from hotloop.isa.nvidia.listing import routines
from hotloop.isa.nvidia.registers import effects
from hotloop.isa.nvidia.scheduled import read
from hotloop.isa.trips import most_trips

NVDISASM = """
\t.target\tsm_90
\t.section\t.text.loop,"ax",@progbits
        .global         loop
        .type           loop,@function
loop:
.text.loop:
        /*0000*/                   MOV R1, c[0x0][0x28] ;  /* 0x00000a0000017a02 */
                                                           /* 0x000fe40000000f00 */
.L_x_0:
        /*0010*/               @P0 FADD R2, R2, R3 ;       /* 0x0000000302020221 */
                                                           /* 0x001fe20000000000 */
        /*0020*/              @!P1 BRA `(.L_x_0) ;         /* 0xfffffffc00f49947 */
                                                           /* 0x000fea000383ffff */
        /*0030*/                   EXIT ;                  /* 0x000000000000794d */
                                                           /* 0x000fea0003800000 */
.L_x_1:
        /*0040*/                   BRA `(.L_x_1);
        .type           inner,@function
inner:
        /*0050*/                   RET.REL.NODEC R20 `(loop) ;
"""
CUOBJDUMP = """
	code for sm_80
		Function : loop
	.headerflags	@"EF_CUDA_SM80 EF_CUDA_VIRTUAL_SM(EF_CUDA_SM80)"
        /*0000*/                   MOV R1, c[0x0][0x28] ;   /* 0x00000a0000017a02 */
                                                            /* 0x000fe40000000f00 */
        /*0010*/              @!P1 BRA 0x0 ;                /* 0xfffffffc00f49947 */
                                                            /* 0x000fea000383ffff */
        /*0020*/                   EXIT ;                   /* 0x000000000000794d */
                                                            /* 0x000fea0003800000 */
"""


def one(text):
    (function,) = DIALECT.parse(text)
    (instruction,) = function.instructions
    return instruction


def test_functions_labels_and_branches_of_nvdisasm():
    loop, inner = DIALECT.parse(NVDISASM)
    assert (loop.name, loop.target, loop.code_bytes) == ("loop", "sm_90", 5 * 16)
    assert [i.address for i in loop.instructions] == [0, 0x10, 0x20, 0x30, 0x40]
    assert [i.target for i in loop.instructions] == [None, None, 0x10, None, 0x40]
    assert [i.traits.falls_through for i in loop.instructions] == [True, True, True, False, False]
    assert loop.instructions[1].operands == "@P0 R2, R2, R3"
    assert NVDISASM.split("\n")[loop.instructions[1].line - 1].strip().startswith("/*0010*/")
    assert (inner.name, inner.instructions[0].kind) == ("inner", K.RETURN)


def test_functions_and_branches_of_cuobjdump():
    (function,) = DIALECT.parse(CUOBJDUMP)
    assert (function.name, function.target) == ("loop", "sm_80")
    assert function.instructions[1].target == 0


def test_rows_without_addresses_are_numbered():
    bare = "\n".join(line.split("*/", 1)[-1].split("/*")[0] for line in NVDISASM.split("\n"))
    loop, inner = DIALECT.parse(bare)
    assert [i.address for i in (*loop.instructions, *inner.instructions)] == [0, 0x10, 0x20, 0x30, 0x40, 0x50]
    assert loop.instructions[2].target == 0x10


def test_rows_that_a_profiler_shows_end_without_a_semicolon():
    shown = "k:\n MOV R1, c[0x0][0x28]\n@P0 EXIT\n LDG.E R4, desc[UR4][R2.64]\n STG.E desc[UR4][R2.64], R4\n the end\n EXIT\n"
    (function,) = DIALECT.parse(shown)
    assert [i.mnemonic for i in function.instructions] == ["MOV", "EXIT", "LDG.E", "STG.E", "EXIT"]


def test_indexed_branches_lead_to_all_their_targets():
    text = NVDISASM.replace("EXIT ;", 'BRX R4 -0x40 (*"BRANCH_TARGETS .L_x_0,.L_x_1,.L_gone"*) ;')
    loop = next(routines(text))
    assert loop.rows[3].targets == (0x10, 0x40)


ANNOTATED = """
	code for sm_120
		Function : rowsum
        /*0110*/                   LDG.E R0, desc[UR6][R2.64]                    &wr=0x3                  ?trans4;           /* 0x0000000602007981 */
                                                                                                                             /* 0x000ee8000c1e1900 */
        /*0120*/                   LDG.E R15, desc[UR6][R2.64+0xc]               &req={2} &rd=0x0 &wr=0x2 ?trans1;           /* 0x00000c06020f7981 */
                                                                                                                             /* 0x0040a2000c1e1900 */
        /*0130*/                   FADD R0, R0, R9                               &req={3}                 ?WAIT4_END_GROUP;  /* 0x0000000900007221 */
                                                                                                                             /* 0x008fc80000000000 */
        /*0140*/                   BRA.U UP1, 0x110                                                       ?trans6;           /* 0x00000001013c7547 */
                                                                                                                             /* 0x000fec000b800000 */
        /*0150*/                   EXIT                                                                   ?trans5;           /* 0x000000000000794d */
                                                                                                                             /* 0x000fea0003800000 */
"""


def test_scoreboards_that_the_newest_disassembler_writes_behind_operands_are_none_of_them():
    (function,) = DIALECT.parse(ANNOTATED)
    assert [i.operands for i in function.instructions] == [
        "R0, desc[UR6][R2.64]",
        "R15, desc[UR6][R2.64+0xc]",
        "R0, R0, R9",
        "UP1, 0x110",
        "",
    ]
    assert function.instructions[3].target == 0x110
    assert hot_loop(function).depth == 1
    (bare,) = DIALECT.parse(re.sub(";.*", "", ANNOTATED))
    assert bare.instructions[3].target == 0x110


def test_columns_after_the_code_are_no_instructions():
    text = NVDISASM.replace("EXIT ;", "EXIT ;    // |  3 ^ v FADD R1, R2, R3 ;")
    assert len(DIALECT.parse(text)[0].instructions) == 5


@pytest.mark.parametrize(
    "text", ["", "\n\n", "garbage", "\x00\x01", "mov.u32 %r1, %r2;", "v_add_f32 v0, v1, v2", "Function : f"]
)
def test_what_is_no_sass_has_no_functions(text):
    assert DIALECT.parse(text) == ()


def test_older_processors_are_refused_with_what_to_do():
    with pytest.raises(UsageError, match=r"sm_61.*sm_70"):
        DIALECT.parse("\t.target\tsm_61\n        /*0008*/                   MOV R1, c[0x0][0x20] ;")


def test_machine_code_alone_is_refused():
    with pytest.raises(ValueError, match="nvdisasm"):
        DIALECT.decode(bytes(16), 0, "k")


CLASSES = [
    ("FFMA.FTZ", "R1, R2, R3, R1", K.FMA, 32), ("DFMA", "R2, R4, R6, R2", K.FMA, 64), ("HFMA2", "R1, R2, R3, R1", K.FMA, 32),
    ("HFMA2.MMA", "R5, -RZ, RZ, 0, 1", K.MOVE, 32), ("FFMA2", "R2, R4, R6, R2", K.FMA, 64), ("FADD", "R1, R2, R3", K.MULADD, 32),
    ("HADD2.F32", "R1, -RZ, R2.H0_H0", K.CONVERSION, 32), ("HMMA.16816.F32", "R4, R8, R12, R4", K.MATRIX, 128),
    ("HMMA.16816.F16", "R4, R8, R12, R4", K.MATRIX, 64), ("IMMA.16832.S8.S8", "R4, R8.ROW, R12.COL, R4", K.MATRIX, 128),
    ("HGMMA.64x128x16.F32", "R24, gdesc[UR4], R24, gsb0", K.MATRIX, 2048), ("UTCHMMA", "gdesc[UR4], gdesc[UR6], tmem[UR8], tmem[UR9], idesc[UR10], UP0", K.MATRIX, 2048),
    ("QMMA.16832.F32.E4M3.E4M3", "R4, R8, R12, R4", K.MATRIX, 128), ("MUFU.EX2", "R1, R2", K.ARITHMETIC, 32),
    ("F2FP.BF16.F32.PACK_AB", "R1, R2, R3", K.CONVERSION, 32), ("I2F.F64", "R2, R4", K.CONVERSION, 64),
    ("IMAD.MOV.U32", "R1, RZ, RZ, R2", K.MOVE, 32), ("IMAD.WIDE", "R2, R0, 0x4, R6", K.ADDRESS, 64),
    ("IMAD.WIDE.U32", "R2, R0, R5, RZ", K.INTEGER, 64), ("LEA.HI.X", "R1, R2, c[0x0][0x164], R3, 0x2, P0", K.ADDRESS, 32),
    ("IADD3", "R1, R2, R3, RZ", K.INTEGER, 32), ("UIADD3", "UR4, UR4, 0x1, URZ", K.SCALAR, 0), ("R2UR", "UR4, R2", K.SCALAR, 0),
    ("ULDC.64", "UR4, c[0x0][0x118]", K.SCALAR_LOAD, 0), ("SHFL.BFLY", "PT, R1, R2, 0x1, 0x1f", K.SHUFFLE, 32),
    ("BAR.SYNC.DEFER_BLOCKING", "0x0", K.BARRIER, 0), ("DEPBAR.LE", "SB0, 0x0", K.WAIT, 0), ("WARPSYNC.ALL", "", K.WAIT, 0),
    ("SYNCS.PHASECHK.TRANS64.TRYWAIT", "P0, [R3+URZ], R4", K.WAIT, 0), ("SYNCS.ARRIVE.TRANS64", "RZ, [UR4], RZ", K.BARRIER, 0),
    ("WARPGROUP.DEPBAR.LE", "gsb0, 0x0", K.WAIT, 0), ("CALL.REL.NOINC", "`(f)", K.CALL, 0), ("CALL.REL.NOINC", "`(.L_x_1)", K.BRANCH, 0),
    ("BRA", "`(.L_x_1)", K.BRANCH, 0), ("EXIT", "", K.RETURN, 0), ("NOP", "", K.NOP, 0), ("CCTL.IVALL", "", K.WAIT, 0),
    ("UWHATEVER", "UR4, UR5", K.SCALAR, 0), ("FROBNICATE", "R1, R2", K.OTHER, 32),
]  # fmt: skip


@pytest.mark.parametrize(("mnemonic", "operands", "kind", "bits"), CLASSES)
def test_classes(mnemonic, operands, kind, bits):
    traits = classify(mnemonic, operands)
    assert (traits.kind, traits.bits) == (kind, bits)


MEMORY = [
    ("LDG.E.128.CONSTANT", "R8, [R2.64]", K.LOAD, S.GLOBAL, 128, True, False), ("LDG.E", "R8, desc[UR4][R2.64]", K.LOAD, S.GLOBAL, 32, True, False),
    ("LDG.E.LTC128B.U8", "R8, [R2.64]", K.LOAD, S.GLOBAL, 8, True, False), ("STG.E.64", "[R2.64], R4", K.STORE, S.GLOBAL, 64, False, True),
    ("LDS.U.128", "R8, [R2]", K.LOAD, S.LOCAL, 128, True, False), ("STS.U16", "[R2], R4", K.STORE, S.LOCAL, 16, False, True),
    ("LDSM.16.MT88.4", "R8, [R2]", K.LOAD, S.LOCAL, 128, True, False), ("STSM.16.M88.2", "[R2], R8", K.STORE, S.LOCAL, 64, False, True),
    ("LDGSTS.E.BYPASS.LTC128B.128", "[R2], [R4.64]", K.COPY, S.GLOBAL, 128, True, True), ("UTMALDG.2D", "[UR4], [UR8]", K.COPY, S.GLOBAL, 0, True, True),
    ("UBLKCP.S.G", "[UR4], [UR6], UR8", K.COPY, S.GLOBAL, 0, True, True), ("CCTL.E.PF2", "[R2]", K.COPY, S.GLOBAL, 0, True, False),
    ("LDL.LU.64", "R8, [R1]", K.STACK, S.SCRATCH, 64, True, False), ("STL", "[R1+0x4], R8", K.STACK, S.SCRATCH, 32, False, True),
    ("LDC.64", "R8, c[0x0][0x210]", K.SCALAR_LOAD, S.CONSTANT, 64, True, False), ("ATOMG.E.ADD.F64.RN.STRONG.GPU", "PT, R2, [R4.64], R6", K.ATOMIC, S.GLOBAL, 64, True, True),
    ("RED.E.ADD.STRONG.GPU", "[R2.64], R4", K.ATOMIC, S.GLOBAL, 32, True, True), ("ATOMS.ADD", "RZ, [R2], R4", K.ATOMIC, S.LOCAL, 32, True, True),
    ("LDTM.x64", "R4, tmem[UR4]", K.LOAD, None, 2048, True, False), ("HGMMA.64x64x16.F32", "R24, gdesc[UR4], R24", K.MATRIX, S.LOCAL, 0, True, False),
]  # fmt: skip


@pytest.mark.parametrize(("mnemonic", "operands", "kind", "space", "bits", "reads", "writes"), MEMORY)
def test_memory(mnemonic, operands, kind, space, bits, reads, writes):
    traits = classify(mnemonic, operands)
    if mnemonic != "LDTM.x64":
        assert traits.space is space
    assert (traits.kind, traits.memory_bits, traits.reads_memory, traits.writes_memory) == (kind, bits, reads, writes)
    assert traits.stack == (kind is K.STACK)


@pytest.mark.parametrize(
    ("text", "falls"),
    [("BRA `(.L) ;", False), ("@P0 BRA `(.L) ;", True), ("BRA P1, `(.L) ;", True), ("BRA.U !UP0, `(.L) ;", True),
     ("BRA.DIV `(.L) ;", True), ("BRA.CONV `(.L) ;", True), ("@!P3 EXIT ;", True), ("@P0 CALL.REL.NOINC `(.L_x_1) ;", True),
     ("CALL.REL.NOINC `(.L_x_1) ;", False), ("RET.REL.NODEC R20 `(k) ;", False)],
)  # fmt: skip
def test_where_control_may_go_on(text, falls):
    assert one(text).traits.falls_through is falls


def regs(text):
    return frozenset(text.split())


REGISTERS = [
    ("FFMA R1, R2, R3.reuse, -|R4| ;", "R1", "R2 R3 R4"), ("@!P2 FADD R1, R2, RZ ;", "R1", "R2 P2"),
    ("LDG.E.128 R8, desc[UR4][R2.64+0x10] ;", "R8 R9 R10 R11", "R2 R3 UR4 UR5"), ("LDG.E R8, [R2] ;", "R8", "R2 R3"),
    ("STG.E.64 [R2.64], R4 ;", "", "R2 R3 R4 R5"), ("LDS.64 R8, [R2.X4+UR5+0x8] ;", "R8 R9", "R2 UR5"),
    ("ISETP.GE.AND P0, PT, R0, c[0x0][0x160], P3 ;", "P0", "R0 P3"), ("IADD3 R1, P0, P1, R2, R3, RZ ;", "R1 P0 P1", "R2 R3"),
    ("IADD3.X R1, PT, PT, R2, R3, RZ, P0, !P1 ;", "R1", "R2 R3 P0 P1"), ("IMAD.WIDE.U32 R4, P2, R2, 0x3, R6 ;", "R4 R5 P2", "R2 R6 R7"),
    ("IMAD.HI.U32 R4, R2, R3, RZ ;", "R4", "R2 R3"), ("DFMA R4, R2, R6, R4 ;", "R4 R5", "R2 R3 R6 R7 R4 R5"),
    ("HMMA.16816.F32 R4, R8, R12, R4 ;", "R4 R5 R6 R7", "R8 R9 R10 R11 R12 R13 R4 R5 R6 R7"),
    ("HMMA.16816.F16 R4, R8, R12, RZ ;", "R4 R5", "R8 R9 R10 R11 R12 R13"), ("IMMA.8816.S8.S8 R4, R8.ROW, R9.COL, R4 ;", "R4 R5", "R8 R9 R4 R5"),
    ("DMMA.8x8x4 R8, R4, R6, R8 ;", "R8 R9 R10 R11", "R4 R5 R6 R7 R8 R9 R10 R11"), ("SHFL.BFLY PT, R5, R4, 0x1, 0x1f ;", "R5", "R4"),
    ("F2F.F64.F32 R4, R2 ;", "R4 R5", "R2"), ("F2I.S64.F64.TRUNC R4, R2 ;", "R4 R5", "R2 R3"), ("I2F.U64 R4, R2 ;", "R4", "R2 R3"),
    ("MUFU.RCP64H R4, R3 ;", "R4", "R3"), ("CS2R R4, SRZ ;", "R4 R5", ""), ("R2P PR, R3, 0x5 ;", "P0 P2", "R3"), ("P2R R3, PR, RZ, 0x3 ;", "R3", "P0 P1"),
    ("LOP3.LUT P0, RZ, R2, 0x3, RZ, 0xc0, !PT ;", "P0", "R2"), ("VOTE.ANY R5, PT, P0 ;", "R5", "P0"), ("R2UR UR4, R2 ;", "UR4", "R2"),
    ("HGMMA.64x16x16.F32 R24, gdesc[UR4], R24, gsb0 ;", "R24 R25 R26 R27 R28 R29 R30 R31", "R24 R25 R26 R27 R28 R29 R30 R31 UR4 UR5 UR6 UR7"),
    ("UTMALDG.2D [UR4], [UR8] ;", "", "UR4 UR5 UR6 UR7 UR8 UR9"), ("SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [R3+URZ], R4 ;", "P0", "R3 R4"),
    ("ATOMG.E.CAS.64 PT, R4, [R2.64], R6, R8 ;", "R4 R5", "R2 R3 R6 R7 R8 R9"), ("RET.REL.NODEC R20 `(k) ;", "", "R20 R21"), ("BSSY B0, `(.L_x_1) ;", "", ""),
]  # fmt: skip


@pytest.mark.parametrize(("text", "writes", "reads"), REGISTERS)
def test_registers(text, writes, reads):
    found = effects(one(text))
    assert (found.writes, found.reads) == (regs(writes), regs(reads))


@given(st.integers(0, 15), st.booleans(), st.integers(0, 7), st.integers(0, 7), st.integers(0, 63), st.integers(0, 15))
def test_control_fields_come_back(stall, yields, write, read_barrier, mask, reuse):
    field = stall | (not yields) << 4 | write << 5 | read_barrier << 8 | mask << 11 | reuse << 17
    found = control.decode(field << control.FIRST_BIT | (1 << control.FIRST_BIT) - 1)
    assert (found.stall_cycles, found.yields, found.wait_mask, found.reuse_mask) == (stall, yields, mask, reuse)
    assert found.write_barrier == (None if write == 7 else write)
    assert found.read_barrier == (None if read_barrier == 7 else read_barrier)
    assert sum(1 << barrier for barrier in found.waits) == mask


def test_control_of_a_known_load():
    """LDG.E R2, desc[UR36][R2.64], listed for sm_90: issues the next after 1 cycle and holds scoreboard 2."""
    assert str(control.decode(0x000EA2000C1E1900 << 64 | 0x0000002402027981)) == "B------:R-:W2:-:S01"


def test_listing_and_code_give_the_same_control():
    (listed,) = read(CUOBJDUMP)
    bare = "\n".join(line.split("/* 0x")[0] for line in CUOBJDUMP.split("\n"))
    words = [0x000FE40000000F0000000A0000017A02, 0x000FEA000383FFFFFFFFFFFC00F49947, 0x000FEA0003800000000000000000794D]
    code = b"".join(word.to_bytes(16, "little") for word in words)
    (given_code,) = read(bare, {"loop": code})
    assert given_code.controls == listed.controls


@pytest.mark.parametrize(
    ("listing", "code", "message"),
    [
        ("        MOV R1, R2 ;", None, r"line 1: MOV .* no complete encoding.*nvdisasm -c -hex"),
        (CUOBJDUMP.rsplit("/* 0x", 1)[0], None, r"line 9: EXIT of loop has no complete encoding"),
        (CUOBJDUMP, {"loop": bytes(16)}, r"3 instructions in the listing but 1 in the cubin"),
        (CUOBJDUMP, {"loop": bytes(15)}, r"15 bytes are no whole number"),
    ],
)
def test_missing_control_is_an_error_that_says_what_to_do(listing, code, message):
    with pytest.raises(UsageError, match=message):
        read(listing, code)


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet="RUP0123456789@!., []+-`()_LxABDEFGHMST;:/*\n\t ", max_size=300))
def test_any_text_is_parsed_or_refused(text):
    try:
        functions = DIALECT.parse(text)
    except UsageError:
        return
    for function in functions:
        for instruction in function.instructions:
            effects(instruction)


@settings(max_examples=100, deadline=None)
@given(st.integers(0, len(NVDISASM)), st.integers(0, len(NVDISASM)), st.text(max_size=8))
def test_a_damaged_listing_never_breaks_the_reader(start, end, junk):
    text = NVDISASM[:start] + junk + NVDISASM[end:]
    try:
        found = read(text)
    except UsageError:
        return
    assert all(len(s.controls) == len(s.function.instructions) for s in found)


@pytest.mark.parametrize(
    ("words", "bits"), [("F32x4", 128), ("F32x2", 64), ("F16x8", 128), ("BF16x4", 64), ("F16x2", 32), ("F32", 32)]
)
def test_vectors_of_an_atomic_update_have_all_their_registers(words, bits):
    """Triton's updates of neighbouring floats on sm_90: four registers behind one name."""
    code = f"/*0000*/ ATOMG.E.ADD.{words}.FTZ.RN.STRONG.GPU PT, RZ, desc[UR6][R2.64], R136 ;\n"
    ((instruction,),) = (function.instructions for function in DIALECT.parse(code))
    assert instruction.traits.memory_bits == bits
    assert {f"R{136 + n}" for n in range(bits // 32)} | {"R2", "R3", "UR6", "UR7"} == effects(instruction).reads


def test_rows_behind_control_codes_as_cuassembler_prints_them():
    rows = ("[----:B------:R-:W2:-:S04]         /*0360*/                   LDG.E.SYS R48, [R2] ;",
            "[-R--:B------:R-:W-:-:S02]         /*0540*/                   FFMA R22, R54, R66.reuse, R22 ;")  # fmt: skip
    assert dialect_of("\n".join(rows)) == "sass"
    (routine,) = routines("\n".join(rows))
    assert [row.mnemonic for row in routine.rows] == ["LDG.E.SYS", "FFMA"]


@pytest.mark.parametrize(
    ("rows", "most"),
    [
        (("ISETP.GE.AND P0, PT, R12.reuse, -0x270, PT", "IADD3 R12, R12, 0x400, RZ", "@!P0 BRA `(.L_1)"), 1),
        (("IADD3 R12, R12, 0x100, RZ", "ISETP.GE.AND P0, PT, R12, 0x190, PT", "@!P0 BRA `(.L_1)"), 2),
        (("IADD3 R12, R12, 0x1, RZ", "ISETP.LT.AND P2, PT, R12, 0x40, PT", "@P2 BRA `(.L_1)"), 64),
        (("IADD3 R12, R12, 0x100, RZ", "ISETP.GE.AND P0, PT, R12, R5, PT", "@!P0 BRA `(.L_1)"), None),
        (("IADD3 R12, R12, c[0x0][0x0], RZ", "ISETP.GE.AND P0, PT, R12, 0x190, PT", "@!P0 BRA `(.L_1)"), 13),
        (("IADD3 R12, R12, R6, RZ", "ISETP.GE.AND P0, PT, R12, 0x190, PT", "@!P0 BRA `(.L_1)"), None),
        (("IADD3 R12, R12, -0x1, RZ", "ISETP.NE.AND P0, PT, R12, RZ, PT", "@P0 BRA `(.L_1)"), None),
    ],
    ids=[
        "tested before the step",
        "two",
        "sixty-four",
        "bound of the launch",
        "step of a group",
        "step of the launch",
        "counted down",
    ],
)
def test_the_most_iterations_of_a_loop_that_counts_to_a_constant(rows, most):
    text = ".L_1:\n" + "".join(f"        /*{16 * n:04x}*/ {row} ;\n" for n, row in enumerate(rows))
    (function,) = DIALECT.parse(text)
    assert most_trips(function.instructions) == most
