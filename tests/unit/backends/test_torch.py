"""PyTorch's functions as peers, on a PyTorch made of NumPy: what is called with what, and where results go."""

from types import SimpleNamespace

import numpy as np
import pytest

from hotloop.backends import torch as peers
from hotloop.backends.torch import FUNCTIONS, Torch
from hotloop.drivers import torch as driver
from hotloop.model.call import Call, View, call_of
from hotloop.model.program import Launch, Program
from hotloop.ports import BAND_BYTES, BuildError, LaunchError


class Tensor:
    """As much of a tensor as the backend asks for: elements of a storage from an offset on, as PyTorch counts them."""

    def __init__(self, array, storage=None, first=0):
        self.array, self.storage, self.first = array, array if storage is None else storage, first

    def numel(self):
        return self.array.size

    def storage_offset(self):
        return self.first

    def as_strided(self, shape, strides, storage_offset):
        item = self.array.itemsize
        steps = [item * stride for stride in strides]
        seen = np.lib.stride_tricks.as_strided(self.storage[storage_offset:], shape, steps)
        return Tensor(seen, self.storage, storage_offset)

    def copy_(self, other):
        self.array[...] = other.array


class Buffer:
    """An array behind a band."""

    def __init__(self, array):
        self.banded = np.concatenate([np.full(BAND_BYTES // array.itemsize, np.nan, array.dtype), array])
        self.first = BAND_BYTES // array.itemsize

    def payload(self, dtype):
        return Tensor(self.banded.view(dtype)[self.first :], self.banded.view(dtype), self.first)

    @property
    def array(self):
        return self.banded[self.first :]


class Timeline:
    """Runs a call where it is finished, as a single one."""

    def __init__(self):
        self.waiting = []

    def add(self, call):
        self.waiting.append(call)

    def run(self):
        for call in self.waiting:
            for _, launch in call.launches:
                launch()
            call.after()
        self.waiting = []
        return 1.0, {}


@pytest.fixture
def backend(monkeypatch):
    compiled = []

    def compile_(function, *, dynamic):
        assert not dynamic
        compiled.append(function.__code__)
        return function

    fake = SimpleNamespace(
        __version__="2.11.0",
        matmul=lambda a, b, out: out.copy_(Tensor(a.array @ b.array)),
        softmax=lambda x, axis: Tensor(np.exp(x.array) / np.exp(x.array).sum(axis, keepdims=True)),
        compile=compile_,
        compiled=compiled,
    )
    monkeypatch.setattr(driver, "load", lambda: fake)
    monkeypatch.setattr(peers, "BandedBuffer", Buffer)
    made = Torch()
    made._timeline = Timeline()
    made.fake = fake
    return made


def run(backend, call, **arrays):
    buffers = {name: Buffer(array) for name, array in arrays.items()}
    bound = backend.bind(call.program, buffers)
    bound.enqueue()
    assert bound.finish() == 1.0
    return {name: buffer.array for name, buffer in buffers.items()}


def test_a_call_comes_back_from_its_program():
    views = {"a": View("bfloat16", (2, 3), (1, 2), 5), "c": View("float32", ())}
    call = Call("conv3d", views, {"groups": 4, "padding": [0, 2, 2], "bias": None})
    assert call_of("conv3d", call.program.options) == call
    assert [argument.name for argument in call.program.launches[0].arguments] == ["a", "c"]


@pytest.mark.parametrize("option", ["causal", "causal=yes", "view:a={}"])
def test_options_of_no_form_do_not_compile(backend, option):
    with pytest.raises(BuildError):
        backend.build(Program("torch", "", (option,), (Launch("matmul", (), (1,)),)))


def test_only_functions_of_the_table_are_called(backend):
    with pytest.raises(BuildError, match="no function 'eval'"):
        backend.build(Call("eval", {}).program)
    assert backend.build(Call("matmul", {}).program).log == "PyTorch 2.11.0"


def test_a_function_that_writes_its_output_sees_transposed_and_shifted_arrays(backend):
    stored = np.arange(7, dtype="f4")
    views = {"a": View("float32", (2, 3), (1, 2), 1), "b": View("float32", (3, 1)), "c": View("float32", (2, 1))}
    left = run(backend, Call("matmul", views), a=stored, b=np.ones(3, "f4"), c=np.zeros(2, "f4"))
    assert left["c"].tolist() == [1 + 3 + 5, 2 + 4 + 6]


def test_what_a_function_returns_is_copied_to_the_output(backend):
    views = {"x": View("float32", (2, 4)), "y": View("float32", (2, 4))}
    left = run(backend, Call("softmax", views), x=np.zeros(8, "f4"), y=np.full(8, np.nan, "f4"))
    assert left["y"].tolist() == [0.25] * 8
    assert not backend.fake.compiled


def test_a_compiled_function_is_compiled_when_it_is_bound(backend):
    views = {"x": View("float32", (1, 2)), "y": View("float32", (1, 2))}
    for _ in range(3):  # once for all input sets: PyTorch would give up on a function that is compiled again and again
        backend.bind(Call("softmax", views, {"compiled": True}).program, {n: Buffer(np.zeros(2, "f4")) for n in "xy"})
    assert len(backend.fake.compiled) == 1


def test_each_shape_is_compiled_by_itself_with_code_of_its_own(backend):
    """PyTorch counts by code object: the second shape would compile for any shape, the ninth not at all."""
    for columns in (2, 3, 4):
        views = {name: View("float32", (1, columns)) for name in "xy"}
        buffers = {name: Buffer(np.zeros(columns, "f4")) for name in "xy"}
        backend.bind(Call("softmax", views, {"compiled": True}).program, buffers)
    codes = backend.fake.compiled
    assert len(codes) == len(set(map(id, codes))) == 3


@pytest.mark.parametrize("view", [View("float32", (3,)), View("float32", (2,), (1,), 1), View("float32", (2,), (-1,))])
def test_a_view_beyond_its_buffer_is_refused(backend, view):
    views = {"x": view, "y": View("float32", (2,))}
    with pytest.raises(LaunchError, match="does not lie within"):
        backend.bind(Call("softmax", views).program, {name: Buffer(np.zeros(2, "f4")) for name in "xy"})


def test_every_function_takes_pytorch_first():
    assert all(function.__code__.co_varnames[0] == "torch" for function in FUNCTIONS.values())
