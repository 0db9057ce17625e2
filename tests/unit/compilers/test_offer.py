import pytest

from hotloop import registry
from hotloop.targets.target import Target


def test_every_front_end_says_what_it_takes():
    compilers = list(registry.load_all("hotloop.frontends", "COMPILER"))
    assert {compiler.name for compiler in compilers} == {"triton", "gluon", "flydsl", "hip", "opencl", "cuda"}
    assert all(suffix.startswith(".") for compiler in compilers for suffix in compiler.suffixes)


@pytest.mark.parametrize(
    ("front_end", "target", "refused"),
    [
        ("triton", "gfx1012", True), ("triton", "gfx942", False), ("triton", "sm_70", True), ("triton", "sm_80", False),
        ("gluon", "gfx1030", True), ("flydsl", "sm_90", True), ("flydsl", "gfx950", False),
        ("hip", "sm_90", True), ("hip", "gfx1012", False),
        ("cuda", "gfx942", True), ("cuda", "sm_90", False), ("opencl", "gfx1012", False), ("opencl", "sm_90", False),
    ],
)  # fmt: skip
def test_a_front_end_refuses_what_it_cannot_reach(front_end, target, refused):
    compiler = registry.load("hotloop.frontends", front_end, "COMPILER")
    assert bool(compiler.refusal(Target.parse(target))) == refused
