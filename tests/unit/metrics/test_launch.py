import pytest
from hypothesis import given
from hypothesis import strategies as st

from hotloop.metrics.launch import launch, launch_share, tail_waste
from hotloop.model.device import Device
from hotloop.model.program import Launch, Program


def device(units):
    return Device(name="d", kind="cpu", backend="null", runtime="r", runtime_key="null", compute_units=units)


def program(global_size, local_size, helpers=0):
    pack = tuple(Launch("pack", (), (1000,), (10,), phase="pack") for _ in range(helpers))
    return Program("null", "", launches=(*pack, Launch("k", (), global_size, local_size)))


def test_geometry_of_the_main_launch():
    found = launch(program((100, 6), (16, 2), helpers=2), device(4))
    assert found.get("launch.count") == 3
    assert found.get("launch.work_items") == 600
    assert found.get("launch.groups") == 7 * 3  # the last column of groups is ragged
    assert found.get("launch.group_size") == 32
    assert found.get("launch.groups_per_unit") == 21 / 4
    assert found.get("launch.tail_waste") == pytest.approx(1 - 21 / 24)


def test_fewer_groups_than_units_leave_units_idle():
    assert launch(program((1,), (1,)), device(8)).get("launch.tail_waste") == pytest.approx(7 / 8)


def test_the_runtimes_choice_of_group_size_is_not_guessed():
    found = launch(program((64,), None), device(2))
    assert found.get("launch.work_items") == 64
    assert found.get("launch.groups") is None
    assert "runtime chooses" in found.why_absent("launch.tail_waste")


def test_an_empty_program():
    found = launch(Program("null", ""), device(2))
    assert found.get("launch.count") == 0
    assert found.get("launch.work_items") is None


def test_an_empty_range_has_no_tail():
    found = launch(program((0,), (8,)), device(2))
    assert (found.get("launch.groups"), found.get("launch.tail_waste")) == (0, 0)


@given(groups=st.integers(1, 10_000), units=st.integers(1, 300))
def test_tail_waste_is_the_idle_share_of_the_waves(groups, units):
    waste = tail_waste(groups, units)
    assert 0 <= waste < 1
    assert tail_waste(groups * units, units) == 0
    busy = groups / (1 - waste)  # slots that were paid for
    assert busy == pytest.approx(round(busy))
    assert round(busy) % units == 0
    assert round(busy) - groups < units


def test_launch_share():
    two = program((8,), (1,), helpers=1)
    assert launch_share(two, 4000.0, 16_000.0).get("time.launch_share") == pytest.approx(0.5)
    assert "empty launch" in launch_share(two, None, 16_000.0).why_absent("time.launch_share")
    assert "time of a call" in launch_share(two, 4000.0, None).why_absent("time.launch_share")
