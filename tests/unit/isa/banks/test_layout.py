import pytest

from hotloop.errors import UsageError
from hotloop.isa.banks.layout import Layout, Swizzle, injective

TILE = Layout(element_bytes=2, leading=64)


def test_row_major_with_padding():
    layout = Layout(element_bytes=2, leading=64, pad=8, base_bytes=32)
    assert layout.offset_bytes(3, 5) == 32 + 2 * (3 * 72 + 5)
    assert layout.size_bytes(16) == 2 * (16 * 72 - 8)


def test_swizzle_moves_whole_vectors():
    swizzle = Swizzle(8, 2, 4)
    assert [swizzle.column(row, 0) for row in range(10)] == [0, 0, 8, 8, 16, 16, 24, 24, 0, 0]
    assert [swizzle.column(5, 16 + i) for i in range(8)] == list(range(8))


def test_padding_by_offset_is_gluons():
    """PaddedSharedLayout with [(64, 8)]: 8 elements after every 64."""
    layout = Layout(element_bytes=2, leading=64, intervals=((64, 8),))
    assert [layout.offset_bytes(row, 3) for row in range(3)] == [6, 2 * 75, 2 * 147]
    assert layout.size_bytes(3) == 2 * (3 * 64 + 16)


def test_injectivity_is_enumerated():
    assert injective(Layout(element_bytes=2, leading=64, swizzle=Swizzle(8, 1, 8)), 32)
    assert injective(Layout(element_bytes=2, leading=64, pad=3), 32)
    # XOR with more phases than the row has vectors leaves the row and meets the next one.
    assert not injective(Layout(element_bytes=2, leading=48, swizzle=Swizzle(8, 1, 8)), 32)


@pytest.mark.parametrize(
    "layout",
    [
        Layout(element_bytes=0, leading=4),
        Layout(element_bytes=2, leading=4, pad=-1),
        Layout(element_bytes=2, leading=4, swizzle=Swizzle(3, 1, 2)),
        Layout(element_bytes=2, leading=4, intervals=((0, 1),)),
    ],
)
def test_sizes_that_make_no_tile(layout):
    with pytest.raises(UsageError):
        layout.check()


@pytest.mark.parametrize(("rows", "leading"), [(16, 10**20), (10**11, 64)])
def test_a_tile_beyond_any_local_memory_is_refused_at_once(rows, leading):
    with pytest.raises(
        UsageError, match=f"a tile of {rows} rows of {leading} elements is larger than any local memory"
    ):
        injective(Layout(element_bytes=2, leading=leading), rows)
