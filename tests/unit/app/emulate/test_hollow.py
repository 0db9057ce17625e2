"""What is made of a compiler's warnings of variables without a value."""

from types import SimpleNamespace

import numpy as np
import pytest

from hotloop.app.emulate import ask, automatic, compiled, hollow
from hotloop.app.emulate.preprocessed import Preprocessed
from hotloop.compilers.offer import Compiled
from hotloop.emulate import program as executable
from hotloop.emulate.errors import EmulateError
from hotloop.errors import UsageError

ONE = "k.hip:4:9: warning: variable 'at' may be uninitialized when used here [-Wconditional-uninitialized]"
OTHER = "k.hip:9:1: warning: variable 'by' is uninitialized when used here [-Wuninitialized]"


def code(log="", **given):
    return Compiled(
        kernel="k", language="hip", target="gfx942", listing="", dialect="amdgcn", binary=b"", resources=(), compiler="clang", log=log, **given
    )  # fmt: skip


def test_the_first_variable_is_named_and_others_that_may_be_the_one_are_counted():
    assert hollow.said(code(ONE)) == ("k.hip", 4, "variable 'at' may be uninitialized when used here")
    assert hollow.said(code(f"{ONE}\n{ONE}\n{OTHER}"))[2].endswith(
        "used here (or one of 1 more that the compiler names)"
    )
    assert hollow.said(code(f"{ONE.replace('k.hip', 'reals.h')}\n{OTHER}"))[:2] == ("k.hip", 9)
    assert hollow.fills(code("k.hip:4:9: warning: unused variable 'x' [-Wunused-variable]")) == ()


def test_arrays_without_values_are_asked_about_where_the_compiler_names_no_variable():
    text = "struct S { int a[2]; };\n/* float x[9]; */ __kernel void k() {\n__local float s[4];\nfloat b[2][N];\nint c[2] = {1}; uint d[3];}"
    unset = automatic.arrays(text)
    assert unset == ((1, "a"), (4, "b"), (5, "d"))  # of structures, too: that only costs two builds
    assert hollow.fills(code(), unset) == (("-ftrivial-auto-var-init=zero",), ("-ftrivial-auto-var-init=pattern",))
    assert hollow.said(code(), "k.cl", unset[1:])[:2] == ("k.cl", 4)
    assert "'b'" in hollow.said(code(), "k.cl", unset[1:])[2]
    assert "or of one of 1 more" in hollow.said(code(), "k.cl", unset[1:])[2]
    assert hollow.said(code(ONE), "k.cl", unset)[:2] == ("k.hip", 4)


def test_masked_loads_that_leave_lanes_undefined_are_asked_about_like_variables():
    made = code(vacant=(("k.py", 6), ("k.py", 9)))
    assert hollow.fills(made) == (("zero",), ("pattern",))
    assert hollow.said(made)[:2] == ("k.py", 6)
    assert "(line 6, or one of 1 more)" in hollow.said(made)[2]


def test_what_nobody_writes_is_no_measure_of_results(monkeypatch):
    octets = np.repeat([True, False], 4)
    ran = SimpleNamespace(arrays=[np.array([1, 3e38], np.float32)], written={0: octets})
    monkeypatch.setattr(hollow, "launch_of", lambda *_: (None, ["y"]))
    monkeypatch.setattr(hollow, "run", lambda *_, **__: ran)
    held = hollow._results(SimpleNamespace(arrays={}, fresh=frozenset()), SimpleNamespace(program=None), 1, None)
    assert held["y"].tolist() == [1, 0]


@pytest.mark.parametrize("error", [UsageError("no such option"), EmulateError("not modelled")])
def test_a_source_is_executed_though_it_cannot_be_built_otherwise(monkeypatch, error):
    def of_source(*given):
        if given[4]:
            raise error
        return code(ONE)

    monkeypatch.setattr(compiled, "of_source", of_source)
    monkeypatch.setattr(executable, "load", lambda *_: None)
    monkeypatch.setattr(ask, "_launched", lambda *_: "task")
    monkeypatch.setattr(ask.launched, "text", lambda _: "")
    assert ask._compiled(ask.Request(text="k.hip", target="gfx942"), Preprocessed()) == "task"
