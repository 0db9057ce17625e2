"""The data files about languages: each belongs to a plug-in, and a language without one has defaults."""

from importlib.resources import files

import pytest

from hotloop import registry
from hotloop.model.language import Language, language

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
