"""Occupancy on AMD targets against figures that compilers reported (recorded, see benchmarks/occupancy_proof.py)."""

from dataclasses import replace

import pytest

from hotloop.errors import UsageError
from hotloop.isa.occupancy.amd import AmdRequest, Convention, evaluate, llvm_waves, used_vgprs
from hotloop.isa.occupancy.cliffs import steps
from hotloop.targets.target import Target

# Largest register count for each wave count, read from clang 22.1.8's remark for every count from 1 to 256 (V + A to 512).
STEPS = {
    ("gfx906", 64): "10:24 9:28 8:32 7:36 6:40 5:48 4:64 3:84 2:128 1:256",
    ("gfx908", 64): "10:24 9:28 8:32 7:36 6:40 5:48 4:64 3:84 2:128 1:256",
    ("gfx90a", 64): "8:64 7:72 6:80 5:96 4:128 3:168 2:256",
    ("gfx942", 64): "8:64 7:72 6:80 5:96 4:128 3:168 2:256",
    ("gfx950", 64): "8:64 7:72 6:80 5:96 4:128 3:168 2:256",
    ("gfx1010", 32): "20:48 18:56 16:64 14:72 12:80 11:88 10:96 9:112 8:128 7:144 6:168 5:200 4:256",
    ("gfx1012", 32): "20:48 18:56 16:64 14:72 12:80 11:88 10:96 9:112 8:128 7:144 6:168 5:200 4:256",
    ("gfx1012", 64): "20:24 18:28 16:32 14:36 12:40 11:44 10:48 9:56 8:64 7:72 6:84 5:100 4:128 3:168 2:256",
    ("gfx1030", 32): "16:64 12:80 10:96 9:112 8:128 7:144 6:160 5:192 4:256",
    ("gfx1031", 32): "16:64 12:80 10:96 9:112 8:128 7:144 6:160 5:192 4:256",
    ("gfx1032", 32): "16:64 12:80 10:96 9:112 8:128 7:144 6:160 5:192 4:256",
    ("gfx1101", 32): "16:96 12:120 10:144 9:168 8:192 7:216 6:240 5:256",
    ("gfx1102", 32): "16:64 12:80 10:96 9:112 8:128 7:144 6:160 5:192 4:256",
    ("gfx1150", 32): "16:64 12:80 10:96 9:112 8:128 7:144 6:160 5:192 4:256",
    ("gfx1152", 32): "16:64 12:80 10:96 9:112 8:128 7:144 6:160 5:192 4:256",
    ("gfx1030", 64): "16:32 12:40 10:48 9:56 8:64 7:72 6:80 5:96 4:128 3:168 2:256",
    ("gfx1100", 32): "16:96 12:120 10:144 9:168 8:192 7:216 6:240 5:256",
    ("gfx1201", 32): "16:96 12:120 10:144 9:168 8:192 7:216 6:240 5:256",
    ("gfx1100", 64): "16:48 12:60 10:72 9:84 8:96 7:108 6:120 5:144 4:192 3:252 2:256",
    ("gfx1201", 64): "16:48 12:60 10:72 9:84 8:96 7:108 6:120 5:144 4:192 3:252 2:256",
}
# Waves for 256-thread groups by LDS bytes, from the LLVM in Triton 3.9.
BOUNDARIES = {
    "gfx950": {24696: 6, 25600: 6, 25601: 6, 32000: 5, 32001: 4, 32576: 4, 40960: 4, 40961: 3},
    "gfx942": {13056: 4, 13313: 4, 21504: 3, 21505: 2, 32576: 2},
    "gfx1012": {12800: 20, 12801: 18, 13107: 18, 16384: 16, 16385: 14},
    "gfx1030": {26112: 10, 26113: 8, 32768: 8, 32769: 6},
}


def asked(name, vgprs=1, wave=None, mode=None, **more):
    target = Target.of(name).machine
    wave, mode = wave or target.files[0].wave_size, mode or target.units[0].mode
    return target, AmdRequest(vgprs=vgprs, wave_size=wave, mode=mode, **more)


@pytest.mark.parametrize(("name", "wave"), STEPS)
def test_register_steps_are_the_compilers(name, wave):
    target, request = asked(name, wave=wave, workgroup=wave)
    found = steps(lambda v: evaluate(target, replace(request, vgprs=v)).waves, 1, 256)
    assert " ".join(f"{s.figure}:{s.most}" for s in found) == STEPS[name, wave]


@pytest.mark.parametrize("name", BOUNDARIES)
def test_lds_boundaries_are_the_compilers(name):
    for lds, waves in BOUNDARIES[name].items():
        assert evaluate(*asked(name, lds_bytes=lds)).waves == waves, lds


def test_small_groups_and_large_lds():
    assert evaluate(*asked("gfx950", lds_bytes=21504, workgroup=64)).waves == 2
    assert evaluate(*asked("gfx950", lds_bytes=66048, workgroup=64)).waves == 1


@pytest.mark.parametrize(
    ("vgprs", "agprs", "total", "waves"),
    [(82, 64, 148, 3), (256, 11, 267, 1), (97, 0, 97, 4), (126, 4, 132, 3), (125, 0, 125, 4)],
)
def test_both_kinds_come_from_one_pool_from_cdna2(vgprs, agprs, total, waves):
    target, request = asked("gfx942", vgprs=vgprs, agprs=agprs)
    assert used_vgprs(target, request) == total
    assert evaluate(target, request).waves == waves


