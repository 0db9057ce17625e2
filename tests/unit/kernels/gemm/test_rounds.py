"""The rule against what an H200 took: it must not lose much to the best that was tried on shapes outside its table."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hotloop.dispatch.family import find
from hotloop.kernels.gemm.pipelined import PIPELINED
from hotloop.kernels.gemm.pipelined.plan import plan
from hotloop.kernels.gemm.pipelined.rounds import APART, FILL_STEPS, NARROW, SUM_NS, expected_ns, quickest
from hotloop.kernels.gemm.pipelined.rows import TABLE, TARGET, Row
from hotloop.kernels.gemm.pipelined.space import SPACE
from hotloop.kernels.gemm.problem import DEFAULT, gemm
from hotloop.ops import book, choose

H200 = 132
LAUNCH_NS = 3000
"""Of an empty launch there, in a batch that was submitted before: expectations are without it."""


def form(m, n, k, **change):
    return gemm(DEFAULT.replace(m=m, n=n, k=k, **change))


def tile(config):
    mdim, ndim, mwi, nwi = (config.integer(name) for name in ("MDIM", "NDIM", "MWI", "NWI"))
    return mdim * mwi, ndim * nwi


MEASURED_US = {
    (1000, 1000, 1000): {(64, 64, 4): 53.6, (64, 64, 1): 54.3, (64, 128, 1): 56.6},
    (1023, 1023, 1023): {(64, 64, 1): 65.8, (64, 128, 1): 61.3},
    (600, 5000, 1100): {(64, 64, 4): 164.3, (64, 128, 1): 205.4},
    (900, 900, 900): {(64, 64, 4): 49.6, (64, 128, 1): 51.7},
    (1300, 1300, 1300): {(64, 128, 1): 125.7},
    (3001, 3001, 3001): {(64, 128, 1): 1284.2},
}
"""What tiles of the table took as a whole on shapes that it does not have, by sides and SWZ. Device's times on an H200,
2026-11-22, `sgemm-few-tiles-2.json.gz`."""


@pytest.mark.parametrize("shape", MEASURED_US)
def test_the_rule_finds_nearly_the_best_of_the_table_on_other_shapes(shape):
    took = MEASURED_US[shape]
    _, config = quickest(form(*shape), TABLE, H200)
    assert shape not in {row.shape for row in TABLE}
    assert config.SPLIT == 1
    assert took[*tile(config), config.integer("SWZ")] <= 1.02 * min(took.values())


SLICED_US = {
    (128, 128, 4096): (12.6, {(32, 32, 16): 12.6, (16, 32, 16): 12.9, (32, 64, 16): 13.1, (32, 32, 8): 13.4}),
    (64, 4096, 1024): (22.4, {(32, 64, 1): 22.4, (64, 64, 4): 22.5, (32, 64, 2): 23.6, (64, 32, 4): 24.0}),
    (32, 32, 16384): (10.7, {(16, 32, 64): 11.0, (16, 16, 32): 11.0, (16, 16, 64): 11.3, (32, 32, 64): 11.4}),
    (256, 256, 8192): (35.5, {(64, 64, 16): 35.5, (32, 64, 8): 37.1, (128, 64, 16): 38.0, (64, 128, 16): 39.2}),
    (64, 512, 8192): (24.3, {(32, 64, 16): 24.3, (64, 32, 16): 25.7, (32, 64, 8): 25.9, (64, 32, 24): 26.1}),
    (16, 4096, 4096): (26.6, {(16, 128, 8): 26.6, (16, 128, 12): 27.2, (16, 32, 6): 28.6, (16, 32, 4): 29.7}),
    (777, 777, 777): (42.7, {(64, 64, 2): 42.7, (64, 32, 2): 45.6, (64, 128, 1): 47.9, (64, 64, 3): 55.3}),
    (512, 512, 4096): (56.9, {(64, 64, 4): 56.9}),
    (100, 333, 5000): (25.4, {(64, 32, 12): 25.4, (64, 32, 24): 26.1, (64, 32, 16): 26.4, (32, 32, 6): 27.7}),
    (1024, 32, 4096): (17.7, {(32, 32, 8): 17.7, (16, 32, 8): 18.3, (64, 32, 24): 18.6, (64, 32, 16): 18.7}),
    (96, 200, 3001): (12.9, {(32, 32, 12): 12.9, (32, 32, 16): 13.4, (32, 32, 6): 14.2, (32, 32, 8): 14.5}),
    (16, 16, 65536): (14.5, {(16, 16, 128): 14.5}),
    (384, 384, 2048): (26.8, {(64, 64, 6): 26.8, (32, 64, 3): 28.3, (128, 64, 6): 28.6, (64, 32, 6): 28.9}),
    (200, 1000, 1000): (22.4, {(32, 64, 1): 22.4, (64, 32, 4): 23.9, (64, 32, 2): 24.1, (64, 128, 4): 24.3}),
}
"""The shortest time among 32 tiles with 1 to 128 slices, and those of the table's tiles that came near: sides of the tile and
slices. Device's times on an H200, 2026-11-22, `sgemm-few-tiles-1.json.gz`."""


@pytest.mark.parametrize("shape", SLICED_US)
def test_the_rule_finds_nearly_the_best_number_of_slices(shape):
    best, took = SLICED_US[shape]
    _, config = quickest(form(*shape), TABLE, H200)
    assert took[*tile(config), config.integer("SPLIT")] <= 1.07 * best


