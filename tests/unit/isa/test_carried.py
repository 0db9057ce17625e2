"""Chains of dependent instructions through the iterations of x86 loops, as compilers wrote them."""

from __future__ import annotations

import pytest

from hotloop.app.explain.answer import Request, explain
from hotloop.diagnose.rules.dependent_chain import RULE
from hotloop.isa.dialects.x86 import DIALECT
from hotloop.isa.hot import hot_loop
from hotloop.isa.summary.build import Source, report
from hotloop.isa.x86.carried import carried
from hotloop.isa.x86.effects import effects

LOOPS = {
    "sum of doubles": ("movsd (%rdi,%rax,8),%xmm1", "mulsd (%rsi,%rax,8),%xmm1", "addq $1,%rax", "addsd %xmm1,%xmm0", "cmpl %eax,%edx", "jg .L3"),
    "hash of bytes": ("movzbl (%rdi),%edx", "addq $1,%rdi", "xorl %edx,%eax", "imull $16777619,%eax,%eax", "cmpq %rdi,%rsi", "jne .L3"),
    "list": ("addq 8(%rdi),%rax", "movq (%rdi),%rdi", "testq %rdi,%rdi", "jne .L3"),
    "a x + y": ("movss (%rsi,%rax),%xmm1", "mulss %xmm0,%xmm1", "addss (%rdi,%rax),%xmm1", "movss %xmm1,(%rdi,%rax)", "addq $4,%rax", "cmpq %rax,%rdx", "jne .L3"),
    "register made anew": ("pxor %xmm0,%xmm0", "cvtsi2sdl (%rdi),%xmm0", "mulsd %xmm2,%xmm0", "addq $4,%rdi", "movsd %xmm0,-4(%rdi)", "cmpq %rdi,%rsi", "jne .L3"),
    "sum in memory": ("movsd (%rdi),%xmm0", "addq $8,%rdi", "addsd 16(%rdx),%xmm0", "movsd %xmm0,16(%rdx)", "cmpq %rdi,%rsi", "jne .L3"),
    "other place in memory": ("movsd (%rdi),%xmm0", "addq $8,%rdi", "addsd 8(%rdx),%xmm0", "movsd %xmm0,16(%rdx)", "cmpq %rdi,%rsi", "jne .L3"),
    "places that nobody has linked": ("movl 0x0(%rip),%edx", "addl (%rax),%edx", "movl %edx,0x0(%rip)", "addq $4,%rax", "cmpq %rcx,%rax", "jne .L3"),
    "sum in a variable": ("movl total(%rip),%edx", "addl (%rax),%edx", "movl %edx,total(%rip)", "addq $4,%rax", "cmpq %rcx,%rax", "jne .L3"),
}  # fmt: skip


def looped(*rows: str) -> str:
    return "f:\n.L3:\n" + "".join(f"\t{row.replace(' ', chr(9), 1)}\n" for row in rows) + "\tret\n"


def chain_of(*rows: str):
    (function,) = DIALECT.parse(looped(*rows))
    return carried(function, hot_loop(function))


@pytest.mark.parametrize(
    ("name", "cycles", "count", "loads", "sums"),
    [
        ("sum of doubles", 4, 1, 0, True),
        ("hash of bytes", 4, 2, 0, False),
        ("list", 4, 1, 1, False),
        ("sum in a variable", 5, 3, 0, False),
        ("sum in memory", 10, 2, 0, False),
    ],
)
def test_a_chain_that_is_longer_than_all_else_is_told(name, cycles, count, loads, sums):
    found = chain_of(*LOOPS[name])
    assert (found.cycles, len(found.links), found.loads, found.sums) == (cycles, count, loads, sums)
    assert found.cycles > 2 * found.rest_cycles


@pytest.mark.parametrize(
    "name", ["a x + y", "register made anew", "other place in memory", "places that nobody has linked"]
)
def test_iterations_that_do_not_wait_for_one_another_have_the_counter_alone(name):
    assert chain_of(*LOOPS[name]).cycles == 1


@pytest.mark.parametrize(
    "rows",
    [
        ("jmp *(%rdx)", ".L4:", "addsd (%rdi),%xmm0", "addq $8,%rdi", "cmpq %rdi,%rsi", "jne .L3"),
        ("movq (%rsi),%rax", "addq $8,%rsi", "ja .L9", "jmp *.L7(,%rax,8)", ".L5:", "movsd (%rdx),%xmm0", "jmp .L3", ".L9:", "addsd %xmm2,%xmm0", "cmpq %rsi,%rdx", "jne .L3"),
        ("addsd (%rdi),%xmm0", "call exp", "addq $8,%rdi", "cmpq %rdi,%rsi", "jne .L3"),
        ("fadds (%rdi)", "addq $4,%rdi", "cmpq %rdi,%rsi", "jne .L3"),
    ],
    ids=["a jump to where nobody knows", "a table of ways", "a call", "the old stack of numbers"],
)  # fmt: skip
def test_what_is_not_known_is_not_told(rows):
    assert chain_of(*rows) is None


