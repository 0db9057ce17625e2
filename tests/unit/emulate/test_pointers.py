"""Calls through addresses that stand in memory: tables of functions, virtual functions, recursion; listings and code objects."""

import numpy as np
import pytest

from hotloop.app.code.offline import compile_offline
from hotloop.app.emulate.objects import read
from hotloop.compilers import executor
from hotloop.compilers.offer import Compiled
from hotloop.emulate.errors import EmulateError
from hotloop.emulate.launch import Launch, run
from hotloop.emulate.program import load
from hotloop.errors import MachineError

LANES = 64
TEXT = """
#include <hip/hip_runtime.h>
typedef int (*step)(int, int);
__device__ __noinline__ int plus(int a, int b) { return a + b; }
__device__ __noinline__ int times(int a, int b) { return a * b; }
__device__ __noinline__ int least(int a, int b) { return a < b ? a : b; }
extern "C" __global__ void table(int* y) {
    step steps[3] = {plus, times, least};
    int i = threadIdx.x;
    y[i] = steps[i % 3](i, 7);
}
struct Shape { int w; __device__ virtual int area() const = 0; };
struct Square : Shape { __device__ int area() const override { return w * w; } };
struct Round : Shape { __device__ int area() const override { return 3 * w * w; } };
extern "C" __global__ void shapes(int* y) {
    int i = threadIdx.x;
    Square s; Round r; s.w = r.w = i;
    const Shape* chosen = i & 1 ? (const Shape*)&s : (const Shape*)&r;
    y[i] = chosen->area();
}
__device__ __noinline__ int ackermann(int m, int n) {
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
extern "C" __global__ void deep(int* y) { y[threadIdx.x] = ackermann(2, threadIdx.x & 3); }
template <typename T> __device__ __noinline__ T more(T* p, T v) { return atomicAdd(p, v); }
__device__ __noinline__ int taken(int* p, int v) { return atomicCAS(p, v, v + 100); }
extern "C" __global__ void atomics(int* y) {
    __shared__ int few[2]; __shared__ unsigned long long wide; __shared__ float part;
    int i = threadIdx.x;
    if (i == 0) { few[0] = 0; few[1] = 40; wide = 1ull << 40; part = 0.5f; y[66] = 0; }
    __syncthreads();
    more(i & 1 ? few : y + 66, i);
    more(&wide, (unsigned long long)i);
    more(&part, 0.25f);
    int seen = taken(few + 1, i);
    __syncthreads();
    y[i] = i == 40 ? seen : 0;
    if (i == 0) { y[64] = few[0]; y[65] = few[1]; y[67] = (int)(wide >> 32) + (int)wide + (int)(4 * part); }
}
extern "C" __global__ void deeper(int* y) { y[threadIdx.x] = ackermann(2, 90); }
"""
ITEM = np.arange(LANES)
WANTED = {
    "table": np.choose(ITEM % 3, [ITEM + 7, ITEM * 7, np.minimum(ITEM, 7)]),
    "shapes": np.where(ITEM & 1, ITEM**2, 3 * ITEM**2),
    "deep": 2 * (ITEM & 3) + 3,
    "atomics": np.r_[np.where(ITEM == 40, 40, 0), ITEM[1::2].sum(), 140, ITEM[::2].sum(), 256 + 2016 + 66],
}


@pytest.fixture(scope="module", params=["gfx90a", "gfx1201"])
def compiled(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("pointers") / "pointers.hip"
    path.write_text(TEXT)
    made = compile_offline(str(path), request.param)
    assert isinstance(made, Compiled), made
    return made


@pytest.mark.parametrize("native", [False, True])
@pytest.mark.parametrize("form", ["listing", "object"])
@pytest.mark.parametrize("name", WANTED)
def test_code_is_reached_through_memory(compiled, tmp_path, name, form, native):
    if form == "listing":
        program = load(compiled.listing, name)
    else:
        path = tmp_path / "pointers.hsaco"
        path.write_bytes(compiled.binary)
        try:
            program, _ = read(path, "", name)
        except MachineError as error:
            pytest.skip(str(error))
    y = np.zeros(len(WANTED[name]), np.int32)
    launch = Launch(arguments=[y], grid=(1, 1, 1), workgroup=(LANES, 1, 1), names=["y"])
    done = run(program, launch, backend=executor.native() if native else None)
    assert (done.arrays[0] == WANTED[name]).all()
    assert not done.findings


def test_a_recursion_deeper_than_the_stack_is_told(compiled):
    launch = Launch(arguments=[np.zeros(LANES, np.int32)], grid=(1, 1, 1), workgroup=(LANES, 1, 1), names=["y"])
    with pytest.raises(
        EmulateError, match=r"no instruction of the listing stands; reported before that was out of bounds"
    ):
        run(load(compiled.listing, "deeper"), launch)
