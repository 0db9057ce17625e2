"""Source text and source files: what a declaration's first argument is taken for."""

import math
import runpy
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import hotloop as hl
from hotloop.backends.null import DEVICE
from hotloop.errors import KernelFileError
from hotloop.languages.declaration import source
from hotloop.model.space import Config

LINE = "__kernel void f(__global float *x) { x[get_global_id(0)] = 1; }"


@pytest.fixture
def file(tmp_path):
    return tmp_path / "mine.py"


@pytest.mark.parametrize("text", [LINE, "a\nb", LINE + "\n", "{" * 5000, "kernel void f(){" + "x" * 300 + ";}"])
def test_code_is_code_with_or_without_lines(file, text):
    assert source(text, file) == (text, "mine.py (inline)")


@pytest.mark.parametrize("name", ["k.cl", "no suffix", "odd {name}.cl", "sub/k.cl"])
def test_names_of_files_are_read(file, name):
    path = file.parent / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(LINE)
    assert source(name, file) == (LINE, Path(name).name)


@pytest.mark.parametrize(
    ("name", "why"),
    [("k.cl", "No such file"), (".", "Is a directory"), ("", "Is a directory"), ("n" * 300, "File name too long"), ("k\0.cl", "null")],
)  # fmt: skip
def test_what_is_neither_is_one_sentence(file, name, why):
    with pytest.raises(KernelFileError, match=f"^mine.py names the source .*, which cannot be read: .*{why}.*\\.$"):
        source(name, file)


def test_a_file_that_is_no_text_is_one_sentence(file):
    (file.parent / "k.cl").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(KernelFileError, match="'k.cl', which cannot be read: it is no text in UTF-8: byte 1 is 0xff"):
        source("k.cl", file)


def test_a_path_is_a_file(file):
    (file.parent / "k.cl").write_text(LINE)
    assert source(Path("k.cl"), file) == (LINE, "k.cl")
    assert source(file.parent / "k.cl", file) == (LINE, "k.cl")


@pytest.mark.parametrize(
    ("given", "words"), [(b"k.cl", "gives b'k.cl' as source"), ("// \udc80\n", "gives a source with half a character")]
)
def test_what_is_no_text_is_no_source(file, given, words):
    with pytest.raises(KernelFileError, match=f"^mine.py {words}"):
        source(given, file)


def kernel(**changes):
    """A kernel of OpenCL C with some members or options changed."""
    options = {"entry": "f", "global_size": lambda p, c: (p.n,)}
    members = {name: changes.pop(name) for name in ("work", "awkward", "tolerance") if name in changes}

    @hl.kernel(problem=dict(n=8), **{"work": lambda p: hl.Work(flops=1, bytes=1), **members})
    class k:
        def inputs(p, rng):
            return dict(x=hl.empty(p.n))

        def reference(p, x):
            return dict(x=x)

        opencl = hl.OpenCL(LINE, **options | changes)

    return k


def planned(made):
    implementation = made.implementation()
    return implementation.plan(made.problem, implementation.start, DEVICE)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (dict(params=dict(VW=4)), "params of opencl in .* gives VW = 4; give a list of values"),
        (dict(params=dict(VW="48")), "params of opencl in .* gives VW = '48'"),
        (dict(options="-cl-fast"), "options of opencl in .* must be a list of texts, not '-cl-fast'"),
        (dict(options=[1]), r"options of opencl in .* must be a list of texts, not \[1\]"),
        (dict(args="x"), "args of opencl in .* must be a list of texts, not 'x'"),
        (dict(defines=lambda p, c: 5), "defines of opencl in .* raises TypeError: 'int' object is not iterable"),
        (dict(global_size=lambda p, c: "64"), "global_size of opencl in .* must return whole numbers.* not '64'"),
        (dict(global_size=lambda p, c: (2.5,)), r"must return whole numbers.* not \(2.5,\)"),
    ],
)
def test_mistakes_of_a_declaration_are_one_sentence(changes, words):
    with pytest.raises(KernelFileError, match=words):
        planned(kernel(**changes))


def test_sizes_beyond_64_bits_rule_a_configuration_out():
    with pytest.raises(ValueError, match="global_size of opencl in .* is "):
        planned(kernel(global_size=lambda p, c: (1 << 63,)))
    assert planned(kernel(global_size=lambda p, c: (8.0,))).launches[0].global_size == (8,)


def test_functions_that_give_nonsense_are_told():
    with pytest.raises(KernelFileError, match=r"traits of opencl in .* raises ZeroDivisionError"):
        kernel(traits=lambda p, c, d: 1 / 0).implementation().traits(None, None, None)
    with pytest.raises(KernelFileError, match=r"awkward of kernel k in .* raises TypeError: 'NoneType'"):
        kernel(awkward=lambda p: None).awkward(kernel().problem)
    for flops in (-1, math.nan, math.inf, 10**400, "many"):
        made = kernel(work=lambda p, flops=flops: hl.Work(flops=flops, bytes=1))
        with pytest.raises(KernelFileError, match="work of kernel k in .* returns flops=.*; give a finite number"):
            made.work(made.problem)


def test_a_tolerance_may_be_a_number_and_what_is_none_is_told():
    made = kernel(tolerance=hl.Tolerance(terms=16))
    assert made.tolerance.terms(made.problem) == 16
    for given, words in (
        ({"terms": "16"}, "terms of the tolerance .* is '16'; give a number, or a function of the problem"),
        ({"terms": math.nan}, "terms of the tolerance .* is nan"),
        ({"factor": "4"}, "factor of the tolerance .* is '4'; give a number"),
    ):
        with pytest.raises(KernelFileError, match=words):
            kernel(tolerance=hl.Tolerance(**given))


def _declared(**more):
    given = {"params": {"W": [1, 2]}, "global_size": lambda p, c: (p.n,)} | more
    return hl.OpenCL(LINE, entry="f", **given).implementation("opencl", Path("mine.py"), lambda p, rng: {})


def test_values_of_numpy_are_taken_as_pythons_own():
    made = _declared(params={"W": 2 ** np.arange(3), "F": [np.float64(0.5)]}, start={"W": np.int32(4)})
    assert [type(value) for p in made.space.parameters for value in p.values] == [int, int, int, float]
    assert (type(made.start["W"]), made.start["W"]) == (int, 4)


@pytest.mark.parametrize(
    ("params", "words"),
    [
        (5, "must give lists of values by name, not 5"),
        ({"W": []}, "gives W no value"),
        ({"W": [[1], [2]]}, r"gives W the value \[1\]; give numbers or texts"),
        ({"W": [1.0, math.nan]}, "gives W the value nan; give numbers or texts"),
    ],
)
def test_params_that_are_no_lists_of_values_are_one_sentence(params, words):
    with pytest.raises(KernelFileError, match=f"^params of opencl in mine.py {words}"):
        _declared(params=params)


def test_a_trait_that_is_no_number_is_one_sentence():
    made = _declared(traits=lambda p, c, d: {"config.vector_elements": "x"})
    with pytest.raises(KernelFileError, match="^traits of opencl in mine.py raises ValueError: could not convert"):
        made.traits(None, made.start, DEVICE)


def test_a_constraint_after_a_text_of_several_lines_is_a_constraint(tmp_path):
    path = tmp_path / "late.py"
    path.write_text('import hotloop as hl\nmade = hl.OpenCL("""\n""", entry="f", constraints=[lambda c: True])\n')
    module = runpy.run_path(str(path))
    made = replace(module["made"], params={"W": [1]}, global_size=lambda p, c: (1,))
    assert made.implementation("opencl", path, lambda p, rng: {}).space.valid(Config(W=1))
