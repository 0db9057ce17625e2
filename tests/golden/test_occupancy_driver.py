"""The occupancy model against what a driver answered: recorded by tests/device/occupancy_points.py."""

import gzip
import json
from pathlib import Path

import pytest

from hotloop.isa.occupancy.nvidia import NvidiaRequest, evaluate
from hotloop.targets.target import Target

RECORDED = sorted(Path(__file__).parents[2].glob("results/nvidia-*/occupancy.json.gz"))


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.parent.name)
def test_every_recorded_answer_of_the_driver_is_predicted(path):
    record = json.loads(gzip.decompress(path.read_bytes()))
    machine = Target.named(record["target"]).machine
    assert len(record["points"]) > 10_000
    for registers, static, dynamic, block, active in record["points"]:
        request = NvidiaRequest(registers=registers, shared_bytes=static, dynamic_shared_bytes=dynamic, block=block)
        assert evaluate(machine, request).groups == active, (registers, static, dynamic, block)


def test_there_are_recordings():
    assert RECORDED
