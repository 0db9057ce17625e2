"""The C++ example and templates for GPUs compile for processors of both vendors, every value of every parameter."""

import importlib.util
from dataclasses import replace
from pathlib import Path

import pytest

from hotloop.app import scaffold, userfile
from hotloop.backends.null import DEVICE
from hotloop.compilers.offer import Compiled, Request
from hotloop.errors import MissingExtraError
from hotloop.targets.target import Target

EXAMPLE = Path(__file__).parents[2] / "examples" / "layernorm.py"
TARGETS = {"cuda": "sm_90", "hip": "gfx942"}
pytestmark = pytest.mark.skipif(importlib.util.find_spec("ziglang") is None, reason="ziglang is not installed")


def compile_variant(kernel, language, config, folder):
    target = Target.parse(TARGETS[language])
    device = replace(DEVICE, kind="gpu", backend=language, target=target.name, local_mem_bytes=65536)
    program = kernel.implementation(language).plan(kernel.problem, config, device)
    source = folder / f"k{'.cu' if language == 'cuda' else '.hip'}"
    source.write_text(program.source)
    compiler = importlib.import_module(f"hotloop.frontends.{language}").COMPILER
    try:
        return compiler.compile(
            Request(source=source, target=target, kernel=program.launches[0].entry, options=program.options)
        )
    except MissingExtraError as error:
        pytest.skip(str(error))


def corners(implementation):
    """Yield the start and the other end of every parameter, all together where that is valid."""
    yield implementation.start
    last = implementation.start.replace(**{p.name: p.values[-1] for p in implementation.space.parameters})
    yield last if implementation.space.valid(last) else implementation.start.replace(VEC=4, HELD=1, SHUFFLE=1)


@pytest.mark.parametrize("language", TARGETS)
def test_the_example(language, tmp_path):
    kernel = userfile.load(EXAMPLE)
    for config in corners(kernel.implementation(language)):
        made = compile_variant(kernel, language, config, tmp_path)
        assert isinstance(made, Compiled), made
        assert made.kernel == "_Z9layernormPKfS0_S0_Pf"


@pytest.mark.parametrize("language", TARGETS)
def test_the_template(language, tmp_path):
    python, _ = scaffold.write(tmp_path / "made", "saxpy", language)
    kernel = userfile.load(python)
    for config in corners(kernel.implementation(language)):
        made = compile_variant(kernel, language, config, tmp_path)
        assert isinstance(made, Compiled), made
        assert made.kernel == "_Z5saxpyfPKfS0_Pfi"
