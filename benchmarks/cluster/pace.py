"""Looks a second of a search with several devices against one: by fake devices that sleep, and by a Ray cluster on this machine.

    python benchmarks/cluster/pace.py                    # 1, 2, 4, ... 64 simulated devices, without Ray
    python benchmarks/cluster/pace.py --ray 1 --ray 2    # as many hosts of a real cluster, a worker process each

A device is a launch that sleeps, so that the processor's load disturbs little; what is measured is everything else: proposals,
verification and journal in the run's one process, the way to the devices and back. Only the time of the search counts, from the first
look's begin to the last one's end. Prints a table in Markdown.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "fakes"))

from cluster import FakeCluster, Lab

from hotloop.app import userfile
from hotloop.app.desk import Desk, MemoryJournal
from hotloop.app.run import polish
from hotloop.app.run.attempt import Attempts
from hotloop.app.run.inputs.workload import Workload
from hotloop.app.session import Options, open_engine, select_device
from hotloop.engine.ray.fleet import Fleet
from hotloop.host.clock import SystemClock
from hotloop.model.kernel import Variant
from hotloop.stats.paired import PairedTest

KERNEL = Path(__file__).with_name("sleeping.py")
LOOKS = [24]


def search(engine, device, looks: int) -> tuple[float, int]:
    """Return seconds and looks of one search."""
    kernel = userfile.find(str(KERNEL), 60)
    desk = Desk(engine, device, MemoryJournal(), SystemClock())
    workload = Workload(engine, kernel, kernel.problem, device, 1)
    attempts = Attempts(desk, workload, None, PairedTest(margin=0.02))
    start = Variant(kernel.implementation(None), kernel.implementation(None).start)
    attempts.prepare(start)
    began = time.monotonic()
    searched = polish.search(desk, attempts, start, 1e7, 1e9, strategy="random", most=looks)
    return time.monotonic() - began, searched.summary.evaluated


def simulated(devices: int) -> float:
    cluster = FakeCluster(devices, Lab())
    with Fleet(cluster, None, lambda engine, name, language: engine.select(name, language)) as fleet:
        device = fleet.select("", "null")
        spent_s, looks = search(fleet, device, LOOKS[0] * devices)
    cluster.close()
    return looks / spent_s


def real(devices: int) -> float:
    os.environ["HOTLOOP_PARTS"], os.environ["RAY_ADDRESS"] = str(devices), "local"
    options = Options(engine="ray", language="null")
    with open_engine(options) as fleet:
        device = select_device(fleet, options)
        spent_s, looks = search(fleet, device, LOOKS[0] * devices)
    return looks / spent_s


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ray", type=int, action="append", help="devices of a real cluster; one count a process")
    parser.add_argument("--busy", type=float, default=0.08, help="seconds that a launch takes")
    parser.add_argument("--most", type=int, default=64)
    parser.add_argument("--looks", type=int, default=LOOKS[0], help="that each device makes on average")
    asked = parser.parse_args()
    os.environ["SLEEPING_BUSY_S"] = str(asked.busy)
    LOOKS[0] = asked.looks
    counts = asked.ray or [n for n in (1, 2, 4, 8, 16, 32, 64) if n <= asked.most]
    print("| devices | looks a second | times one |\n|---|---|---|")
    first = None
    for count in counts:
        pace = (real if asked.ray else simulated)(count)
        first = first or pace
        print(f"| {count} | {pace:.3f} | {pace / first:.2f} |", flush=True)


if __name__ == "__main__":
    main()