def test_gfx908_keeps_two_files():
    found = evaluate(*asked("gfx908", vgprs=40, agprs=64))
    assert found.waves == 4
    assert found.limiting == ("agprs",)
    assert [limit.waves for limit in found.limits if limit.resource in ("vgprs", "agprs")] == [6, 4]


# Claims in circulation about gfx950 kernels, by registers alone.
@pytest.mark.parametrize(
    ("vgprs", "waves"),
    [(155, 3), (86, 5), (57, 8), (60, 8), (98, 4), (170, 2), (137, 3), (95, 5), (83, 5), (115, 4), (125, 4)],
)
def test_reported_register_counts(vgprs, waves):
    assert evaluate(*asked("gfx950", vgprs=vgprs)).waves == waves


def test_llvm_does_not_round_registers_to_whole_groups_and_we_say_both():
    for size, groups, resident in ((256, 5, 5), (1024, 1, 4)):
        found = evaluate(*asked("gfx950", vgprs=86, workgroup=size))
        assert (found.waves, found.groups, found.resident_waves) == (5, groups, resident)
        assert "LLVM" in found.convention


def test_raw_bytes_and_granule_are_one_wave_apart():
    target, request = asked("gfx950", lds_bytes=32001)
    assert llvm_waves(target, request, Convention.CLANG_22) == 5
    assert llvm_waves(target, request) == llvm_waves(target, request, Convention.TRITON_39) == 4
    assert any("says 5 waves" in note and "without the granule" in note for note in evaluate(target, request).notes)


def test_ten_wave_targets_in_triton():
    target, request = asked("gfx908", vgprs=3, workgroup=768)
    assert (llvm_waves(target, request), llvm_waves(target, request, Convention.TRITON_39)) == (9, 8)


@pytest.mark.parametrize(
    ("sgprs", "old", "new"), [(64, 10, 10), (65, 10, 8), (80, 10, 8), (81, 9, 7), (97, 8, 6), (101, 7, 6)]
)
def test_scalar_registers_limit_on_gfx9(sgprs, old, new):
    target, request = asked("gfx906", vgprs=3, sgprs=sgprs, workgroup=64)
    assert (llvm_waves(target, request, Convention.CLANG_22), llvm_waves(target, request)) == (old, new)


def test_scalar_registers_never_limit_from_gfx10():
    assert evaluate(*asked("gfx1030", sgprs=106)).waves == 16


def test_dynamic_local_memory_counts_though_the_remark_does_not_know_it():
    found = evaluate(*asked("gfx942", vgprs=64, lds_bytes=0, dynamic_lds_bytes=32768))
    assert (found.waves, found.limiting) == (2, ("lds",))
    assert any("says 8 waves" in note and "dynamic" in note for note in found.notes)


def test_the_hardware_granule_of_rdna2_is_twice_the_compilers():
    found = evaluate(*asked("gfx1030", lds_bytes=26112))
    assert (found.waves, found.groups, found.resident_waves) == (10, 4, 8)
    assert any("1024 B" in note for note in found.notes)


def test_modes_share_different_pools():
    wgp, cu = (evaluate(*asked("gfx1100", vgprs=96, mode=m, lds_bytes=20000, workgroup=128)) for m in ("wgp", "cu"))
    assert (wgp.unit, wgp.simds, wgp.groups) == ("WGP", 4, 6)
    assert (cu.unit, cu.simds, cu.groups) == ("CU", 2, 3)


def test_barriers_limit_groups_of_two_waves():
    found = evaluate(*asked("gfx908", vgprs=8, workgroup=128))
    assert (found.waves, found.limiting) == (8, ("barriers",))
    assert evaluate(*asked("gfx908", vgprs=8, workgroup=64)).waves == 10  # groups of one wave need none


def test_a_range_of_sizes_counts_the_best_of_them():
    assert evaluate(*asked("gfx942", workgroup=1024, workgroup_min=1)).waves == 8
    fixed, wide = (evaluate(*asked("gfx942", workgroup=704, workgroup_min=low)) for low in (None, 64))
    assert (fixed.waves, wide.waves) == (6, 8)


def test_what_does_not_launch_says_why():
    found = evaluate(*asked("gfx942", vgprs=250, workgroup=1024))
    assert not found.launches
    assert "16 waves does not fit into a CU: vgprs 250 -> 256 of 512" in found.why_not
    found = evaluate(*asked("gfx942", lds_bytes=70000))
    assert (found.groups, found.waves) == (0, 1)  # LLVM still says 1
    assert "65536 B of local memory" in found.why_not


def test_nothing_limits_a_full_machine():
    found = evaluate(*asked("gfx942", vgprs=64))
    assert (found.waves, found.fraction, found.limiting) == (8, 1.0, ())


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("gfx942", {"vgprs": 300}, "--vgpr 300 is outside the range of gfx942, 0 to 256"),
        ("gfx1100", {"agprs": 4}, "has no accumulation registers"),
        ("gfx942", {"workgroup": 0}, "--workgroup 0"),
        ("gfx942", {"workgroup": 64, "workgroup_min": 65}, "--workgroup 65"),
        ("gfx942", {"sgprs": 120}, "--sgpr 120"),
        ("gfx942", {"lds_bytes": -1}, "cannot be negative"),
        ("gfx942", {"wave": 32}, "waves of 64 lanes, not of 32"),
        ("gfx942", {"mode": "wgp"}, "has no wgp mode, only cu"),
        ("gfx1250", {"wave": 64}, "waves of 32 lanes, not of 64"),
    ],
)
def test_impossible_values_are_refused(name, options, words):
    with pytest.raises(UsageError, match=words):
        evaluate(*asked(name, **options))
