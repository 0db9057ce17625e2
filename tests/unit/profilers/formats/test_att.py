"""Thread traces, made by hand so that every figure is known."""

import json

import pytest

from hotloop.profilers.reading import read
from hotloop.profiles.failure import ProfileError
from hotloop.profiles.tracing.analysis import analyse
from hotloop.profiles.tracing.classes import class_of
from hotloop.profiles.tracing.matrix import matrix_cycles

TEN = "ISA, _, LineNumber, Source, Codeobj, Vaddr, Hit, Latency, Stall, Idle"
MFMA = "v_mfma_f32_32x32x8_f16 a[0:15], v[0:1], v[2:3], a[0:15]"
# text, hits, latency, stall, idle; every instruction has 4 bytes
CODE = [
    ("s_load_dwordx4 s[0:3], s[4:5], 0x0", 2, 20, 0, 0),
    ("s_waitcnt lgkmcnt(0)", 2, 180, 170, 0),
    ("global_load_dwordx4 v[4:7], v0, s[0:1]", 2, 100, 40, 0),
    ("s_waitcnt vmcnt(0)", 20, 400, 380, 20),
    ("ds_write_b128 v8, v[4:7]", 20, 200, 100, 0),
    (MFMA, 20, 640, 320, 40),
    ("global_load_dwordx4 v[4:7], v0, s[0:1] offset:64", 20, 160, 60, 0),
    ("s_cbranch_scc1 65531", 20, 40, 0, 0),
    ("global_store_dword v0, v1, s[2:3]", 2, 60, 20, 0),
    ("s_endpgm", 2, 10, 0, 0),
]
LOOP = range(3, 8)


def code(header=TEN, extra=()):
    rows = [["; _Z4gemmPf", 0, 0, "gemm(float*)", 11, 4096, 0, 0, 0, 0, *extra]]
    for number, (text, hits, latency, stall, idle) in enumerate(CODE):
        rows.append([text, 0, number + 1, "a.cpp:1", 11, 4096 + 4 * number, hits, latency, stall, idle, *extra])
    return {"code": rows, "header": header, "version": "3.0.0"}


def wave(begin=0, loads=(6,), iterations=10, cycles=70):
    events = [[begin + 1, 1, 0, 4, 1], [begin + 5, 9, 80, 90, 2]]
    clock = begin + 100
    for _ in range(iterations):
        events += [
            [clock, 9, 10, 20, 4],
            [clock + 20, 5, 2, 10, 5],
            [clock + 30, 6, 10, 16, 6],
            [clock + 60, 7, 0, 4, 8],
        ]
        clock += cycles
    return {"duration": 900, "name": "w", "num_insts": len(events), "wave": {
        "begin": begin, "end": begin + 900, "cu": 1, "simd": 0, "slot": 0, "id": 0, "instructions": events,
        "timeline": [[2, 900]], "waitcnt": [[4, [[line + 1, 0] for line in loads]]]}}  # fmt: skip


@pytest.fixture
def folder(write):
    path = write("ui/code.json", json.dumps(code())).parent
    write("ui/se0_sm0_sl0_wv0.json", json.dumps(wave()))
    write("ui/se0_sm0_sl1_wv0.json", json.dumps(wave(begin=450)))
    files = {
        "0": {"0": {"0": {"0": ["se0_sm0_sl0_wv0.json", 0, 900]}, "1": {"0": ["se0_sm0_sl1_wv0.json", 450, 1350]}}}
    }
    write("ui/filenames.json", json.dumps({"wave_filenames": files, "gfxv": "vega", "thread_trace": True}))
    write(
        "ui/occupancy.json",
        json.dumps({"0": [[0, 1, 0, 0, 1, 5], [450, 1, 0, 1, 1, 5], [900, 1, 0, 0, 0, 5], [1350, 1, 0, 1, 0, 5]]}),
    )
    return path


def test_a_folder(folder):
    profile = read(folder)
    assert len(profile.trace.waves) == 2
    assert profile.trace.resident == ((0, 1, 0, 2),)
    (found,) = analyse(profile.trace, "gfx942")
    assert found.kernel == "gemm(float*)"
    assert found.unit == "cycles"
    assert (found.loop.first, found.loop.last) == (3, 7)
    total = sum(latency + idle for _, _, latency, _, idle in CODE)
    assert found.total == total
    assert found.iterations == 20
    assert found.matrix_efficiency == pytest.approx(20 * 32 / 1350)  # two waves of 900 cycles that overlap by half
    assert not found.absent


