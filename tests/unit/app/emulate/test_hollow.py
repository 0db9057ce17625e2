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
from hotloop.targets.target import Target

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
    assert unset == ((4, "b", False), (5, "d", False), (1, "a", True))  # of structures, too: that only costs two builds
    assert hollow.fills(code(), unset) == (("-ftrivial-auto-var-init=zero",), ("-ftrivial-auto-var-init=pattern",))
    assert hollow.said(code(), "k.cl", unset[:2])[:2] == ("k.cl", 4)
    assert "'b', an array that" in hollow.said(code(), "k.cl", unset)[2]
    assert "or of one of 1 more" in hollow.said(code(), "k.cl", unset[:2])[2]
    assert "'a', a member of a structure that" in hollow.said(code(), "k.cl", unset[2:])[2]
    assert hollow.said(code(ONE), "k.cl", unset)[:2] == ("k.hip", 4)


def test_arrays_of_code_that_is_left_out_are_none_of_the_kernel():
    text = "#if 0\nvoid f() { int a[2]; }\n#if X\n#else\nvoid g() { int b[2]; }\n#endif\n#elif Y\nvoid h() { int c[2]; }\n#endif\n#ifdef Z\nvoid i() { int d[2]; }\n#endif"
    assert [(one.line, one.name) for one in automatic.arrays(text)] == [(8, "c"), (11, "d")]
    inside = "class S {\nvoid f() { int a[2]; }\nint b[2];\n};\nvoid k() { int c[2]; }"
    assert [(one.name, one.member) for one in automatic.arrays(inside)] == [("a", False), ("c", False), ("b", True)]


@pytest.mark.parametrize("header", ["", "float f(float x) { return native_exp(convert_float(x)); }"])
def test_of_own_headers_the_compiler_says_nothing(tmp_path, header):
    """Their warnings were taken for the kernel's: two builds more of each OpenCL kernel, and errors that nobody saw behind them."""
    file = tmp_path / "k.cl"
    file.write_text(f"{header}\n__kernel void k(__global float *x) {{ x[0] = 1; }}")
    made = compiled.of_source(str(file), Target.parse("gfx1100"), {}, Preprocessed())
    assert made.log == ""
    file.write_text("__kernel void k(__global float *x) { int half = 1; }")
    with pytest.raises(UsageError, match="at line 1: .*cannot combine"):
        compiled.of_source(str(file), Target.parse("gfx1100"), {}, Preprocessed())


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


def test_a_file_of_a_kind_that_nothing_reads_is_refused_with_those_that_are_executed(tmp_path):
    file = tmp_path / "nope.c"
    with pytest.raises(UsageError, match=r"there is no file .*nope\.c: their names end in .*\.hip.* or \.out"):
        ask.task_of(ask.Request(text=str(file), target="gfx942"))
    file.write_text("int main() {}")
    with pytest.raises(UsageError, match=r"nope\.c is none of the files that are executed"):
        ask.task_of(ask.Request(text=str(file), target="gfx942"))
