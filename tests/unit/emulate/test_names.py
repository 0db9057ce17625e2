"""Kernels are found by the name that stands in their source."""

from types import SimpleNamespace

import pytest

from hotloop.emulate.errors import EmulateError
from hotloop.emulate.program import _kernel

FUNCTIONS = [
    SimpleNamespace(name="_Z9layernormPKfS0_S0_Pf", resources=1),
    SimpleNamespace(name="_Z4normILi4EEvPf", resources=1),
    SimpleNamespace(name="_Z6helperf", resources=None),
    SimpleNamespace(name="plain", resources=1),
]


@pytest.mark.parametrize(
    ("name", "symbol"),
    [("layernorm", FUNCTIONS[0].name), ("norm<4>", FUNCTIONS[1].name), ("plain", "plain"), (FUNCTIONS[0].name,) * 2],
)
def test_a_kernel_is_found_by_its_source_name_or_its_symbol(name, symbol):
    assert _kernel(FUNCTIONS, name).name == symbol


@pytest.mark.parametrize("name", ["layer", "helper", "nor"])
def test_what_is_no_kernels_name_is_told_with_those_there_are(name):
    with pytest.raises(EmulateError, match=f"no kernel '{name}'; kernels in it: _Z9layernorm"):
        _kernel(FUNCTIONS, name)


def test_a_name_of_several_kernels_is_none():
    twice = [*FUNCTIONS, SimpleNamespace(name="_Z9layernormPKdS0_S0_Pd", resources=1)]
    with pytest.raises(EmulateError, match="no kernel 'layernorm'"):
        _kernel(twice, "layernorm")
