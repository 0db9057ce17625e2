from __future__ import annotations

from dataclasses import replace

import pytest

from hotloop.kernels.gemm import KERNEL, family
from hotloop.kernels.gemm.opencl.fitting import GROUPS_PER_UNIT, extent, fit_memory, fit_type, spread
from hotloop.kernels.gemm.opencl.plan import plan, shape
from hotloop.kernels.gemm.opencl.rows import TABLES
from hotloop.kernels.gemm.opencl.space import SPACE
from hotloop.kernels.gemm.problem import DEFAULT, gemm

AVX2 = TABLES["x86-64-avx2"]


def square(n: int):
    return DEFAULT.replace(m=n, n=n, k=n)


@pytest.mark.parametrize("target", sorted(TABLES))
def test_thresholds_ascend_and_cover_every_size(target):
    limits = [row.up_to for row in TABLES[target]]
    assert limits == sorted(limits)
    assert limits[-1] == float("inf")


def test_known_rows_carry_their_evidence():
    for rows in TABLES.values():
        for row in rows:
            assert row.machine
            assert row.date.startswith("2026-11")
            assert row.gflops > 0
            assert row.ratio > 0.9


def test_both_sides_of_a_threshold_take_different_paths(device):
    """The test that a reported library lacked: its threshold was never consulted."""
    small, large = family.advise(square(512), device), family.advise(square(1024), device)
    assert "direct path, won at n=512" in small.source
    assert "packed path" in large.source
    assert len(plan(square(512), small.config, device).launches) == 1
    assert len(plan(square(1024), large.config, device).launches) > 1


def test_the_threshold_is_data(device, monkeypatch):
    monkeypatch.setattr(family, "TABLES", {device.target: (replace(AVX2[0], up_to=100.0), AVX2[-1])})
    assert family.advise(square(100), device).config == AVX2[0].config
    assert family.advise(square(101), device).config == AVX2[-1].config


def test_of_unknown_devices_the_tables_say_nothing(device):
    assert family.advise(DEFAULT, replace(device, target="riscv")) is None


def test_extent_is_the_side_of_the_equal_cube():
    assert extent(gemm(square(100))) == pytest.approx(100)
    assert extent(gemm(DEFAULT.replace(m=1, n=1000, k=1000))) == pytest.approx(100)
    assert extent(gemm(DEFAULT.replace(k=0))) == 0


@pytest.mark.parametrize("units", [2, 16])
def test_groups_are_spread_until_each_unit_has_work(device, units):
    wide = AVX2[-1].config
    config = spread(gemm(square(600)), wide, units)
    assert SPACE.valid(config)
    assert shape(gemm(square(600)), config).groups >= GROUPS_PER_UNIT * units
    assert spread(gemm(square(8192)), wide, units) == wide


def test_a_tiny_problem_keeps_one_tile_per_group():
    config = spread(gemm(square(4)), AVX2[-1].config, 64)
    assert (config.MPI, config.NPI) == (1, 1)


@pytest.mark.parametrize("row", AVX2)
def test_other_types_keep_the_register_tile_in_bits(row):
    single = row.config
    double = fit_type(gemm(DEFAULT.replace(dtype="float64")), single)
    assert (single.integer("VW") // 2, single.integer("NWI") // 2) == (double.VW, double.NWI)
    assert fit_type(gemm(DEFAULT.replace(dtype="float16")), single) == single


@pytest.mark.parametrize(("k", "expected"), [(1024, 0), (5000, 0), (6000, 1024), (100_000, 1024)])
def test_staged_blocks_are_cut_to_fit_local_memory(device, k, expected):
    wide, place = TABLES["x86-64-avx512"][2].config, replace(device, local_mem_bytes=256 << 10)
    form = gemm(DEFAULT.replace(k=k))
    fitting = fit_memory(form, wide, place)
    assert fitting.integer("KC") == expected
    assert shape(form, fitting).local_bytes <= place.local_mem_bytes
    assert fit_memory(form, wide.replace(SA=0), place) == wide.replace(SA=0), "nothing is staged"


@pytest.mark.parametrize(
    "shape", [(0, 5, 5), (5, 0, 5), (5, 5, 0), (1, 1, 1), (1, 4096, 17), (4096, 1, 17), (3, 3, 9999)]
)
def test_every_shape_has_a_valid_plan(device, shape):
    problem = DEFAULT.replace(m=shape[0], n=shape[1], k=shape[2])
    choice = family.advise(problem, device)
    implementation = KERNEL.implementation(choice.implementation)
    config = family.adapt(problem, family.shape(DEFAULT.replace(**choice.sizes)), choice.config, device)
    assert implementation.space.valid(config)
    implementation.plan(problem, config, device)
