"""HIP's own headers, where a folder named with -I holds them."""

import re

import pytest

from hotloop.compilers import fence
from hotloop.compilers.offer import Compiled, Request
from hotloop.errors import UsageError
from hotloop.frontends.hip import COMPILER
from hotloop.host import toolchain
from hotloop.targets.target import Target

WRAPPER = """
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
"""
RUNTIME = """
#ifndef __HIP_PLATFORM_AMD__
#error another platform
#endif
extern "C" __device__ void __atomic_work_item_fence(unsigned, int, int);
static inline __device__ int mine() {
    __atomic_work_item_fence(1, 3, 1);
    __builtin_amdgcn_s_barrier();
    __atomic_work_item_fence(1, 2, 1);
    return 3 * __AMDGCN_WAVEFRONT_SIZE;
}
"""
KERNEL = """
#include <hip/hip_runtime.h>
extern "C" __global__ void size(int *out) { out[__builtin_amdgcn_workitem_id_x()] = mine(); }
"""


@pytest.fixture
def folders(tmp_path):
    """Return a folder with HIP's header, and one with clang's."""
    named, clang = tmp_path / "named", tmp_path / "clang"
    (named / "hip").mkdir(parents=True)
    clang.mkdir()
    (named / "hip" / "hip_runtime.h").write_text(RUNTIME)
    (clang / "__clang_hip_runtime_wrapper.h").write_text(WRAPPER)
    return named, clang


def asked(named, target="gfx942"):
    return Request(source=named / "k.hip", text=KERNEL, target=Target.parse(target), options=(f"-I{named}",))


@pytest.mark.parametrize(("target", "thrice"), [("gfx942", "0xc0"), ("gfx1100", "0x60")])
def test_named_headers_are_used_and_their_fence_is_there(folders, monkeypatch, target, thrice):
    pytest.importorskip("ziglang")
    pytest.importorskip("triton")  # AMD's library comes with it
    named, clang = folders
    monkeypatch.setattr(toolchain, "hip_wrapper", lambda: clang)
    made = COMPILER.compile(asked(named, target))
    assert isinstance(made, Compiled), made
    assert re.search(rf"\b{thrice}\b", made.listing)
    assert "__atomic_work_item_fence" not in made.listing


def test_without_clangs_header_the_sentence_says_where_to_get_it(folders, monkeypatch):
    named, _ = folders
    monkeypatch.setattr(toolchain, "hip_wrapper", lambda: None)
    with pytest.raises(UsageError, match="clang-tidy<20"):
        COMPILER.compile(asked(named))


def test_a_fence_has_every_order_and_scope():
    assert fence.TEXT.count("  fence ") == 16
    assert '  fence syncscope("workgroup") release\n' in fence.TEXT
    assert "  fence seq_cst\n" in fence.TEXT
