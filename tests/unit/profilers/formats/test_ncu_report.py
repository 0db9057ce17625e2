"""Report files through a stand-in for NVIDIA's module, in its documented form, found beside the program ncu."""

from __future__ import annotations

import sys

import pytest

from hotloop.profilers.formats.ncu.report import MissingReportReaderError, read
from hotloop.profiles.failure import ProfileError

MODULE = """
class Metric:
    def __init__(self, value, unit):
        self._value, self._unit = value, unit
    def value(self):
        return self._value
    def unit(self):
        return self._unit
class Action(dict):
    def name(self):
        return "softmax"
    def metric_names(self):
        return list(self)
METRICS = {
    "gpu__time_duration.sum": Metric(64736.0, "ns"), "dram__bytes_read.sum": Metric(134, "Mbyte"),
    "launch__block_dim_x": Metric(256, ""), "launch__block_dim_y": Metric(1, ""), "launch__block_dim_z": Metric(1, ""),
    "launch__grid_dim_x": Metric(100, ""), "launch__grid_dim_y": Metric(2, ""), "launch__grid_dim_z": Metric(1, ""),
    "device__attribute_compute_capability_major": Metric(9, ""), "device__attribute_compute_capability_minor": Metric(0, ""),
    "device__attribute_display_name": Metric("NVIDIA H200", ""), "launch__cluster_policy": Metric("PolicySpread", ""),
    "nothing": Metric(None, None),
}
def load_report(path):
    with open(path, "rb") as file:
        if file.read(4) != b"NVR\\0":
            raise RuntimeError("not a report")
    return [[Action(METRICS), Action(METRICS)]]
"""


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Install ncu as NVIDIA does: a program, and the module in extras/python beside it."""
    root = tmp_path / "nsight-compute" / "2025.3"
    (root / "extras" / "python").mkdir(parents=True)
    (root / "extras" / "python" / "ncu_report.py").write_text(MODULE)
    (root / "ncu").write_text("#!/bin/sh\n")
    (root / "ncu").chmod(0o755)
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "ncu").symlink_to(root / "ncu")
    monkeypatch.setenv("PATH", str(programs))
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield
    sys.modules.pop("ncu_report", None)


def report(tmp_path, head=b"NVR\0"):
    path = tmp_path / "run.ncu-rep"
    path.write_bytes(head + bytes(64))
    return path


@pytest.mark.usefixtures("installed")
def test_the_module_is_found_beside_the_program(tmp_path):
    found = read(report(tmp_path))
    assert (found.architecture, found.device_name, found.tool) == ("sm_90", "NVIDIA H200", "ncu")
    assert len(found.dispatches) == 2
    first = found.dispatches[0]
    assert (first.kernel, first.workgroup_items, first.grid_items, first.duration_ns) == (
        "softmax",
        256,
        51200,
        64736.0,
    )
    assert first.counters["dram__bytes_read.sum"] == 134e6
    assert "launch__cluster_policy" not in first.counters
    assert "nothing" not in first.counters


@pytest.mark.usefixtures("installed")
def test_a_damaged_report_is_one_sentence(tmp_path):
    with pytest.raises(ProfileError, match=r"cannot be read by ncu_report \(RuntimeError\)"):
        read(report(tmp_path, b"XXXX"))


def test_without_an_installation_the_error_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("hotloop.profilers.formats.ncu.report._INSTALLED", ())
    with pytest.raises(MissingReportReaderError, match=r"extras/python on PYTHONPATH"):
        read(report(tmp_path))
