"""Nsight Compute's report files read on an H200 through NVIDIA's module, against the CSV page of the same report.

The figures are those that ``tests/device/read_report.py`` left; reports need a GPU to be made and NVIDIA's module to be read.
"""

import json
from pathlib import Path

import pytest

RESULTS = Path(__file__).parents[2] / "results" / "nvidia-h200-2026-11-21" / "ncu" / "report-reader.json"
FOUND = json.loads(RESULTS.read_text(encoding="utf-8"))


@pytest.mark.parametrize("kernel", ["gemm", "softmax"])
def test_every_metric_of_the_page_is_in_the_report_with_its_value(kernel):
    found = FOUND[kernel]
    assert found["launches"] == [2, 2]
    assert found["equal"] + found["rounded"] > 4000
    assert found["only_in_page"] == []
    assert {name for name, _, _ in found["different"]} == {"derived__pct_occupancy_per_shared_mem_size"}, (
        "5,460 %/byte that the page prints as 5.46 %/Kbyte; the page's reader has followed since"
    )
    assert found["verdicts"][0] == found["verdicts"][1]
    assert found["device"] == ["NVIDIA H200", "NVIDIA H200"]
    assert found["architecture"] == ["sm_90", "sm_90"]


def test_what_only_the_report_has_is_internal():
    for kernel in ("gemm", "softmax"):
        assert all("Triage" in name or "temp" in name for name in FOUND[kernel]["only_in_report"])
