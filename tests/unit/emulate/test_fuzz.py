"""Damaged listings end in a designed error or in an execution, never in anything else."""

import random
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from hotloop.emulate.launch import Launch, run
from hotloop.emulate.machine import Options
from hotloop.emulate.program import load
from hotloop.errors import HotloopError

TEXT = (Path(__file__).parents[2] / "golden" / "amdgcn" / "triton_scale_gfx90a.s").read_text()
WORDS = [
    "v0",
    "s3",
    "v[0:1]",
    "s[0:1]",
    "vcc",
    "exec",
    "m0",
    "off",
    "0x7fffffff",
    "-1",
    "1.0",
    "null",
    "a0",
    "v255",
    "s[4:7]",
    "scc",
]
MNEMONICS = [
    "s_branch .LBB0_0", "v_readlane_b32 s1, v0, 99", "s_setpc_b64 s[0:1]", "s_mov_b64 exec, 0", "ds_read_b128 v[0:3], v0",
    "v_mfma_f32_16x16x16f16 a[0:3], v[0:1], v[0:1], 0", "global_store_dwordx4 v[0:1], v[2:5], off", "buffer_load_dword v0, v1, s[0:3], 0 offen",
    "s_load_dwordx16 s[0:15], s[4:5], 0x0", "v_div_scale_f32 v0, vcc, v1, v2, v3", "s_barrier", "scratch_load_dword v0, v1, off",
    "global_atomic_add_f32 v0, v1, s[0:1]", "v_cvt_pk_fp8_f32 v0, v1, v2", "s_getreg_b32 s0, hwreg(HW_REG_MODE)", "s_trap 2",
]  # fmt: skip


def damaged(seed):
    chosen = random.Random(seed)
    lines = TEXT.split("\n")
    end = next(n for n, line in enumerate(lines) if "s_endpgm" in line)
    for _ in range(chosen.randrange(1, 4)):
        place = chosen.randrange(8, end)
        match chosen.randrange(4):
            case 0:
                lines[place] = "\ts_nop 0"
            case 1:
                lines.insert(place, "\t" + chosen.choice(MNEMONICS))
            case 2:
                parts = lines[place].split(", ")
                parts[chosen.randrange(len(parts))] = chosen.choice(WORDS)
                lines[place] = ", ".join(parts) if lines[place].startswith("\t") else lines[place]
            case _:
                lines[place], lines[place - 1] = lines[place - 1], lines[place]
    return "\n".join(lines)


@pytest.mark.parametrize("seed", range(40))
def test_a_damaged_listing_gives_a_designed_error_or_an_answer(seed):
    x = np.zeros(512, np.float32)
    with suppress(HotloopError):  # a designed sentence; anything else fails
        program = load(damaged(seed))
        run(
            program,
            Launch(arguments=[x, x.copy(), np.int32(512)], grid=(1, 1, 1), workgroup=(256, 1, 1)),
            Options(budget=5000),
        )
