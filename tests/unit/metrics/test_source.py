import pytest

from hotloop.metrics.source import source_facts
from hotloop.model.program import Launch, Local, Program

TILED = """
#define TILE 16
typedef float DATA;
// barrier(CLK_LOCAL_MEM_FENCE); in a remark
__kernel void other(__global float *x) { barrier(0); }
__kernel void tiled(__global DATA *a, __local float *more, int n)
{
    __local DATA left[TILE][TILE + 1], right[TILE][TILE];
    for (int k = 0; k < n; k += TILE) {
        left[0][0] = a[k];
        barrier(CLK_LOCAL_MEM_FENCE);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
__kernel void open(__global float *x) { __local float4 t[UNKNOWN]; work_group_barrier(CLK_LOCAL_MEM_FENCE); }
"""


def facts(entry, arguments=(), options=(), language="opencl"):
    launch = Launch(entry, arguments, (64,), (64,))
    return source_facts(Program(language, TILED, options, (launch,)), launch)


def test_arrays_and_barriers_of_a_kernels_own_text():
    found = facts("tiled", (Local(256),))
    assert found.get("config.barriers") == 2
    assert found.get("config.local_bytes") == 256 + 4 * (16 * 17 + 16 * 16)


def test_what_the_text_leaves_open_is_absent_until_an_option_says_it():
    assert facts("open").get("config.local_bytes") is None
    assert facts("open").get("config.barriers") == 1
    assert facts("open", options=("-DUNKNOWN=8",)).get("config.local_bytes") == 8 * 16


@pytest.mark.parametrize(("entry", "language"), [("missing", "opencl"), ("tiled", "cuda")])
def test_nothing_is_said_of_what_is_not_there(entry, language):
    assert facts(entry, language=language).facts == ()
