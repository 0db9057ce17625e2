import os
import sys

import pytest

from hotloop.app import userfile
from hotloop.app.bare.wish import Wish
from hotloop.errors import BadShapeError, KernelFileError, UnknownNameError, UsageError
from hotloop.model.kernel import Implementation, Kernel
from hotloop.model.problem import Problem, Work
from hotloop.model.program import Program
from hotloop.model.record import Record
from hotloop.model.space import Config, Constraint, Parameter, Space

SPACE = Space(
    (Parameter("VW", (1, 2, 4)), Parameter("FAST", (False, True))),
    (Constraint("fast is narrow", lambda c: c.VW < 4 or not c.FAST),),
)
KERNEL = Kernel(
    family="sum",
    problem=Problem("sum", Record(rows=8, columns=16, dtype="float32", scale=1.5, wrap=False)),
    inputs=lambda p, rng: {},
    reference=lambda p, i: {},
    work=lambda p: Work(1, 1),
    implementations=(
        Implementation("first", "null", SPACE, Config(VW=1, FAST=False), lambda p, c, d: Program("null", "")),
        Implementation("second", "null", Space(()), Config(), lambda p, c, d: Program("null", "")),
    ),
)


@pytest.mark.parametrize(
    ("shape", "sizes"),
    [
        ("", {}),
        ("4x5", {"rows": 4, "columns": 5}),
        ("4X5,scale=2", {"rows": 4, "columns": 5, "scale": 2.0}),
        ("columns=0, dtype=float64", {"columns": 0, "dtype": "float64"}),
        ("wrap=true", {"wrap": True}),
        ("wrap=0", {"wrap": False}),
    ],
)
def test_shapes_change_the_sizes_that_they_name(shape, sizes):
    assert userfile.problem_of(KERNEL, shape).sizes == KERNEL.problem.sizes.replace(**sizes)


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        ("4x5x6", "write ROWSxCOLUMNS"),
        ("four", "'four' is not understood"),
        ("4x-5", "is not understood"),
        (",", "is not understood"),
        ("4", "'4' leaves out columns; write ROWSxCOLUMNS as numbers, e.g. 8x16, or name=value pairs, e.g. rows=4."),
        ("rows=4, rows=5", "--shape rows=4, rows=5 gives a size twice"),
        ("rows=-1", "rows is -1; sizes must not be negative"),
        ("rows=1.5", "'1.5' is not"),
        ("wrap=maybe", "'maybe' is not"),
        ("depth=3", "sum has no size 'depth'; write name=value pairs of: rows, columns"),
        ("row=3", r"sum has no size 'row'; .*; did you mean rows\?"),
        ("wrap=maybe", "'maybe' is not true or false"),
        ("rows=1.5", "'1.5' is not a whole number"),
        ("9" * 5000, "a size of 5000 digits"),
        ("²", "is not understood"),
    ],
)
def test_shapes_that_are_not_understood(shape, words):
    with pytest.raises(BadShapeError, match=words):
        userfile.problem_of(KERNEL, shape)


def test_a_kernel_with_one_size_takes_a_number():
    import dataclasses

    own = dataclasses.replace(KERNEL, problem=Problem("sum", Record(n=8, dtype="float32")))
    assert userfile.problem_of(own, "4").sizes == own.problem.sizes.replace(n=4)


def test_a_family_may_read_shapes_its_own_way():
    import dataclasses

    own = dataclasses.replace(KERNEL, shape=lambda text, problem: problem.replace(rows=-len(text)))
    with pytest.raises(BadShapeError, match="rows is -3"):
        userfile.problem_of(own, "abc")


@pytest.mark.parametrize(
    ("family", "shape", "words"),
    [
        ("gemm", "dtype=float8", "--shape dtype=float8: dtype='float8' is not one of float16"),
        ("gemm", "lda=3", "lda=3 is smaller than"),
        ("gemm", "3x3", "'3x3' leaves out k; write MxNxK as numbers"),
        ("gemm_batched", "2x3x3,k=4", "leaves out k; write BATCHxMxNxK"),
        ("gemm", "512", r"'512' leaves out n, k; write MxNxK as numbers, e.g. 1024x1024x1024, or .*, e.g. m=512\."),
        ("conv3d", "512", "leaves out c, d, .*; write NxCxDx"),
        ("attention", "512,heads=2", "leaves out heads, "),
        ("attention", "batch=0", "batch=0 is not positive"),
    ],
)
def test_sizes_that_a_family_does_not_have_are_a_bad_shape(family, shape, words):
    with pytest.raises(BadShapeError, match=words):
        userfile.problem_of(userfile.find(family), shape)


@pytest.mark.parametrize(
    ("family", "shape", "empty"),
    [("gemm", "0x0x0", "m = n = k"), ("gemm", "64x64x0", "k")],
)
def test_a_problem_without_work_is_checked_and_not_timed(family, shape, empty):
    kernel = userfile.find(family)
    assert userfile.problem_of(kernel, shape)
    with pytest.raises(BadShapeError, match=f"with {empty} = 0 there is nothing to time; give sizes of at least 1"):
        userfile.timed(kernel, shape)


