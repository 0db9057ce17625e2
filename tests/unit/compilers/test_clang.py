from pathlib import Path

import pytest

from hotloop.compilers import clang as _clang
from hotloop.compilers.offer import Request
from hotloop.errors import UnknownNameError
from hotloop.isa.resources import KernelResources
from hotloop.targets.target import Target


def request(kernel=""):
    return Request(source=Path("k.hip"), target=Target.parse("gfx942"), kernel=kernel)


def kernels(*names):
    return [KernelResources(name=name, target="gfx942") for name in names]


@pytest.mark.parametrize(
    ("asked", "symbols", "found"),
    [
        ("", ("only",), "only"),
        ("", ("one", "two"), ""),
        ("two", ("one", "two"), "two"),
        ("scale", ("_Z5scalePKf", "_Z9scale_allPKf"), "_Z5scalePKf"),
        ("scale", ("_ZN4mine5scaleEPKf",), "_ZN4mine5scaleEPKf"),
        ("scale_all", ("_Z5scalePKf", "_Z9scale_allPKf"), "_Z9scale_allPKf"),
    ],
)
def test_a_kernel_is_found_by_its_source_name(asked, symbols, found):
    assert _clang.chosen(request(asked), kernels(*symbols)) == found


def test_an_unknown_kernel_is_refused_with_the_known_ones():
    with pytest.raises(UnknownNameError, match="kernel in k.hip 'three'; known: one, two"):
        _clang.chosen(request("three"), kernels("one", "two"))


@pytest.mark.parametrize(
    ("target", "version", "wide"),
    [("gfx942", 9402, 1), ("gfx90a", 9010, 1), ("gfx1012", 10102, 0), ("gfx1250", 12500, 0)],
)
def test_the_device_libraries_are_told_the_processor(target, version, wide):
    text = _clang.oclc(Target.parse(target))
    assert f"@__oclc_ISA_version = linkonce_odr hidden local_unnamed_addr addrspace(4) constant i32 {version}\n" in text
    assert f"@__oclc_wavefrontsize64 = linkonce_odr hidden local_unnamed_addr addrspace(4) constant i8 {wide}\n" in text


def test_macros_level_and_waves_become_options():
    made = Request(
        source=Path("k.cl"),
        target=Target.parse("gfx1030:wave64"),
        parameters=(("VW", 4), ("FAST", True)),
        options=("-ffast-math",),
        optimization=1,
    )
    assert _clang.common(made) == ("-O1", "-mwavefrontsize64", "-DVW=4", "-DFAST=1", "-ffast-math")
