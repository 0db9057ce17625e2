import pytest

from hotloop.backends.null import DEVICE
from hotloop.engine.fit import misfit
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
