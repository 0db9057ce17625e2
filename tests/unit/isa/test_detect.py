"""Which instruction set a text is written in."""

import pytest

from hotloop import registry
from hotloop.errors import UsageError
from hotloop.isa.detect import dialect_of
from hotloop.isa.dialect import telltales

AMDGCN = '\t.amdgcn_target "amdgcn-amd-amdhsa--gfx942"\nk:\n\tv_add_f32 v0, v1, v2\n\ts_waitcnt vmcnt(0)\n\ts_endpgm\n'
SASS = "        /*0000*/                   MOV R1, c[0x0][0x28] ;\n        /*0010*/                   EXIT ;\n        /*0020*/ BRA 0x20 ;\n"
PTX = ".version 8.4\n.target sm_90\n.visible .entry k()\n{\n\tmov.u32 %r1, %tid.x;\n\tadd.s32 %r2, %r1, 1;\n\tret;\n}\n"
X86 = "0000000000001000 <k>:\n  1000:\t55                   \tpush   %rbp\n  1001:\t48 89 e5             \tmov    %rsp,%rbp\n  1004:\tc3                   \tret\n"


C_BETWEEN = X86.replace("  1001", "    t.x = a[i].x * b[i].x;\n  t.y *= 2;\n    s.n ++ ;\n    q.z <<= 1;\n  1001")
X86_BARE = "mov    %rsp,%rbp\nvmulps (%rsi,%rax,1),%ymm1,%ymm0\nadd    $0x20,%rax\nret\n"
SASS_BARE = "LDC R1, c[0x0][0x28] ;\n@P0 EXIT ;\nFFMA R4, R2, R3, R4 ;\n"
SASS_SHOWN = "      MOV R1, c[0x0][0x28]\n      LDG.E R4, desc[UR4][R2.64]\n      EXIT\n"
ARM = "MOV R0, R1\nADD R0, R1, R2\nLDR R3, [R0]\nSTR R3, [R1]\nBX LR\n"
ARM64 = "\t.arch armv8-a\n.L3:\n\tldr\ts2, [x0, x3, lsl 2]\n\tadd\tx3, x3, 1\n\tfmadd\ts0, s2, s1, s0\n\tbgt\t.L3\n"
ARM64_BARE = "0 <k>:\n  0:\tmov\tx3, #0x0\n  4:\tldr\ts2, [x0, x3, lsl #2]\n  8:\tadd\tx3, x3, #0x1\n  c:\tcmp\tx3, x1\n 10:\tret\n"
PROSE = "mov it to eax, please\nThe value in rax is added.\nadd rax and\nIMAD is a word\n"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (AMDGCN, "amdgcn"), (SASS, "sass"), (PTX, "ptx"), (X86, "x86"), (C_BETWEEN, "x86"), (X86_BARE, "x86"), (SASS_BARE, "sass"),
        (SASS_SHOWN, "sass"), (ARM64, "aarch64"), (ARM64_BARE, "aarch64"),
    ],
    ids=["amdgcn", "sass", "ptx", "x86", "source-between", "x86-bare", "sass-bare", "sass-shown", "aarch64", "aarch64-bare"],
)  # fmt: skip
def test_dialect(text, name):
    assert dialect_of(text) == name


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty"),
        (" \n\t\n", "empty"),
        ("\x00\x01\x02" * 50, "binary"),
        ("\ufffd" * 90 + "text", "binary"),
        ("hello world\n", "no machine code"),
        (ARM, "no machine code"),
        (PROSE, "no machine code"),
        ("\tflw\tfa5,0(a0)\n\tfmadd.s\tfa0,fa5,fa4,fa0\n\taddi\ta0,a0,4\n\tbne\ta0,a5,.L3\n", "for RISC-V"),
        ("\tlfsu 12,4(9)\n\tlfsu 0,4(10)\n\tstfs 0,8(3)\n\tbdnz .L3\n", "for PowerPC"),
        (AMDGCN + SASS, "mixes amdgcn and sass"),
        (PTX + AMDGCN, "mixes amdgcn and ptx"),
    ],
)
def test_refusals_are_one_sentence(text, words):
    with pytest.raises(UsageError, match=words) as found:
        dialect_of(text)
    assert "\n" not in str(found.value)


def test_every_dialect_says_in_a_file_of_its_own_how_it_is_known():
    assert tuple(told.name for told in telltales()) == registry.names("hotloop.isa.dialects")
    machines = [told.machine for told in telltales() if told.machine]
    assert len(machines) == len(set(machines)) > 0


def test_strings_that_clang_repeats_in_comments_make_no_binary():
    assert dialect_of(ARM64 * 3 + "\t.byte\t0                               // \0\n") == "aarch64"
    with pytest.raises(UsageError, match="binary data"):
        dialect_of("\0".join(ARM64))
