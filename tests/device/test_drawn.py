"""Problems that stand in no file: sizes drawn for each kernel of a Hopper GPU, verified as ``hotloop check`` does.

The draw changes with HOTLOOP_DRAW (default 1). A problem that a kernel refuses is skipped with its reason.
"""

from __future__ import annotations

import os
import random

import pytest

from hotloop.app import spec, userfile
from hotloop.app.run import faceoff
from hotloop.app.run.inputs.workload import Workload
from hotloop.model.outcome import NotApplicable, describe

torch = pytest.importorskip("torch")
if not torch.cuda.is_available() or torch.cuda.get_device_capability()[0] != 9:
    pytest.skip("no Hopper GPU", allow_module_level=True)
pytestmark = pytest.mark.device
LANGUAGE = "gluon"
DRAWS = 5


def between(rng, low, high, step=1):
    """Draw a multiple of a step, small ones as likely as large ones."""
    return max(step, round(low * (high / low) ** rng.random() / step) * step)


def product(rng):
    few = rng.random() < 0.4
    rows = between(rng, 1, 16) if few else between(rng, 20, 1500)
    kind = rng.choice(("none", "bias", "relu", "silu"))
    return f"m={rows},n={between(rng, 64, 3000, 8)},k={between(rng, 64, 5000, 8)},dtype={rng.choice(('bfloat16', 'float16'))},epilogue={kind}"


def quantized(rng):
    return f"m={between(rng, 1, 300)},n={between(rng, 64, 3000, 64)},k={between(rng, 128, 5000, 128)}"


def attention(rng):
    groups = rng.choice((1, 2, 4))
    kv_heads = rng.choice((1, 2, 3))
    queries = between(rng, 1, 900)
    keys = queries if rng.random() < 0.5 else between(rng, 1, 1500)
    heads = f"batch={rng.choice((1, 2, 3))},heads={groups * kv_heads},kv_heads={kv_heads}"
    form = f"size={rng.choice((64, 128))},dtype={rng.choice(('bfloat16', 'float16'))},causal={rng.choice((0, 1))}"
    return f"{heads},length_q={queries},length_k={keys},{form}"


def packed(rng):
    kv_heads = rng.choice((1, 2))
    longest = between(rng, 8, 700)
    shape = f"sequences={between(rng, 1, 12)},heads={kv_heads * rng.choice((1, 4))},kv_heads={kv_heads}"
    return f"{shape},longest_q={longest},longest_k={longest},size={rng.choice((64, 128))},causal={rng.choice((0, 1))}"


def rows(rng):
    operation = rng.choice(("softmax", "rmsnorm", "layernorm", "sum", "max"))
    dtype = rng.choice(("float32", "bfloat16", "float16"))
    return f"operation={operation},rows={between(rng, 1, 3000)},columns={between(rng, 1, 30000)},dtype={dtype}"


def convolution(rng):
    window = ",".join(f"{name}={rng.choice((1, 3, 5))}" for name in ("kd", "kh", "kw"))
    sizes = f"c={between(rng, 1, 60)},d={between(rng, 5, 20)},h={between(rng, 5, 60)},w={between(rng, 5, 90)}"
    return f"{sizes},{window},sh={rng.choice((1, 2))},pd={rng.choice((0, 1))},ph=1,pw={rng.choice((0, 1, 2))},dtype={rng.choice(('bfloat16', 'float32'))}"


KERNELS = {
    **{
        f"gemm@{name}": product
        for name in ("persistent", "split", "meet", "hopper", "hopper-skinny", "hopper-stream", "triton")
    },
    "gemm_fp8@gluon": quantized,
    "gemm_int4@triton": quantized,
    **{f"attention@{name}": attention for name in ("gluon", "triton")},
    "attention_packed@gluon": packed,
    **{f"reduction@{name}": rows for name in ("cuda", "triton")},
    **{f"conv3d_depthwise@{name}": convolution for name in ("cuda", "triton")},
}
CASES = [(name, draw) for name in KERNELS for draw in range(DRAWS)]


@pytest.mark.parametrize(("name", "draw"), CASES)
def test_a_drawn_problem_is_right(made, name, draw):
    shape = KERNELS[name](random.Random(f"{os.environ.get('HOTLOOP_DRAW', '1')} {name} {draw}"))
    asked = spec.parse(name)
    problem = userfile.problem_of(asked.kernel, shape)
    workload = Workload(made.engine, asked.kernel, problem, made.device, made.seed)
    try:
        found = faceoff.checked(made, workload, asked.variant(problem, made.device, None), "quick")
    finally:
        workload.discard()
    if isinstance(found.answer, NotApplicable):
        pytest.skip(f"{shape}: {found.answer.reason}")
    assert found.passed, f"{name} on {shape}: {describe(found.answer)}"