def test_classes(folder):
    (found,) = analyse(read(folder).trace, "gfx942")
    shares = {c.name: c for c in found.loop_classes}
    latency = sum(CODE[i][2] for i in LOOP)
    assert shares["matrix"].share == pytest.approx(640 / latency)
    assert shares["matrix"].stall_rate == 0.5
    assert shares["wait"].stall_rate == pytest.approx(0.95)
    assert shares["LDS"].executions == 20
    assert sum(c.share for c in found.classes) == pytest.approx(1)


def test_what_stalls_and_what_it_waits_for(folder):
    (found,) = analyse(read(folder).trace, "gfx942", top=4)
    first, second, third, _ = found.stalled
    stalls = sum(row[3] for row in CODE)
    assert first.instruction.text == "s_waitcnt vmcnt(0)"
    assert first.share == pytest.approx(380 / stalls)
    assert [i.text for i in first.waits_for] == [CODE[6][0]]
    assert "offset:64" in first.reason
    assert second.instruction.text == MFMA
    assert "matrix unit" in second.reason
    assert third.instruction.text == "s_waitcnt lgkmcnt(0)"
    assert third.waits_for[0].text.startswith("s_load")


def test_without_waves_the_code_says_what_a_wait_waits_for(write):
    """The load of the iteration before stands behind the wait, so reading on the way up alone would name the first load."""
    profile = read(write("code.json", json.dumps(code())))
    (found,) = analyse(profile.trace, "gfx942")
    assert [i.text for i in found.stalled[0].waits_for] == [CODE[6][0]]
    assert found.matrix_efficiency is None
    assert "no single waves" in next(a.reason for a in found.absent if a.name == "matrix_efficiency")


def test_the_statistics_table_says_the_same(write):
    for head in ("CodeObj", "Codeobj"):
        text = f"{head},Vaddr,Instruction,Hitcount,Latency,Stall,Idle,Source\n" + '11,4096,"; gemm",0,0,0,0,""\n'
        text += "".join(
            f'11,{4096 + 4 * n},"{t}",{h},{la},{s},{i},"k.py:1"\n' for n, (t, h, la, s, i) in enumerate(CODE)
        )
        profile = read(write("stats.csv", text))
        (found,) = analyse(profile.trace)
        assert found.kernel == "gemm"
        assert (found.loop.first, found.loop.last) == (3, 7)
        assert found.iterations == 20
        assert "waves" in {a.name for a in profile.absent}


@pytest.mark.parametrize("stall", [-20, 401])
def test_a_stall_that_is_no_part_of_its_latency_leaves_stalls_unsaid(write, stall):
    text = "CodeObj,Vaddr,Instruction,Hitcount,Latency,Stall,Idle,Source\n"
    text += "".join(
        f'11,{4096 + 4 * n},"{t}",{h},{la},{stall if n == 3 else s},{i},""\n' for n, (t, h, la, s, i) in enumerate(CODE)
    )
    profile = read(write("stats.csv", text))
    (found,) = analyse(profile.trace)
    assert {c.stall_rate for c in found.classes} == {None}
    assert not found.stalled
    assert "below zero or longer than the latency" in next(a.reason for a in profile.absent if a.name == "stall_cycles")


def test_without_branch_targets_counts_show_the_loop(write):
    content = code()
    content["code"][8][0] = "s_cbranch_scc1 unknown_label"
    (found,) = analyse(read(write("code.json", json.dumps(content))).trace)
    assert (found.loop.first, found.loop.last) == (3, 7)


def test_labels(write):
    content = code()
    content["code"][8][0] = "s_cbranch_scc1 .LBB0_1"
    content["code"].insert(4, [".LBB0_1:", 0, 99, "", 11, 4108, 0, 0, 0, 0])
    (found,) = analyse(read(write("code.json", json.dumps(content))).trace)
    assert (found.loop.first, found.loop.last) == (3, 7)


def test_the_header_is_a_list_with_pc_sampling_and_zeros_are_not_known(write):
    content = code([*(n.strip() for n in TEN.split(",")), "PC_Issued", "PC_Stalled", "Stall_Reasons"], (0, 0, [0] * 10))
    for row in content["code"]:
        row[6:10] = [0, 0, 0, 0]
    content["code"][4][10:] = [1, 9, [0, 0, 0, 9, 0, 0, 0, 0, 0, 0]]
    content["code"][6][10:] = [6, 4, [0, 0, 1, 0, 0, 0, 3, 0, 0, 0]]
    profile = read(write("code.json", json.dumps(content)))
    assert profile.trace.sampled
    assert profile.trace.kernels[0].instructions[3].hits is None
    (found,) = analyse(profile.trace)
    assert found.unit == "samples"
    assert found.stalled[0].reason == "samples say WAITCNT"
    assert found.stalled[0].share == pytest.approx(9 / 13)
    assert {c.name: c.stall_rate for c in found.loop_classes}["matrix"] == pytest.approx(0.4)
    assert found.iterations is None
    assert {"hits", "waves"} <= {a.name for a in profile.absent}


