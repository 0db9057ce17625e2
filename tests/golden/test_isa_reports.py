"""``hotloop isa`` on listings that compilers wrote: the report, the comparison, the gate and its SARIF."""

import io
import json
import re
import shutil
from pathlib import Path

import pytest

from hotloop.app.code import analysis as isa
from hotloop.cli.main import main
from hotloop.diagnose.code import Launched, as_json
from hotloop.errors import UsageError
from hotloop.host import toolchain
from hotloop.isa.summary import diff as isa_diff
from hotloop.report.code import diff as diff_page
from hotloop.report.code import listing as page

GOLDEN = Path(__file__).parent
AMD, SASS = GOLDEN / "amdgcn", GOLDEN / "sass"
INPUTS = sorted(
    path
    for folder in (AMD, SASS, GOLDEN / "ptx")
    for path in folder.glob("*")
    if path.suffix in (".s", ".sass", ".ptx")
)


@pytest.fixture
def run(capsys):
    def run(*arguments):
        with pytest.raises(SystemExit) as left:
            main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return left.value.code, out, err

    return run


@pytest.mark.parametrize("path", INPUTS, ids=lambda path: path.name)
def test_every_listing_gives_a_report_that_begins_with_its_verdict(path):
    for report in isa.analyse(isa.Request(text=str(path))):
        verdict = page.verdict(report)
        assert verdict.startswith(f"{report.kernel} on {report.target or report.dialect}: ")
        assert "\n" not in verdict
        assert "no finding" not in verdict or "is taken" in verdict or "hotloop profile" in verdict
        assert not report.hot.unknown
        assert not report.hazards
        assert sum(c.count for c in report.hot.counts) >= report.hot.instructions  # a pair is two
        assert page.markdown((report,)).startswith("## ")
        json.dumps(as_json(report))


def test_resources_occupancy_and_cliffs_of_a_matrix_product():
    (found,) = isa.analyse(
        isa.Request(text=str(AMD / "triton_matmul_gfx942.s"), launched=Launched(dynamic_lds_bytes=16384))
    )
    occupancy = found.room.occupancy
    assert (occupancy.waves, occupancy.limiting, found.room.bound_only) == (4, ("vgprs", "lds"), "")
    assert found.hot.unit == "MFMA"
    assert found.hot.units == 8
    peak = next(p for p in found.pressure if p.file == "VGPR")
    assert peak.live <= found.resources.vgprs
    assert peak.fills[0].source


def test_dynamic_local_memory_makes_occupancy_a_bound_until_it_is_given():
    (found,) = isa.analyse(isa.Request(text=str(AMD / "triton_matmul_gfx942.s")))
    assert "--dynamic-lds" in found.room.bound_only
    assert "at most" in "\n".join(line for section in page.sections(found) for line in section.lines)


@pytest.mark.skipif(toolchain.llvm_objdump() is None, reason="llvm-objdump is not installed")
def test_code_object_and_listing_agree():
    texts = [isa.analyse(isa.Request(text=str(AMD / f"triton_scale_gfx90a.{kind}")))[0] for kind in ("s", "hsaco")]
    assert texts[0].hot.instructions == texts[1].hot.instructions
    assert texts[0].room.occupancy.waves == texts[1].room.occupancy.waves


def test_disassembly_takes_its_processor_from_target():
    listing = str(AMD / "objdump_scale_gfx90a.s")
    assert isa.analyse(isa.Request(text=listing))[0].target == ""
    assert isa.analyse(isa.Request(text=listing, target="gfx90a"))[0].target == "gfx90a"


def test_sass_uses_the_cubin_beside_it(tmp_path):
    alone = tmp_path / "matmul_sm90.sass"
    shutil.copy(SASS / "matmul_sm90.sass", alone)
    (without,) = isa.analyse(isa.Request(text=str(alone)))
    (beside,) = isa.analyse(isa.Request(text=str(SASS / "matmul_sm90.sass")))
    assert without.resources is None
    assert beside.resources.vgprs == 60
    assert beside.hot.cycles
    (tmp_path / "matmul_sm90.cubin").write_bytes((SASS / "matmul_sm90.cubin").read_bytes()[:700])
    (damaged,) = isa.analyse(isa.Request(text=str(alone)))
    assert damaged.resources is None
    assert "cannot be used" in damaged.notes[0]


