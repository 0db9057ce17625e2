"""Reading listings of AMD GPU code: functions, branch targets, and what is refused."""

import pytest

from hotloop.errors import UsageError
from hotloop.isa.blocks import blocks
from hotloop.isa.dialects.amdgcn import DIALECT
from hotloop.isa.instruction import InstructionKind as K
from hotloop.isa.loops import loops

ASSEMBLY = """\
\t.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
\t.text
\t.globl\tk                               ; -- Begin function k
\t.type\tk,@function
k:                                      ; @k
; %bb.0:
\ts_mov_b32 s0, 0                       ; a remark
.LBB0_1:                                ; =>This Inner Loop Header: Depth=1
\tv_fmac_f32_e32 v0, v1, v2
\t.loc\t1 2 3
\ts_add_i32 s0, s0, 1
\ts_cmp_lt_i32 s0, 8
\ts_cbranch_scc1 .LBB0_1
; %bb.2:
\ts_endpgm
.Lfunc_end0:
\t.size\tk, .Lfunc_end0-k
\t.type\thelper,@function
helper:
\ts_setpc_b64 s[30:31]
.Lfunc_end1:
\t.size\thelper, .Lfunc_end1-helper
"""
DISASSEMBLY = """
k.o:\tfile format elf64-amdgpu

Disassembly of section .text:

0000000000001600 <k>:
\ts_mov_b32 s0, 0                                            // 000000001600: BE800080
\tv_fmac_f32_e32 v0, v1, v2                                  // 000000001604: 56000501
\ts_cbranch_scc1 65534                                       // 000000001608: BF85FFFE <k+0x4>
\ts_endpgm                                                   // 00000000160C: BF810000
\ts_nop 0                                                    // 000000001610: BF800000
\ts_nop 0                                                    // 000000001614: BF800000

0000000000001618 <q>:
\ts_endpgm                                                   // 000000001618: BF810000
"""


def parse(text):
    return DIALECT.parse(text)


def test_assembly():
    k, helper = parse(ASSEMBLY)
    assert (k.name, k.target, k.addressed, k.resources) == ("k", "gfx942", False, None)
    assert [i.mnemonic for i in k.instructions][:2] == ["s_mov_b32", "v_fmac_f32_e32"]
    assert [i.operands for i in k.instructions][:2] == ["s0, 0", "v0, v1, v2"]
    assert [i.line for i in k.instructions] == [7, 9, 11, 12, 13, 15]
    assert k.instructions[4].target == k.instructions[1].address
    assert helper.instructions[0].kind is K.RETURN
    assert [loop.depth for loop in loops(blocks(k))] == [1]


def test_disassembly():
    k, q = parse(DISASSEMBLY)
    assert [i.address for i in k.instructions] == [0x1600, 0x1604, 0x1608, 0x160C]  # without the padding
    assert k.instructions[2].target == 0x1604
    assert (k.code_bytes, q.code_bytes, k.addressed) == (16, 4, True)


def test_source_lines_between_the_rows_may_look_like_rows():
    marked = DISASSEMBLY.replace("\tv_fmac", "; /src/k.hip:10\n;   s += a[i]; // 00000000: first\n\tv_fmac")
    assert [i.mnemonic for i in parse(marked)[0].instructions] == [
        i.mnemonic for i in parse(DISASSEMBLY)[0].instructions
    ]


def test_disassembly_with_labels_that_begin_anew_in_each_function():
    text = DISASSEMBLY.replace("65534", "L0").replace("\tv_fmac", "<L0>:\n\tv_fmac")
    again = "<L0>:\n\ts_branch L0                                // 000000001618: BF82FFFF\n\ts_endpgm"
    k, q = parse(
        text.replace("<q>:\n\ts_endpgm", "<q>:\n" + again).replace("// 000000001618: BF81", "// 00000000161C: BF81")
    )
    assert k.instructions[2].target == 0x1604
    assert q.instructions[0].target == 0x1618


def test_words_that_the_disassembler_did_not_know_are_kept_as_other():
    k, _ = parse(DISASSEMBLY.replace("v_fmac_f32_e32 v0, v1, v2 ", ".long 0xd3cd0000 "))
    assert k.instructions[1].kind is K.OTHER


def test_equal_instructions_share_their_traits():
    k, _ = parse(ASSEMBLY.replace("s_mov_b32 s0, 0 ", "v_fmac_f32_e32 v9, v8, v7"))
    assert k.instructions[0].traits is k.instructions[1].traits


def test_a_pasted_loop_without_directives():
    (function,) = parse(
        "k:\n  s_nop 0\nloop:\n  v_add_f32 v0, v0, v1\n  s_cbranch_vccnz loop\n  s_branch .Lelsewhere\n"
    )
    assert function.name == "k"
    assert function.instructions[2].target == function.instructions[1].address
    assert function.instructions[3].target is None


