"""Classification of x86 instructions, in the spelling of capstone and of objdump."""

import pytest

from hotloop.isa.dialects.x86 import DIALECT, classify
from hotloop.isa.instruction import InstructionKind as K

FRAME = frozenset({"rsp", "rbp"})


@pytest.mark.parametrize(
    ("text", "kind", "bits"),
    [
        ("vfmadd231ps ymm0, ymm1, ymm2", K.FMA, 256),
        ("vfnmsub213pd zmm0, zmm1, zmm2", K.FMA, 512),
        ("vfmadd132ss xmm0, xmm1, dword ptr [rax]", K.FMA, 32),
        ("vfmaddsub231pd ymm0, ymm1, ymm2", K.FMA, 256),
        ("vdpbf16ps zmm0, zmm1, zmm2", K.FMA, 512),
        ("vpdpbusd ymm0, ymm1, ymm2", K.FMA, 256),
        ("vmulps ymm0, ymm1, ymm2", K.MULADD, 256),
        ("vaddsd xmm0, xmm1, xmm2", K.MULADD, 64),
        ("subps xmm0, xmm1", K.MULADD, 128),
        ("vdivps ymm0, ymm1, ymm2", K.ARITHMETIC, 256),
        ("vmaxss xmm0, xmm1, xmm2", K.ARITHMETIC, 32),
        ("vcmpltps k1, zmm0, zmm1", K.ARITHMETIC, 512),
        ("vucomiss xmm0, xmm1", K.ARITHMETIC, 32),
        ("vhaddps xmm0, xmm0, xmm0", K.ARITHMETIC, 128),
        ("vcvtdq2ps ymm0, ymm1", K.CONVERSION, 256),
        ("vcvttss2si eax, xmm0", K.CONVERSION, 32),
        ("vcvtps2ph xmmword ptr [rax], ymm0, 4", K.CONVERSION, 256),
        ("vpmovzxdq ymm0, xmm1", K.CONVERSION, 256),
        ("vpmaxsd ymm0, ymm1, ymm2", K.INTEGER, 256),
        ("vpabsd ymm0, ymm1", K.INTEGER, 256),
        ("vpaddd ymm0, ymm1, ymm2", K.INTEGER, 256),
        ("vxorps xmm0, xmm0, xmm0", K.INTEGER, 128),
        ("vbroadcastss ymm0, dword ptr [rax]", K.BROADCAST, 256),
        ("vbroadcastss ymm0, xmm1", K.SHUFFLE, 256),
        ("vpermps ymm0, ymm1, ymm2", K.SHUFFLE, 256),
        ("vmovhlps xmm0, xmm1, xmm2", K.SHUFFLE, 128),
        ("vmovshdup xmm8, xmm6", K.SHUFFLE, 128),
        ("vgatherdps ymm0, dword ptr [rax + ymm1*4], ymm2", K.GATHER, 256),
        ("vpscatterdd dword ptr [rax + zmm1*4] {k1}, zmm2", K.SCATTER, 512),
        ("vmovups ymm0, ymmword ptr [rax]", K.LOAD, 256),
        ("vmovups ymmword ptr [rax], ymm0", K.STORE, 256),
        ("vmovaps ymm0, ymm1", K.MOVE, 256),
        ("vmovss xmm0, dword ptr [rax]", K.SCALAR_LOAD, 32),
        ("vmovsd qword ptr [rax], xmm0", K.STORE, 64),
        ("vextractf128 xmmword ptr [rax], ymm0, 1", K.STORE, 256),
        ("vinsertf128 ymm0, ymm1, xmmword ptr [rax], 1", K.LOAD, 256),
        ("vinsertps xmm0, xmm1, dword ptr [rax], 0x10", K.SCALAR_LOAD, 32),
        ("vinsertps xmm0, xmm1, xmm2, 0x10", K.SHUFFLE, 128),
        ("tdpbf16ps tmm0, tmm1, tmm2", K.MATRIX, 8192),
        ("mov rax, qword ptr [rdi + 8]", K.LOAD, 0),
        ("mov qword ptr [rdi], rax", K.STORE, 0),
        ("mov rax, rbx", K.MOVE, 0),
        ("lea rax, [rbx + rcx*4]", K.ADDRESS, 0),
        ("add rax, qword ptr [rbx]", K.INTEGER, 0),
        ("popcnt rax, rbx", K.INTEGER, 0),
        ("kortestw k0, k1", K.INTEGER, 0),
        ("movsd qword ptr es:[rdi], qword ptr [rsi]", K.OTHER, 0),
        ("push rbp", K.STACK, 0),
        ("jne 0x10", K.BRANCH, 0),
        ("call rax", K.CALL, 0),
        ("ret ", K.RETURN, 0),
        ("nop word ptr cs:[rax + rax]", K.NOP, 0),
        ("mfence ", K.BARRIER, 0),
        ("pause ", K.WAIT, 0),
        ("vzeroupper ", K.OTHER, 0),
    ],
)
def test_kind_and_width(text, kind, bits):
    mnemonic, _, operands = text.partition(" ")
    traits = classify(mnemonic, operands, FRAME)
    assert (traits.kind, traits.bits) == (kind, bits)


