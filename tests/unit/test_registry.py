import subprocess
import sys

import pytest

from hotloop import registry
from hotloop.errors import MissingExtraError, UnknownNameError
from hotloop.profilers.format import FORMATS

WITHOUT = """
import sys
class Absent:
    def find_spec(self, name, *_):
        if name.partition(".")[0] in {absent}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Absent())
from hotloop import registry
from hotloop.errors import MissingExtraError
for name in {names}:
    try:
        registry.load("hotloop.backends", name, "BACKEND")
    except MissingExtraError as error:
        print(error)
"""


def test_a_backend_whose_dependency_is_absent_goes_by_the_name_that_people_know():
    program = WITHOUT.format(absent=["pyopencl", "cuda", "hip"], names=["opencl", "clblast", "oclgrind", "cuda", "hip"])
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ended.stdout.splitlines() == [
        "OpenCL needs an optional dependency: pip install 'hotloop[cpu]'.",
        "CLBlast needs an optional dependency: pip install 'hotloop[cpu]'.",
        "oclgrind needs an optional dependency: pip install 'hotloop[cpu]'.",
        "CUDA C++ needs an optional dependency: pip install 'hotloop[cuda]'.",
        "HIP C++ needs an optional dependency: pip install 'hotloop[hip]'.",
    ]


@pytest.mark.parametrize(
    ("package", "name", "words"),
    [
        ("hotloop.backends", "gluon", "Gluon"),
        ("hotloop.frontends", "flydsl", "compiling FlyDSL for another machine"),
        ("hotloop.cli.commands", "verify_checker", "hotloop verify-checker"),
        ("hotloop.diagnose.rules", "tail_effect", "the rule tail-effect"),
        ("hotloop.isa.containers", "pocl", "reading binaries of pocl"),
        ("hotloop.isa.dialects", "x86", "reading x86 machine code"),
        ("hotloop.kernels", "conv3d_depthwise", "the kernel family conv3d_depthwise"),
        ("hotloop.search.strategies", "surrogate", "the strategy surrogate"),
        ("hotloop.techniques.methods", "async_copy", "the technique async-copy"),
        ("hotloop.verify.catalogue.specimens", "rowsum", "the specimen rowsum"),
    ],
)
def test_each_kind_of_plug_in_goes_by_words_of_its_users(package, name, words, monkeypatch):
    def absent(module):
        if module == f"{package}.{name}":
            raise ModuleNotFoundError("No module named 'torch.cuda'", name="torch.cuda")
        return found(module)

    found = registry.importlib.import_module
    monkeypatch.setattr(registry.importlib, "import_module", absent)
    with pytest.raises(MissingExtraError) as refused:
        registry.load(package, name, "ANY")
    assert str(refused.value) == f"{words} needs an optional dependency: pip install 'hotloop[torch]'."


def test_a_mistake_in_a_plug_in_is_no_missing_extra(monkeypatch):
    def broken(module):
        if module == "hotloop.search.strategies.random":
            raise ModuleNotFoundError("No module named 'nosuch'", name="nosuch")
        return found(module)

    found = registry.importlib.import_module
    monkeypatch.setattr(registry.importlib, "import_module", broken)
    with pytest.raises(ModuleNotFoundError, match="nosuch"):
        registry.load("hotloop.search.strategies", "random", "STRATEGY")


@pytest.mark.parametrize(
    ("package", "words"),
    [("hotloop.search.strategies", "unknown strategy 'x'"), ("hotloop.kernels", "unknown kernel 'x'")],
)
def test_an_unknown_name_is_one_of_its_kind(package, words):
    with pytest.raises(UnknownNameError, match=words):
        registry.load(package, "x", "ANY")


def test_parts_are_of_those_plug_ins_that_have_them():
    tools = [tool.name for part in registry.load_all(FORMATS, "COLLECTORS", "collect") for tool in part]
    assert {"ncu", "perf", "rocprofv3"} <= set(tools)
    assert "collected" in registry.names(FORMATS)
    assert not list(registry.load_all(FORMATS, "COLLECTORS", "no_such_part"))


def test_a_package_is_listed_once_however_many_of_its_plug_ins_are_loaded(monkeypatch):
    known = registry.names("hotloop.search.strategies")
    monkeypatch.setattr(registry.pkgutil, "iter_modules", None)  # not to be called again
    for name in known:
        registry.load("hotloop.search.strategies", name, "STRATEGY")