def test_windows_line_ends_and_slash_remarks():
    (function,) = parse("  v_add_f32 v0, v0, v1 // remark\r\n  s_endpgm\r\n")
    assert [i.operands for i in function.instructions] == ["v0, v0, v1", ""]


def test_spills_are_told_by_the_compilers_remark():
    (function,) = parse("\tbuffer_store_dword v4, off, s[12:15], 0 offset:44 ; 4-byte Folded Spill\n"
                        "\tbuffer_store_dword v4, off, s[12:15], 0 offset:44\n")  # fmt: skip
    assert [i.kind for i in function.instructions] == [K.STACK, K.STORE]


BUNDLE = """\
# __CLANG_OFFLOAD_BUNDLE____START__ hip-amdgcn-amd-amdhsa--gfx942
{device}# __CLANG_OFFLOAD_BUNDLE____END__ hip-amdgcn-amd-amdhsa--gfx942
# __CLANG_OFFLOAD_BUNDLE____START__ host-x86_64-unknown-linux-gnu
\tmovq\t%rsp, %rbp
# __CLANG_OFFLOAD_BUNDLE____END__ host-x86_64-unknown-linux-gnu
"""


def test_device_part_of_a_bundle():
    k, _ = parse(BUNDLE.format(device=ASSEMBLY))
    assert k.instructions[0].line == 8  # counted in the whole file


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "is empty"),
        (" \n\t\n", "is empty"),
        ("\x7fELF\x02\x01\x01\x40\0\0\0\0", "binary data"),
        ("\x01\x02\x03\x04\ufffd\ufffd\x05 abc", "binary data"),
        ("hello world\n", "no instruction of an AMD GPU"),
        ("\t.text\n\t.globl x\nx:\n", "no instruction of an AMD GPU"),
        ("\tmovq\t%rsp, %rbp\n\tret\n", "line 1 is no instruction of an AMD GPU: 'movq"),
        (ASSEMBLY + "\tvaddps ymm0, ymm1, ymm2\n", "line 23 is no instruction of an AMD GPU"),
        (ASSEMBLY + ASSEMBLY.replace("gfx942", "gfx1100"), "mixes code for gfx1100 and gfx942"),
        (ASSEMBLY[: ASSEMBLY.index("\ts_endpgm")], "cut off inside function 'k'"),
        (ASSEMBLY[: ASSEMBLY.index(".Lfunc_end1")], "cut off inside function 'helper'"),
        (ASSEMBLY.replace(".LBB0_1:", ""), "branches to .LBB0_1 but does not define it"),
        (ASSEMBLY + "\t.amdhsa_kernel k\n\t\t.amdhsa_next_free_vgpr 8\n", "inside its last .amdhsa_kernel block"),
        (ASSEMBLY + "\t.amdgpu_metadata\n---\namdhsa.kernels:\n", "inside its .amdgpu_metadata block"),
        (DISASSEMBLY[: DISASSEMBLY.index("\ts_endpgm")], "cut off inside function 'k'"),
        (DISASSEMBLY.replace("elf64-amdgpu", "elf64-x86-64"), "is of elf64-x86-64"),
        (DISASSEMBLY.replace("s_mov_b32", "mov"), "line 7 is no instruction of an AMD GPU: 'mov s0, 0'"),
        ("\nk.o:\tfile format elf64-amdgpu\n\n", "has no instruction"),
        (
            BUNDLE.format(device=ASSEMBLY).replace("hip-amdgcn-amd-amdhsa--gfx942", "hip-nvptx64"),
            "exactly one AMD GPU target",
        ),
        (BUNDLE.format(device=ASSEMBLY).replace("END__ hip", "MIDDLE__ hip"), "cut off inside its part for hip-amdgcn"),
    ],
)
def test_refused(text, reason):
    with pytest.raises(ValueError, match=reason) as caught:
        parse(text)
    assert isinstance(caught.value, UsageError)
    assert "\n" not in str(caught.value)


def test_bytes_are_not_decoded():
    with pytest.raises(ValueError, match="llvm-objdump"):
        DIALECT.decode(b"\x00\x00\x81\xbf", 0, "k")


def test_a_last_function_that_calls_what_never_returns_is_whole():
    ended = (
        DISASSEMBLY[: DISASSEMBLY.index("\ts_endpgm")]
        + "\ts_swappc_b64 s[30:31], s[0:1]          // 000000001804: BE9E1E00\n"
    )
    assert DIALECT.parse(ended)[-1].instructions[-1].mnemonic == "s_swappc_b64"
