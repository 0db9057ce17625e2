"""Local memory among a kernel's arguments: where it lies, and what is refused."""

from types import SimpleNamespace

import numpy as np
import pytest

from hotloop.app.emulate import arguments, launched
from hotloop.compilers.offer import Passed
from hotloop.emulate.descriptor import Argument
from hotloop.errors import UsageError
from hotloop.model.program import Local


def program(*kinds, lds=0):
    """Return what `laid` looks at of a program."""
    rows = [Argument(offset=8 * n, size=8, kind=kind, name=f"a{n}") for n, kind in enumerate(kinds)]
    return SimpleNamespace(descriptor=SimpleNamespace(arguments=rows, lds_bytes=lds))


def test_local_arguments_lie_one_behind_the_other_behind_the_kernels_own_memory():
    given = arguments.parse(["t=local:6", "n=i32:=3", "u=local:40"], np.random.default_rng(1))
    values, more = arguments.laid(
        given.values, program("dynamic_shared_pointer", "by_value", "dynamic_shared_pointer", lds=20)
    )
    assert values == (32, 3, 48)
    assert more == 48 + 40 - 20


def test_where_no_argument_is_local_the_launch_brings_as_much_and_passes_nothing():
    assert arguments.laid(["x", Local(100)], program("global_buffer", lds=20)) == (("x",), 100)


@pytest.mark.parametrize("text", ["t=local:", "t=local:0", "t=local:-4", "t=local:4x4", "t=local:99999999999"])
def test_what_is_no_number_of_bytes_is_refused(text):
    with pytest.raises(UsageError, match="is no number of bytes"):
        arguments.parse([text], np.random.default_rng(1))


@pytest.mark.parametrize("fill", ["", ":zeros", ":ones", ":count"])
@pytest.mark.parametrize("shape", ["9999999999999999", "9999999999x9999999999x9999999999"])
def test_an_array_beyond_memory_is_refused(shape, fill):
    with pytest.raises(UsageError, match=f"argument 'a=f32:{shape}{fill}' does not fit in memory; give fewer elements"):
        arguments.parse([f"a=f32:{shape}{fill}"], np.random.default_rng(1))


def test_fills():
    given = arguments.parse(["a=f16:2x2:ones", "b=i32:3:count", "c=u8:4:fresh"], np.random.default_rng(1))
    assert given.arrays["a"].tolist() == [[1, 1], [1, 1]]
    assert given.arrays["b"].tolist() == [0, 1, 2]
    assert given.arrays["c"].dtype == np.uint8
    assert given.fresh == {"c"}


def test_a_compiler_is_told_types_numbers_and_what_is_not_given():
    texts = ["x=bf16:4x4:fresh", "t=local:64", "null", "n=i64:=-5", "s=f16:=0.5"]
    assert arguments.passed(texts) == (Passed("*bf16"), None, Passed(), Passed("i64", -5), Passed("fp16", 0.5))


def test_what_the_code_has_as_a_constant_is_not_passed():
    takes = program("global_buffer", "by_value")
    takes.name, takes.target = "k", SimpleNamespace(name="gfx942")
    takes.descriptor.workgroup = (64, 1, 1)
    asked = launched.Described(text="k.py", given=["x=f32:4", "s=i32:=1", "n=i32:=7"])
    code = SimpleNamespace(folded=(1,), resources=())
    assert launched.task(asked, takes, "", np.random.default_rng(1), code).steps[0].arguments == ("x", 7)
