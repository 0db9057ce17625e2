"""CuPy's raw kernels as a program launches them, with a CuPy that computes on the host in its place."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from hotloop.app.captured import load
from hotloop.captures import folder as folders
from hotloop.captures.merge import Merged
from hotloop.captures.nouns import Capture
from hotloop.errors import UsageError
from hotloop.recorder import cupy
from hotloop.recorder.book import Book
from hotloop.recorder.journal import Journal

TEXT = 'extern "C" __global__ void scale(const float* x, float* y, float a, int n) { /* y = a x */ }'


class Held:
    """An array of a GPU: memory with an address, read through the module."""

    def __init__(self, values: np.ndarray) -> None:
        self.values = values
        self.data = SimpleNamespace(ptr=values.ctypes.data)
        self.dtype, self.shape, self.strides, self.nbytes = values.dtype, values.shape, values.strides, values.nbytes

    def ravel(self) -> Held:
        return self

    def __getitem__(self, part: slice) -> np.ndarray:
        return self.values.ravel()[part]


class Kernel:
    """CuPy's RawKernel: made of a text, called with grid, block and arguments."""

    def __init__(self, code: str, name: str, options: tuple[str, ...] = (), backend: str = "nvrtc") -> None:
        self.code, self.name, self.options, self.backend, self.num_regs = code, name, options, backend, 32

    def __call__(self, grid, block, args, *, shared_mem=0):
        if len(args) != 4:
            raise TypeError("takes 4 arguments")
        x, y, a, n = args
        y.values[: int(n)] = float(a) * x.values[: int(n)]
        return shared_mem


class Module:
    """CuPy's RawModule."""

    def __init__(self, code: str | None = None, path: str | None = None, options: tuple[str, ...] = ()) -> None:
        self.code, self.path, self.options = code, path, options

    def get_function(self, name: str) -> Kernel:
        return Kernel(self.code or "", name, self.options)


class Event:
    def record(self) -> None:
        """Note a time."""

    def synchronize(self) -> None:
        """Wait for it."""


@pytest.fixture
def heard(tmp_path):
    (tmp_path / "values").mkdir()
    module = ModuleType("cupy")
    runtime = SimpleNamespace(getDeviceProperties=lambda _at: {"name": b"Fake GPU"}, driverGetVersion=lambda: 12040)
    module.cuda = SimpleNamespace(
        Event=Event, Device=lambda: SimpleNamespace(id=0), runtime=runtime, get_elapsed_time=lambda _a, _b: 0.25
    )
    module.asnumpy, module.RawKernel, module.RawModule, module.__version__ = np.asarray, Kernel, Module, "13.0"
    book = Book(Journal({"folder": str(tmp_path), "after_s": 0, "values": True, "max_bytes": 1 << 20}))
    cupy.listen(module, book)
    return module, book, tmp_path


def captured(book: Book, folder: Path) -> Capture:
    book.close()
    merged = Merged(folder)
    made = Capture(
        command=("python", "p.py"), folder="", made="", tool="", returncode=0, ended="itself", wall_s=1.0, recording_s=0.0,
        processes=1, cut=0, problems=tuple(merged.problems), kernels=tuple(merged.kernels),
    )  # fmt: skip
    folders.write(folder, made)
    return folders.read(folder)


def test_launches_of_a_raw_kernel_are_recorded(heard):
    module, book, folder = heard
    kernel = module.RawKernel(TEXT, "scale", ("--use_fast_math",))
    assert isinstance(kernel, Kernel), "the program's own checks of its type hold"
    x, y = Held(np.arange(6, dtype=np.float32)), Held(np.zeros(6, np.float32))
    for _ in range(3):
        assert kernel((2,), (4,), (x, y, np.float32(2.0), np.int32(6)), shared_mem=16) == 16
    kernel((2,), (4,), (x, x, 0.5, 6))
    with pytest.raises(TypeError):
        kernel((2,), (4,), (x,))
    (made,) = captured(book, folder).kernels
    assert (made.entry, made.language, made.options, made.device) == ("scale", "cuda", ("--use_fast_math",), "Fake GPU")
    assert made.path == __file__
    assert folders.text(folder, made) == TEXT
    first, second = made.launches[:2]
    assert (first.grid, first.group, first.calls, first.call_ns) == ((8,), (4,), 3, 0.25e6)
    assert [one.kind for one in first.arguments] == ["array", "array", "bytes", "bytes"]
    np.testing.assert_array_equal(folders.values(folder, first.arguments[0]), np.arange(6, dtype=np.float32))
    assert np.frombuffer(bytes.fromhex(first.arguments[3].text), np.int32)[0] == 6
    assert (second.arguments[1].alias, second.arguments[2].dtype, second.arguments[3].dtype) == (
        "0",
        "float64",
        "int64",
    )


def test_functions_of_a_module_are_recorded_and_binaries_run_as_they_are(heard):
    module, book, folder = heard
    function = module.RawModule(code=TEXT, options=("-DN=4",)).get_function("scale")
    assert function.num_regs == 32, "what is asked of a function is answered by it"
    x, y = Held(np.ones((2, 3), np.float32)[:, 0].copy()), Held(np.zeros(2, np.float32))
    function((1, 2), (2, 2, 2), (x, y, np.float32(3.0), np.int32(2)))
    module.RawModule(path="kernels.cubin").get_function("scale")((1,), (1,), (x, y, np.float32(1.0), np.int32(1)))
    (made,) = captured(book, folder).kernels
    assert made.options == ("-DN=4",)
    assert made.calls == 1
    assert (made.launches[0].grid, made.launches[0].group) == ((2, 4, 2), (2, 2, 2))


def test_it_is_said_what_can_be_done_with_such_a_kernel(heard):
    module, book, folder = heard
    x = Held(np.ones(2, np.float32))
    module.RawKernel(TEXT, "scale")((1,), (2,), (x, x, np.float32(3.0), np.int32(2)))
    captured(book, folder)
    with pytest.raises(UsageError, match="launched through CuPy") as told:
        load.load(folder, "scale", 60.0)
    assert "scale.cu" in str(told.value)
