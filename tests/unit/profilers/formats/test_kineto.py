"""Traces of PyTorch's profiler."""

import json

import pytest

from hotloop.app.explain.answer import Request, explain
from hotloop.profilers.reading import read
from hotloop.profiles.failure import ProfileError

KERNEL = {
    "ph": "X", "cat": "kernel", "name": "gemm<128>", "ts": 100.5, "dur": 218.25,
    "args": {"device": 0, "grid": [16, 2, 1], "block": [128, 1, 1], "shared memory": 99328, "registers per thread": 128, "correlation": 42},
}  # fmt: skip
COPY = {"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD", "ts": 1, "dur": 1200}
OPERATOR = {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "ts": 1, "dur": 45}
A100 = {"id": 0, "name": "NVIDIA A100-SXM4-80GB", "computeMajor": 8, "computeMinor": 0, "numSms": 108}
MI300X = {"id": 0, "name": "AMD Instinct MI300X", "computeMajor": 9, "computeMinor": 4, "numSms": 304}


def trace(*events, devices=()):
    return json.dumps({"schemaVersion": 1, "deviceProperties": list(devices), "traceEvents": list(events)})


def test_launches_with_their_sizes(write):
    profile = read(write("t.json", trace(OPERATOR, COPY, KERNEL, {**KERNEL, "ts": 900}, devices=[A100])))
    (kernel,) = profile.kernels
    assert (kernel.kernel, kernel.dispatches, kernel.duration_ns.total) == ("gemm<128>", 2, 2 * 218250)
    assert (kernel.grid_items, kernel.workgroup_items, kernel.lds_bytes, kernel.vgprs) == (4096, 128, 99328, 128)
    assert (profile.architecture, profile.device_name) == ("sm_80", "NVIDIA A100-SXM4-80GB")
    assert [(c.domain, c.duration_ns.total) for c in profile.calls] == [("gpu_memcpy", 1200000)]


def test_an_amd_gpu_is_named_as_sold(write):
    profile = read(write("t.json", trace(KERNEL, devices=[MI300X])))
    assert (profile.architecture, profile.device_name) == (None, "AMD Instinct MI300X")


OLDER = {**KERNEL, "cat": "Kernel", "tid": "stream 7"}
ONNX = {
    **KERNEL,
    "cat": "Kernel",
    "args": {"stream": "0x55", "grid_x": "16", "grid_y": "2", "grid_z": "1", "block_x": "128", "block_y": "1"},
}
"""As ONNX Runtime tells sizes."""
ON_A_HOST = {**KERNEL, "cat": "Kernel", "name": "OV::MatMul", "args": {"ov_status": "EXECUTED"}}


@pytest.mark.parametrize("event", [OLDER, ONNX], ids=["PyTorch 1.8", "ONNX Runtime"])
def test_kernels_as_older_and_other_profilers_call_them(write, event):
    (kernel,) = read(write("t.json", json.dumps([{**OPERATOR, "cat": "Operator"}, ON_A_HOST, event]))).kernels
    assert (kernel.kernel, kernel.duration_ns.total, kernel.grid_items, kernel.workgroup_items) == (
        "gemm<128>",
        218250,
        4096,
        128,
    )


def test_a_list_of_events_alone(write):
    for text in (json.dumps([OPERATOR, KERNEL]), f"{json.dumps(OPERATOR)},\n{json.dumps(KERNEL)},\n"):
        assert read(write("t.json", text)).kernels[0].duration_ns.total == 218250


def test_operators_speak_where_there_is_no_kernel_each_without_those_inside(write):
    """Recorded on a host without a GPU: `aten::linear` contains `aten::addmm`, and both have the whole time."""
    inner = {**OPERATOR, "name": "aten::addmm", "ts": 2, "dur": 40}
    path = write("t.json", trace({**OPERATOR, "name": "aten::linear"}, inner, {**inner, "tid": 2, "ts": 3}))
    assert {c.name: (c.domain, c.duration_ns.count, c.duration_ns.total) for c in read(path).calls} == {
        "aten::linear": ("operator", 1, 5000), "aten::addmm": ("operator", 2, 80000),
    }  # fmt: skip
    said = explain(Request(inputs=(str(path),))).verdict
    assert "aten::addmm takes 94.1 %" in said
    assert "perf stat --topdown python program.py" in said


def pauses(count, gap_us, *more):
    return trace(*({**KERNEL, "ts": 100 + i * (218.25 + gap_us)} for i in range(count)), *more, devices=[A100])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (pauses(8, 1000), "works 1.75 ms of 8.75 ms under the profiler: it stands still 80.0 %"),
        (pauses(8, 100), ""),
        (pauses(3, 1000), ""),
        (pauses(8, 1000, {**COPY, "dur": 5000}), "copies take"),
    ],
    ids=["pauses", "busy", "few launches", "copies instead"],
)
def test_a_device_that_stands_still_between_its_kernels_is_told(write, text, told):
    """Drawn: traces of a decoder and of a training step, whose device worked 24 and 14 % of the time, brought 'no rule found a bottleneck'."""
    said = explain(Request(inputs=(str(write("t.json", text)),))).verdict
    assert told in said if told else "stands still" not in said


def test_a_trace_without_a_kernel_and_a_cut_one_are_refused(write):
    with pytest.raises(ProfileError, match="without a kernel"):
        read(write("t.json", trace({**OPERATOR, "cat": "user_annotation"})))
    with pytest.raises(ProfileError, match="cut off"):
        read(write("t.json", trace(KERNEL)[:-20]))
