"""The noun: what it reads, what it knows of listed and of unknown processors, and what it does not guess."""

import pytest

from hotloop.errors import UnknownNameError, UsageError
from hotloop.targets.target import Target


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


def test_one_that_has_narrow_waves_only():
    with pytest.raises(UsageError, match="gfx1250 has waves of 32 only"):
        Target.parse("gfx1250:wave64")


@pytest.mark.parametrize(
    ("text", "name", "vendor", "generation"),
    [
        ("GFX942:sramecc+:xnack-", "gfx942", "amd", "gfx9"), ("gfx1012:wave64", "gfx1012", "amd", "gfx10"),
        ("gfx1251", "gfx1251", "amd", "gfx1250"), ("gfx9", "gfx9", "amd", "gfx9"), ("gfx9-4-generic", "gfx9-4-generic", "amd", "gfx9"),
        ("SM90a", "sm_90", "nvidia", "sm_9"), ("121", "sm_121", "nvidia", "sm_12"), ("x86-64-avx2", "x86-64-avx2", "", ""),
        ("", "", "", ""), ("toaster", "toaster", "", ""),
    ],
)  # fmt: skip
def test_every_spelling_is_some_processor(text, name, vendor, generation):
    target = Target.of(text)
    assert (target.name, target.vendor, target.generation) == (name, vendor, generation)


def test_what_people_write_keeps_waves_and_features():
    assert str(Target.of("gfx1012:wave64")) == "gfx1012:wave64"
    assert Target.of("gfx90a:xnack-").processor == "gfx90a:xnack-"
    assert Target.of("sm_90a").processor == "sm_90a"


def test_an_unknown_processor_of_a_known_generation_has_what_all_of_it_have():
    target = Target.of("gfx1199")
    assert not target.listed
    assert target.wave_sizes == (32, 64)
    assert target.number("max_waves") is None
    assert target.words.local == "LDS"
    with pytest.raises(UnknownNameError, match="gfx1100"):
        _ = target.machine
    with pytest.raises(UnknownNameError, match="gfx1201.*sm_120"):
        Target.named("gfx999")


def test_nothing_is_guessed_of_a_generation_that_no_file_has():
    target = Target.of("gfx1400")
    assert target.wave_sizes == ()
    with pytest.raises(UsageError, match="how many work-items a wave of gfx1400 has"):
        _ = target.wave_size


def test_words_follow_the_vendor():
    words = [Target.of(name).words for name in ("gfx942", "gfx1100", "sm_90", "")]
    assert [w.local for w in words] == ["LDS", "LDS", "shared memory", "LDS"]
    assert [w.occupancy for w in words] == ["waves per SIMD", "waves per SIMD", "warps per SM", "waves per SIMD"]
    assert [w.matrix for w in words] == ["MFMA", "WMMA", "MMA", "WMMA"]


def test_capabilities_are_for_nvidia():
    assert [Target.of(name).at_least(90) for name in ("sm_90", "sm_89", "gfx942", "sm_", "")] == [True, *[False] * 4]
    with pytest.raises(UsageError, match="gfx942 has no compute capability"):
        _ = Target.of("gfx942").capability


def test_local_memory_without_asking():
    assert [Target.of(name).local_bytes for name in ("gfx950", "gfx942", "gfx900", "gfx1250", "sm_90", "z80")] == [
        160 << 10, 64 << 10, 64 << 10, 320 << 10, 48 << 10, None,
    ]  # fmt: skip


def test_features():
    assert [name for name in ("gfx906", "gfx908", "gfx1030", "gfx1100", "sm_90") if Target.of(name).has("matrix unit")] == [
        "gfx908", "gfx1100", "sm_90",
    ]  # fmt: skip
    with pytest.raises(UnknownNameError, match="wait states"):
        Target.of("gfx942").has("wings")


def test_the_narrowest_statement_counts():
    assert Target.of("gfx1201").rates("matrix_macs")["f16"] == 256
    assert Target.of("gfx1250").rates("matrix_macs")["f16"] == 512
    assert Target.of("gfx1250").wave_sizes == (32,)