def test_problems_with_work_are_timed_whatever_else_is_0():
    gemm = userfile.find("gemm")
    assert userfile.timed(gemm, "m=1,beta=0") == userfile.problem_of(gemm, "m=1,beta=0")
    assert userfile.timed(KERNEL, "columns=0").integer("columns") == 0, "its work is 1 at any size"


def test_what_is_no_kernel_is_told_as_what_it_is(tmp_path):
    (tmp_path / "notes.txt").write_text("notes")
    for text, words in (
        (str(tmp_path), "is a folder and no capture; name a kernel file in it, or make a capture"),
        (str(tmp_path / "notes.txt"), r"is no kernel file: the name of one ends in \.py .* or in \.cl"),
        ("gemm@best", "gemm@best names a variant where a kernel is wanted; give gemm"),
        ("conv3d@LX=4", "conv3d@LX=4 names a variant where a kernel is wanted; give conv3d"),
    ):
        with pytest.raises(UsageError, match=words):
            userfile.find(text, wish=Wish(sizes={"n": "4"}))


def test_starting_variants():
    variant = userfile.starting(KERNEL, "", {"VW": 2})
    assert (variant.implementation.name, dict(variant.config)) == ("first", {"VW": 2, "FAST": False})
    assert userfile.starting(KERNEL, "second").implementation.name == "second"
    with pytest.raises(UnknownNameError, match="unknown parameter of the implementation first 'WG'; known: FAST, VW"):
        userfile.starting(KERNEL, "", {"WG": 1})
    for name, text, value in (("FAST", "True", True), ("FAST", 1, True), ("VW", 4.0, 4), ("VW", "2", 2)):
        kept = userfile.starting(KERNEL, "", {name: text}).config[
            name
        ]  # as reports print it, and as its source takes it
        assert (kept, type(kept)) == (value, type(value))
    with pytest.raises(UsageError, match="VW=3 is not one of"):
        userfile.starting(KERNEL, "", {"VW": 3})
    with pytest.raises(UsageError, match="fast is narrow"):
        userfile.starting(KERNEL, "", {"VW": 4, "FAST": True})
    with pytest.raises(UnknownNameError, match="unknown implementation 'third'"):
        userfile.starting(KERNEL, "third")


def test_families_are_found_by_name_and_helpers_are_not():
    assert userfile.find("gemm").family == "gemm"
    assert "ceiling" not in userfile.families()
    for name in ("ceiling", "nothing", ""):
        with pytest.raises(UnknownNameError, match=r"a file ending in \.py, .*gemm"):
            userfile.find(name)


GOOD = """
import hotloop as hl
@hl.kernel(problem=dict(n=8), work=lambda p: hl.Work(1, 1))
class {name}:
    def inputs(p, rng): return dict(y=hl.empty(p.n))
    def reference(p, y): return dict(y=y)
    opencl = hl.OpenCL("__kernel void k(__global float *y)\\n{{}}", entry="k", global_size=lambda p, c: (p.n,))
"""


def test_a_file_changed_twice_in_a_second_is_the_one_that_is_there(tmp_path, monkeypatch):
    """Python's cache would answer with the first: same second, same size. And it would leave a folder beside the file."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    path = tmp_path / "mine.py"
    for size in (8, 9):
        path.write_text(GOOD.format(name="mine").replace("n=8", f"n={size}"))
        os.utime(path, (1_700_000_000, 1_700_000_000))
        assert userfile.find(str(path)).problem.integer("n") == size
    assert [one.name for one in tmp_path.iterdir()] == ["mine.py"]


def test_files_are_run_once_and_may_print(tmp_path, capsys):
    (tmp_path / "mine.py").write_text(GOOD.format(name="mine") + "\nprint('loaded')\n")
    kernel = userfile.find(str(tmp_path / "mine.py"))
    assert kernel.family == "mine"
    assert kernel.origin == str(tmp_path / "mine.py")
    out, err = capsys.readouterr()
    assert (out, err) == ("", "loaded\n")


def test_one_of_several_kernels_is_chosen_by_name(tmp_path):
    path = tmp_path / "both.py"
    path.write_text(GOOD.format(name="one") + GOOD.format(name="two"))
    assert userfile.find(f"{path}:two").family == "two"
    with pytest.raises(KernelFileError, match=r"several kernels \(one, two\)"):
        userfile.find(str(path))
    with pytest.raises(UnknownNameError, match="'three'; known: one, two"):
        userfile.find(f"{path}:three")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = 1", "defines no kernel"),
        ("def f(:", r"bad\.py:1: invalid syntax"),
        ("raise OSError('disk')", "raises OSError when it is loaded: disk"),
        ("import sys; sys.exit('done')", r"calls sys.exit\(done\)"),
    ],
)
def test_files_that_are_no_kernel_files(tmp_path, text, words):
    (tmp_path / "bad.py").write_text(text)
    with pytest.raises(KernelFileError, match=words):
        userfile.find(str(tmp_path / "bad.py"))
    sys.modules.pop("hotloop_user_bad", None)


def test_paths_that_are_no_files(tmp_path):
    (tmp_path / "folder.py").mkdir()
    with pytest.raises(UsageError, match=r"folder\.py is a directory"):
        userfile.find(str(tmp_path / "folder.py"))
    with pytest.raises(UsageError, match="there is no file nnn"):
        userfile.find("n" * 300 + ".py")
    (tmp_path / "binary.py").write_bytes(bytes(range(256)))
    with pytest.raises(KernelFileError, match=r"binary\.py is not Python: source code string"):
        userfile.find(str(tmp_path / "binary.py"))


LABELLED = """
import hotloop as hl