def test_comparison_of_two_targets_says_what_moved():
    before, after = (isa.analyse(isa.Request(text=str(AMD / f"triton_matmul_{t}.s"))) for t in ("gfx942", "gfx950"))
    found = isa_diff.compare(*isa_diff.pair(before, after))
    moved = {m.what: (m.before, m.after) for m in found.kernel if m.changed}
    assert moved["vector registers"] == (106, 62)
    assert moved["occupancy"] == (4, 8)
    assert "44 fewer vector registers" in diff_page.verdict(found)
    per = {m.what: (m.before, m.after) for m in found.loop}
    assert per["LDS read per MFMA"] == (2.0, 3.0)
    assert diff_page.markdown(found).startswith("## ")


def test_a_kernel_does_not_differ_from_itself():
    (one,) = isa.analyse(isa.Request(text=str(AMD / "triton_matmul_gfx942.s")))
    found = isa_diff.compare(one, one)
    assert not [m for m in (*found.kernel, *found.loop) if m.changed]
    assert not [lat for lat in found.latencies if lat.step]
    assert diff_page.verdict(found).endswith("neither latency nor resources moved")


def test_gate_on_the_command_line_with_sarif(run, tmp_path):
    sarif = tmp_path / "gate.sarif"
    listing = AMD / "triton_matmul_gfx942.s"
    code, out, err = run(
        "isa",
        "gate",
        listing,
        "--max-vgpr",
        "96",
        "--no-spills",
        "--no-hazards",
        "--min-occupancy",
        "4",
        "--sarif",
        sarif,
    )
    assert (code, err) == (1, "")
    assert "2 of 4 limits broken" in out
    assert "vgpr is 106, but the limit is at most 96" in out
    results = json.loads(sarif.read_text())["runs"][0]["results"]
    errors = [r for r in results if r["level"] == "error"]
    assert [r["ruleId"] for r in errors] == ["gate/max-vgpr", "gate/min-occupancy"]
    place = errors[0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"].endswith("triton_matmul_gfx942.s")
    assert place["region"]["startLine"] > 0
    code, out, _ = run("isa", "gate", listing, "--max-vgpr", "128", "--min-occupancy", "4", "--dynamic-lds", "16k")
    assert (code, "all 2 limits hold" in out) == (0, True)


def test_source_lines_of_the_hot_loop(run, tmp_path):
    lines = (AMD / "triton_matmul_gfx950.s").read_text().split("\n")
    start = next(n for n, line in enumerate(lines) if "v_mfma" in line)
    marked = ['\t.file\t1 "/src" "matmul.py"', *lines[:start], "\t.loc\t1 40 8", *lines[start:]]
    listing = tmp_path / "marked.s"
    listing.write_text("\n".join(marked))
    _, out, _ = run("isa", listing, "--source")
    assert re.search(r"/src/matmul.py:40 +\d+", out)


def test_standard_input_and_more_than_three_kernels(run, monkeypatch):
    text = (AMD / "clang_window_gfx1012.s").read_bytes()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))
    _, out, _ = run("isa", "-")
    assert "findings" in out
    (window, crowded) = isa.analyse(isa.Request(text=str(AMD / "clang_window_gfx1012.s")))
    brief = page.markdown((window, crowded, window, crowded))
    assert "whole report: --kernel window" in brief
    assert "### " not in brief


def test_a_file_of_tritons_cache_brings_what_its_launch_adds(tmp_path):
    shutil.copy(AMD / "triton_matmul_gfx942.s", tmp_path / "matmul.amdgcn")
    launch = {
        "name": "matmul",
        "target": {"backend": "hip", "arch": "gfx942", "warp_size": 64},
        "num_warps": 4,
        "shared": 20480,
    }
    (tmp_path / "matmul.json").write_text(json.dumps(launch))
    for named in (tmp_path, tmp_path / "matmul.amdgcn"):
        (found,) = isa.analyse(isa.Request(text=str(named)))
        assert (found.resources.lds_bytes, found.resources.dynamic_lds, found.room.bound_only) == (20480, False, "")
        assert found.room.occupancy.limiting == ("lds",)


