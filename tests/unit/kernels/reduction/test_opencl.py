"""The OpenCL C form of the row operations: space, plan, reference."""

from __future__ import annotations

import numpy as np
import pytest

from hotloop.kernels.reduction import KERNEL
from hotloop.kernels.reduction.geometry import OPERATIONS
from hotloop.kernels.reduction.opencl.plan import plan, traits
from hotloop.kernels.reduction.opencl.space import NAIVE, PARAMETERS, SPACE, simplicity
from hotloop.kernels.reduction.problem import DEFAULT, awkward, rows_of, work
from hotloop.kernels.reduction.reference import inputs, magnitude, reference
from hotloop.metrics.vocabulary import BY_NAME
from hotloop.model.device import Device


@pytest.fixture
def device() -> Device:
    return Device(
        name="two cores", kind="cpu", backend="opencl", runtime="Intel OpenCL", runtime_key="intel",
        target="x86-64-avx2", vector_bits=256, vector_registers=16, max_workgroup=64, fp16=False,
    )  # fmt: skip


@pytest.mark.parametrize("operation", OPERATIONS)
def test_the_reference_has_the_properties_of_the_operation(operation):
    problem = DEFAULT.replace(rows=4, columns=50, operation=operation, epsilon=0.0)
    arrays = inputs(problem, np.random.default_rng(1))
    arrays = {**arrays, "scale": np.ones(50), "shift": np.zeros(50)}
    y = reference(problem, arrays)["y"]
    x = arrays["x"].astype(float)
    if operation == "sum":
        np.testing.assert_allclose(y, [sum(row) for row in x], rtol=1e-12)
    elif operation == "max":
        assert y.tolist() == [max(row) for row in x]
    elif operation == "softmax":
        np.testing.assert_allclose(y.sum(1), 1, rtol=1e-12)
        np.testing.assert_allclose(np.log(y[:, 1:] / y[:, :-1]), x[:, 1:] - x[:, :-1], atol=1e-12)
    else:
        np.testing.assert_allclose((y**2).mean(1), 1, rtol=1e-12)
        np.testing.assert_allclose(y.mean(1), 0 if operation == "layernorm" else y.mean(1), atol=1e-12)
    assert (magnitude(problem, arrays)["y"] > 0).all()
    assert arrays["y"].shape == y.shape


def test_norms_scale_and_shift():
    problem = DEFAULT.replace(rows=3, columns=20, operation="layernorm")
    arrays = dict(inputs(problem, np.random.default_rng(2)))
    plain = reference(problem, {**arrays, "scale": np.ones(20), "shift": np.zeros(20)})["y"]
    np.testing.assert_allclose(reference(problem, arrays)["y"], plain * arrays["scale"] + arrays["shift"], rtol=1e-12)


def test_start_is_valid_and_every_parameter_reaches_the_source(device):
    program = plan(DEFAULT, NAIVE, device)
    assert SPACE.violation(NAIVE) is None
    assert simplicity(NAIVE) == 0 < simplicity(NAIVE.replace(VW=8, FAST=1))
    for parameter in PARAMETERS:
        assert f"-D{parameter.name}={NAIVE[parameter.name]}" in program.options
        assert parameter.name in program.source
    assert program.launches[0].global_size == (64, 2048)
    assert plan(DEFAULT, NAIVE.replace(RPI=64, LX=1), device).launches[0].global_size == (1, 32)
    assert KERNEL.implementation().start == NAIVE


def test_traits_are_known_names(device):
    facts = traits(DEFAULT, NAIVE, device)
    assert set(facts) <= set(BY_NAME)
    assert facts["config.barriers"] == 2 * 8
    assert traits(DEFAULT, NAIVE.replace(LX=1), device)["config.barriers"] == 0


@pytest.mark.parametrize(
    ("change", "text"),
    [({"operation": "mean"}, "not one of sum"), ({"dtype": "float16"}, "no float16"), ({"rows": 0}, "not positive")],
)
def test_what_cannot_run_says_why(change, text, device):
    with pytest.raises(ValueError, match=text):
        plan(DEFAULT.replace(**change), NAIVE, device)
    with pytest.raises(ValueError, match="128 work-items"):
        plan(DEFAULT, NAIVE.replace(LX=128), device)


def test_awkward_problems_and_work_have_meaning():
    assert all(rows_of(problem).rows for problem in awkward(DEFAULT))
    assert work(DEFAULT.replace(operation="sum")).bytes == 4 * (2048 * 2048 + 2048)
    assert work(DEFAULT).bytes == 4 * 2 * 2048 * 2048
