"""Which kernel multiplies: pure decisions, without PyTorch."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hotloop.dispatch.choice import Candidate, Origin
from hotloop.dispatch.select import MARGIN, PEER
from hotloop.kernels.gemm import KERNEL, alternatives, products
from hotloop.kernels.gemm.problem import DEFAULT
from hotloop.kernels.gemm.products import Product, choose, fitted
from hotloop.kernels.gemm.rows import TABLE
from hotloop.kernels.gemm.triton.space import START
from hotloop.model.record import Record
from hotloop.model.space import Config


def product(m, n, k, dtype="bfloat16", epilogue="none", obstacle=""):
    return Product(m, n, k, dtype, epilogue, obstacle=obstacle)


def configured(kind, **values):
    return KERNEL.implementation(kind).start.replace(**values)


FEW = configured("hopper-skinny", BM=16, BN=64, BK=256, STAGES=5)


@pytest.mark.parametrize(("name", "row"), TABLE, ids=[f"{row.shape}-{row.epilogue}" for _, row in TABLE])
def test_every_row_of_the_table_answers_its_own_shape(h200, name, row):
    choice = choose(product(*row.shape, epilogue=row.epilogue), h200)
    assert choice.exact
    assert choice.origin is Origin.PRESET
    assert choice.notes == ()
    if row.ratio < 1 - MARGIN:
        assert choice.implementation == PEER
        assert "so PyTorch's own runs" in choice.reason
    else:
        assert (choice.implementation, choice.config) == (name, row.config)


def test_the_nearest_shape_answers_and_says_how_far_it_is(h200):
    choice = choose(product(2000, 2048, 2048), h200)
    assert not choice.exact
    assert choice.measured_on is not None
    assert (choice.measured_on["m"], choice.measured_on["n"]) == (2048, 2048)
    assert "nearest known shape has m=2048, distance 0.02" in choice.reason
    assert "to tune it" not in choice.reason  # there is no command that tunes tensors


def test_what_fusing_saved_does_not_count_where_rows_begin_within_lines(h200):
    whole = choose(product(6144, 1536, 768, epilogue="bias-gelu-erf"), h200)
    split = choose(product(2049, 3304, 1096, "float16", epilogue="bias-gelu-erf"), h200)
    assert whole.implementation == "hopper"  # measured on an H200: 1.33 times PyTorch
    assert split.implementation == PEER  # the same kernel: 0.63


def test_float16_uses_what_was_measured_with_bfloat16(h200):
    choice = choose(product(2048, 2048, 2048, "float16"), h200)
    assert choice.distance == pytest.approx(0.05)


def test_rows_that_do_not_fit_are_passed_over_with_a_note(h200):
    few = replace(h200, compute_units=8)
    row = next(row for name, row in TABLE if name == "meet" and row.ratio >= 1 - MARGIN)
    choice = choose(product(*row.shape), few)
    assert choice.implementation != "meet"
    assert any("programs wait for one another on 8 multiprocessors" in note for note in choice.notes)


@pytest.mark.parametrize(
    ("kind", "config", "m", "said"),
    [
        ("hopper-skinny", FEW, 17, "17 rows exceed its 16"),
        (
            "hopper",
            configured("hopper", BM=128, BN=256, BK=64, STAGES=4, GROUPS=2, BUFFERS=2),
            64,
            "do not fill two warp groups",
        ),
        (
            "hopper",
            configured("hopper", BM=128, BN=128, BK=64, STAGES=6, GROUPS=2, SPLITS=8),
            200,
            "no multiple of 128",
        ),
        ("split", Config(BM=16), 16, "BN is missing"),
    ],
)
def test_a_kernel_refuses_what_it_cannot_compute(h200, kind, config, m, said):
    one = Candidate(origin=Origin.PRESET, implementation=kind, config=config, sizes=Record(), source="")
    with pytest.raises(ValueError, match=said):
        fitted(one, product(m, 1024, 1024), h200)
    if kind != "split":
        assert fitted(one, product(128 if kind != "hopper-skinny" else 16, 1024, 1024), h200) == config


def test_instructions_of_one_processor_stay_on_it(a100):
    one = Candidate(origin=Origin.PRESET, implementation="hopper-skinny", config=FEW, sizes=Record(), source="")
    with pytest.raises(ValueError, match="runs on sm_90 only, not sm_80"):
        fitted(one, product(16, 1024, 1024), a100)


def test_a_device_without_measurements_gets_the_default_configuration(a100):
    choice = choose(product(2048, 2048, 2048), a100)
    assert choice.origin is Origin.START
    assert choice.implementation == "persistent"
    assert "nothing is known of gemm on this device" in choice.reason


@pytest.mark.parametrize("target", ["sm_75", "gfx942", ""])
def test_devices_that_lack_the_instructions_leave_it_to_pytorch(h200, target):
    choice = choose(product(2048, 2048, 2048), replace(h200, target=target))
    assert choice.implementation == PEER
    assert choice.origin is Origin.TORCH
    assert "from compute capability 8.0 on" in choice.reason


def test_a_winner_of_the_store_comes_first(h200):
    config = configured("split", BM=16, BN=64, BK=256, num_stages=4, SPLITS=4)
    sizes = product(2048, 2048, 2048).problem.sizes
    won = Candidate(origin=Origin.STORE, implementation="split", config=config, sizes=sizes, source="store, run 1")
    foreign = replace(won, implementation="opencl", source="store, run 2")
    choice = choose(product(2048, 2048, 2048), h200, (foreign, won), "a note")
    assert (choice.origin, choice.implementation, choice.config) == (Origin.STORE, "split", config)
    assert choice.notes == ("a note",)
    far = choose(product(16, 4096, 4096), h200, (won,))
    assert far.origin is Origin.PRESET


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"dtype": "float32"}, "not float32"),
        ({"scaled": True}, "no alpha, beta and c"),
        ({"function": "gelu-tanh"}, "no gelu-tanh"),
        ({"sizes": (8, 12, 8)}, "a multiple of 8"),
        ({"loose": "op(b)"}, "op(b) lies neither by rows nor by columns"),
        ({"sizes": (8, 1 << 31, 8)}, "32-bit"),
        ({}, ""),
    ],
)
def test_what_the_tables_kernels_do_not_take(changed, said):
    usual = {"dtype": "bfloat16", "sizes": (8, 8, 8), "function": "none", "scaled": False, "loose": ""}
    found = products.narrowness(**{**usual, **changed})
    assert said in found
    assert bool(said) == bool(found)


def tile_winner(**sizes):
    """Return what the store gives of the family's own Triton implementation."""
    return Candidate(
        origin=Origin.STORE, implementation="triton", config=START, sizes=DEFAULT.replace(**sizes).sizes, source="store"
    )  # fmt: skip