def test_a_file_list_cannot_name_other_files(folder, write):
    secret = write("secret.json", json.dumps(wave()))
    names = [
        "../secret.json",
        str(secret),
        "se0_sm0_sl0_wv0.json/../../secret.json",
        "code.json",
        "se9_sm9_sl9_wv9.json",
    ]
    write(
        "ui/filenames.json",
        json.dumps({"wave_filenames": {"0": {"0": {"0": {str(i): [n, 0, 1] for i, n in enumerate(names)}}}}}),
    )
    profile = read(folder)
    assert len(profile.trace.waves) == 0
    assert "not in the folder" in profile.notes[0]


def test_single_files_of_a_folder(folder):
    assert read(folder / "se0_sm0_sl0_wv0.json").trace.waves[0].cu == 1
    assert read(folder / "occupancy.json").trace.resident == ((0, 1, 0, 2),)
    assert "give the folder" in read(folder / "filenames.json").notes[0]


@pytest.mark.parametrize("bad", [
    {"code": 5}, {"code": [5]}, {"code": [], "header": "Nothing"}, {"code": [["x"]], "header": [["ISA"]]},
])  # fmt: skip
def test_damaged_code(write, bad):
    with pytest.raises(ProfileError):
        read(write("ui/code.json", json.dumps(bad)).parent)


@pytest.mark.parametrize("change", [
    {"begin": 9, "end": 1}, {"begin": "x"}, {"instructions": [[1, 2, 3]]}, {"instructions": [5]}, {"instructions": [[1, 2, None, 4, 5]]},
])  # fmt: skip
def test_damaged_waves(write, change):
    content = wave()
    content["wave"] |= change
    with pytest.raises(ProfileError):
        read(write("se0_sm0_sl0_wv0.json", json.dumps(content)))


def test_a_trace_without_waves_on_the_traced_unit(write):
    profile = read(write("stats.csv", "CodeObj,Vaddr,Instruction,Hitcount,Latency,Stall,Idle,Source\n"))
    assert "launch more waves" in profile.why_absent("instructions")
    assert analyse(profile.trace) == ()


@pytest.mark.parametrize(("text", "architecture", "cycles"), [
    ("v_mfma_f32_32x32x8_f16", "gfx942", 32), ("v_mfma_f32_32x32x8f16", "gfx90a", 64), ("v_mfma_f32_16x16x16_bf16", "gfx942", 16),
    ("v_mfma_f32_32x32x16_fp8_fp8", "gfx942", 32), ("v_mfma_f32_32x32x2f32", "gfx90a", 64), ("v_mfma_f32_32x32x4f16", "gfx90a", 64),
    ("v_mfma_f64_16x16x4f64", "gfx90a", 32), ("v_mfma_f64_16x16x4_f64", "gfx950", 64), ("v_mfma_f32_32x32x16_bf16", "gfx950", 32),
    ("v_mfma_f32_4x4x4_16b_f16", "gfx942", 8), ("v_mfma_i32_32x32x16_i8", "gfx942", 32), ("v_mfma_f32_16x16x128_f8f6f4", "gfx950", None),
    ("v_mfma_f32_32x32x8_f16", "gfx1100", None), ("v_add_f32", "gfx942", None),
])  # fmt: skip
def test_matrix_cycles(text, architecture, cycles):
    """Passes of four cycles as the CDNA instruction set documents list them: 32x32x8 f16 takes 16 on CDNA 2 and 8 on CDNA 3."""
    assert matrix_cycles(f"{text} a[0:3], v0", architecture) == cycles


@pytest.mark.parametrize(("text", "name"), [
    ("buffer_load_dwordx4 v[0:3], v4", "vector memory"), ("ds_read_b128 v[0:3], v4", "LDS"), ("s_load_dwordx2 s[0:1]", "scalar memory"),
    ("s_buffer_load_dword s0", "scalar memory"), ("v_wmma_f32_16x16x16_f16 v0", "matrix"), ("s_barrier", "barrier"), ("s_nop 0", "nop"),
    ("s_wait_dscnt 0x0", "wait"), ("s_cbranch_scc1 5", "branch"), ("v_fmac_f32_e32 v0", "vector ALU"), ("s_add_u32 s0", "scalar ALU"),
    ("s_endpgm", "other"), ("", "other"),
])  # fmt: skip
def test_classes_of_instructions(text, name):
    assert class_of(text) == name
