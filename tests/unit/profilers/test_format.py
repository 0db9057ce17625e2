"""Formats as plug-ins offer them."""

from __future__ import annotations

import pytest

from hotloop.profilers.detect import formats
from hotloop.profilers.format import Reader
from hotloop.profilers.reading import read


@pytest.mark.parametrize("reader", [f.read for f in formats() if isinstance(f.read, Reader)], ids=str)
def test_every_reader_is_there(reader):
    assert callable(reader.load())


@pytest.mark.parametrize(
    ("said", "known"),
    [("gfx90a", "gfx90a"), ("gfx942:sramecc+:xnack-", "gfx942:sramecc+:xnack-"), ("-1", None), ("9000000", None)],
)
def test_a_processor_has_a_processors_name(tmp_path, said, known):
    path = tmp_path / "sysinfo.csv"
    path.write_text(f"workload_name,gpu_arch,gpu_model\nvcopy,{said},MI200\n")
    assert read(path).architecture == known


def test_a_share_above_the_whole_was_not_counted(tmp_path):
    path = tmp_path / "perf.txt"
    path.write_text(" TopdownL1 # 168.0 % tma_retiring\n")
    (reading,) = read(path).readings
    assert (reading.value, reading.reason) == (None, "168 % cannot be counted")