def test_a_stored_winner_of_the_tile_takes_what_the_table_does_not(h200):
    won = tile_winner(m=2048, n=2048, k=2048, dtype="bfloat16", op="nt")
    call = replace(product(2000, 2048, 2048), op="nt", narrow="op(b) is not row-major")
    choice = choose(call, h200, (won,))
    assert (choice.origin, choice.implementation) == (Origin.STORE, "triton")
    assert choice.distance == pytest.approx(0.02, abs=0.01)
    assert choose(call, h200).reason == "torch.matmul runs: op(b) is not row-major"


@pytest.mark.parametrize(
    "changed",
    [
        {"m": 16, "n": 64, "k": 64},  # far
        {"dtype": "float32"},
        {"op": ""},  # a view that is neither by rows nor by columns
    ],
)
def test_a_stored_winner_of_something_else_does_not_count(h200, changed):
    won = tile_winner(m=2048, n=2048, k=2048, dtype="bfloat16", op="nt")
    call = replace(product(2048, 2048, 2048), **{"op": "nt", "narrow": "a reason", **changed})
    assert choose(call, h200, (won,)).implementation == PEER


@pytest.mark.parametrize(
    ("there", "here"),
    [((128, 128, 128), (8192, 8192, 64)), ((16, 4096, 4096), (120, 4096, 4096))],
    ids=["far", "more rows of tiles, each of which reads the weights"],
)
@pytest.mark.parametrize("narrow", ["", "a reason"])
def test_a_stored_winner_of_an_unlike_shape_is_not_believed(h200, there, here, narrow):
    won = tile_winner(**dict(zip("mnk", there, strict=True)), dtype="bfloat16", op="nt")
    won = replace(won, config=won.config.replace(BM=16))
    call = replace(product(*here), op="nt", narrow=narrow)
    assert choose(call, h200, (won,)).origin is not Origin.STORE
    exact = replace(product(*there), op="nt", narrow=narrow)
    assert choose(exact, h200, (won,)).origin is Origin.STORE


def test_a_column_major_winner_is_its_mirror_image(h200):
    won = tile_winner(m=512, n=2048, k=1024, dtype="float16", op="nt", layout="col")
    call = replace(product(2048, 512, 1024, "float16"), op="tn", narrow="a reason")
    choice = choose(call, h200, (won,))
    assert choice.exact
    assert choice.implementation == "triton"


def test_a_winner_that_the_problem_rules_out_is_passed_over(h200):
    won = replace(tile_winner(dtype="bfloat16"), config=START.replace(PRECISION="tf32x3"))
    call = replace(product(1024, 1024, 1024), narrow="a reason")
    choice = choose(call, h200, (won,))
    assert choice.implementation == PEER
    assert any("PRECISION is for float32" in note for note in choice.notes)


def test_an_obstacle_decides_before_the_table(h200):
    choice = choose(product(2048, 2048, 2048, obstacle="the tensors are on cpu"), h200)
    assert choice.reason == "torch.matmul runs: the tensors are on cpu"
    assert "runs     torch" in str(choice)


def test_a_measurement_compares_what_should_be_done_first(h200):
    """A table's nearest rows are not all: at 3072 x 1536 x 8960 none of theirs came near PyTorch's time."""
    product = products.Product(3072, 1536, 8960, "bfloat16", "none", op="nt")
    tried = alternatives.alternatives(product, h200)
    nearest = {(one.implementation, one.config) for one in tried[: alternatives._GUESSED]}
    likely = [(one.implementation, one.config) for one in alternatives._likely(product, h200)]
    assert len(likely) == alternatives._LIKELY
    assert set(likely) <= {(one.implementation, one.config) for one in tried}
    assert set(likely) - nearest
