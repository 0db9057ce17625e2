"""The OpenCL layer between a program and a runtime that exists for the test only: handles that come again, functions that the runtime calls."""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import time
from ctypes import CFUNCTYPE, c_char_p, c_int, c_size_t, c_uint, c_ulong, c_void_p
from pathlib import Path

import pytest

from hotloop.app.capture import layer
from hotloop.errors import MachineError

MADE, INFO = CFUNCTYPE(c_void_p, *[c_void_p] * 9), CFUNCTYPE(c_int, c_void_p, c_uint, c_size_t, c_void_p, c_void_p)
ANY = CFUNCTYPE(c_int, *[c_void_p] * 12)
NOTIFY = CFUNCTYPE(None, c_void_p, c_int, c_void_p)
QUEUE, PROGRAM, KERNEL, BUFFER, EVENT = 0x1000, 0x2000, 0x3000, 0x4000, 0x5000
PLACES = {
    "clGetDeviceInfo": 3, "clGetCommandQueueInfo": 12, "clCreateBuffer": 14, "clRetainMemObject": 17, "clReleaseMemObject": 18,
    "clGetMemObjectInfo": 20, "clCreateProgramWithSource": 26, "clCreateProgramWithBinary": 27, "clBuildProgram": 30,
    "clCreateKernel": 34, "clSetKernelArg": 38, "clGetKernelInfo": 39, "clWaitForEvents": 41, "clFinish": 47,
    "clEnqueueReadBuffer": 48, "clEnqueueNDRangeKernel": 59, "clSetEventCallback": 81, "clCreateProgramWithBuiltInKernels": 97,
    "clLinkProgram": 99, "clSVMAlloc": 126, "clSVMFree": 127, "clEnqueueSVMFree": 128, "clEnqueueSVMMemcpy": 129,
    "clSetKernelArgSVMPointer": 134, "clCreateProgramWithIL": 138,
}  # fmt: skip
INFOS = {0x1190: b"f\0", 0x1191: (1).to_bytes(4, "little"), 0x1194: PROGRAM.to_bytes(8, "little"), 0x1100: (0x10F0).to_bytes(4, "little"),
         0x1102: (16).to_bytes(8, "little")}  # fmt: skip


