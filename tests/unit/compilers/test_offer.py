import pytest

from hotloop import registry
from hotloop.compilers.offer import Target
from hotloop.errors import UsageError


@pytest.mark.parametrize(
    ("text", "processor", "wave_size", "amd"),
    [
        ("gfx942", "gfx942", 64, True),
        ("gfx90a:xnack-", "gfx90a:xnack-", 64, True),
        ("gfx90a:sramecc+:xnack-", "gfx90a:sramecc+:xnack-", 64, True),
        ("gfx1012", "gfx1012", 32, True),
        ("gfx1012:wave64", "gfx1012", 64, True),
        ("gfx1250", "gfx1250", 32, True),
        ("gfx803", "gfx803", 64, True),
        ("sm_90", "sm_90", 32, False),
        ("sm_90a", "sm_90a", 32, False),
        ("sm_120", "sm_120", 32, False),
    ],
)
def test_a_target_is_read_and_written_back(text, processor, wave_size, amd):
    target = Target.parse(text)
    assert (target.processor, target.wave_size, target.amd, str(target)) == (processor, wave_size, amd, text)


@pytest.mark.parametrize(
    "text", ["", "gfx", "gfx9", "sm_9", "sm90", "h100", "gfx942:", "gfx942:wave16", "gfx942 ", "GFX942"]
)
def test_other_texts_are_refused(text):
    with pytest.raises(UsageError, match="is not understood"):
        Target.parse(text)


def test_a_cdna_processor_has_no_narrow_waves():
    with pytest.raises(UsageError, match="gfx942 has waves of 64 only"):
        Target.parse("gfx942:wave32")


def test_the_capability_leaves_the_feature_letter_out():
    assert Target.parse("sm_90a").capability == 90


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