def test_a_family_compiled_for_a_gpu_that_is_not_here():
    pytest.importorskip("ziglang")
    (found,) = isa.analyse(isa.Request(text="gemm@MWI=4,NWI=4", target="gfx1012"))
    assert (found.kernel, found.target) == ("gemm", "gfx1012")
    assert found.compiler.startswith("clang")
    assert (found.hot.unit, found.hot.units % 16) == ("FMA", 0)
    with pytest.raises(UsageError, match="unknown parameter"):
        isa.analyse(isa.Request(text="gemm", target="gfx1012", parameters={"NOPE": 1}))


def test_a_source_that_does_not_compile_is_one_sentence(tmp_path):
    pytest.importorskip("ziglang")
    source = tmp_path / "broken.hip"
    source.write_text("int main(\n")
    with pytest.raises(UsageError, match=r"for gfx942 does not compile: .*error") as found:
        isa.analyse(isa.Request(text=str(source), target="gfx942"))
    assert "\n" not in str(found.value)
    with pytest.raises(UsageError, match="--target"):
        isa.analyse(isa.Request(text=str(source)))


def test_report_options_on_the_command_line(run):
    listing = AMD / "triton_matmul_gfx950.s"
    code, out, _ = run("isa", listing, "--source", "--kernel", "matmul")
    assert code == 0
    assert out.splitlines()[0].startswith("matmul on gfx950: ")
    assert "no debug lines" in out
    code, out, _ = run("isa", listing, "--json")
    assert json.loads(out)["kernels"][0]["loops"][0]["unit"] == "MFMA"
    code, out, _ = run("isa", listing, "--lds-address", "read:128:lane*128", "--json")
    facts = {fact["name"]: fact["value"] for fact in json.loads(out)["kernels"][0]["evidence"]["facts"]}
    assert facts["isa.bank_conflict_ratio"] > 1
    code, out, _ = run("isa", "mfma", "v_mfma_f32_32x32x8_f16")
    assert "32x32" in out


FRAGMENT = """.LBB0_2:
\tglobal_load_dword v4, v[0:1], off
\ts_waitcnt vmcnt(0)
\tv_fmac_f32_e32 v2, v4, v4
\ts_add_i32 s4, s4, -1
\ts_cmp_lg_u32 s4, 0
\ts_cbranch_scc1 .LBB0_2
"""


@pytest.mark.parametrize("lines", [slice(None), slice(1, 4)], ids=["loop", "no branch"])
@pytest.mark.parametrize("indent", ["\t", ""])
def test_a_pasted_fragment_is_read_and_nothing_is_claimed_of_the_rest(run, tmp_path, lines, indent):
    file = tmp_path / "pasted.s"
    file.write_text("\n".join(FRAGMENT.replace("\t", indent).splitlines()[lines]) + "\n")
    code, out, _ = run("isa", file, "--target", "gfx942")
    assert code == 0
    assert "1 global load is issued 1 instruction" in " ".join(out.split())
    assert "a fragment: the code has no name and goes on behind line" in out
    code, out, _ = run("isa", "gate", file, "--target", "gfx942", "--no-hazards")
    assert code == 1
    assert "hazards is not known: a fragment" in " ".join(out.split())


PTXAS = """ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z3mulPf' for 'sm_90'
ptxas info    : Function properties for _Z3mulPf
    24 bytes stack frame, 20 bytes spill stores, 28 bytes spill loads
ptxas info    : Used 255 registers, used 1 barriers, 24 bytes cumulative stack size, 16384+32 bytes smem, 388 bytes cmem[0]
ptxas info    : Compiling entry function '_Z4copyPf' for 'sm_90'
ptxas info    : Used 12 registers, 372 bytes cmem[0]
"""
REMARKS = "".join(
    f"k.hip:3:1: remark: {row} [-Rpass-analysis=kernel-resource-usage]\n    3 | void walk(const float* a) {{\n      | ^\n"
    for row in (
        "Function Name: walk", "    TotalSGPRs: 13", "    VGPRs: 130", "    AGPRs: 4", "    ScratchSize [bytes/lane]: 16",
        "    Dynamic Stack: False", "    Occupancy [waves/SIMD]: 3", "    SGPRs Spill: 0", "    VGPRs Spill: 3", "    LDS Size [bytes/block]: 2048",
    )
)  # fmt: skip


