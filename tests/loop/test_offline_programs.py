"""Whole programs in HIP and CUDA, as published: headers included indirectly, a host's part beside the kernels, objects of nvcc."""

import shutil
import subprocess

import pytest

from hotloop.app.code import compiled, source
from hotloop.app.code.offline import compile_offline
from hotloop.compilers.offer import Compiled
from hotloop.errors import UsageError
from hotloop.host import toolchain

needs_clang = pytest.mark.skipif(toolchain.package("ziglang") is None, reason="the package ziglang is not installed")
needs_triton = pytest.mark.skipif(toolchain.package("triton") is None, reason="the package triton is not installed")
PROGRAM = """#include "common.hpp"
#include <cstdlib>
#include <vector>

__global__ void twice(float *x) { x[hipBlockIdx_x * 64 + threadIdx.x] *= 2; }

int main()
{
    std::vector<float> host(64, 1.0f);
    float *device = nullptr;
    hipStream_t stream;
    hipDeviceProp_t properties;
    CHECK(hipGetDeviceProperties(&properties, 0));
    CHECK(hipStreamCreate(&stream));
    CHECK(hipMalloc(&device, 64 * sizeof(float)));
    CHECK(hipMemcpyAsync(device, host.data(), 64 * sizeof(float), hipMemcpyHostToDevice, stream));
    twice<<<dim3(1), dim3(64), 0, hipStreamDefault>>>(device);
    return hipDeviceSynchronize() == hipSuccess ? properties.multiProcessorCount : EXIT_FAILURE;
}
"""
COMMON = """#pragma once
#include <hip/hip_runtime.h>
#define CHECK(call) do { hipError_t e = (call); if (e != hipSuccess) { hipGetErrorString(e); std::abort(); } } while (0)
"""


@needs_clang
def test_a_hip_program_whose_header_comes_through_another_one(tmp_path):
    (tmp_path / "common.hpp").write_text(COMMON)
    path = tmp_path / "twice.hip"
    path.write_text(PROGRAM)
    made = compile_offline(str(path), "gfx942")
    assert isinstance(made, Compiled), made
    assert "global_store_dword" in made.listing
    assert ".amdhsa_kernel" in made.listing


@needs_triton
@pytest.mark.skipif(not shutil.which("nvcc"), reason="nvcc is not installed")
def test_an_object_of_nvcc_is_read_for_its_gpu_code(tmp_path):
    path = tmp_path / "k.cu"
    path.write_text("__global__ void twice(float *x) { x[threadIdx.x] *= 2; }\n")
    each = [f"-gencode=arch=compute_{n},code=sm_{n}" for n in (80, 90)]
    made = tmp_path / "k.o"
    subprocess.run(["nvcc", *each, "-c", str(path), "-o", str(made)], check=True, capture_output=True)
    listed = source.read(compiled.Request(text=str(made), target="sm_80"))
    assert [(item.function.target, item.source.dialect) for item in listed] == [("sm_80", "sass")]
    assert any(i.mnemonic.startswith("LDG") for i in listed[0].function.instructions)
    with pytest.raises(UsageError, match="it holds code for sm_80, sm_90; choose one with --target"):
        source.read(compiled.Request(text=str(made)))
