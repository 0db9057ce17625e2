"""The data files about languages: each belongs to a plug-in, and a language without one has defaults."""

import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

from hotloop import registry
from hotloop.model.language import Language, extras, language

PACKAGES = ("hotloop.backends", "hotloop.frontends")
FILES = [
    (package, file.name.removesuffix(".toml"))
    for package in PACKAGES
    for file in files(package).iterdir()
    if file.name.endswith(".toml")
]


@pytest.mark.parametrize(("package", "name"), FILES)
def test_a_data_file_stands_beside_the_module_that_it_describes(package, name):
    assert name in registry.names(package)
    facts = language(name)
    assert facts.title
    assert not facts.ceiling or facts.ceiling in registry.names("hotloop.kernels.ceiling")


def test_a_language_without_a_data_file_has_the_defaults():
    assert language("null") == Language(name="null", title="null")


def test_languages_of_python_functions_are_not_preprocessed():
    backends = [language(name) for name in registry.names("hotloop.backends")]
    assert {facts.name for facts in backends if facts.jit} == {"gluon", "triton"}
    assert {facts.name for facts in backends if facts.preprocessed} == {"cuda", "hip", "oclgrind", "opencl"}
    assert not any(facts.jit and facts.preprocessed for facts in backends)
    assert all(facts.events for facts in backends if facts.code_objects)


def test_builds_that_serve_all_launches_are_those_of_source_texts():
    backends = [language(name) for name in registry.names("hotloop.backends")]
    assert {facts.name for facts in backends if facts.separable} == {"cuda", "hip", "opencl"}
    assert {facts.name for facts in backends if facts.cross_compiled} == {"gluon", "triton"}
    assert {facts.name: facts.recorded for facts in backends if facts.recorded} == {
        "cuda": ".cu", "opencl": ".cl", "triton": ".py"
    }  # fmt: skip


def test_the_packages_of_a_language_are_an_extra_of_the_distribution():
    declared = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text(encoding="utf-8"))
    optional = declared["project"]["optional-dependencies"]
    assert {extra.name for extra in extras()} >= {"cuda", "flydsl", "hip", "torch", "triton"}
    for extra in extras():
        assert optional[extra.name] == list(extra.requires)
        assert {registry.extra_of(module) for module in extra.modules} == {extra.name}


@pytest.mark.parametrize("name", ["../backends/cuda", "a/b", "", "x\0y", "cuda.toml"])
def test_a_name_that_no_module_can_have_is_a_language_without_facts(name):
    assert language(name) == Language(name=name, title=name)
