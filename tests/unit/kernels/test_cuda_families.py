"""The CUDA and HIP implementations of the families: what their configurations become."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from hotloop.backends.null import DEVICE
from hotloop.kernels.conv3d_depthwise import KERNEL as CONV3D
from hotloop.kernels.conv3d_depthwise.cuda import rungs
from hotloop.kernels.conv3d_depthwise.problem import shape_of
from hotloop.kernels.reduction import KERNEL as REDUCTION
from hotloop.model.dtype import dtype_of
from hotloop.model.program import Array, Local, Value

H200 = replace(DEVICE, kind="gpu", backend="cuda", target="sm_90", max_workgroup=1024, local_mem_bytes=232448)
MI300 = replace(H200, backend="hip", target="gfx942", local_mem_bytes=65536)
VIDEO = CONV3D.problem.replace(c=512, d=61, dtype="float16")


def plan(kernel, name, problem, device=H200, **changes):
    implementation = kernel.implementation(name)
    config = implementation.start.replace(**changes)
    assert implementation.space.violation(config) is None
    return implementation.plan(problem, config, device)


def configurations(implementation):
    names = [p.name for p in implementation.space.parameters]
    for values in itertools.product(*(p.values for p in implementation.space.parameters)):
        config = implementation.start.replace(**dict(zip(names, values, strict=True)))
        if implementation.space.valid(config):
            yield config


def test_the_naive_rung_is_a_thread_per_output():
    program = plan(CONV3D, "cuda", VIDEO)
    (launch,) = program.launches
    shape = shape_of(VIDEO)
    assert launch.arguments == (Array("x"), Array("weights"), Array("y"))
    assert shape.outputs <= launch.work_items < shape.outputs + 256
    assert program.language == "cuda"
    assert 'extern "C" __global__' in program.source


def test_the_matrix_rung_gets_its_shared_memory_and_the_shape_it_was_measured_with():
    program = plan(CONV3D, "cuda", VIDEO, RUNG="toeplitz", PLANES=60)
    best = rungs.best(shape_of(VIDEO))
    (launch,) = program.launches
    assert set(program.options) == set(best.options)
    assert launch.arguments[-1] == Local(best.shared_bytes)
    assert launch.local_size == (best.threads, 1, 1)
    assert launch.groups == best.grid[0] * best.grid[1] * best.grid[2]


def test_a_plane_that_is_too_large_for_a_block_is_cut_into_bands():
    large = VIDEO.replace(c=8, h=90, w=160)
    with pytest.raises(ValueError, match="needs 1280 threads"):
        plan(CONV3D, "cuda", large, RUNG="toeplitz")
    whole, bands = (plan(CONV3D, "cuda", large, RUNG="toeplitz", QUADS=q, VERTICAL=v) for q, v in ((4, 0), (3, 2)))
    assert whole.launches[0].local_size == (3 * 10 * 32, 1, 1)
    assert bands.launches[0].local_size == (2 * 10 * 32, 1, 1)
    assert {"-DVERTICAL=2", "-DBANDS=2"} <= set(bands.options)
    assert bands.launches[0].groups == 2 * whole.launches[0].groups
    amd = plan(CONV3D, "hip", VIDEO, MI300, RUNG="toeplitz", QUADS=2, VERTICAL=1)
    assert {"-DVERTICAL=1", "-DBANDS=2"} <= set(amd.options)


@pytest.mark.parametrize("vertical", [2, 3, 4])
def test_all_rows_of_a_plane_are_said_in_one_way(vertical):
    assert plan(CONV3D, "cuda", VIDEO, RUNG="toeplitz", VERTICAL=1) != plan(CONV3D, "cuda", VIDEO, RUNG="toeplitz")
    with pytest.raises(ValueError, match=f"{vertical} waves on top of each other have all rows of the plane"):
        plan(CONV3D, "cuda", VIDEO, RUNG="toeplitz", VERTICAL=vertical)
    assert "VERTICAL belongs to another rung" in CONV3D.implementation("cuda").space.violation(
        CONV3D.implementation("cuda").start.replace(VERTICAL=vertical)
    )


def test_amd_has_waves_of_64_and_less_shared_memory():
    nvidia, amd = (plan(CONV3D, n, VIDEO, d, RUNG="strip") for n, d in (("cuda", H200), ("hip", MI300)))
    assert amd.language == "hip"
    assert amd.launches[0].local_size[0] % 64 == 0
    assert nvidia.launches[0].local_size[0] % 64 != 0
    with pytest.raises(ValueError, match="B of shared memory, 65536 B is all"):
        plan(CONV3D, "hip", VIDEO, MI300, RUNG="strip", WIDE=1)


@pytest.mark.parametrize("kernel", [CONV3D, REDUCTION], ids=lambda kernel: kernel.family)
@pytest.mark.parametrize("name", ["cuda", "hip"])
def test_every_configuration_fits_the_device_or_says_why_not(kernel, name):
    device, problem = (H200 if name == "cuda" else MI300), (VIDEO if kernel is CONV3D else kernel.problem)
    implementation = kernel.implementation(name)
    seen = set()
    for config in configurations(implementation):
        try:
            program = implementation.plan(problem, config, device)
        except ValueError as error:
            assert str(error)  # noqa: PT017 - the reason is what a report shows
            continue
        (launch,) = program.launches
        threads = launch.local_size[0]
        assert threads <= 1024
        assert launch.global_size[0] % threads == 0
        assert sum(a.local_bytes for a in launch.arguments if isinstance(a, Local)) <= device.local_mem_bytes
        assert program.fingerprint not in seen
        seen.add(program.fingerprint)
        assert implementation.traits(problem, config, device)
    assert len(seen) > 20


def test_rows_of_the_reduction():
    program = plan(REDUCTION, "cuda", REDUCTION.problem, LANES=128, ROWS=2, VEC=4, HELD=1)
    (launch,) = program.launches
    assert launch.global_size == (2048 // 2 * 256,)
    assert [a.name for a in launch.arguments[:-1]] == ["x", "scale", "y", "shift"]
    assert launch.arguments[-1] == Value(2048, "int32")
    assert {"-DLANES=128", "-DROWS=2", "-DVEC=4", "-DHELD=1", "-DEPSILON=1e-05f"} <= set(program.options)
    odd = REDUCTION.problem.replace(columns=1001)
    with pytest.raises(ValueError, match="4 elements of float32 do not fit accesses to rows of 1001"):
        plan(REDUCTION, "cuda", odd, VEC=4)
    with pytest.raises(ValueError, match="does not fit the registers of 32 threads"):
        plan(REDUCTION, "cuda", REDUCTION.problem.replace(columns=1 << 16), LANES=32, HELD=1)
    half = REDUCTION.problem.replace(columns=1 << 16, dtype="float16")
    packed = plan(REDUCTION, "cuda", half, LANES=1024, VEC=8, HELD=2, STREAM=1)
    assert {"-DHELD=2", "-DSTREAM=1"} <= set(packed.options)
    with pytest.raises(ValueError, match="HELD=2 is for vectors of eight 16-bit numbers"):
        plan(REDUCTION, "cuda", half, LANES=1024, VEC=4, HELD=2)
    with pytest.raises(ValueError, match="STREAM is for accesses of 16 bytes"):
        plan(REDUCTION, "cuda", half, STREAM=1)
    with pytest.raises(ValueError, match="EARLY is for rows in registers and rmsnorm and layernorm"):
        plan(REDUCTION, "cuda", half, LANES=1024, VEC=8, HELD=2, EARLY=1)
    scaled = half.replace(operation="rmsnorm")
    early = plan(REDUCTION, "cuda", scaled, LANES=1024, VEC=8, HELD=2, EARLY=1, CROWD=1)
    assert {"-DEARLY=1", "-DCROWD=1"} <= set(early.options)
    with pytest.raises(ValueError, match="STREAM and CROWD are for CUDA"):
        plan(REDUCTION, "hip", scaled, MI300, LANES=1024, VEC=8, HELD=2, CROWD=1)


@pytest.mark.parametrize("kernel", [CONV3D, REDUCTION], ids=lambda kernel: kernel.family)
def test_bfloat16_is_drawn_judged_and_compiled(kernel):
    problem = kernel.awkward(kernel.problem.replace(dtype="bfloat16"))[0]
    arrays = kernel.inputs(problem, np.random.default_rng(0))
    assert arrays["x"].dtype == dtype_of("bfloat16")
    assert arrays["y"].dtype == "bfloat16"
    assert "-DELEM=1" in plan(kernel, "cuda", problem).options
    want, scale = kernel.reference(problem, arrays)["y"], kernel.magnitude(problem, arrays)["y"]
    bound = kernel.tolerance.terms(problem) * 2.0**-7 * scale
    rounded = want.astype(dtype_of("bfloat16")).astype(float)
    assert (abs(rounded - want) <= bound).all()
    assert (abs(1.25 * want + 0.5 - want) > bound).any()
    with pytest.raises(ValueError, match="OpenCL C has no bfloat16"):
        plan(kernel, "opencl", problem)


def test_opencl_stays_what_runs_without_being_asked_for():
    assert CONV3D.implementation().language == REDUCTION.implementation().language == "opencl"
