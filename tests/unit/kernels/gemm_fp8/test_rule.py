"""How products of 8-bit floats are cut, and what was measured of it."""

from dataclasses import replace
from itertools import product

import pytest

from hotloop.kernels.gemm_fp8 import KERNEL
from hotloop.kernels.gemm_fp8.gluon import GLUON
from hotloop.kernels.gemm_fp8.problem import DEFAULT
from hotloop.kernels.gemm_fp8.rows import ROWS
from hotloop.kernels.gemm_fp8.rule import variant
from hotloop.kernels.gemm_fp8.triton import TRITON
from hotloop.model.device import Device
from hotloop.model.problem import Problem

H200 = Device(
    name="NVIDIA H200", kind="gpu", backend="triton", runtime="Triton", runtime_key="cuda", target="sm_90",
    compute_units=132, local_mem_bytes=232448, max_workgroup=1024,
)  # fmt: skip
OTHER = replace(H200, name="NVIDIA B200", target="sm_100")


def ruled(m, n, k, *, hopper=True, fast=False):
    return variant(DEFAULT.replace(m=m, n=n, k=k, fast_accum=fast), H200 if hopper else OTHER)


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("hopper", [False, True])
@pytest.mark.parametrize("m", [1, 7, 16, 33, 64, 65, 256, 2048])
@pytest.mark.parametrize(("n", "k"), [(8, 16), (4096, 4096), (14336, 4096), (4096, 14336), (1088, 384), (8192, 8192)])
def test_every_cut_is_in_its_space_and_leaves_no_slice_empty(m, n, k, hopper, fast):
    cut = ruled(m, n, k, hopper=hopper, fast=fast)
    assert cut.implementation.space.violation(cut.config) is None
    rows, columns, depth = cut.config.integers("BM", "BN", "BK")
    assert rows >= min(m, 64)
    if cut.implementation is GLUON:
        assert hopper
        assert rows // 2 % 64 == 0
        return
    assert (m <= 64) == cut.config.SWAP
    splits, warps = cut.config.integers("SPLITS", "num_warps")
    tiles = -(-m // rows) * -(-n // columns)
    assert splits == 1 or tiles * splits <= 132
    assert splits == 1 or k >= splits * depth
    # rows of the matrix instruction: 64, four warps to each
    assert (columns if cut.config.SWAP else rows) % (16 * warps) == 0


def test_few_tiles_are_cut_along_k():
    assert ruled(1, 4096, 4096).config.integer("SPLITS") > 1
    assert ruled(1, 4096, 256).config.integer("SPLITS") == 1
    assert ruled(2048, 4096, 4096, hopper=False).config.integer("SPLITS") == 1


def test_sums_of_a_block_have_room_beside_those_of_all_k():
    for m in (100, 256, 4096):
        cut = ruled(m, 8192, 4096)
        assert cut.implementation.traits(DEFAULT, cut.config, H200)["config.accumulators"] <= 128


def test_rows_are_what_the_rule_gives_and_presets_of_the_family():
    assert len(KERNEL.presets) == len(ROWS) == 18
    for preset in KERNEL.presets:
        cut = variant(Problem(DEFAULT.family, preset.sizes), H200)
        assert (cut.implementation.name, cut.config) == (preset.implementation, preset.config)
        assert "of PyTorch's _scaled_mm" in preset.evidence


@pytest.mark.parametrize("made", [TRITON, GLUON], ids=lambda made: made.name)
def test_optimize_begins_simple(made):
    assert made.space.violation(made.start) is None
    assert made.simplicity(made.start) == 0
    shipped = [row.config for row in ROWS if row.implementation is made]
    assert all(made.simplicity(config) > 0 for config in shipped)
    for name, value in made.start.items():
        assert value == made.space[name].values[0] or name in ("BM", "BK")


@pytest.mark.parametrize("made", [TRITON, GLUON], ids=lambda made: made.name)
def test_every_constraint_rules_something_out(made):
    for constraint in made.space.constraints:
        assert constraint.holds(made.start)
        values = product(*(made.space[name].values for name in constraint.names))
        tried = (made.start.replace(**dict(zip(constraint.names, each, strict=True))) for each in values)
        assert not all(map(constraint.holds, tried)), constraint.text
