"""Laws of the control-flow analysis and of the decoder."""

from hypothesis import given, settings
from hypothesis import strategies as st

from hotloop.isa.blocks import Block, blocks
from hotloop.isa.dialects.x86 import DIALECT
from hotloop.isa.hot import hot_loop
from hotloop.isa.loops import loops


@st.composite
def graphs(draw):
    size = draw(st.integers(1, 9))
    edges = st.lists(st.integers(0, size - 1), max_size=2, unique=True)
    return tuple(Block((), tuple(draw(edges))) for _ in range(size))


def reached(graph, start, without=None):
    seen, todo = {start} - {without}, [start] if start != without else []
    while todo:
        for block in graph[todo.pop()].successors:
            if block != without and block not in seen:
                seen.add(block)
                todo.append(block)
    return seen


@given(graph=graphs())
def test_loops_are_those_of_the_definition(graph):
    """Dominance by brute force: `a` dominates `b` when `b` cannot be reached without `a`."""
    alive = reached(graph, 0)
    expected = {}
    for latch in alive:
        for header in graph[latch].successors:
            if latch == header or latch not in reached(graph, 0, without=header):
                body = {b for b in alive - {header} if latch in reached(graph, b, without=header)}
                expected[header] = expected.get(header, {header}) | body
    assert {lp.header: set(lp.blocks) for lp in loops(graph)} == expected


@given(graph=graphs())
def test_every_block_of_a_loop_belongs_to_exactly_one_innermost_loop_of_its_nest(graph):
    found = loops(graph)
    covered = set().union(*(lp.blocks for lp in found))
    owned = [block for lp in found for block in lp.own]
    assert set(owned) == covered
    assert all(lp.header in lp.own and lp.own <= lp.blocks for lp in found)
    assert len(owned) == len(set(owned))


@settings(max_examples=200)
@given(code=st.binary(max_size=120))
def test_any_bytes_decode_into_consistent_blocks(code):
    function = DIALECT.decode(code, 0x1000, "f")
    cut = blocks(function)
    assert tuple(i for block in cut for i in block.instructions) == function.instructions
    addresses = [i.address for i in function.instructions]
    assert addresses == sorted(set(addresses))
    assert all(0 <= s < len(cut) for block in cut for s in block.successors)
    assert set(hot_loop(function).instructions) <= set(function.instructions)
