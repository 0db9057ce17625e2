"""Solutions are free by enumeration, cheaper ones are not, and textbook cases come out."""

from dataclasses import replace

import pytest

from hotloop.isa.banks.access import Access, Sweep
from hotloop.isa.banks.expression import parse
from hotloop.isa.banks.layout import Layout, injective
from hotloop.isa.banks.solve import aligned, free, solve
from hotloop.targets.banks import model


def access(target, op, bits, row, column, *sweeps):
    names = ("lane", *(sweep.name for sweep in sweeps))
    return Access(model(target, op, bits), parse(row, names), parse(column, names), sweeps)


def test_a_column_of_floats_needs_one_element():
    """The classic: 32 x 32 floats read by column."""
    found = solve((access("sm_90", "read", 32, "lane", "0"),), Layout(element_bytes=4, leading=32), 32)
    assert found.padding.layout.pad == 1
    assert found.padding.extra_bytes == 31 * 4
    assert found.swizzle.layout.swizzle.max_phase == 32
    assert found.swizzle.extra_bytes == 0


def test_even_strides_never_help_a_column_of_floats():
    column = (access("gfx942", "read", 32, "lane", "0"),)
    frees = [pad for pad in range(65) if free(column, Layout(element_bytes=4, leading=64, pad=pad))]
    assert frees == list(range(1, 65, 2))


def test_halves_of_a_head_dimension_of_128():
    """A column of pairs of halves: a stride of 65 banks is free, 64 is not; the odd pad in banks is 2 halves."""
    column = (access("gfx942", "read", 32, "lane", "0"),)
    assert not free(column, Layout(element_bytes=2, leading=128))
    assert solve(column, Layout(element_bytes=2, leading=128), 64).padding.layout.pad == 2


@pytest.mark.parametrize("target", ["gfx942", "gfx950", "sm_90"])
def test_fragments_read_as_128_bits(target):
    """16 rows of a tile of 64 halves, 8 halves per lane, both k steps, and the copy into the tile."""
    steps = Sweep("k", range(0, 64, 32))
    accesses = (
        access(target, "read", 128, "lane % 16", "8 * (lane // 16) + k", steps),
        access(target, "write", 128, "lane // 8", "8 * (lane % 8)"),
    )
    given = Layout(element_bytes=2, leading=64)
    assert not free(accesses, given)
    found = solve(accesses, given, 64)
    for solution in (found.padding, found.swizzle):
        assert free(accesses, solution.layout)
        assert aligned(accesses, solution.layout)
        assert injective(solution.layout, 64)
        assert all(a.whole(solution.layout) for a in accesses)
    pad = found.padding.layout.pad
    assert not any(free(accesses, replace(given, pad=p)) for p in range(0, pad, 8))
    assert found.padding.extra_bytes == 63 * pad * 2


def test_no_swizzle_where_the_row_has_no_power_of_two_of_vectors():
    found = solve((access("sm_90", "read", 32, "lane", "0"),), Layout(element_bytes=4, leading=33), 32)
    assert found.padding.layout.pad == 0
    assert found.swizzle is None


def test_a_vector_must_stay_whole():
    torn = Layout(element_bytes=2, leading=64, intervals=((4, 1),))
    read = access("gfx942", "read", 128, "lane % 16", "8 * (lane // 16)")
    assert not read.whole(torn)
    assert read.whole(Layout(element_bytes=2, leading=64, pad=1))
