"""What families ask PyTorch for: functions of the table, views that lie within the arrays, and the same results in NumPy."""

import numpy as np
import pytest

from hotloop.backends.torch import FUNCTIONS
from hotloop.kernels import attention, attention_packed, conv3d_depthwise, gemm, reduction
from hotloop.model.call import call_of
from hotloop.model.device import Device
from hotloop.model.dtype import dtype_of
from hotloop.model.kernel import Empty

H200 = Device(
    name="NVIDIA H200", kind="gpu", backend="triton", runtime="", runtime_key="cuda", target="sm_90", compute_units=132
)
CPU = Device(name="cpu", kind="cpu", backend="opencl", runtime="", runtime_key="pocl")
FAMILIES = (attention, attention_packed, conv3d_depthwise, gemm, reduction)


def calls(family, problem):
    peers = [peer for peer in family.KERNEL.peers_on(H200) if peer not in family.KERNEL.peers_on(CPU)]
    planned = [peer.plan(problem, H200) for peer in peers]
    return [call_of(program.launches[0].entry, program.options) for program in planned if program is not None]


def seen(array, view):
    """Return a flat array as a call's view shows it; fails where the view reaches beyond it."""
    item, flat = array.itemsize, array.reshape(-1)
    last = view.offset + sum((e - 1) * s for e, s in zip(view.shape, view.strides, strict=True)) if view.strides else 0
    assert last < flat.size
    if not view.strides:
        assert flat.size - view.offset == np.prod(view.shape, dtype=int)
        return flat[view.offset :].reshape(view.shape)
    return np.lib.stride_tricks.as_strided(flat[view.offset :], view.shape, [item * s for s in view.strides])


def arrays(family, problem):
    made = family.KERNEL.inputs(problem, np.random.default_rng(1))
    return {k: np.zeros(v.shape, dtype_of(v.dtype)) if isinstance(v, Empty) else v for k, v in made.items()}


@pytest.mark.parametrize("family", FAMILIES)
def test_libraries_of_other_makers_are_no_peers_here(family):
    assert not [peer.name for peer in family.KERNEL.peers_on(CPU) if peer.name in ("cuBLAS", "cuDNN", "PyTorch")]


@pytest.mark.parametrize("family", FAMILIES)
def test_every_call_names_a_function_and_sees_the_arrays(family):
    kernel = family.KERNEL
    problems = (kernel.problem, *kernel.awkward(kernel.problem))
    made = [(problem, call) for problem in problems for call in calls(family, problem)]
    assert made or family is attention
    for problem, call in made:
        assert call.function in FUNCTIONS
        inputs = arrays(family, problem)
        for name, view in call.views.items():
            assert inputs[name].dtype == dtype_of(view.dtype)
            seen(inputs[name], view)


@pytest.mark.parametrize("problem", [p for p in gemm.KERNEL.awkward(gemm.KERNEL.problem) if p.k])
def test_products_are_those_of_the_family(problem):
    for call in calls(gemm, problem):
        inputs = arrays(gemm, problem)
        a, b, *bias = (seen(inputs[name], view).astype("f8") for name, view in list(call.views.items())[:-1])
        result = inputs["c"].astype("f8").copy()
        product = a @ b + (bias[0] if bias else 0.0)
        seen(result, list(call.views.values())[-1])[...] = (
            np.maximum(product, 0) if call.constants.get("activation") == "relu" else product
        )
        np.testing.assert_allclose(result, gemm.KERNEL.reference(problem, inputs)["c"], rtol=1e-9)


def test_a_bias_by_columns_is_a_linear_layer_and_a_scaled_product_is_none():
    problem = gemm.KERNEL.problem.replace(dtype="bfloat16", epilogue="bias-gelu-tanh")
    assert [(call.function, call.constants) for call in calls(gemm, problem)] == [
        ("linear", {"activation": "gelu-tanh"})
    ]
    assert not calls(gemm, gemm.KERNEL.problem.replace(alpha=2.0))
    assert not calls(gemm, gemm.KERNEL.problem.replace(dtype="float16", accumulate="float16"))


def test_attention_through_two_libraries():
    problem = attention.KERNEL.problem.replace(dtype="float16", heads=8, kv_heads=2)
    assert [call.constants["backend"] for call in calls(attention, problem)] == ["CUDNN_ATTENTION", "FLASH_ATTENTION"]
    assert all(call.constants["grouped"] and call.constants["causal"] for call in calls(attention, problem))
    assert [call.constants["backend"] for call in calls(attention, problem.replace(size=256))] == ["FLASH_ATTENTION"]
    assert not calls(attention, problem.replace(length_q=64))
    single = problem.replace(length_q=1, length_k=1000, causal=0)
    assert [call.constants["backend"] for call in calls(attention, single)] == ["FLASH_ATTENTION"]
    assert not calls(attention, attention.KERNEL.problem)


def test_packed_attention_is_told_its_starts_and_the_longest_sequences():
    problem = attention_packed.KERNEL.problem
    (call,) = calls(attention_packed, problem)
    assert list(call.views) == ["q", "k", "v", "starts_q", "starts_k", "o"]
    assert call.constants == {"longest_q": 512, "longest_k": 512, "causal": True}
    assert not calls(attention_packed, problem.replace(lse=1))
    assert not calls(attention_packed, problem.replace(dtype="float32"))


def test_convolutions_with_channels_last_are_seen_in_pytorchs_order():
    problem = conv3d_depthwise.KERNEL.problem.replace(layout="ndhwc")
    inputs, (call,) = arrays(conv3d_depthwise, problem), calls(conv3d_depthwise, problem)
    assert np.array_equal(seen(inputs["x"], call.views["x"]), np.moveaxis(inputs["x"], -1, 1))
    assert call.constants["groups"] == problem.c


@pytest.mark.parametrize(("operation", "views"), [("sum", 2), ("softmax", 2), ("rmsnorm", 3), ("layernorm", 4)])
def test_row_operations_plain_and_compiled(operation, views):
    made = calls(reduction, reduction.KERNEL.problem.replace(operation=operation))
    assert [call.constants.get("compiled", False) for call in made] == [False, True]
    assert {len(call.views) for call in made} == {views}
