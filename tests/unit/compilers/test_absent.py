"""Stand-ins for packages that are not installed, and values that a command line can only name."""

from types import SimpleNamespace

from hotloop.compilers.absent import Meta, stand_in
from hotloop.compilers.child import typed


def test_a_class_of_a_file_may_say_more_beside_its_bases():
    base = stand_in("package.Info")

    class Platform(base, frozen=True, kind="gpu"):
        here = 1

    assert isinstance(Platform, Meta)
    assert Platform.here == 1


def test_a_constant_of_a_kernel_may_be_a_type():
    language = SimpleNamespace(dtype=float, bfloat16=1.5, load=print)
    assert typed("tl.bfloat16", language) == 1.5
    assert [typed(value, language) for value in ("tl.load", "tl.", "silu", 8)] == ["tl.load", "tl.", "silu", 8]
