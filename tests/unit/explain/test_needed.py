"""Bytes that a launch cannot avoid, and limits that nothing can pass."""

import pytest

from hotloop.explain.needed import needed
from hotloop.explain.page import Roof
from hotloop.metrics.counters import Counts, Launch
from hotloop.metrics.fact import evidence, fact
from hotloop.model.evidence import Provenance

COUNTS = Counts(architecture="gfx90a", launch=Launch(items=1 << 24))


def moved(read, written, asked):
    names = (("gpu.hbm_read_bytes", read), ("gpu.hbm_write_bytes", written), ("gpu.l2_read_bytes", asked))
    return evidence(fact(name, value, Provenance.DERIVED) for name, value in names)


def test_a_stencil_reads_an_array_of_the_size_that_it_writes():
    """Finite differences on 512³ doubles as recorded: 8 of them a work-item, lines asked for 1.95 times."""
    found = needed(moved(1.862e9, 1.067e9, 3.636e9), COUNTS)
    assert found.get("work.bytes") == 2 * 1.067e9
    assert found.fact("work.bytes").provenance is Provenance.ESTIMATED


@pytest.mark.parametrize(("read", "written", "asked"), [
    (1.862e9, 1.067e9, 1.9e9),  # nobody shares lines: two arrays are read
    (4.1e9, 1.067e9, 9e9),  # four times the output: other arrays, too
    (1.862e9, 0.8e9, 3.6e9),  # not once for each work-item
    (1.0e9, 1.067e9, 3.6e9),  # nothing too many
])  # fmt: skip
def test_nothing_is_inferred_where_it_may_be_otherwise(read, written, asked):
    assert "work.bytes" not in needed(moved(read, written, asked), COUNTS)


def test_what_a_person_says_counts():
    assert needed(moved(1e9, 1e9, 1e9), COUNTS, 3e9).get("work.bytes") == 3e9


def test_no_more_than_all_of_a_limit_can_be_used():
    with pytest.raises(ValueError, match="cannot be used"):
        Roof("device memory", 1.037, "", "")