@pytest.mark.parametrize(
    ("messages", "target", "expected"),
    [
        (PTXAS, "", ("5 vector registers are spilled", "255 registers", "16.0 KiB", "24 B of private memory", "8 of 64 warps per SM")),
        (PTXAS, "", ("12 registers", "64 of 64 warps per SM")),
        (REMARKS, "gfx90a", ("3 vector registers are spilled", "130 VGPR, 4 AGPR, 13 SGPR, LDS 2.00 KiB", "3 of 8 waves per SIMD")),
        (REMARKS, "", ("nothing names the processor", "130 VGPR", "the input does not name a GPU")),
    ],
    ids=["ptxas", "two kernels", "remarks", "remarks of any"],
)  # fmt: skip
def test_messages_of_compilers_tell_registers_spills_and_occupancy(run, tmp_path, messages, target, expected):
    file = tmp_path / "build.log"
    file.write_text("k.cu(3): warning: variable was declared but never referenced\n" + messages)
    code, out, _ = run("isa", file, *(("--target", target) if target else ()))
    said = " ".join(out.split())
    assert code == 0
    assert [words for words in expected if words not in said] == []
    assert "of the time" not in said
    assert "what limits it is not" in said


def test_code_of_a_gpu_that_nothing_names_is_not_judged_as_that_of_a_cpu(run, tmp_path):
    file = tmp_path / "pasted.sass"
    file.write_text(
        "LDG.E R4, [R2.64] ;\nLDG.E R5, [R2.64+0x4] ;\nFFMA R6, R4, R5, R6 ;\nSTG.E [R8.64], R6 ;\nEXIT ;\n"
    )
    code, out, _ = run("isa", file)
    assert code == 0
    assert "what limits it is not judged, as nothing names the processor; give --target" in " ".join(out.split())
    assert "of the time" not in out


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty"),
        (b"\x00\xff\x13" * 999, "binary data"),
        (b"\x7fELF", "ELF"),
        (b"hello\nworld\n", "no machine code"),
        ((AMD / "triton_matmul_gfx942.s").read_bytes()[:9000], "cut off|whole"),
        ((AMD / "triton_scale_gfx90a.hsaco").read_bytes()[:1500], "ELF"),
        (
            (AMD / "clang_window_gfx908.s").read_bytes() + (SASS / "matmul_sm80.sass").read_bytes(),
            "mixes amdgcn and sass",
        ),
        (
            (AMD / "clang_window_gfx908.s").read_bytes() + (AMD / "clang_window_gfx1012.s").read_bytes(),
            "gfx1012 and gfx908",
        ),
        ((SASS / "matmul_sm80.sass").read_bytes()[:20000], "cut off"),
    ],
    ids=["empty", "garbage", "elf", "words", "cut text", "cut object", "two dialects", "two processors", "cut sass"],
)
def test_bad_input_is_one_sentence_and_exit_code_2(run, tmp_path, content, words):
    file = tmp_path / "input.s"
    file.write_bytes(content)
    code, out, err = run("isa", file)
    assert (code, out) == (2, "")
    assert re.search(words, err)
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("none.s",),
        ("none.py:k", "--target", "gfx942"),
        ("gemm@VW",),
        ("nofamily",),
        ("diff", "a.s"),
        ("mfma", "nope"),
        ("gate", "a.s"),
    ],
    ids=" ".join,
)
def test_requests_that_name_nothing(run, arguments):
    code, out, err = run("isa", *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("hotloop: ")
    assert err.count("\n") == 1


def test_a_loop_or_kernel_that_is_not_there(run):
    listing = AMD / "triton_matmul_gfx942.s"
    assert "matmul has one loop, number 0." in run("isa", listing, "--loop", "99")[2]
    assert "has no kernel 'nope'; it has matmul" in run("isa", listing, "--kernel", "nope")[2]
