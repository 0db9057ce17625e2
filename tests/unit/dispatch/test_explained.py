"""Every choice explains itself, whichever optional sizes the call has and the known shape lacks, or the other way round."""

from __future__ import annotations

import itertools
import logging
from dataclasses import replace

import pytest

from hotloop.backends.null import DEVICE
from hotloop.dispatch import select
from hotloop.dispatch.choice import Candidate, Origin
from hotloop.dispatch.place import Winners
from hotloop.dispatch.select import Asked
from hotloop.kernels.attention import choosing as attention
from hotloop.kernels.attention_packed import choosing as packed
from hotloop.kernels.conv3d_depthwise import choosing as conv3d
from hotloop.kernels.conv3d_depthwise.cuda.space import NAIVE
from hotloop.kernels.conv3d_depthwise.shape import VIDEO
from hotloop.kernels.gemm import products
from hotloop.kernels.gemm_batched import choosing as batched
from hotloop.kernels.gemm_batched.problem import Form
from hotloop.kernels.gemm_batched.triton.plan import Steps
from hotloop.model.problem import Problem
from hotloop.model.record import Record
from hotloop.model.space import Config

H200 = replace(DEVICE, kind="gpu", backend="triton", target="sm_90", max_workgroup=1024, local_mem_bytes=232448)
OPTIONAL = {"op": "nt", "c": "read", "batch": 3, "window": 128, "bias": 1, "epilogue": "bias-gelu", "layout": "ndhwc"}
GAPS = [dict(zip(OPTIONAL, kept, strict=True)) for kept in itertools.product((0, 1), repeat=len(OPTIONAL))]


def told(choice) -> str:
    """Return all that is said of a choice, logged too."""
    select.report(choice)
    return f"{choice}\n{choice.reason}"


@pytest.fixture(autouse=True)
def _listening(caplog):
    caplog.set_level(logging.DEBUG, logger="hotloop")


def sizes(kept) -> Record:
    return Record({"m": 512, "n": 64, **{name: OPTIONAL[name] for name, yes in kept.items() if yes}})


@pytest.mark.parametrize("origin", [Origin.STORE, Origin.PRESET, Origin.INFERRED])
def test_any_sizes_may_be_there_or_not(origin):
    row = Candidate(origin=origin, implementation="x", config=Config(), sizes=Record(m=256, n=64), source="a run")
    for kept in GAPS:
        for asked_of, known in ((sizes(kept), row.sizes), (row.sizes, sizes(kept))):
            asked = Asked(problem=Problem("any", asked_of), device=H200)
            choice = select.select(
                asked, (replace(row, sizes=known),), replace(row, origin=Origin.START), lambda _: Config()
            )
            said = told(choice)
            assert "m=" in said
            assert all(name in said for name, yes in kept.items() if yes)


CONVOLUTIONS = [
    replace(VIDEO, c=c, bias=bias, channels_last=last, dtype=dtype)
    for c, bias, last, dtype in itertools.product((8, 512), (False, True), (False, True), ("bfloat16", "float32"))
]


@pytest.mark.parametrize("shape", CONVOLUTIONS, ids=str)
def test_convolutions(shape):
    for other in CONVOLUTIONS[:4]:
        won = Candidate(
            origin=Origin.STORE, implementation="cuda", config=NAIVE, sizes=conv3d.sizes_of(other), source="a run"
        )
        call = conv3d.Convolution(shape)
        assert told(conv3d.choose(call, H200, Winners((won,))))
        assert told(conv3d.choose(call, H200, compiler="no CUDA C++"))
        for tried in (*conv3d.rungs_worth_trying(call, H200), *conv3d.cuts_worth_trying(call, H200)):
            assert told(tried)
            assert conv3d.program(call, tried).launches


@pytest.mark.parametrize("dtype", ["float64", "int32"])
@pytest.mark.parametrize("last", [False, True])
def test_convolutions_of_types_that_no_kernel_takes(dtype, last):
    shape = replace(VIDEO, dtype=dtype, channels_last=last)
    call = conv3d.Convolution(shape, conv3d.obstacle(shape, ""))
    assert "not " + dtype in told(conv3d.choose(call, H200))
    assert (conv3d.rungs_worth_trying(call, H200), conv3d.cuts_worth_trying(call, H200)) == ([], [])


@pytest.mark.parametrize("op", ["nn", "nt", "tn", "tt", ""])
@pytest.mark.parametrize("epilogue", ["none", "bias", "bias-gelu-erf", "relu"])
@pytest.mark.parametrize("reads_c", [False, True])
def test_products(op, epilogue, reads_c):
    row = products.Product(4096, 4096, 4096, "bfloat16", "none")
    for sizes in (
        row.problem.sizes,
        Record(m=512, n=512, k=512, dtype="bfloat16", epilogue="none"),
    ):  # without op and c
        won = Candidate(origin=Origin.STORE, implementation="triton", config=Config(), sizes=sizes, source="a run")
        for m, dtype in itertools.product((1, 77, 4096), ("bfloat16", "float32", "float64")):
            call = products.Product(m, 512, 512, dtype, epilogue, op=op, reads_c=reads_c)
            assert told(products.choose(call, H200, (won,), ""))


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("window", [0, 128])
@pytest.mark.parametrize("shift", [0, 512])
def test_attention(causal, window, shift):
    for size, queries, dtype in itertools.product((64, 80, 128), (1, 2048), ("bfloat16", "float32")):
        place = shift if causal or window else 0
        narrow = attention.narrowness(size=size, loose="", window=window, shift=place)
        why = attention.obstacle(dtype=dtype, size=size, empty=False, scale=None, loose="")
        call = attention.Attention(1, 8, 2, queries, 2048, size, dtype, causal, place, window, narrow, why)
        assert told(attention.choose(call, H200))
        for tried in attention.alternatives(call, H200):
            assert told(tried)


@pytest.mark.parametrize("size", range(8, 520, 8))
def test_packed_attention(size):
    for dtype, single in itertools.product(("bfloat16", "float32"), (False, True)):
        why = attention.obstacle(dtype=dtype, size=size, empty=False, scale=None, loose="")
        call = packed.Packed(8, 2, size, dtype, causal=True, single=single, obstacle=why)
        assert told(packed.choose(call, H200))


@pytest.mark.parametrize("residual", [False, True])
@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("uneven", [False, True])
def test_batches(residual, bias, uneven):
    for shared, op in itertools.product(("none", "a", "b"), ("nn", "nt")):
        form = Form(4, 64, 64, 64, "bfloat16", op, bias, "none", residual, "none" if uneven else shared, uneven)
        call = batched.Products(form, Steps((0, 64, 1), (4096, 64, 1), (0, 64), (0, 64), 64))
        assert told(batched.choose(call, H200))
        for tried in batched.alternatives(call, H200):
            assert told(tried)
