"""Variables of code objects that come without a listing, and kernels with images on processors that have none."""

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

TABLES = """
__constant float table[8] = {1, 2, 3, 5, 8, 13, 21, 34};
__constant ushort odd[5] = {7, 9, 11, 13, 15};
__kernel void look(__global float *o, __global const int *at)
{
    int i = get_global_id(0);
    o[i] = table[at[i] REACH] + odd[at[i] % 5u];
}
"""
VARIABLES = """
__global int zeros[64];
__global int given[64] = {5, 6, 7};
__kernel void keep(__global int *o)
{
    int i = get_local_id(0);
    zeros[i] += i + given[i];
    o[i] = zeros[i] * 2;
}
"""
CALLED = """
__constant int table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
__attribute__((noinline)) int found(int n) { return table[n - 1]; }
__kernel void call(__global int *o)
{
    int i = get_global_id(0);
    o[i] = found(i % 8 + 1) + found(i % 16 + 1);
}
"""
IMAGE = """
__constant sampler_t near = CLK_NORMALIZED_COORDS_FALSE | CLK_FILTER_NEAREST;
__kernel void look(__read_only image2d_t image, __global float *o)
{
    int i = get_global_id(0);
    o[i] = read_imagef(image, near, (int2)(i, 0)).x;
}
"""
LANES = 64


def compiled(folder, text, name, target):
    path = folder / f"{name}.cl"
    path.write_text(text)
    made = compile_offline(f"{path}:{name}", target)
    assert isinstance(made, Compiled), made
    return made


def executed(folder, text, name, target, arrays, backend):
    """Return the arrays and troubles of a code object's kernel, read as a file without its listing."""
    path = folder / f"{name}.hsaco"
    path.write_bytes(compiled(folder, text, name, target).binary)
    try:
        program, _ = read(path, "", name)
    except MachineError as error:
        pytest.skip(str(error))
    launch = Launch(arguments=[a.copy() for a in arrays], grid=(1, 1, 1), workgroup=(LANES, 1, 1), names=["o", "at"])
    done = run(program, launch, backend=backend)
    return done.arrays, {str(finding.trouble) for finding in done.findings}


@pytest.mark.parametrize("native", [False, True])
@pytest.mark.parametrize("target", ["gfx90a", "gfx1030"])
def test_tables_of_a_code_object(tmp_path, target, native):
    at = np.arange(LANES, dtype=np.int32)
    found, troubles = executed(
        tmp_path,
        TABLES.replace("REACH", "& 7"),
        "look",
        target,
        [np.zeros(LANES, np.float32), at],
        executor.native() if native else None,
    )
    table, odd = np.array([1, 2, 3, 5, 8, 13, 21, 34]), np.array([7, 9, 11, 13, 15])
    assert (found[0] == table[at & 7] + odd[at % 5]).all()
    assert not troubles


@pytest.mark.parametrize("target", ["gfx90a", "gfx1030"])
def test_a_read_behind_a_table_is_reported(tmp_path, target):
    at = np.arange(LANES, dtype=np.int32)
    _, troubles = executed(
        tmp_path, TABLES.replace("REACH", ""), "look", target, [np.zeros(LANES, np.float32), at], None
    )
    assert "out of bounds" in troubles


@pytest.mark.parametrize("native", [False, True])
@pytest.mark.parametrize("target", ["gfx90a", "gfx1030"])
def test_variables_begin_as_the_file_says_and_can_be_written(tmp_path, target, native):
    backend = executor.native() if native else None
    found, troubles = executed(tmp_path, VARIABLES, "keep", target, [np.zeros(LANES, np.int32)], backend)
    given = np.zeros(LANES, np.int32)
    given[:3] = 5, 6, 7
    assert (found[0] == 2 * (np.arange(LANES) + given)).all()
    assert not troubles


@pytest.mark.parametrize("native", [False, True])
@pytest.mark.parametrize("target", ["gfx90a", "gfx1030"])
def test_a_called_function_reaches_a_table_from_beside_it(tmp_path, target, native):
    backend = executor.native() if native else None
    found, troubles = executed(tmp_path, CALLED, "call", target, [np.zeros(LANES, np.int32)], backend)
    table, at = np.array([3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3]), np.arange(LANES)
    assert (found[0] == table[at % 8] + table[at % 16]).all()
    assert not troubles


@pytest.mark.parametrize("target", ["gfx90a", "gfx942", "gfx950"])
def test_processors_without_images_say_so(tmp_path, target):
    with pytest.raises(EmulateError, match="has no image instructions: it runs on no card"):
        load(compiled(tmp_path, IMAGE, "look", target).listing)


@pytest.mark.parametrize("target", ["gfx1030", "gfx1100", "gfx1201"])
def test_images_elsewhere_are_refused_with_the_line(tmp_path, target):
    with pytest.raises(EmulateError, match=r"line \d+: .* is not modelled .*image or a sampler"):
        load(compiled(tmp_path, IMAGE, "look", target).listing)


def test_a_weak_variable_that_nothing_defines_may_be_passed_on(tmp_path):
    # HIP's warpSize is an object without a definition; without optimization a function gets its address.
    path = tmp_path / "wide.hip"
    path.write_text('extern "C" __global__ void wide(int *o) { o[threadIdx.x] = warpSize + 1; }\n')
    made = compile_offline(str(path), "gfx942", optimization=0)
    assert "warpSize@rel32" in made.listing
    launch = Launch(arguments=[np.zeros(LANES, np.int32)], grid=(1, 1, 1), workgroup=(LANES, 1, 1))
    assert (run(load(made.listing, "wide"), launch).arrays[0] == LANES + 1).all()