class Runtime:
    """A runtime whose handles are always the same ones, as after a release, below a layer of its own."""

    def __init__(self, library: Path, folder: Path) -> None:
        (folder / "values").mkdir()
        self.folder, self.calls, self.refused, self.copied = folder, [], set(), []
        self.notified: list[tuple[NOTIFY, int]] = []
        self.address = 0x100000
        self.slow_s = 0.0
        shutil.copy(library, folder / "layer.so")  # a layer has one state for each library
        self._kept = [self._function(name) for name in PLACES]
        table = (c_void_p * 149)()
        for at, function in zip(PLACES.values(), self._kept, strict=True):
            table[at] = ctypes.cast(function, c_void_p).value
        self._table, count, made = table, c_uint(), ctypes.POINTER(c_void_p)()
        os.environ["HOTLOOP_LAYER"] = f"0 1000000 1 {folder}"
        loaded = ctypes.CDLL(str(folder / "layer.so"))
        assert loaded.clInitLayer(c_uint(149), table, ctypes.byref(count), ctypes.byref(made)) == 0
        del os.environ["HOTLOOP_LAYER"]
        self._above = made

    def _function(self, name):
        if name.startswith("clGet"):
            return INFO(self._info)
        handle = {"clCreateKernel": KERNEL, "clCreateBuffer": BUFFER}.get(name, PROGRAM)
        if name.startswith("clCreate") or name == "clLinkProgram":
            return MADE(lambda *_: handle)
        if name == "clSVMAlloc":
            return MADE(lambda *_: self.address)
        if name == "clEnqueueSVMMemcpy":
            return CFUNCTYPE(c_int, c_void_p, c_uint, c_void_p, c_void_p, c_size_t, c_uint, c_void_p, c_void_p)(
                lambda *given: self.copied.append(given[4]) or 0
            )
        if name == "clSetEventCallback":
            return CFUNCTYPE(c_int, c_void_p, c_int, NOTIFY, c_void_p)(
                lambda _event, _status, notify, data: self.notified.append((notify, data)) or 0
            )

        def done(*_given):
            self.calls.append(name)
            if name == "clFinish":
                time.sleep(self.slow_s)
            return -1 if name in self.refused else 0

        return ANY(done)

    @staticmethod
    def _info(_handle, what, room, value, size):
        data = INFOS.get(what, b"\0" * 8)
        if value and room:
            ctypes.memmove(value, data, min(room, len(data)))
        if size:
            c_size_t.from_address(size).value = len(data)
        return 0

    def call(self, name, *given, result=c_int):
        kinds = [type(one) if isinstance(one, ctypes._SimpleCData) else c_void_p for one in given]
        return CFUNCTYPE(result, *kinds)(self._above[PLACES[name]])(*given)

    def kernel(self, text=b"kernel void f() {}", options=b""):
        """Make a program of a text and a kernel of it."""
        parts = (c_char_p * 1)(text)
        self.call(
            "clCreateProgramWithSource", None, c_uint(1), ctypes.cast(parts, c_void_p), None, None, result=c_void_p
        )
        self.call("clBuildProgram", PROGRAM, c_uint(0), None, c_char_p(options), None, None)
        self.call("clCreateKernel", PROGRAM, c_char_p(b"f"), None, result=c_void_p)

    def launch(self, dims=1, items=8):
        sizes = (c_size_t * 3)(items, 1, 1)
        return self.call(
            "clEnqueueNDRangeKernel",
            QUEUE,
            KERNEL,
            c_uint(dims),
            None,
            ctypes.cast(sizes, c_void_p),
            None,
            c_uint(0),
            None,
            None,
        )

    def seen(self, kind):
        rows = (self.folder / f"seen-{os.getpid()}.jsonl").read_text().splitlines()
        return [row for row in map(json.loads, rows) if row["kind"] == kind]


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    try:
        return layer.built(tmp_path_factory.mktemp("layer"))
    except MachineError as reason:
        pytest.skip(str(reason))


@pytest.fixture
def runtime(library, tmp_path):
    return Runtime(library, tmp_path)


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("clCreateProgramWithBinary", (None, c_uint(1), None, None, None, None, None)),
        ("clCreateProgramWithBuiltInKernels", (None, c_uint(1), None, None, None)),
        ("clCreateProgramWithIL", (None, None, c_size_t(4), None)),
        ("clLinkProgram", (None, c_uint(1), None, None, c_uint(1), None, None, None, None)),
    ],
)
def test_a_program_without_a_text_is_not_taken_for_an_earlier_one_at_its_address(runtime, name, given):
    runtime.kernel()
    runtime.call(name, *given, result=c_void_p)
    runtime.call("clCreateKernel", PROGRAM, c_char_p(b"f"), None, result=c_void_p)
    runtime.launch()
    assert runtime.seen("kernel") == []
    assert "not from one text" in runtime.seen("failed")[0]["text"]


def test_timed_launches_say_which_they_are_and_what_they_had_of_the_processor(runtime):
    runtime.kernel()
    for _ in range(40):
        runtime.launch()
    count = runtime.seen("count")[-1]
    assert count["numbers"][:14] == list(range(1, 15))
    assert set(count["numbers"]) <= {*range(1, 16), *range(16, 32, 2), 32, 36, 40}
    assert len(count["numbers"]) == len(count["times_ns"]) == len(count["busy_ns"])


def test_waiting_for_launches_before_a_new_kind_is_no_time_of_the_recorder(runtime):
    runtime.kernel()
    runtime.slow_s = 0.2
    runtime.launch()
    assert "clFinish" in runtime.calls
    assert runtime.seen("count")[-1]["host_ns"] < 0.15e9


def test_a_build_that_fails_leaves_the_options_of_the_one_before(runtime):
    runtime.kernel(options=b"-DA=1")
    runtime.refused.add("clBuildProgram")
    runtime.call("clBuildProgram", PROGRAM, c_uint(0), None, c_char_p(b"-DA=2"), None, None)
    runtime.launch()
    assert runtime.seen("kernel")[0]["options"] == ["-DA=1"]


