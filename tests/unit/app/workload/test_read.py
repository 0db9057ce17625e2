"""Workload files as three tools write them: shapes, counts and times, and sentences for what is none."""

from __future__ import annotations

import gzip
import json

import pytest

from hotloop.app.workload.read import read
from hotloop.errors import UsageError
from hotloop.model import tally as tallies
from hotloop.model.record import Record
from hotloop.model.tally import Line, Tally

UNTUNED = """\
GemmTunableOp_BFloat16_TN,tn_4096_77_11008_ld_11008_11008_4096
GemmTunableOp_float_NT,nt_64_32_16_ld_80_48_64
GemmStridedBatchedTunableOp_float_TN,tn_250_40_64_B_12_ld_64_64_250
GemmAndBiasTunableOp_Half_TN,tn_768_1024_3072_ld_3072_3072_768
ScaledGemmTunableOp_Float8_e4m3fn_Float8_e4m3fn_BFloat16_TN,tn_256_128_512_ld_512_512_256_rw_1_bias_None
not a line
"""


def by_call(tally):
    found = {}
    for line in tally.lines:
        found.setdefault(line.call, []).append(line)
    return found


def test_a_list_of_tunableop_is_mirrored_into_row_major_products(tmp_path):
    path = tmp_path / "tunableop_untuned0.csv"
    path.write_text(UNTUNED, encoding="utf-8")
    tally = read(path)
    products = {(line.sizes["m"], line.sizes["n"], line.sizes["k"]): line.sizes for line in tally.lines if line.family}
    assert products[77, 4096, 11008]["op"] == "nt"
    assert products[77, 4096, 11008]["dtype"] == "bfloat16"
    strided = products[32, 64, 16]
    assert (strided["op"], strided["lda"], strided["ldb"]) == ("tn", 48, 80)
    assert products[1024, 768, 3072]["epilogue"] == "bias"
    assert "a batch of 12" in by_call(tally)["aten::bmm"][0].reason
    assert not by_call(tally)["aten::_scaled_mm"][0].family
    assert any("1 lines could not be understood" in note for note in tally.notes)
    assert tally.total_ns is None
    assert all(line.count is None and line.total_ns is None for line in tally.lines)


def test_lists_of_earlier_pytorch_name_no_leading_dimensions(tmp_path):
    path = tmp_path / "tunableop_results0.csv"
    path.write_bytes(
        b"Validator,PT_VERSION,2.4.0\r\nGemmTunableOp_Half_TN,tn_4096_77_11008,Gemm_Hipblaslt_TN_21661,0.0412\r\n"
        b"GemmTunableOp_float_NT,nt_64_32_16,1219,1.262\r\nGemmStridedBatchedTunableOp_float_NN,nn_5_6_7_B_3,Default,inf\r\n"
    )
    tally = read(path)
    rows = {line.sizes["n"]: line.sizes for line in tally.lines if line.family}
    assert [rows[4096][name] for name in ("m", "k", "op", "lda", "ldb")] == [77, 11008, "nt", 0, 0]
    assert [rows[64][name] for name in ("m", "k", "op", "lda", "ldb")] == [32, 16, "tn", 0, 0]
    assert "a batch of 3" in by_call(tally)["aten::bmm"][0].reason
    assert not any("could not be understood" in note for note in tally.notes)


def op(name, began, took, given, tid=1):
    dims, types, strides, values = zip(*given, strict=True)
    args = {"Input Dims": dims, "Input type": types, "Input Strides": strides, "Concrete Inputs": values}
    return {"ph": "X", "cat": "cpu_op", "name": name, "ts": began, "dur": took, "pid": 7, "tid": tid, "args": args}


def tensor(*shape, strides=None, dtype="c10::BFloat16"):
    steps, step = [], 1
    for extent in reversed(shape):
        steps.insert(0, step)
        step *= extent
    return list(shape), dtype, list(strides or steps), ""


def scalar(text):
    return [], "Scalar", [], text


def launched(number, at, took, tid=1):
    return [
        {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "ts": at, "dur": 2, "pid": 7, "tid": tid,
         "args": {"correlation": number}},
        {"ph": "X", "cat": "kernel", "name": "some_kernel", "ts": at + 50, "dur": took, "pid": 0, "tid": 9,
         "args": {"correlation": number}},
    ]  # fmt: skip


LINEAR = op("aten::linear", 0, 40, [tensor(4, 8, 16), tensor(32, 16), tensor(32)])
INNER = op(
    "aten::addmm", 5, 30, [tensor(32), tensor(32, 16), tensor(16, 32, strides=(1, 16)), scalar("1"), scalar("1")]
)
GELU = op("aten::gelu", 50, 10, [tensor(4, 8, 32), ([], "", [], "")])
ADD = op("aten::add", 70, 10, [tensor(4, 8, 32), tensor(4, 8, 32)])
SDPA = op(
    "aten::scaled_dot_product_attention", 100, 50,
    [tensor(2, 4, 9, 64)] * 3 + [([], "", [], ""), scalar("0."), scalar("True"), ([], "", [], ""), scalar("False")],
)  # fmt: skip
CONV = op(
    "aten::convolution", 200, 50,
    [tensor(1, 6, 5, 7, 9), tensor(12, 1, 3, 5, 5), tensor(12), scalar("[1, 2, 2]"), scalar("[0, 2, 2]"), scalar("[1, 1, 1]"),
     scalar("False"), scalar("[0, 0, 0]"), scalar("6")],
)  # fmt: skip