@pytest.mark.parametrize(
    ("text", "reads", "writes", "memory_bits"),
    [
        ("vfmadd231ps ymm0, ymm1, ymmword ptr [rax + 32]", True, False, 256),
        ("vmovups ymmword ptr [rax], ymm0", False, True, 256),
        ("add dword ptr [rax], ebx", True, True, 32),
        ("inc qword ptr [rax]", True, True, 64),
        ("cmp dword ptr [rax], ebx", True, False, 32),
        ("mov byte ptr [rax], 1", False, True, 8),
        ("lea rax, [rbx + 8]", False, False, 0),
        ("nop word ptr [rax + rax]", False, False, 0),
        ("call qword ptr [rax]", True, False, 64),
        ("vaddps ymm0, ymm1, ymm2", False, False, 0),
    ],
)
def test_memory_operands(text, reads, writes, memory_bits):
    mnemonic, _, operands = text.partition(" ")
    traits = classify(mnemonic, operands, FRAME)
    assert (traits.reads_memory, traits.writes_memory, traits.memory_bits) == (reads, writes, memory_bits)


@pytest.mark.parametrize(
    "text",
    [
        "vfmadd231ps zmm0, zmm1, dword ptr [rax]{1to16}",
        "vfmadd231ps zmm0, zmm1, dword bcst [rax]",
        "vbroadcastss zmm0, dword ptr [rax]",
        "vpbroadcastd ymm0, dword ptr [rax]",
        "vbroadcastf128 ymm0, xmmword ptr [rax]",
    ],
)
def test_broadcast_from_memory(text):
    mnemonic, _, operands = text.partition(" ")
    traits = classify(mnemonic, operands)
    assert traits.broadcast
    assert traits.reads_memory
    assert not traits.scalar


@pytest.mark.parametrize(
    ("text", "frame", "stack"),
    [
        ("vmovups ymm0, ymmword ptr [rsp + 0x20]", {"rsp"}, True),
        ("vmovups ymmword ptr [rbp - 0x40], ymm0", {"rsp", "rbp"}, True),
        ("vmovups ymmword ptr [rbp - 0x40], ymm0", {"rsp"}, False),
        ("vfmadd231ps ymm0, ymm1, ymmword ptr [rsp]", {"rsp"}, True),
        ("vmovups ymm0, ymmword ptr [rax]", {"rsp"}, False),
    ],
)
def test_stack_access(text, frame, stack):
    mnemonic, _, operands = text.partition(" ")
    assert classify(mnemonic, operands, frozenset(frame)).stack is stack


def parsed(body):
    (function,) = DIALECT.parse("0000000000000000 <f>:\n" + body)
    return function


def stacked(body):
    return [i.traits.stack for i in parsed(body).instructions if "mm" in i.operands]


def test_rbp_is_the_frame_only_when_it_is_set_from_rsp():
    access = "  8:\tvmovups YMMWORD PTR [rbp-0x20],ymm0\n"
    assert stacked("  0:\tpush   rbp\n  1:\tmov    rbp,rsp\n" + access) == [True]
    assert stacked("  0:\tpush   rbp\n  1:\tmov    rbp,rdi\n" + access) == [False]
    assert stacked("  0:\tmov    rbp,rsp\n  1:\tmov    ebp,edi\n" + access) == [False]


def test_rbx_is_the_frame_where_it_keeps_a_copy_of_rsp_but_reserved_memory_is_not():
    body = (
        "  0:\tmov    rbx,rsp\n  3:\tmov    r10,rsp\n  6:\tsub    r10,rdx\n"
        "  9:\tvmovups ymm0,YMMWORD PTR [rbx+0x40]\n  e:\tvmovups ymm1,YMMWORD PTR [r10+0x40]\n"
    )
    assert stacked(body) == [True, False]


