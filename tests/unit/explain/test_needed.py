"""Bytes that a launch cannot avoid, and limits that nothing can pass."""

import pytest

from hotloop.explain.needed import Said, needed, told
from hotloop.explain.page import Roof
from hotloop.metrics.counters import Counts, Launch
from hotloop.metrics.fact import evidence, fact
from hotloop.model.evidence import Provenance
from hotloop.model.problem import Work

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


def test_of_a_matrix_product_nothing_is_inferred():
    matrix = evidence([fact("gpu.matrix_per_wave", 64.0, Provenance.DERIVED)])
    assert "work.bytes" not in needed(moved(1.862e9, 1.067e9, 3.636e9).merged(matrix), COUNTS)


def test_what_a_person_says_counts():
    of_file = Work(flops=8e9, bytes=2e9)
    said = told(Said(bytes=3e9), [None, of_file])
    assert (said.get("work.bytes"), said.get("work.flops")) == (3e9, 8e9)
    assert "work.bytes" not in needed(moved(1.862e9, 1.067e9, 3.636e9).merged(said), COUNTS)


def test_what_nobody_says_is_absent():
    assert told(Said(), [None]).facts == ()
    assert "work.flops" not in told(Said(), [Work(flops=0, bytes=2e9)])


def test_no_more_than_all_of_a_limit_can_be_used():
    with pytest.raises(ValueError, match="cannot be used"):
        Roof("device memory", 1.037, "", "")
