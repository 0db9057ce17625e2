"""What a search tries first: the device's own winners, else those of its nearest relatives."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hotloop.app.run import seeds
from hotloop.kernels.gemm import KERNEL
from hotloop.kernels.gemm.pipelined import PIPELINED
from hotloop.kernels.gemm.pipelined.space import START
from hotloop.model.device import Device
from hotloop.model.space import Config
from hotloop.store import Winner

CARD = Device(
    name="gfx1012:xnack-", kind="gpu", backend="opencl", runtime="AMD", runtime_key="amd", compute_units=22,
    local_mem_bytes=64 << 10, max_workgroup=1024,
)  # fmt: skip
HERE, NEAR, FAR, STRANGE = (START.replace(MWI=8, RASTER=raster) for raster in (1, 2, 4, 8))
PROBLEM = KERNEL.problem.replace(m=512, n=512, k=512)


def won(device: Device, config: Config, size: int = 512, implementation: str = PIPELINED.name) -> Winner:
    problem = KERNEL.problem.replace(m=size, n=size, k=size)
    return Winner(
        family="gemm",
        problem=problem.key,
        sizes=Config(problem.sizes),
        device=device.key,
        device_fingerprint=device.fingerprint,
        implementation=implementation,
        config=config,
        call_ns=1000.0,
        created="2030-01-01T00:00:01+00:00",
    )


def picked(*winners: Winner, device: Device = CARD) -> tuple[Config, ...]:
    return seeds.pick(KERNEL, PROBLEM, PIPELINED, device, winners)


def test_a_device_that_won_something_borrows_nothing():
    other = replace(CARD, name="gfx1010")
    assert picked(won(other, NEAR), won(CARD, HERE, 4096)) == (HERE,)


def test_the_nearer_family_lends_first_whatever_the_order_and_the_size():
    relatives = won(replace(CARD, name="gfx1030"), FAR), won(replace(CARD, name="gfx1010"), NEAR, 4096)
    assert picked(*relatives) == picked(*relatives[::-1]) == (NEAR, FAR)


def test_of_one_target_the_device_with_the_more_similar_number_of_units_lends_first():
    large, small = (replace(CARD, name="gfx1010", compute_units=units) for units in (80, 24))
    assert picked(won(large, FAR), won(small, NEAR)) == (NEAR, FAR)


def test_of_one_device_the_nearer_problem_comes_first_and_no_more_than_a_few_are_tried():
    near = replace(CARD, name="gfx1010")
    rows = [won(near, FAR, 4096), won(near, NEAR, 640), won(near, HERE, 16)]
    assert picked(*rows) == (NEAR, FAR)
    assert seeds.FROM_STORE == 2


@pytest.mark.parametrize("name", ["gfx942", "sm_90", "AMD EPYC"])
def test_other_lines_lend_nothing(name):
    assert picked(won(replace(CARD, name=name, target=""), STRANGE)) == ()


def test_what_another_implementation_won_is_no_seed():
    assert picked(won(CARD, STRANGE, implementation="opencl"), won(replace(CARD, name="gfx1010"), NEAR)) == (NEAR,)


def test_the_shipped_table_is_used_for_its_target_and_borrowed_where_nothing_else_is_known():
    opencl = KERNEL.implementation("opencl")
    cpu = replace(CARD, name="two cores", kind="cpu", runtime_key="intel", target="x86-64-avx2", compute_units=2)
    tables = {
        target: [p.config for p in KERNEL.presets if p.target == target] for target in ("x86-64-avx2", "x86-64-avx512")
    }
    own = seeds.pick(KERNEL, PROBLEM, opencl, cpu, ())
    assert len(own) == seeds.FROM_TABLE
    assert set(own) <= set(tables["x86-64-avx2"])
    old = replace(cpu, target="x86-64")
    lent = seeds.pick(KERNEL, PROBLEM, opencl, old, ())
    assert lent == own
    assert seeds.pick(KERNEL, PROBLEM, opencl, CARD, ()) == ()