def test_prefixes_are_stripped_in_both_spellings():
    function = parsed("  0:\tdata16 cs nop WORD PTR [rax+rax*1+0x0]\n  b:\tlock xadd DWORD PTR [rax],ecx\n")
    assert [(i.mnemonic, i.kind) for i in function.instructions] == [("nop", K.NOP), ("xadd", K.INTEGER)]
    (decoded,) = DIALECT.decode(bytes.fromhex("f00fc108"), 0, "f").instructions  # lock xadd dword ptr [rax], ecx
    assert (decoded.mnemonic, decoded.traits.reads_memory, decoded.traits.writes_memory) == ("xadd", True, True)


def test_listing_with_raw_bytes_and_relocations_gives_the_same_as_without():
    plain = parsed("  10:\tvmovups ymm0,YMMWORD PTR [rax]\n  14:\tjne    10 <f>\n")
    noisy = parsed(
        "  10:\tc5 fc 10 00          \tvmovups ymm0,YMMWORD PTR [rax]\n"
        "\t\t\t12: R_X86_64_64\t.lrodata.cst4+0x4\n"
        "  11:\t00 00 fa \n"
        "  14:\t75 fa                \tjne    10 <f>\n"
    )
    assert [(i.address, i.mnemonic, i.operands, i.target) for i in noisy.instructions] == [
        (i.address, i.mnemonic, i.operands, i.target) for i in plain.instructions
    ]
    assert [i.line for i in noisy.instructions] == [2, 5]


def test_decoding_bytes_and_reading_their_listing_agree():
    code = bytes.fromhex("c5fc1000 c4e27db8c8 75f5 c3")  # vmovups ymm0,[rax]; vfmadd231ps ymm1,ymm0,ymm0; jne 0; ret
    decoded = DIALECT.decode(code, 0, "f")
    listed = parsed(
        "  0:\tvmovups ymm0,YMMWORD PTR [rax]\n  4:\tvfmadd231ps ymm1,ymm0,ymm0\n  9:\tjne    0 <f>\n  b:\tret\n"
    )
    assert [(i.address, i.mnemonic, i.traits, i.target) for i in decoded.instructions] == [
        (i.address, i.mnemonic, i.traits, i.target) for i in listed.instructions
    ]
    assert decoded.code_bytes == len(code)
    assert decoded.instructions[-1].traits.falls_through is False


def test_an_unknown_byte_does_not_hide_what_follows():
    decoded = DIALECT.decode(b"\x06\xc3", 0, "f")  # 06 is no instruction in 64-bit mode
    assert [i.kind for i in decoded.instructions] == [K.OTHER, K.RETURN]


def test_functions_are_told_apart_and_numbered_by_line():
    listing = "0000000000000000 <one>:\n   0:\tret\n\n0000000000000010 <two>:\n  10:\tnop\n  11:\tret\n"
    one, two = DIALECT.parse(listing)
    assert (one.name, [i.line for i in one.instructions]) == ("one", [2])
    assert (two.name, [i.line for i in two.instructions]) == ("two", [5, 6])
    assert DIALECT.parse("nothing here\n") == ()


def test_arrows_of_jumps_are_no_part_of_an_instruction():
    listing = "0000000000000000 <f>:\n   0:\t   /-- 0f 8e 05 \tjle    5 <f+0x5>\n   3:\t/--|-> 85 d2 \ttest   %edx,%edx\n   5:\t\\--X-> c3   \tret\n"
    (function,) = DIALECT.parse(listing)
    assert [i.mnemonic for i in function.instructions] == ["jle", "test", "ret"]
    assert function.instructions[0].target == 5


@pytest.mark.parametrize("symbol", ["<zmm_add>", "<std::vector<float>::operator[](unsigned long)>", "<es::load+0x10>"])
def test_the_name_of_what_is_called_is_no_operand(symbol):
    called, jumped = DIALECT.parse(f"0000 <f>:\n   0:\tcall   40 {symbol}\n   5:\tjne    40 {symbol}\n")[0].instructions
    assert (called.kind, called.traits.reads_memory, called.traits.bits) == (K.CALL, False, 0)
    assert (jumped.kind, jumped.target, jumped.traits.writes_memory) == (K.BRANCH, 0x40, False)