BRANCHES = {
    "list with a counter on one way": ("cmpl %esi,8(%rdi)", "jle .L4", "movl 8(%rdi),%edx", "movl %edx,(%rcx)", "addq $4,%rcx", ".L4:", "movq (%rdi),%rdi", "testq %rdi,%rdi", "jne .L3"),
    "added or taken away": ("movss (%rdi),%xmm1", "addq $4,%rdi", "cmpl $0,(%rsi)", "je .L4", "subss %xmm1,%xmm0", "jmp .L5", ".L4:", "addss %xmm1,%xmm0", ".L5:", "cmpq %rdi,%rdx", "jne .L3"),
    "three ways, two lengths": ("cmpl $0,(%rsi)", "je .L4", "jl .L5", "mulsd %xmm1,%xmm0", ".L5:", "addsd %xmm2,%xmm0", ".L4:", "divsd %xmm3,%xmm0", "addq $8,%rsi", "cmpq %rsi,%rdx", "jne .L3"),
}  # fmt: skip
OPEN = {
    "added on one way alone": ("movss (%rdi),%xmm1", "addq $4,%rdi", "ucomiss %xmm2,%xmm1", "jbe .L4", "addss %xmm1,%xmm0", ".L4:", "cmpq %rdi,%rdx", "jne .L3"),
    "made anew on one way": ("addsd (%rdi),%xmm0", "addq $8,%rdi", "testl %eax,(%rsi)", "je .L4", "movsd (%rdx),%xmm0", ".L4:", "cmpq %rdi,%rsi", "jne .L3"),
    "one of two sums": ("movsd (%rdi),%xmm2", "addq $8,%rdi", "testl %eax,(%rsi)", "je .L4", "addsd %xmm2,%xmm0", "jmp .L5", ".L4:", "addsd %xmm2,%xmm1", ".L5:", "cmpq %rdi,%rsi", "jne .L3"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "cycles", "loads", "ways", "sums"),
    [
        ("list with a counter on one way", 4, 1, 2, False),
        ("added or taken away", 4, 0, 2, False),
        ("three ways, two lengths", 11, 0, 3, True),
    ],
)
def test_where_an_iteration_has_several_ways_the_chain_is_what_all_of_them_have(name, cycles, loads, ways, sums):
    found = chain_of(*BRANCHES[name])
    assert (found.cycles, found.loads, found.ways) == (cycles, loads, ways)
    assert {i.mnemonic for i in found.links} == ({"divsd"} if sums else {i.mnemonic for i in found.links})


@pytest.mark.parametrize("name", OPEN)
def test_a_value_that_one_way_leaves_or_makes_anew_is_no_chain(name):
    """What the counter adds is all that every way has."""
    assert chain_of(*OPEN[name]).cycles == 1


def test_a_loop_with_more_ways_than_are_followed_is_left_alone():
    forks = [row for n in range(5) for row in (f"cmpl ${n},(%rsi)", f"je .L{n + 4}", "addl $1,%eax", f".L{n + 4}:")]
    assert chain_of(*forks, "movq (%rsi),%rsi", "testq %rsi,%rsi", "jne .L3") is None


def test_where_branches_may_cost_more_the_finding_is_a_guess(tmp_path):
    verdicts = []
    for rows in (BRANCHES["added or taken away"], LOOPS["sum of doubles"]):
        path = tmp_path / "f.s"
        path.write_text(looped(*rows))
        verdicts.append(explain(Request(inputs=(str(path),))).verdict)
    assert "on each of 2 ways" in verdicts[0]
    assert ["low confidence" in verdict for verdict in verdicts] == [True, False]
    assert all("chain" in verdict for verdict in verdicts)


def test_the_rule_speaks_of_listings_and_says_which_remedy_fits():
    messages = {}
    for name, rows in LOOPS.items():
        text = looped(*rows)
        (function,) = DIALECT.parse(text)
        evidence = report(function, Source(dialect="x86", origin="f.s")).evidence
        finding = RULE.apply(evidence)
        messages[name] = finding.message if finding else ""
    assert "keep several independent sums" in messages["sum of doubles"]
    assert "take turns" in messages["hash of bytes"]
    assert "where to read next" in messages["list"]
    assert "where to read next" not in messages["sum in memory"]
    assert not messages["a x + y"]
    assert not messages["register made anew"]


@pytest.mark.parametrize(
    ("row", "reads", "writes"),
    [
        (("vaddps", "zmm1{k1},zmm2,zmm3"), {"v1", "v2", "v3", "k1"}, {"v1"}),
        (("vaddps", "zmm1{k1}{z},zmm2,zmm3"), {"v2", "v3", "k1"}, {"v1"}),
        (("movss", "xmm0,xmm1"), {"v0", "v1"}, {"v0"}),
        (("movss", "xmm0,dword ptr [rax]"), set(), {"v0"}),
        (("mul", "rcx"), {"rcx", "rax"}, {"rax", "rdx", "flags"}),
        (("sbb", "eax,eax"), {"flags"}, {"rax", "flags"}),
        (("cmovl", "rax,rbx"), {"rax", "rbx", "flags"}, {"rax"}),
        (("mov", "byte ptr 1[rdx],al"), {"rax"}, set()),
        (("vfmaddsd", "xmm1,xmm0,xmm3,xmm2"), {"v0", "v2", "v3"}, {"v1"}),
        (("vblendmpd", "zmm2{k1},zmm5,zmm3"), {"v5", "v3", "k1"}, {"v2"}),
        (("vcmpps", "k2{k1},zmm5,zmm3,0x1"), {"v5", "v3", "k1"}, {"k2"}),
    ],
)
def test_registers_that_an_instruction_reads_and_writes(row, reads, writes):
    seen = effects(*row)
    assert (set(seen.reads), set(seen.writes)) == (reads, writes)
