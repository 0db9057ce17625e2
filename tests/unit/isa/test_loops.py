"""Blocks, loops and the choice of the hot one, on small control-flow graphs."""

import random

import pytest

from hotloop.isa.blocks import Block, blocks
from hotloop.isa.dialects.x86 import DIALECT
from hotloop.isa.hot import hot_loop
from hotloop.isa.loops import loops


def function(body):
    """One instruction per line, its address being its number; branches name that number."""
    rows = "".join(f"  {index:x}:\t{text.strip()}\n" for index, text in enumerate(body.strip().splitlines()))
    (parsed,) = DIALECT.parse("0 <f>:\n" + rows)
    return parsed


def graph(*successors):
    return tuple(Block((), tuple(s)) for s in successors)


def test_blocks_end_at_branches_and_begin_at_targets():
    found = blocks(function("xor eax, eax\ninc eax\ncmp eax, ecx\njne 1\nret"))
    assert [(b.instructions[0].address, len(b.instructions), b.successors) for b in found] == [
        (0, 1, (1,)),
        (1, 3, (2, 1)),
        (4, 1, ()),
    ]


def test_an_unconditional_jump_does_not_fall_through():
    found = blocks(function("jmp 2\ninc eax\nret"))
    assert [b.successors for b in found] == [(2,), (2,), ()]


def test_a_jump_out_of_the_function_has_no_successor_inside():
    assert blocks(function("jmp 77"))[0].successors == ()


def test_nesting():
    #   0 -> 1 -> 2 -> 2 (inner), 2 -> 3 -> 1 (outer), 3 -> 4
    found = loops(graph([1], [2], [2, 3], [1, 4], []))
    assert [(lp.header, set(lp.blocks), set(lp.own), lp.depth) for lp in found] == [
        (1, {1, 2, 3}, {1, 3}, 1),
        (2, {2}, {2}, 2),
    ]


def test_two_latches_of_one_header_are_one_loop():
    found = loops(graph([1], [2, 3], [1], [1, 4], []))
    assert [(lp.header, set(lp.blocks)) for lp in found] == [(1, {1, 2, 3})]


def test_a_backward_jump_into_the_middle_is_no_loop():
    # 0 -> 3 -> 1 -> 2: block 3 jumps backwards to 1, which does not dominate it and never comes back
    assert loops(graph([3], [2], [], [1])) == ()


def test_a_cycle_with_two_entries_is_no_natural_loop():
    assert loops(graph([1, 2], [2], [1])) == ()


def test_unreachable_blocks_and_empty_functions_do_no_harm():
    assert loops(graph([1], [], [1, 2])) == ()
    assert loops(()) == ()


TWO_LOOPS = """
xor eax, eax
vmovss xmm0, dword ptr [rdi]
vaddss xmm1, xmm1, xmm0
inc eax
cmp eax, ecx
jne 1
vmovups ymm2, ymmword ptr [rdi]
vfmadd231ps ymm3, ymm2, ymm2
vfmadd231ps ymm4, ymm2, ymm2
dec ecx
jne 6
ret
"""


def test_the_first_loop_is_not_the_hot_one():
    hot = hot_loop(function(TWO_LOOPS))
    assert [i.address for i in hot.instructions] == [6, 7, 8, 9, 10]
    assert hot.depth == 1


def test_the_inner_loop_wins_over_some_work_around_it():
    hot = hot_loop(
        function(
            "vmulps ymm0, ymm1, ymm2\nvmulps ymm3, ymm1, ymm2\nvfmadd231ps ymm0, ymm1, ymm2\ndec ecx\njne 2\ndec edx\njne 0\nret"
        )
    )
    assert [i.address for i in hot.instructions] == [2, 3, 4]
    assert hot.depth == 2


def test_an_inner_loop_without_arithmetic_does_not_hide_the_work_around_it():
    hot = hot_loop(
        function("vfmadd231ps ymm0, ymm1, ymm2\nprefetcht0 byte ptr [rax]\ndec ecx\njne 1\ndec edx\njne 0\nret")
    )
    assert [i.address for i in hot.instructions] == [0, 4, 5]


def test_without_arithmetic_the_vector_copy_loop_is_hot():
    hot = hot_loop(
        function(
            "dec ecx\njne 0\nvmovups ymm0, ymmword ptr [rsi]\nvmovups ymmword ptr [rdi], ymm0\ndec edx\njne 2\nret"
        )
    )
    assert [i.address for i in hot.instructions] == [2, 3, 4, 5]


def test_of_loops_that_move_as_much_the_second_is_what_the_first_leaves_over():
    """clang unrolls what is left over as far as the main loop, and needs an instruction more."""
    body = "vmovups ymm0, ymmword ptr [rsi]\nvmovups ymmword ptr [rdi], ymm0\n"
    hot = hot_loop(function(f"{body}dec edx\njne 0\n{body}inc ecx\ndec edx\njne 4\nret"))
    assert [i.address for i in hot.instructions] == [0, 1, 2, 3]


def test_without_a_loop_the_whole_function_stands_for_itself():
    hot = hot_loop(function("vaddps ymm0, ymm0, ymm1\nnop\nret"))
    assert [i.mnemonic for i in hot.instructions] == ["vaddps", "ret"]
    assert hot.depth == 0
    assert "no loop" in hot.place


@pytest.mark.parametrize("body", ["jmp 0", "jne 0\nret"])
def test_a_one_block_loop(body):
    assert len(loops(blocks(function(body)))) == 1


def _by_dominators(graph: list[tuple[int, ...]]) -> dict[int, set[int]]:
    """Return loops as the textbook has them: sets of dominators until nothing changes."""
    reached, todo = set[int](), [0]
    while todo:
        block = todo.pop()
        if block not in reached:
            reached.add(block)
            todo += graph[block]
    before = {block: [b for b in reached if block in graph[b]] for block in reached}
    dominators = {block: set(reached) for block in reached} | {0: {0}}
    while changed := {
        block: found
        for block in reached - {0}
        if (found := set.intersection(*(dominators[b] for b in before[block])) | {block}) != dominators[block]
    }:
        dominators.update(changed)
    bodies: dict[int, set[int]] = {}
    for latch, header in ((b, after) for b in reached for after in graph[b] if after in dominators[b]):
        body, todo = {header, latch}, [latch] if latch != header else []
        while todo:
            fresh = set(before[todo.pop()]) - body
            body |= fresh
            todo += fresh
        bodies[header] = bodies.get(header, set()) | body
    return bodies


def test_loops_of_random_graphs_are_those_that_dominators_tell():
    draw = random.Random(1)
    for _ in range(600):
        size = draw.randint(1, 12)
        targets = [
            [draw.choice([min(at + 1, size - 1), draw.randrange(size)]) for _ in range(draw.randint(0, 3))]
            for at in range(size)
        ]
        graph = [tuple(dict.fromkeys(row)) for row in targets]
        found = {loop.header: set(loop.blocks) for loop in loops([Block((), row) for row in graph])}
        assert found == _by_dominators(graph), graph
