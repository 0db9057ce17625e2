from dataclasses import replace

import pytest

from hotloop.backends.null import DEVICE
from hotloop.engine.fit import impossible, misfit
from hotloop.model.outcome import Artifact, LaunchFailed, Resources
from hotloop.model.program import Array, Launch, Local, Program


def asked(resources, group=(64,), local_bytes=0, items=64):
    launch = Launch("f", (Array("x"), Local(local_bytes)), (items,), group)
    rows = () if resources is None else (("f", resources),)
    return misfit(Program("null", "", launches=(launch,)), Artifact("k", 0.0, "", rows), DEVICE)


@pytest.mark.parametrize(
    ("resources", "given", "reason"),
    [
        (Resources(local_bytes=65537), {}, "local memory"),
        (Resources(local_bytes=60000), {"local_bytes": 6000}, "local memory"),
        (Resources(max_workgroup=63), {}, "63 work-items in a group"),
        (Resources(max_workgroup=256), {"group": (32, 16)}, "not 512"),
    ],
)
def test_what_cannot_be_launched_is_told_from_its_resources(resources, given, reason):
    found = asked(resources, **given)
    assert isinstance(found, LaunchFailed)
    assert reason in found.reason


@pytest.mark.parametrize(
    ("resources", "given"),
    [
        (Resources(local_bytes=65536, max_workgroup=64), {}),
        (Resources(), {"local_bytes": 65536}),
        (None, {"group": (4096,)}),
        (Resources(max_workgroup=64), {"group": None}),
        (Resources(local_bytes=1 << 20), {"items": 0}),
    ],
)
def test_what_may_fit_or_is_not_known_is_tried(resources, given):
    assert asked(resources, **given) is None


@pytest.mark.parametrize(
    ("group", "local_bytes", "reason"),
    [((64, 32), 0, "2048 work-items in a group, the device takes 1024"), ((64,), 65537, "64.0 KiB of local memory")],
)
def test_what_a_launch_asks_for_is_refused_before_it_is_compiled(group, local_bytes, reason):
    launch = Launch("f", (Array("x"), Local(local_bytes)), (4096,), group)
    found = impossible((Program("null", "", launches=(launch,)),), DEVICE)
    assert isinstance(found, LaunchFailed)
    assert reason in found.reason


NARROW = replace(DEVICE, group_extents=(1024, 1024, 64), grid_extents=(2**31 - 1, 65535, 65535))


@pytest.mark.parametrize(
    ("items", "group", "reason"),
    [
        ((8, 1, 256), (8, 1, 128), "f asks for 128 work-items in a group along z, the device takes 64"),
        ((64, 65536), (64, 1), "f asks for 65536 groups along y, the device takes 65535"),
        ((8, 1, 65536), (8, 1, 1), "65536 groups along z"),
    ],
)
def test_what_is_too_long_along_one_dimension_is_refused_before_it_is_compiled(items, group, reason):
    found = impossible((Program("null", "", launches=(Launch("f", (), items, group),)),), NARROW)
    assert isinstance(found, LaunchFailed)
    assert reason in found.reason


@pytest.mark.parametrize(
    ("items", "group", "device"),
    [
        ((8, 1, 128), (8, 1, 64), NARROW),
        ((64, 65535 * 4), (64, 4), NARROW),
        ((1 << 24,), (1,), NARROW),
        ((1, 1, 128), (1, 1, 128), DEVICE),
        ((1, 1, 1 << 20), None, NARROW),
    ],
    ids=["group fits", "grid fits", "along x", "device does not tell", "the runtime chooses"],
)
def test_what_fits_along_each_dimension_is_compiled(items, group, device):
    assert impossible((Program("null", "", launches=(Launch("f", (), items, group),)),), device) is None


@pytest.mark.parametrize(
    ("launch", "device"),
    [
        (Launch("f", (Local(65536),), (1024,), (1024,)), DEVICE),
        (Launch("f", (), (0,), (4096,)), DEVICE),
        (Launch("f", (), (4096,), (4096,)), replace(DEVICE, max_workgroup=1)),
        (Launch("f", (), (4096,), (4096,)), None),
    ],
    ids=["fits", "no launch", "device does not tell", "no device"],
)
def test_what_a_launch_may_ask_for_is_compiled(launch, device):
    assert impossible((Program("null", "", launches=(launch,)),), device) is None