def test_nothing_is_waited_for_in_a_function_that_the_runtime_calls(runtime):
    runtime.kernel()
    runtime.call("clCreateBuffer", None, c_ulong(1), c_size_t(16), None, None, result=c_void_p)
    runtime.call("clSetKernelArg", KERNEL, c_uint(0), c_size_t(8), ctypes.addressof(c_void_p(BUFFER)))
    heard = []
    function = NOTIFY(lambda *given: heard.append(given) or runtime.launch())
    runtime.call("clSetEventCallback", EVENT, c_int(0), function, c_void_p(7))
    ((notify, data),) = runtime.notified
    notify(EVENT, 0, data)
    assert heard == [(EVENT, 0, 7)]
    assert runtime.calls.count("clEnqueueNDRangeKernel") == 1
    assert not {"clFinish", "clWaitForEvents", "clEnqueueReadBuffer"} & set(runtime.calls)
    runtime.launch()
    assert {"clFinish", "clEnqueueReadBuffer"} <= set(runtime.calls)
    assert [row["arguments"][0]["values"] == "" for row in runtime.seen("launch")] == [True, False]


@pytest.mark.parametrize("name", ["", "clSVMFree", "clEnqueueSVMFree"])
def test_what_was_freed_of_shared_memory_is_not_read(runtime, name):
    runtime.kernel()
    runtime.call("clSVMAlloc", None, c_ulong(1), c_size_t(1 << 16), c_uint(0), result=c_void_p)
    if name == "clSVMFree":
        runtime.call(name, None, c_void_p(runtime.address), result=None)
    elif name:
        pointers = (c_void_p * 1)(runtime.address)
        runtime.call(name, QUEUE, c_uint(1), ctypes.cast(pointers, c_void_p), None, None, c_uint(0), None, None)
    else:  # freed where nobody saw it, and given out again in part
        runtime.address += 4096
        runtime.call("clSVMAlloc", None, c_ulong(1), c_size_t(64), c_uint(0), result=c_void_p)
    runtime.call("clSetKernelArgSVMPointer", KERNEL, c_uint(0), c_void_p(runtime.address))
    runtime.launch()
    assert runtime.copied == ([] if name else [64])


def test_memory_is_known_as_long_as_the_program_holds_it(runtime):
    runtime.kernel()
    runtime.call("clCreateBuffer", None, c_ulong(1), c_size_t(16), None, None, result=c_void_p)
    runtime.call("clSetKernelArg", KERNEL, c_uint(0), c_size_t(8), ctypes.addressof(c_void_p(BUFFER)))
    runtime.call("clRetainMemObject", BUFFER)
    runtime.call("clReleaseMemObject", BUFFER)
    runtime.launch(items=8)
    runtime.call("clReleaseMemObject", BUFFER)
    runtime.launch(items=16)
    assert [row["arguments"][0]["kind"] for row in runtime.seen("launch")] == ["array", "other"]


def test_a_launch_without_dimensions_is_left_to_the_runtime(runtime):
    runtime.kernel()
    runtime.launch(dims=0)
    assert runtime.calls[-1] == "clEnqueueNDRangeKernel"
    assert runtime.seen("launch") == []


def test_a_child_tells_a_file_of_its_own(runtime):
    runtime.kernel()
    child = os.fork()
    if not child:
        runtime.launch()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert (runtime.folder / f"seen-{child}.jsonl").exists()


def test_a_program_that_replaced_another_adds_to_no_file_of_it(library, tmp_path):
    """`execv` keeps the process's number."""
    earlier = tmp_path / f"seen-{os.getpid()}.jsonl"
    earlier.write_text("{}\n", encoding="utf-8")
    runtime = Runtime(library, tmp_path)
    runtime.kernel()
    runtime.launch()
    assert earlier.read_text(encoding="utf-8") == "{}\n"
    assert '"launch"' in (tmp_path / f"seen-{os.getpid()}-1.jsonl").read_text(encoding="utf-8")
