"""The sentence about machine code that a reader takes away."""

import pytest

from hotloop.app.code import analysis
from hotloop.report.code.listing import verdict

CHASE = "chase:\n.L3:\n\tmovq\t(%rdi), %rdi\n\taddl\t$1, %eax\n\tcmpl\t%eax, %esi\n\tjne\t.L3\n\tret\n"
TABLE = (
    "crc:\n.L3:\n\tmovzbl\t(%rdi), %eax\n\txorl\t%ecx, %eax\n\tshrl\t$8, %ecx\n\tmovzbl\t%al, %eax\n"
    "\txorl\t(%rdx,%rax,4), %ecx\n\taddq\t$1, %rdi\n\tcmpq\t%rdi, %rsi\n\tjne\t.L3\n\tret\n"
)


@pytest.mark.parametrize("text", [CHASE, TABLE], ids=["pointers", "table"])
def test_chains_in_cpu_code_are_not_said_to_be_elsewhere(text):
    (report,) = analysis.of_text(text, "f.s")
    assert "what limits it is not known" in verdict(report)
    assert "not in the code" not in verdict(report)
