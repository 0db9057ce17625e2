"""Texts that carry a Triton program's meta-data: their inverse, their order, and what is no such text."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hotloop.model.jit import Descriptor, Meta, parse, threads

names = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,8}", fullmatch=True).filter(lambda n: n not in ("search", "package"))
plain = st.one_of(st.booleans(), st.integers(-(2**70), 2**70), st.floats(allow_nan=False), st.text(), st.none())
types = st.dictionaries(names, st.sampled_from(("float16", "bfloat16", "int64")), max_size=3)


@given(st.dictionaries(names, plain, max_size=4), types)
def test_options_are_read_back(values, dtypes):
    meta = Meta(values=values, dtypes=dtypes)
    assert parse(meta.options) == meta


def test_everything_is_read_back():
    meta = Meta(
        values={"BLOCK": 8, "kind": "a=b:c"},
        expressions={"layout": "gl.BlockedLayout([1, 4], [4, 8], [2, 1], [1, 0])"},
        dtypes={"x": "float16"},
        descriptors={
            "x": Descriptor((64, 32), (16, 16), (32, 1), "gl.NVMMASharedLayout(128, 16)"),
            "y": Descriptor((4,), (4,)),
        },
        search=("/a b/c", "/d=e"),
        package="mine.kernels",
        uses={"mine.helpers": "0123"},
    )
    assert parse(meta.options) == meta


def test_the_order_of_the_values_makes_no_other_build():
    assert Meta(values={"A": 1, "B": 2}).options == Meta(values={"B": 2, "A": 1}).options


def test_values_without_a_json_form_become_expressions():
    class Layout:
        def __repr__(self):
            return "Layout(4)"

    meta = Meta.of({"BLOCK": 8, "layout": Layout()}, dtypes={"x": "int8"})
    assert meta.values == {"BLOCK": 8}
    assert meta.expressions == {"layout": "Layout(4)"}
    assert meta.dtypes == {"x": "int8"}


def test_numbers_of_numpy_are_numbers():
    values = Meta.of({"A": np.int64(3), "B": np.float32(0.5), "C": np.bool_(True)}).values
    assert values == {"A": 3, "B": 0.5, "C": True}
    assert {type(value) for value in values.values()} == {int, float, bool}


def test_true_is_not_one():
    assert parse(("A=true", "B=1")).values == {"A": True, "B": 1}
    assert parse(("A=true",)).options != parse(("A=1",)).options


@pytest.mark.parametrize("text", ["-DBLOCK=1x", "BLOCK", "array:=float16", "colour:x=red", "BLOCK=1024x"])
def test_other_texts_are_refused(text):
    with pytest.raises(ValueError, match="option|Expecting|Extra"):
        parse((text,))


def test_warps_of_compute_gpus_are_twice_as_wide():
    assert (threads(4, "sm_90"), threads(4, "gfx950"), threads(4, "gfx1200"), threads(1, "")) == (128, 256, 128, 32)


def test_a_descriptor_may_be_for_one_kernel_only():
    made, other = Descriptor((4, 4), (2, 2)), Descriptor((8,), (4,))
    meta = parse(Meta(descriptors={"work@first": made, "a": other}).options)
    assert meta.seen_by("first").descriptors == {"work": made, "a": other}
    assert meta.seen_by("second").descriptors == {"a": other}
