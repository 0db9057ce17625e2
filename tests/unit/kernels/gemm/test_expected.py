"""Expected ratios on shapes outside the table, beside what was measured there."""

from __future__ import annotations

import pytest

from hotloop.dispatch.select import PEER
from hotloop.kernels.gemm import KERNEL
from hotloop.kernels.gemm.expected import Work, efficiency, ratio
from hotloop.kernels.gemm.products import TABLE, Product, candidate_of, choose, expected


def config(kind, **values):
    return KERNEL.implementation(kind).start.replace(**values)


WIDE = config("hopper", BM=128, BN=256, BK=64, STAGES=4, GROUPS=2, BUFFERS=2, GROUP=16)
EVEN = config("hopper", BM=128, BN=128, BK=64, STAGES=6, GROUPS=2, BUFFERS=2, GROUP=8)
LONG = config("persistent", BM=128, BN=256, BK=64, GROUP=8, num_warps=8, num_stages=4, HALVES=1, FLATTEN=1)
SQUARE = Work(4096, 4096, 4096)


@pytest.mark.parametrize(
    ("kind", "config", "there", "known", "asked", "measured"),
    [  # results/nvidia-h200-2026-11-22/untuned.json, before dispatch knew this rule
        ("persistent", LONG, (2048, 2048, 2048), 0.982, (777, 1544, 2056), 0.607),
        ("hopper", WIDE, (4096, 4096, 4096), 0.999, (3000, 3000, 3000), 0.664),
        ("hopper", EVEN, (256, 8192, 8192), 0.992, (129, 5000, 12008), 0.383),
        ("hopper", WIDE, (4096, 4096, 4096), 0.999, (4097, 4104, 4088), 0.689),
        ("hopper", EVEN.replace(TAKE_TURNS=1, BUFFERS=1), (2048, 2048, 2048), 1.145, (2049, 3304, 1096), 0.760),
    ],
)
def test_the_expectation_is_not_above_what_was_measured(kind, config, there, known, asked, measured):
    found = ratio(kind, config, (Work(*there), known), Work(*asked), 132)
    assert measured - 0.4 < found < measured + 0.05


def test_the_measured_shape_has_the_measured_ratio():
    assert ratio("hopper", WIDE, (SQUARE, 1.23), SQUARE, 132) == 1.23


def test_a_wave_for_one_more_row_of_tiles_costs_a_wave():
    there, here = (efficiency("hopper", WIDE, work, 132) for work in (SQUARE, Work(4225, 4096, 4096)))
    assert there == pytest.approx(512 / (4 * 132))
    assert here < 0.85 * there


def test_slices_of_k_fill_a_device_that_tiles_alone_do_not():
    few = Work(512, 512, 16384)
    one, eight = (efficiency("meet", config("meet", BM=128, BN=128, SPLITS=s), few, 132) for s in (1, 8))
    assert eight > 4 * one


def test_rows_that_share_lines_are_slower():
    assert efficiency("hopper", WIDE, Work(4096, 4096, 4104), 132) < efficiency("hopper", WIDE, SQUARE, 132)


@pytest.mark.parametrize(
    ("shape", "epilogue"),
    [  # 0.48 to 0.80 of PyTorch's speed, results/nvidia-h200-2026-11-28-ops/fresh-fourth.jsonl.gz
        ((130, 10240, 4096), "bias-gelu-erf"), ((120, 16384, 6144), "bias-gelu-erf"),
        ((20, 9728, 2560), "none"), ((24, 4608, 18432), "none"), ((96, 11008, 2048), "none"),
    ],
)  # fmt: skip
def test_more_rows_of_tiles_than_were_measured_read_the_weights_again(h200, shape, epilogue):
    choice = choose(Product(*shape, "bfloat16", epilogue, op="nt"), h200)
    assert choice.implementation == PEER or choice.config.integer("BM") >= shape[0]  # one row of tiles


@pytest.mark.parametrize(
    ("there", "epilogue", "shape"),
    [  # 0.77 to 0.92 of PyTorch's speed, results/nvidia-h200-2026-11-24/layers-linear-untuned.jsonl.gz
        ((64, 4096, 14336), "none", (16, 4096, 14336)), ((64, 14336, 4096), "none", (8, 14336, 4096)),
        ((64, 14336, 4096), "bias-gelu-erf", (8, 14336, 4096)),
    ],
)  # fmt: skip
def test_a_tile_that_was_full_is_not_believed_where_it_would_be_half_empty(h200, there, epilogue, shape):
    call = Product(*shape, "bfloat16", epilogue, op="nt")
    candidates = [
        candidate_of(name, row, call) for name, row in TABLE if (row.shape, row.epilogue) == (there, epilogue)
    ]
    for candidate in candidates:
        with pytest.raises(ValueError, match="half empty"):
            expected(candidate, call, h200)
    assert candidates


@pytest.mark.parametrize("shape", [(777, 1544, 2056), (3000, 3000, 3000), (129, 5000, 12008), (4097, 4104, 4088)])
def test_where_none_should_come_near_pytorch_runs(h200, shape):
    choice = choose(Product(*shape, "bfloat16", "none"), h200)
    assert choice.implementation == PEER
    assert any("of PyTorch's speed is expected of it here" in note for note in choice.notes) or not choice.notes


@pytest.mark.parametrize(
    ("shape", "epilogue"),
    [((5, 11008, 4096), "none"), ((6144, 1536, 768), "bias-gelu-erf"), ((8192, 4096, 4096), "none")],
)
def test_where_one_should_win_it_runs(h200, shape, epilogue):
    assert choose(Product(*shape, "bfloat16", epilogue), h200).implementation != PEER


def test_a_shape_unlike_all_is_left_to_pytorch(h200):
    choice = choose(Product(100000, 64, 64, "bfloat16", "relu"), h200)
    assert choice.implementation == PEER
