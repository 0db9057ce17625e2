"""Tensors behind what a launch is given for them, with stand-ins for PyTorch's: what is recorded, and what never is."""

import sys
from types import SimpleNamespace

import pytest

from hotloop.recorder import memory


class Tensor:
    """What is recorded of a tensor; to print it would tell its content."""

    def __init__(self, dtype="int8", place=4096):
        self.dtype, self.shape, self.place = dtype, (3, 5), place

    def __repr__(self):
        raise AssertionError("its content is not to be told")

    def data_ptr(self):
        return self.place

    def element_size(self):
        return 1

    def detach(self):
        return self

    def view(self, dtype):
        return Tensor(dtype, self.place)

    stride = untyped_storage = None


def reinterpreted(dtype, place=4096, **inner):
    return SimpleNamespace(dtype=dtype, data_ptr=lambda: place, **inner)


@pytest.fixture(autouse=True)
def torch(monkeypatch):
    names = ("float8_e4m3fn", "bool", "uint8")
    types = {name: type(name, (), {"itemsize": 1, "__str__": lambda self: type(self).__name__})() for name in names}
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(**types, float16=SimpleNamespace(itemsize=2)))


def test_a_tensor_of_another_type_is_its_memory_with_that_type():
    for told, name in (("fp8e4nv", "float8_e4m3fn"), ("int1", "bool"), ("torch.uint8", "uint8")):
        found = memory.behind(reinterpreted(told, base=Tensor()))
        assert (str(found.dtype), found.data_ptr()) == (name, 4096)


def test_a_packages_own_class_is_the_tensor_that_it_keeps():
    inner = Tensor()
    assert memory.behind(reinterpreted("int8", storage=SimpleNamespace(data=inner))) is inner
    assert memory.behind(inner) is inner


@pytest.mark.parametrize(
    "value",
    [reinterpreted("fp16", base=Tensor()), reinterpreted("int8", place=1, base=Tensor()), reinterpreted("int8"), 3, None, "word"],
    ids=["wider", "elsewhere", "nothing behind it", "number", "none", "text"],
)  # fmt: skip
def test_what_is_not_its_memory_stays(value):
    assert memory.behind(value) is value


def test_what_is_said_of_an_argument_has_no_content_of_arrays():
    described = SimpleNamespace(base=Tensor(), block_shape=[1, 4])
    assert memory.described((Tensor(), 3, [None, "x"])) == "(int8[3, 5], 3, (None, 'x'))"
    assert memory.described((4,)) == "(4,)"
    assert memory.described(described) == "SimpleNamespace of int8[3, 5], blocks of [1, 4]"
    assert memory.described(object()) == "object"
    assert len(memory.described("x" * 500)) == 200