@hl.kernel(problem=dict(n=4), work=lambda p: hl.Work(flops=1, bytes=1))
class labelled:
    def inputs(p, rng): return dict(y=hl.empty(p.n))
    def reference(p, y): return dict(y=y)
    opencl = hl.OpenCL("\\n", entry="k", params=dict(VW=[1, 2]), techniques=dict(VW={label!r}), global_size=lambda p, c: (1,))
"""


@pytest.mark.parametrize("label", ["vectorize", "work-per-item", "depth"])
def test_labels_are_techniques_or_the_files_own(tmp_path, label):
    (tmp_path / "labelled.py").write_text(LABELLED.format(label=label))
    (parameter,) = userfile.find(str(tmp_path / "labelled.py")).implementations[0].space.parameters
    assert parameter.technique == label


def test_a_technique_that_is_misspelled_is_told(tmp_path):
    (tmp_path / "labelled.py").write_text(LABELLED.format(label="vectorise"))
    with pytest.raises(KernelFileError, match=r"labels VW with 'vectorise', .* did you mean vectorize\?"):
        userfile.find(str(tmp_path / "labelled.py"))


def test_a_family_is_found_by_what_people_call_it():
    assert userfile.find("conv3d") is userfile.find("conv3d_depthwise")
    assert userfile.family_of("gemm") == "gemm"


@pytest.mark.parametrize(("name", "meant"), [("gem", "gemm"), ("conv3", "conv3d"), ("atention", "attention")])
def test_a_misspelled_family_is_guessed(name, meant):
    with pytest.raises(UnknownNameError, match=rf"known: .*attention, .*; did you mean {meant}\?$"):
        userfile.find(name)


def test_nothing_is_guessed_where_nothing_is_alike():
    with pytest.raises(UnknownNameError, match=rf"{userfile.families()[-1]}\.$"):
        userfile.find("zzzz")


@pytest.mark.parametrize(
    ("size", "parameter", "word"),
    [("items", "VW", "'items' cannot name a size"), ("n", "keys", "'keys' cannot name a parameter")],
)
def test_names_that_sizes_and_parameters_cannot_have_are_refused(tmp_path, size, parameter, word):
    file = tmp_path / "named.py"
    file.write_text(
        f"import hotloop as hl\n@hl.kernel(problem=dict({size}=3), work=lambda p: hl.Work(1, 1))\nclass named:\n"
        f"    def inputs(p, rng): return dict(y=hl.empty(3))\n    def reference(p, y): return dict(y=[0] * 3)\n"
        f"    a = hl.OpenCL('__kernel void k() {{}}\\n', 'k', params=dict({parameter}=[1]), global_size=lambda p, c: (1,))\n"
    )
    with pytest.raises(KernelFileError, match=word):
        userfile.load(file)


def test_a_module_beside_the_file_is_told_from_one_that_is_not_installed(tmp_path):
    (tmp_path / "tiles_of_mine.py").write_text("")
    (tmp_path / "near.py").write_text("import tiles_of_mine")
    with pytest.raises(KernelFileError, match=f"stands beside it, .*PYTHONPATH={tmp_path}"):
        userfile.find(str(tmp_path / "near.py"))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("tolerance=0.1", r"tolerance of kernel k in odd\.py is 0\.1; give hl\.Tolerance"),
        ("linear='x'", r"linear of kernel k in odd\.py is 'x'; give a tuple of names"),
        ("problem=None", r"problem of kernel k in odd\.py is None; give sizes by name"),
    ],
)
def test_arguments_of_the_decorator_of_another_kind(tmp_path, given, words):
    problem = "" if given.startswith("problem") else "problem=dict(n=1), "
    (tmp_path / "odd.py").write_text(f"import hotloop as hl\n@hl.kernel({problem}work=None, {given})\nclass k: pass\n")
    with pytest.raises(KernelFileError, match=words):
        userfile.find(str(tmp_path / "odd.py"))