def trace(tmp_path, events, name="trace.json", **more):
    path = tmp_path / name
    path.write_text(
        json.dumps({"deviceProperties": [{"name": "NVIDIA H200"}], "traceEvents": events, **more}), encoding="utf-8"
    )
    return path


def test_kernels_count_for_the_outermost_known_operator_and_its_activation(tmp_path):
    events = [
        LINEAR, INNER, GELU, ADD, SDPA, CONV,
        *launched(1, 20, 100), *launched(2, 55, 7), *launched(3, 75, 3), *launched(4, 120, 40), *launched(5, 220, 30),
        *launched(6, 500, 20),
    ]  # fmt: skip
    tally = read(trace(tmp_path, events))
    lines = by_call(tally)
    (product,) = lines["aten::linear"]
    assert product.total_ns == 107e3
    assert product.sizes["epilogue"] == "bias-gelu-erf"
    assert (product.sizes["m"], product.sizes["n"], product.sizes["k"], product.sizes["op"]) == (32, 32, 16, "nt")
    assert "aten::addmm" not in lines
    (attention,) = lines["aten::scaled_dot_product_attention"]
    assert attention.total_ns == 40e3
    assert (attention.sizes["causal"], attention.sizes["length_k"], attention.sizes["size"]) == (1, 9, 64)
    (convolution,) = lines["aten::convolution"]
    assert (convolution.sizes["multiplier"], convolution.sizes["sh"], convolution.sizes["pd"]) == (2, 2, 0)
    assert convolution.sizes["bias"] == 1
    assert convolution.reason == ""
    assert lines["aten::add"][0].total_ns == 3e3
    assert tally.total_ns == 200e3
    assert tally.device == "NVIDIA H200"
    assert any(note.startswith("10.0 %") for note in tally.notes)


def test_a_kernel_whose_launch_is_missing_belongs_to_the_operator_that_it_names(tmp_path):
    mm = op("aten::mm", 10, 20, [tensor(64, 32), tensor(32, 48)])
    mm["args"]["External id"] = 5
    kernel = {"ph": "X", "cat": "kernel", "name": "k", "ts": 90, "dur": 7, "pid": 0, "tid": 3}
    path = tmp_path / "trace.json"
    events = [mm, kernel | {"args": {"External id": 5}}, kernel | {"args": {"External id": 6, "correlation": 4}}]
    path.write_text(json.dumps({"traceEvents": events}), encoding="utf-8")
    tally = read(path)
    assert [line.total_ns for line in tally.lines if line.family] == [7000]
    assert any("50.0 %" in note for note in tally.notes)


def test_without_kernels_the_operators_own_time_counts(tmp_path):
    tally = read(trace(tmp_path, [LINEAR, INNER, ADD]))
    assert tally.total_ns == 50e3
    assert by_call(tally)["aten::linear"][0].total_ns == 40e3
    assert by_call(tally)["aten::linear"][0].sizes["epilogue"] == "bias"


def test_a_packed_trace_says_the_same(tmp_path):
    plain = trace(tmp_path, [LINEAR, INNER, GELU])
    packed = tmp_path / "trace.json.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    assert read(packed) == read(plain)


def test_a_workload_of_hotloop_survives_its_file(tmp_path):
    line = Line(call="aten::mm", operands="2x3", count=4, total_ns=5.5, family="gemm", sizes=Record(m=2, n=1, k=3))
    tally = Tally(source="ops.record", device="cpu", lines=(line,), total_ns=9.0, notes=("a note",))
    path = tmp_path / "calls.json"
    path.write_text(tallies.text_of(tally), encoding="utf-8")
    assert read(path) == tally


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("hello", "is no workload: give a file of"),
        ('{"traceEvents": []}', "has no operators of PyTorch"),
        (
            '{"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "ts": 1, "dur": 1, "args": {}}]}',
            "has no shapes",
        ),
        ('{"traceEvents": [', "damaged or cut off"),
        ('{"form": "hotloop workload", "version": 99}', "version 99"),
        ('{"form": "hotloop workload", "version": 1, "lines": 3}', "damaged or incomplete"),
        ("GemmTunableOp_float_XX,what\n", "no line of TunableOp"),
        ("[1, 2]", "has no operators of PyTorch"),
        ("", "is no workload"),
    ],
)
def test_what_is_none_is_said_in_one_sentence(tmp_path, text, said):
    path = tmp_path / "file"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError) as error:
        read(path)
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_a_damaged_packed_trace_is_said(tmp_path):
    path = tmp_path / "trace.json.gz"
    path.write_bytes(gzip.compress(b'{"traceEvents": []}')[:-6])
    with pytest.raises(UsageError, match="damaged or cut off"):
        read(path)
