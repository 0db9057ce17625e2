from dataclasses import replace

import numpy as np
import pytest

from hotloop.app.run.ceilings import COPY_ELEMENTS, _copied, _numbers, dtype_of
from hotloop.backends.null import DEVICE
from hotloop.model.problem import Problem
from hotloop.model.record import Record


@pytest.mark.parametrize(
    ("sizes", "backend", "dtype"),
    [
        ({"n": 1}, "opencl", "float32"),
        ({"dtype": "float64"}, "opencl", "float64"),
        ({"dtype": "int8"}, "cuda", "float32"),
        ({"dtype": "float16"}, "opencl", "float32"),
        ({"dtype": "float16"}, "cuda", "float16"),
        ({"dtype": "bfloat16"}, "triton", "bfloat16"),
    ],
)
def test_which_rate_limits_a_problem(sizes, backend, dtype):
    assert dtype_of(Problem("p", Record(sizes)), replace(DEVICE, backend=backend)) == dtype


@pytest.mark.parametrize(
    ("arrays", "backend", "dtype"),
    [
        (["float16", "float32", "int32"], "triton", "float16"),
        (["float16"], "opencl", "float32"),
        (["float64", "int64"], "opencl", "float64"),
        (["float64", "float32"], "cuda", "float32"),
        (["int32"], "cuda", "float32"),
        ([], "cuda", "float32"),
    ],
)
def test_the_arrays_decide_where_a_problem_names_no_type(arrays, backend, dtype):
    device = replace(DEVICE, backend=backend)
    assert dtype_of(Problem("p", Record({"n": 1})), device, arrays) == dtype
    assert dtype_of(Problem("p", Record({"dtype": "float64"})), device, arrays) == "float64"


def test_bfloat16_is_the_upper_half_of_a_float():
    raw = np.array([1.5, -24.0], np.float32).view(np.uint16)[1::2].copy().view(np.uint8)
    assert _numbers(raw, "bfloat16").tolist() == [1.5, -24.0]


@pytest.mark.parametrize(
    ("kind", "llc_bytes", "elements"),
    [("cpu", 1 << 30, COPY_ELEMENTS), ("gpu", 1 << 20, COPY_ELEMENTS), ("gpu", 60 << 20, 60 << 20), ("gpu", None, 1 << 26),
     ("gpu", 50_000_001, 50_000_896), ("gpu", 1 << 30, 1 << 26)],
)  # fmt: skip
def test_what_is_copied_is_beyond_the_last_level_cache(kind, llc_bytes, elements):
    assert _copied(replace(DEVICE, kind=kind, llc_bytes=llc_bytes)) == elements
