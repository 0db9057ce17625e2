"""The rule against what an H200 took: it must not lose much to the best that was tried on shapes outside its table."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hotloop.kernels.gemm.known_opencl import TABLE, TARGET, Known
from hotloop.kernels.gemm.pipelined import PIPELINED, SPACE, plan
from hotloop.kernels.gemm.problem import DEFAULT, gemm
from hotloop.kernels.gemm.rounds import NARROW, SUM_NS, expected_ns, quickest
from hotloop.ops import book, choose
from hotloop.ops.family import find

H200 = 132


def form(m, n, k, **change):
    return gemm(DEFAULT.replace(m=m, n=n, k=k, **change))


def tile(config):
    mdim, ndim, mwi, nwi = (config.integer(name) for name in ("MDIM", "NDIM", "MWI", "NWI"))
    return mdim * mwi, ndim * nwi


MEASURED_US = {
    (1000, 1000, 1000): {(16, 32): 90.5, (64, 32): 69.8, (128, 64): 59.3, (64, 64): 59.4, (64, 128): 59.1, (128, 128): 149.5, (128, 256): 171.1},
    (777, 777, 777): {(16, 32): 61.1, (64, 32): 52.1, (128, 64): 56.2, (64, 64): 58.5, (64, 128): 60.6, (128, 128): 132.1, (128, 256): 149.9},
    (2000, 2000, 2000): {(16, 32): 595.5, (64, 32): 471.6, (128, 64): 407.8, (64, 64): 392.0, (64, 128): 364.0, (128, 128): 345.0, (128, 256): 334.2},
}  # fmt: skip
"""What the table's tiles took on an H200 on shapes that it does not have, 2026-11-22, events around a batch."""


@pytest.mark.parametrize("shape", MEASURED_US)
def test_the_rule_finds_nearly_the_best_of_the_table_on_other_shapes(shape):
    took = MEASURED_US[shape]
    _, config = quickest(form(*shape), TABLE, H200)
    assert shape not in {row.shape for row in TABLE}
    assert config.SPLIT == 1
    assert took[tile(config)] <= 1.02 * min(took.values())


@pytest.mark.parametrize("row", TABLE, ids=lambda row: "x".join(map(str, row.shape)))
def test_expectations_are_near_the_measurements_they_come_from(row):
    m, n, k = row.shape
    measured_ns = 2e-3 * m * n * k / row.tflops
    assert expected_ns(form(*row.shape), row, 1, H200) == pytest.approx(measured_ns, rel=0.3)
    assert row.alone_ns >= row.round_ns


def test_another_number_of_multiprocessors_wants_another_tile():
    few, many = (quickest(form(1024, 1024, 1024), TABLE, units)[1] for units in (16, 132))
    assert tile(few) != tile(many)


def test_slices_are_for_few_tiles_and_many_steps():
    assert quickest(form(128, 128, 8192), TABLE, H200)[1].SPLIT > 4
    assert quickest(form(128, 128, 128), TABLE, H200)[1].SPLIT == 1
    assert quickest(form(4096, 4096, 8192), TABLE, H200)[1].SPLIT == 1


def test_slices_and_narrow_sides_cost_what_they_are_said_to():
    row = TABLE[1]
    one, two = (expected_ns(form(64, 32, 1000), row, slices, H200) for slices in (1, 2))
    assert one == 1000 * row.alone_ns
    assert two - one / 2 == pytest.approx(SUM_NS, rel=0.01)
    assert expected_ns(form(64, 31, 1000), row, 1, H200) == pytest.approx(NARROW * one)


def test_whatever_it_says_can_be_built(device):
    card = replace(
        device, kind="gpu", runtime_key="nvidia", target=TARGET, local_mem_bytes=48 << 10, compute_units=H200
    )
    for m, n, k in ((1, 1, 1), (0, 5, 5), (7, 5000, 3), (5000, 7, 0), (64, 64, 20000)):
        problem = DEFAULT.replace(m=m, n=n, k=k)
        _, config = quickest(gemm(problem), TABLE, H200)
        assert SPACE.violation(config) is None
        plan(problem, config, card)


def test_dispatch_takes_a_measured_shape_itself_and_asks_the_rule_for_others(device):
    card = replace(
        device, kind="gpu", runtime_key="nvidia", target=TARGET, local_mem_bytes=48 << 10, compute_units=H200
    )
    family = find("gemm")

    def chosen(m, n, k):
        problem = DEFAULT.replace(m=m, n=n, k=k)
        return next(choose.choices(family, problem, card, book.presets(family, problem, card)))[0]

    measured, other = chosen(2048, 2048, 2048), chosen(2000, 2000, 2000)
    assert (measured.exact, other.exact) == (True, False)
    assert measured.implementation == other.implementation == PIPELINED.name
    assert measured.config == next(row.config for row in TABLE if row.shape == (2048, 2048, 2048))
    assert "rounds of tiles" in other.source
    assert other.measured_on == family.shape(DEFAULT.replace(**dict(zip("mnk", (8192,) * 3, strict=True))))


def test_a_row_tells_its_shape():
    row = Known((3000, 1000, 500), TABLE[0].config, 1.5, 0.5, 1.0, 1.0)
    assert row.evidence.endswith("1.5 TFLOP/s, 0.50 of cuBLAS at 3000x1000x500")
