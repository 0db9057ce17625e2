"""Which branches decide about which blocks, on graphs whose ways are drawn by hand."""

import pytest

from hotloop.isa.blocks import Block
from hotloop.predict.governing import governing


def graph(*successors):
    return tuple(Block((), after) for after in successors)


DIAMOND = ((1, 2), (3,), (3,), ())
SKIPPED = ((1, 2), (2,), ())
LOOP = ((1,), (2,), (1, 3), ())
NESTED = ((1, 4), (2, 3), (3,), (4,), ())
EARLY_END = ((1, 2), (), (3,), ())


@pytest.mark.parametrize(
    ("ways", "asked", "deciders"),
    [
        (DIAMOND, [1], {0}),
        (DIAMOND, [3], set()),
        (SKIPPED, [1], {0}),
        (SKIPPED, [2], set()),
        (LOOP, [1], {2}),
        (LOOP, [3], set()),
        (NESTED, [2], {0, 1}),
        (NESTED, [3], {0}),
        (EARLY_END, [3], {0}),
        (DIAMOND, [1, 3], {0}),
        (DIAMOND, [], set()),
    ],
)
def test_a_branch_decides_about_what_only_some_of_its_ways_pass(ways, asked, deciders):
    assert governing(graph(*ways), asked) == deciders
