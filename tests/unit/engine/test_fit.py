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
