"""From profiles to the counts of one kernel."""

from __future__ import annotations

import pytest

from hotloop.metrics.counters import Machine
from hotloop.profilers.summary import summarised
from hotloop.profiles.counts import of_dispatch, of_kernel, told
from hotloop.profiles.profile import DeviceFact, Dispatch, Profile

LAUNCHES = (
    Dispatch(
        kernel="a",
        grid_items=512,
        workgroup_items=256,
        wave_size=64,
        vgprs=8,
        duration_ns=10.0,
        counters={"SQ_WAVES": 8.0},
    ),
    Dispatch(
        kernel="a",
        grid_items=512,
        workgroup_items=256,
        wave_size=64,
        vgprs=8,
        duration_ns=20.0,
        counters={"SQ_WAVES": 10.0},
    ),
    Dispatch(kernel="b", duration_ns=70.0),
)
FACTS = tuple(
    DeviceFact("", name, value)
    for name, value in {
        "cu_per_gpu": "104", "simd_per_cu": "4", "max_waves_per_cu": "32", "lds_banks_per_cu": "32", "hbm_bw": "1638.4", "num_xcd": "1",
    }.items()
)  # fmt: skip
PROFILE = Profile(
    tool="t", source="f", architecture="gfx90a", dispatches=LAUNCHES, kernels=summarised(LAUNCHES), facts=FACTS
)


def test_one_launch():
    counts = of_dispatch(PROFILE, LAUNCHES[0])
    assert counts.launch.kernel_share == pytest.approx(0.1)
    assert (counts.launch.waves, counts.launch.groups, counts.launch.vgprs) == (8, 2, 8)
    assert (counts.architecture, counts.source, counts.coverage()) == ("gfx90a", "t, f", 1.0)


def test_a_kernel_is_the_mean_of_its_launches():
    counts = of_kernel(PROFILE, PROFILE.kernels[0])
    assert counts.values == {"SQ_WAVES": 9.0}
    assert counts.launch.duration_ns == 15
    assert counts.launch.kernel_share == pytest.approx(0.3)


def test_the_machine_is_what_the_profile_tells_unless_given():
    assert told(PROFILE) == Machine(
        compute_units=104, simds=4, dies=1, wave_slots=8, lds_bytes_per_cycle=128, hbm_bytes_per_s=1638.4e9
    )
    given = of_dispatch(PROFILE, LAUNCHES[0], Machine(compute_units=110)).machine
    assert (given.compute_units, given.simds) == (110, 4)


def test_devices_that_differ_tell_nothing():
    two = Profile(
        tool="t", source="f", facts=(DeviceFact("0", "cu_per_gpu", "104"), DeviceFact("1", "cu_per_gpu", "110"))
    )
    assert told(two).compute_units is None
    assert of_dispatch(two, LAUNCHES[2]).launch.kernel_share is None
