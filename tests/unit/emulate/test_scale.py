"""A compiled kernel from the golden listings, executed."""

import re
from pathlib import Path

import numpy as np
import pytest

from hotloop.emulate import progress
from hotloop.emulate.errors import EmulateError, UnmodelledError
from hotloop.emulate.hazards import inspect
from hotloop.emulate.launch import Launch, run
from hotloop.emulate.machine import Options
from hotloop.emulate.program import load

GOLDEN = Path(__file__).parents[2] / "golden" / "amdgcn"
TEXT = (GOLDEN / "triton_scale_gfx90a.s").read_text()


def launched(size, block, **more):
    x = np.linspace(-3, 3, size, dtype=np.float32)
    y = np.full(size, np.nan, np.float32)
    return Launch(arguments=[x, y, np.int32(size)], grid=(-(-size // block), 1, 1), workgroup=(256, 1, 1), **more)


def test_a_kernel_of_triton_computes_what_its_source_says():
    done = run(load(TEXT), launched(3000, 1024))
    assert np.allclose(done.arrays[1], np.exp(2 * np.linspace(-3, 3, 3000)), rtol=1e-6)
    assert done.findings == ()
    assert done.waves == 12


def test_an_unknown_instruction_is_named_with_its_line():
    text = re.sub(r"\ts_endpgm", "\tv_cubeid_f32 v0, v1, v2, v3\n\ts_endpgm", TEXT, count=1)
    with pytest.raises(UnmodelledError, match=r"line \d+: v_cubeid_f32 v0, v1, v2, v3 is not modelled"):
        load(text)


def test_a_missing_argument_is_named():
    with pytest.raises(EmulateError, match="argument 2 of .* is missing"):
        run(load(TEXT), Launch(arguments=[np.zeros(4, np.float32)] * 2, grid=(1, 1, 1), workgroup=(256, 1, 1)))


def test_looks_for_spinning_waves_watch_undefined_values_only_where_that_is_asked_for(listing, monkeypatch):
    looks = []

    def looked(c, ins):
        looks.append(ins.mnemonic)
        return inspect(c, ins)

    monkeypatch.setattr(progress, "inspect", looked)
    body = """
        s_movk_i32 s20, 0x190
        .LBB0_1:
        v_add_u32_e32 v5, v6, v7
        s_sub_i32 s20, s20, 1
        s_cmp_lg_u32 s20, 0
        s_cbranch_scc1 .LBB0_1
    """
    program = load(listing(body, buffers=1))
    launch = Launch(arguments=[np.zeros(64, np.float32)], grid=(1, 1, 1), workgroup=(64, 1, 1))
    run(program, launch, Options(undefined=False))
    assert not looks
    run(program, launch, Options())
    assert looks


@pytest.mark.parametrize(
    ("kind", "size", "grid", "words"),
    [
        ("hidden_hostcall_buffer", 8, 1, "calls the host, as printf and assert do"),
        ("global_buffer", 8, 1, "a pointer argument that was not given"),
        ("hidden_block_count_x", 0, 1, "has 0 bytes, which do not hold 1"),
        ("global_buffer", 8, 1 << 31, "did not end within 200000000 wave instructions"),
    ],
)
def test_what_cannot_be_executed_is_told_before_or_where_it_is_reached(listing, kind, size, grid, words):
    text = listing("v_mov_b32_e32 v1, 0\nglobal_store_dword v1, v0, s[6:7]")
    head, last, rest = text.rpartition("        .offset:         8\n        .size:           8")
    assert last
    text = f"{head}        .offset:         8\n        .size:           {size}" + rest.replace("global_buffer", kind)
    launch = Launch(arguments=[np.zeros(64, np.uint32)], grid=(grid, 1, 1), workgroup=(64, 1, 1), names=["x"])
    with pytest.raises(EmulateError, match=words):
        run(load(text), launch)
