"""What a user would otherwise call for a product of 8-bit floats."""

import pytest

from hotloop.kernels.gemm_fp8 import KERNEL
from hotloop.kernels.gemm_fp8.peers import scaled
from hotloop.kernels.gemm_fp8.problem import DEFAULT
from hotloop.model.call import call_of
from hotloop.model.device import Device

H200 = Device(name="H", kind="gpu", backend="triton", runtime="r", runtime_key="cuda", target="sm_90")


@pytest.mark.parametrize(("scales", "shapes"), [("one", ((), ())), ("both", ((16, 1), (1, 32)))])
def test_the_weights_are_seen_column_by_column(scales, shapes):
    program = scaled(DEFAULT.replace(m=16, n=32, k=64, ldw=80, scales=scales, fast_accum=True), H200)
    made = call_of(program.main.entry, program.options)
    assert (made.function, made.constants) == ("scaled_matmul", {"fast": True})
    assert (made.views["a"].shape, made.views["a"].strides) == ((16, 64), (64, 1))
    assert (made.views["w"].shape, made.views["w"].strides) == ((64, 32), (1, 80))
    assert (made.views["scale_a"].shape, made.views["scale_b"].shape) == shapes
    assert [argument.name for argument in program.main.arguments] == ["a", "w", "scale_a", "scale_b", "c"]


@pytest.mark.parametrize(
    "change", [{"n": 24}, {"epilogue": "bias"}, {"scales": "rows"}, {"scales": "both", "dtype": "float16"}], ids=str
)
def test_what_it_does_not_compute_is_left_out(change):
    assert scaled(DEFAULT.replace(**change), H200) is None


def test_the_family_has_it():
    assert [peer.name for peer in KERNEL.peers] == ["PyTorch's _scaled_mm"]
