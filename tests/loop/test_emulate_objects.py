"""Code objects are executed as their listings are; damaged ones end in a sentence."""

import random
from contextlib import suppress

import numpy as np
import pytest

from hotloop.app.code.offline import compile_offline
from hotloop.app.emulate import objects
from hotloop.emulate import image
from hotloop.emulate.launch import Launch, run
from hotloop.emulate.program import load
from hotloop.errors import HotloopError, UsageError
from hotloop.host import disassemble
from hotloop.isa.amdgcn.objects import CodeObject
from hotloop.targets.target import Target

pytest.importorskip("ziglang")
pytest.importorskip("elftools")

SOURCE = """#include <hip/hip_runtime.h>
extern "C" __global__ __launch_bounds__(256) void turn(const float* x, float* y, float a, int n) {
  __shared__ float s[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  s[threadIdx.x] = i < n ? x[i] : 0.0f;
  __syncthreads();
  if (i < n) y[i] = a * s[255 - threadIdx.x];
}
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    path = tmp_path_factory.mktemp("objects") / "turn.hip"
    path.write_text(SOURCE)
    code = compile_offline(f"{path}:turn", "gfx90a")
    try:
        return code, disassemble.amdgcn(code.binary)
    except HotloopError as reason:
        pytest.skip(f"no disassembler: {reason}")


def executed(program):
    x, y = np.arange(1024, dtype=np.float32), np.zeros(1024, np.float32)
    arguments = [x, y, np.float32(2), np.int32(1024)]
    return run(program, Launch(arguments=arguments, grid=(4, 1, 1), workgroup=(256, 1, 1), fresh=frozenset({1})))


def test_a_code_object_computes_what_its_listing_does(made):
    code, text = made
    program = image.load(CodeObject(Target.of("gfx90a"), code.binary), text)
    listed = load(code.listing, "turn")
    assert program.descriptor.arguments == listed.descriptor.arguments
    for field in ("lds_bytes", "user", "user_count", "groups", "items", "shared_cache", "workgroup_max", "preload"):
        assert getattr(program.descriptor, field) == getattr(listed.descriptor, field), field
    done, other = executed(program), executed(listed)
    assert done.findings == ()
    assert done.executed == other.executed
    assert np.array_equal(done.arrays[1].reshape(4, 256), 2 * np.arange(1024).reshape(4, 256)[:, ::-1])


def test_what_cannot_be_read_is_a_sentence(made, tmp_path):
    code, _ = made
    whole, cut, text = tmp_path / "k.hsaco", tmp_path / "cut.hsaco", tmp_path / "text.hsaco"
    whole.write_bytes(code.binary)
    cut.write_bytes(code.binary[:3000])
    text.write_bytes(b"no ELF at all")
    with pytest.raises(UsageError, match="holds code for gfx90a, not for gfx942"):
        objects.read(whole, "gfx942", "")
    with pytest.raises(UsageError, match="has no kernel 'other'; kernels in it: turn"):
        objects.read(whole, "", "other")
    with pytest.raises(UsageError, match="not a readable ELF file"):
        objects.read(cut, "", "")
    with pytest.raises(UsageError, match="begins with b'no ELF a'"):
        objects.read(text, "", "")
    with pytest.raises(UsageError, match="cannot be read"):
        objects.read(tmp_path / "absent.hsaco", "", "")


@pytest.mark.parametrize("seed", range(30))
def test_a_damaged_code_object_gives_a_designed_error_or_a_program(made, seed):
    code, text = made
    chosen, blob = random.Random(seed), bytearray(code.binary)
    for _ in range(chosen.randrange(1, 40)):
        blob[chosen.randrange(len(blob))] = chosen.randrange(256)
    if seed % 3 == 0:
        del blob[chosen.randrange(64, len(blob)) :]
    with suppress(HotloopError, ValueError):  # a ListingError is a ValueError that callers turn into a sentence
        image.load(CodeObject(Target.of("gfx90a"), bytes(blob)), text)
