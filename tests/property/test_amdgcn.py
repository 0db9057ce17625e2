"""Damaged listings and object files of AMD GPUs: an answer or a designed error, never anything else."""

from contextlib import suppress
from functools import cache
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hotloop.errors import UsageError
from hotloop.isa import code
from hotloop.isa.amdgcn import objects
from hotloop.isa.dialects.amdgcn import DIALECT
from hotloop.isa.gpumix import GPU_NAMES, gpu_evidence
from hotloop.isa.mix import mix

LISTINGS = Path(__file__).parents[1] / "golden" / "amdgcn"
NAMES = sorted(file.name for file in LISTINGS.glob("*.s"))
FRAGMENTS = (
    "k:", ".LBB0_1:", "\ts_cbranch_scc1 .LBB0_1", "\ts_branch k", "\tv_fma_f32 v0, v1, v2, v3", "\ts_endpgm", "; %bb.1:",
    "\t.type k,@function", "\t.size k, 4", "\t.amdgpu_metadata", "\t.end_amdgpu_metadata", "amdhsa.kernels:", "  - .name: k",
    "\t.amdhsa_kernel k", "\t.end_amdhsa_kernel", "; codeLenInByte = 99999999999999999999", '\t.amdgcn_target "a--gfx942"',
    "0000000000001600 <k>:", "\ts_nop 0 // 000000001600: BF800000", "\ts_branch 65535 // 000000001604: BF82FFFF", "// //", ";",
    "\ts_cbranch_scc0", "\ts_cbranch_scc0 0x7fffffffffffffffffff", "\tv_dual_mov_b32 v0, v1 ::", "\tv_mfma_f32_0x0x0f32 v0",
    "\tv_mfma_f32_0x0x0_f8", "\ts_add_i32", "\ts_cmp_lt_i32 s0, 1", "\ts_mov_b32 s0, 0", "\t.long 0x0 // 000000001608: 00000000",
    "# __CLANG_OFFLOAD_BUNDLE____START__ hip-amdgcn--gfx942", "# __CLANG_OFFLOAD_BUNDLE____END__ hip-amdgcn--gfx942",
)  # fmt: skip


@cache
def listing(name):
    return (LISTINGS / name).read_text()


def analyse(text):
    """Run everything that a listing goes through; UsageError is the only failure allowed."""
    try:
        functions = DIALECT.parse(text)
    except UsageError:
        return
    assert functions
    for function in functions:
        assert function.instructions
        addresses = [i.address for i in function.instructions]
        found = gpu_evidence(function)
        assert {f.name for f in found.facts} | {a.name for a in found.absent} == set(GPU_NAMES)
        assert mix(function).get("static.hot_instructions") <= len(addresses)


@settings(deadline=None)
@given(st.text())
def test_any_text(text):
    analyse(text)


@settings(deadline=None)
@given(st.lists(st.one_of(st.sampled_from(FRAGMENTS), st.text(max_size=20)), max_size=25))
def test_any_lines(lines):
    analyse("\n".join(lines))


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(NAMES), st.floats(0, 1))
def test_cut_off(name, part):
    text = listing(name)
    analyse(text[: int(len(text) * part)])


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(NAMES), st.floats(0, 1), st.floats(0, 1), st.one_of(st.text(max_size=9), st.sampled_from(FRAGMENTS))
)
def test_spliced(name, begin, end, inserted):
    text = listing(name)
    analyse(text[: int(len(text) * begin)] + inserted + text[int(len(text) * end) :])


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_damaged_objects(data):
    blob = bytearray((LISTINGS / "triton_scale_gfx90a.hsaco").read_bytes())
    for _ in range(data.draw(st.integers(0, 6))):
        place = data.draw(st.one_of(st.integers(0, len(blob) - 1), st.integers(0, 63), st.integers(0x2C0, 0x400)))
        blob[place] = data.draw(st.integers(0, 255))
    damaged = bytes(blob[: data.draw(st.integers(0, len(blob)))]) if data.draw(st.booleans()) else bytes(blob)
    if data.draw(st.booleans()):
        table = (1).to_bytes(8, "little") + (64).to_bytes(8, "little") + len(damaged).to_bytes(8, "little")
        name = b"hip-amdgcn--gfx90a"
        bundle = objects.BUNDLE + table + len(name).to_bytes(8, "little") + name
        damaged = (bundle.ljust(64, b"\0") + damaged)[: data.draw(st.integers(0, 64 + len(damaged)))]
    with suppress(ValueError):  # the designed answer; everything else fails the test
        for item in objects.code_objects(damaged):
            objects.resources(item)
        code.select(damaged, "scale", None)