@pytest.mark.parametrize("row", TABLE, ids=lambda row: "x".join(map(str, row.shape)))
def test_expectations_are_near_the_measurements_they_come_from(row):
    m, n, k = row.shape
    measured_ns = 2e-3 * m * n * k / row.tflops
    expected = expected_ns(form(*row.shape), row, row.config.integer("SPLIT"), H200)
    assert LAUNCH_NS + expected == pytest.approx(measured_ns, rel=0.3)
    assert row.alone_ns >= row.round_ns


def test_another_number_of_multiprocessors_wants_another_tile():
    few, many = (quickest(form(1024, 1024, 1024), TABLE, units)[1] for units in (16, 132))
    assert tile(few) != tile(many)


def test_slices_are_for_few_tiles_and_many_steps():
    assert quickest(form(128, 128, 8192), TABLE, H200)[1].SPLIT > 4
    assert quickest(form(128, 128, 128), TABLE, H200)[1].SPLIT == 1
    assert quickest(form(4096, 4096, 8192), TABLE, H200)[1].SPLIT == 1


def test_slices_and_narrow_sides_cost_what_they_are_said_to():
    row = next(row for row in TABLE if row.shape == (2048, 64, 2048))
    one, two = (expected_ns(form(64, 32, 1024), row, slices, H200) for slices in (1, 2))
    assert one == (1024 + FILL_STEPS) * row.alone_ns
    assert two - (512 + FILL_STEPS) * row.alone_ns == pytest.approx(SUM_NS, rel=0.05)
    assert expected_ns(form(64, 28, 1024), row, 1, H200) == pytest.approx(NARROW * one)


def test_rows_that_are_not_aligned_cost_less_with_a_larger_tile():
    small, large = (next(row for row in TABLE if row.shape[2] == k) for k in (1024, 8192))
    slower = [
        expected_ns(form(768, 768, 769), row, 1, H200) / expected_ns(form(768, 768, 769, lda=772), row, 1, H200)
        for row in (small, large)
    ]
    assert slower == pytest.approx([1 + APART / 64, 1 + APART / 256])


def test_groups_beyond_those_that_fit_at_once_wait_for_a_turn():
    row = replace(next(row for row in TABLE if row.shape == (3000, 1000, 500)), resident=2)
    one, two, three, five = (expected_ns(form(64 * n, 128 * H200, 1000), row, 1, H200) for n in (1, 2, 3, 5))
    step_ns = (1008 + FILL_STEPS) * 1.0
    assert (one, two) == pytest.approx((row.alone_ns * step_ns, 2 * row.round_ns * step_ns))
    assert (three, five) == pytest.approx((two + one, 2 * two + one))


def test_slices_are_added_by_the_last_group_and_rows_that_are_not_aligned_are_padded():
    sliced, whole = (quickest(form(256, 256, k), TABLE, H200)[1] for k in (8192, 64))
    assert (sliced.ARRIVE, whole.ARRIVE, whole.SPLIT) == (1, 0, 1)
    assert (sliced.SWZ, sliced.PAD) == (4, 0)
    uneven = quickest(form(256, 256, 8192, lda=8193), TABLE, H200)[1]
    assert tile(uneven) == tile(sliced)
    assert (uneven.SWZ, uneven.PAD) == (1, 4)


def test_whatever_it_says_can_be_built(device):
    card = replace(
        device, kind="gpu", runtime_key="nvidia", target=TARGET, local_mem_bytes=48 << 10, compute_units=H200
    )
    for m, n, k in ((1, 1, 1), (0, 5, 5), (7, 5000, 3), (5000, 7, 0), (64, 64, 20000), (384, 384, 2000)):
        problem = DEFAULT.replace(m=m, n=n, k=k)
        for dtype in ("float32", "float64"):
            typed = problem.replace(dtype=dtype)
            _, config = quickest(gemm(typed), TABLE, H200)
            assert SPACE.violation(config) is None
            plan(typed, config, card)


def test_dispatch_takes_a_measured_shape_itself_and_asks_the_rule_for_others(device):
    card = replace(
        device, kind="gpu", runtime_key="nvidia", target=TARGET, local_mem_bytes=48 << 10, compute_units=H200
    )
    family = find("gemm")

    def chosen(m, n, k):
        problem = DEFAULT.replace(m=m, n=n, k=k)
        return next(choose.choices(family, problem, card, book.presets(family, problem, card)))

    measured, other = chosen(2048, 2048, 2048), chosen(2000, 2000, 2000)
    assert (measured.exact, other.exact) == (True, False)
    assert measured.implementation == other.implementation == PIPELINED.name
    assert measured.config == next(row.config for row in TABLE if row.shape == (2048, 2048, 2048))
    assert "rounds of tiles" in other.source
    assert other.measured_on == family.shape(DEFAULT.replace(**dict(zip("mnk", (8192,) * 3, strict=True))))


def test_a_row_tells_its_shape():
    row = Row((3000, 1000, 500), TABLE[0].config, 1.5, 0.5, 1.0, 1.0, 1)
    assert row.evidence.endswith("1.5 TFLOP/s, 0.50 of cuBLAS at 3000x1000x500")
