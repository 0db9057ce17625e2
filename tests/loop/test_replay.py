"""The benchmark that has one GPU and two look at the same list, with fake GPUs."""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_two_devices_look_at_all_of_a_list_once(tmp_path):
    listed = [
        {"THREADS": 128, "TILE": tile, "EACH": 1, "UNROLL": unroll, "FAST": 1}
        for tile in (64, 128, 256)
        for unroll in (1, 2)
    ]
    (tmp_path / "list.json").write_text(json.dumps(listed))
    command = [sys.executable, str(ROOT / "benchmarks/gpu/replay.py"), str(tmp_path / "out.json"), "--runs", "2"]
    command += ["--case", str(ROOT / "benchmarks/cluster/weighed.py"), "--list", str(tmp_path / "list.json")]
    told = subprocess.run(
        command, env={**os.environ, "CUDA_VISIBLE_DEVICES": "0,1", "PYTHONPATH": str(ROOT / "tests/fakes")}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert told.returncode == 0, told.stderr
    (row,) = json.loads((tmp_path / "out.json").read_text())
    assert row["looks"] == len(row["answered_s"]) == len(listed)
    assert len(row["busy"]) == 2
    configs = [request["config"] for request in row["requests"] if request["op"] == "execute" and request["config"]]
    assert len(configs) == len(set(configs)) == len(listed)
    assert all(
        {"whole", "samples"} <= set(request["parts_ms"]) for request in row["requests"] if request["op"] == "time"
    )
