"""AT&T syntax and compilers' assembly text say the same as a disassembly in Intel's."""

import pytest

from hotloop.isa.detect import dialect_of
from hotloop.isa.dialects.x86 import DIALECT
from hotloop.isa.x86.att import intel

INTEL = """0000000000000000 <dot>:
   0:\tvxorps xmm0,xmm0,xmm0
   4:\tvmovups ymm1,YMMWORD PTR [rdi+rax*4]
   9:\tvfmadd231ps ymm0,ymm1,YMMWORD PTR [rsi+rax*4]
   f:\tadd    rax,0x8
  13:\tcmp    rdx,rax
  16:\tjne    4 <dot+0x4>
  18:\tmov    DWORD PTR [rcx],eax
  1a:\tret
"""
ATT = """0000000000000000 <dot>:
   0:\tvxorps %xmm0,%xmm0,%xmm0
   4:\tvmovups (%rdi,%rax,4),%ymm1
   9:\tvfmadd231ps (%rsi,%rax,4),%ymm1,%ymm0
   f:\tadd    $0x8,%rax
  13:\tcmp    %rax,%rdx
  16:\tjne    4 <dot+0x4>
  18:\tmov    %eax,(%rcx)
  1a:\tret
"""
GCC = """\t.text
\t.globl\tdot
\t.type\tdot, @function
dot:
.LFB0:
\tvxorps\t%xmm0, %xmm0, %xmm0   # a comment
.L3:
\tvmovups\t(%rdi,%rax,4), %ymm1
\tvfmadd231ps\t(%rsi,%rax,4), %ymm1, %ymm0
\taddq\t$8, %rax
\tcmpq\t%rax, %rdx
\tjne\t.L3
\tmovl\t%eax, (%rcx)
\tret
"""
GODBOLT = """dot(float const*, float const*, long):
        vxorps  xmm0, xmm0, xmm0
.L3:
        vmovups ymm1, YMMWORD PTR [rdi+rax*4]
        vfmadd231ps     ymm0, ymm1, YMMWORD PTR [rsi+rax*4]
        add     rax, 8
        cmp     rdx, rax
        jne     .L3
        mov     DWORD PTR [rcx], eax
        ret
"""


@pytest.mark.parametrize("text", [ATT, GCC, GODBOLT], ids=["objdump", "gcc", "godbolt"])
def test_every_spelling_says_the_same(text):
    (plain,), (other,) = DIALECT.parse(INTEL), DIALECT.parse(text)
    assert dialect_of(text) == "x86"
    assert [i.traits for i in other.instructions] == [i.traits for i in plain.instructions]
    targets = [i.target for i in other.instructions if i.target is not None]
    assert targets == [other.instructions[1].address]
    assert other.name.startswith("dot")


@pytest.mark.parametrize(
    ("att", "turned"),
    [
        (("movzbl", "(%rax),%edx"), ("movzx", "edx,byte ptr [rax]")),
        (("movslq", "%edx,%rdx"), ("movsxd", "rdx,edx")),
        (("vmulps", "(%rax){1to16},%zmm1,%zmm0{%k1}{z}"), ("vmulps", "zmm0{k1}{z},zmm1,dword bcst [rax]{1to16}")),
        (("vmovsd", "-8(%rbp),%xmm0"), ("vmovsd", "xmm0,qword ptr [rbp-8]")),
        (("pinsrd", "$0x2,0x8(%rdx),%xmm1"), ("pinsrd", "xmm1,dword ptr [rdx+0x8],0x2")),
        (("setne", "(%rcx)"), ("setne", "byte ptr [rcx]")),
        (("call", "*0x10(%rax)"), ("call", "qword ptr [rax+0x10]")),
        (("cltq", ""), ("cdqe", "")),
        (("mov", "%fs:0x28,%rax"), ("mov", "rax,qword ptr fs:[0x28]")),
    ],
)
def test_operands_are_turned_round_with_their_sizes(att, turned):
    assert intel(*att) == turned


def test_a_symbol_called_like_a_vector_register_is_a_name():
    assert intel("movl", "summary(%rip),%eax") == ("mov", "eax,dword ptr [rip+summary]")
    (function,) = DIALECT.parse("f:\n\tmovl\tcomm(%rip), %eax\n\tcall\txmm_add\n\tret\n")
    assert [i.kind.value for i in function.instructions] == ["load", "call", "return"]


def test_a_function_called_like_a_label_of_the_compiler_is_a_function():
    text = "LZ4_first:\n\tmovl\t(%rdi), %eax\n\tret\nL2norm:\n.L3:\n\taddl\t$1, %eax\n\tjne\t.L3\nLBB0_1:\n\tret\n"
    assert [(f.name, len(f.instructions)) for f in DIALECT.parse(text)] == [("LZ4_first", 2), ("L2norm", 3)]


def test_a_label_for_debuggers_is_no_place_and_lines_keep_their_numbers():
    text = "f:\n.LVL0:\n\t.loc 1 4 66 view -0\n.L2:\n\taddl\t$1, %eax\n.LVL1:\n\tjne\t.L2\n\tret\n"
    (function,) = DIALECT.parse(text)
    assert [(i.mnemonic, i.target, i.line) for i in function.instructions] == [
        ("add", None, 5),
        ("jne", 0, 7),
        ("ret", None, 8),
    ]


@pytest.mark.parametrize(
    ("operands", "turned"),
    [
        ("%rax", "rax"),
        ("8(%rsp), %rax", "rax,qword ptr [rsp+8]"),
        ("$foo+8, -16(%rbx,%rcx,4)", "qword ptr [rbx+rcx*4-16],foo+8"),
        ("foo(,%rax,8), %rdx", "rdx,qword ptr [rax*8+foo]"),
        ("%fs:40, %rax", "rax,qword ptr fs:[40]"),
        ("foo, %rax", "rax,qword ptr [foo]"),
    ],
)
def test_operands_are_turned_round(operands, turned):
    assert intel("movq", operands) == ("mov", turned)
