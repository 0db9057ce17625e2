import json

import pytest

from hotloop.model.problem import Work
from hotloop.profilers.formats.collected.record import Record, Status, Step, read, write
from hotloop.profilers.reading import read as read_any
from hotloop.profiles.failure import ProfileError
from hotloop.profiles.profile import DeviceFact, Dispatch, Reading
from hotloop.profiles.ratios import blind, ratios

RECORD = Record(
    tool="rocprofv3", command=("./a", "-n"), subject="gemm", kernel="gemm", architecture="gfx942", device_name="MI300X",
    steps=(Step(name="times", command=("rocprofv3",), status=Status.LATE, took_s=1.5, reason="it hung."),),
    dispatches=(Dispatch(kernel="gemm", duration_ns=5.0, counters={"SQ_WAVES": 64.0}), Dispatch(kernel="gemm", duration_ns=7.0)),
    readings=(Reading("cycles", None, "", reason="none"),), facts=(DeviceFact("0", "cu_count", "304"),),
    trouble="access was denied: ask.", notes=("a note",), work=Work(flops=4.0, bytes=16.0),
)  # fmt: skip


def test_a_record_is_read_back_and_as_any_profile(tmp_path):
    path = tmp_path / "profile.json"
    write(RECORD, path)
    assert read(path) == RECORD
    for given in (path, tmp_path):
        found = read_any(given)
        assert (found.tool, found.architecture, found.device_name) == ("rocprofv3", "gfx942", "MI300X")
        kernel = found.kernel("gemm")
        assert kernel.dispatches == 2
        assert kernel.duration_ns.mean == 6.0
        assert kernel.counters["SQ_WAVES"].total == 64.0
        assert found.work == Work(flops=4.0, bytes=16.0)
        assert found.notes == ("access was denied: ask.", "a note")


def test_damaged_and_newer_records_are_refused(tmp_path):
    path = tmp_path / "profile.json"
    write(RECORD, path)
    whole = path.read_text()
    path.write_text(whole[: len(whole) // 2])
    with pytest.raises(ProfileError, match="no whole record"):
        read(path)
    path.write_text(json.dumps({**json.loads(whole), "format": "hotloop-profile 9"}))
    with pytest.raises(ProfileError, match="another version"):
        read(path)


def test_nothing_counted_is_told_apart_from_zero():
    empty = Record(tool="ncu", command=("a",), trouble="denied: ask.")
    assert not empty.counted
    assert empty.profile.kernels == ()
    assert empty.profile.why_absent("dispatches") == "denied: ask."
    assert Record(tool="perf", command=("a",), readings=(Reading("x", 0.0, ""),)).counted


def test_ratios_of_counted_events_only():
    rows = (
        Reading("cycles", 100.0, ""),
        Reading("instructions:u", 250.0, ""),
        Reading("branches", 0.0, ""),
        Reading("branch-misses", 0.0, ""),
    )
    assert [(one.name, one.value) for one in ratios(rows)] == [("instructions per cycle", 2.5)]
    assert not blind(rows)
    assert blind((Reading("cycles", None, ""), Reading("task-clock", 5.0, "msec")))
    assert not blind((Reading("task-clock", 5.0, "msec"),))
