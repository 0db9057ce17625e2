"""The sentence about machine code that a reader takes away."""

import pytest

from hotloop.app.code import analysis
from hotloop.report.code.listing import verdict

CHASE = "chase:\n.L3:\n\tmovq\t(%rdi), %rdi\n\taddl\t$1, %eax\n\tcmpl\t%eax, %esi\n\tjne\t.L3\n\tret\n"
TABLE = (
    "crc:\n.L3:\n\tmovzbl\t(%rdi), %eax\n\txorl\t%ecx, %eax\n\tshrl\t$8, %ecx\n\tmovzbl\t%al, %eax\n"
    "\txorl\t(%rdx,%rax,4), %ecx\n\taddq\t$1, %rdi\n\tcmpq\t%rdi, %rsi\n\tjne\t.L3\n\tret\n"
)


TWO_WAYS = "walk:\n.L3:\n\ttestl\t$1, (%rdi)\n\tje\t.L4\n\taddl\t$1, %eax\n.L4:\n\tmovq\t8(%rdi), %rdi\n\ttestq\t%rdi, %rdi\n\tjne\t.L3\n\tret\n"
CALLS = "each:\n.L3:\n\tmovl\t(%rbx), %edi\n\tcall\tf\n\taddq\t$4, %rbx\n\tcmpq\t%rbp, %rbx\n\tjne\t.L3\n\tret\n"
COPY = "copy:\n.L3:\n\tmovzbl\t(%rsi,%rax), %edx\n\tmovb\t%dl, (%rdi,%rax)\n\taddq\t$1, %rax\n\tcmpq\t%rax, %rcx\n\tjne\t.L3\n\tret\n"
HASH = (
    "hash:\n.L3:\n\timull\t$31, %eax, %eax\n\taddl\t%edx, %eax\n" + "\taddl\t$1, %ebx\n\taddl\t$1, %ecx\n\taddl\t$1, %esi\n" * 3
    + "\taddq\t$1, %rdi\n\tcmpq\t%rdi, %rsi\n\tjne\t.L3\n\tret\n"
)  # fmt: skip


@pytest.mark.parametrize("text", [CHASE, TABLE, TWO_WAYS], ids=["pointers", "table", "two ways"])
def test_chains_in_cpu_code_are_found(text):
    (report,) = analysis.of_text(text, "f.s")
    assert "dependent-chain" in verdict(report)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (CALLS, "instructions of such code wait"),
        (COPY, "no chain of dependent instructions in registers does"),
        (HASH, "a chain of dependent instructions (4.0 cycles an iteration) and the rest (3.5) take about as long"),
    ],
    ids=["calls", "copy", "as long"],
)
def test_what_limits_cpu_code_is_not_said_to_be_elsewhere(text, words):
    (report,) = analysis.of_text(text, "f.s")
    assert "what limits it is not known" in verdict(report)
    assert words in verdict(report)
    assert "not in the code" not in verdict(report)
