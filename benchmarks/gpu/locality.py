"""Measure the spaces of benchmarks/reuse on an NVIDIA GPU: the least of several launches of each configuration, caches warm.

    python benchmarks/gpu/locality.py OUT.jsonl [--count 80] [--limit-s 150] [--only dispersion,turn]

Each row has the family, the values and ms; or what the compiler or the driver said. Families take turns, so that a run that is cut
off has some of each. The texts are compiled in threads ahead of their launches.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import zip_longest
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
from reuse.spaces import FAMILIES, SOURCE, Family

from hotloop.drivers.api import Compiled, DriverError
from hotloop.drivers.cuda import CudaDriver
from hotloop.ports import BuildError

ROUNDS, THREADS = 7, 12
Pair = tuple[Family, dict[str, int]]


def pairs(names: list[str], count: int) -> Iterator[Pair]:
    """Yield configurations, families in turn."""
    lists = [[(FAMILIES[name], config) for config in FAMILIES[name].configs(count)] for name in names]
    yield from (pair for row in zip_longest(*lists) for pair in row if pair is not None)


def compiled(driver: CudaDriver, pair: Pair) -> Compiled | str:
    """Return the binary, or why there is none."""
    family, config = pair
    options = [f"-D{key}={value}" for key, value in family.macros(config).items()]
    try:
        return driver.compile(SOURCE.read_text(), SOURCE.name, options, ())
    except BuildError as error:
        return str(error)[-300:]


class Card:
    """The GPU with the buffers of one family at a time."""

    def __init__(self) -> None:
        self.driver = CudaDriver()
        (self.device, *_) = self.driver.devices()
        self.driver.open(0)
        self.events = self.driver.event(), self.driver.event()
        self._held: dict[tuple[str, int, int], int] = {}

    def buffer(self, family: Family, number: int, wanted: int | np.ndarray) -> int:
        """Return the address of a buffer, filled where its contents count; kept for the family."""
        size = wanted if isinstance(wanted, int) else wanted.nbytes
        key = family.name, number, size
        if key not in self._held:
            self._held[key] = self.driver.allocate(size)
            self.driver.fill(self._held[key], size)
            if not isinstance(wanted, int):
                self.driver.write(self._held[key], wanted.view(np.uint8))
        return self._held[key]

    def ms(self, pair: Pair, binary: Compiled) -> float:
        """Return the least time of a launch."""
        family, config = pair
        launch = family.launch(config)
        assert launch is not None
        module = self.driver.load(binary.binary)
        function = self.driver.function(module, family.name)
        values = [ctypes.c_uint64(self.buffer(family, n, content)) for n, content in enumerate(launch.buffers)]
        packed, times = self.driver.pack(values), []
        for _ in range(ROUNDS):
            self.driver.record(self.events[0])
            self.driver.launch(function, launch.grid, launch.group, 0, packed)
            self.driver.record(self.events[1])
            self.driver.wait()
            times.append(self.driver.elapsed_ns(*self.events) / 1e6)
        return min(times[1:])


def main() -> int:
    """Measure until all is done or the time is up."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=80, help="configurations of each family")
    parser.add_argument("--limit-s", type=float, default=150.0)
    parser.add_argument("--only", default=",".join(FAMILIES))
    given = parser.parse_args()
    card, began = Card(), time.monotonic()
    chosen, done = list(pairs(given.only.split(","), given.count)), 0
    with ThreadPoolExecutor(THREADS) as pool, given.out.open("w") as file:
        file.write(json.dumps({"device": card.device.name, "runtime": card.device.runtime}) + "\n")
        for pair, binary in zip(chosen, pool.map(lambda pair: compiled(card.driver, pair), chosen), strict=True):
            if time.monotonic() - began > given.limit_s:
                pool.shutdown(wait=False, cancel_futures=True)
                break
            row: dict[str, object] = {"family": pair[0].name, "config": pair[0].label(pair[1])}
            try:
                row |= {"failed": binary} if isinstance(binary, str) else {"ms": card.ms(pair, binary)}
            except DriverError as error:
                row["failed"] = str(error)
            file.write(json.dumps(row) + "\n")
            file.flush()
            done += 1
    print(f"{done} of {len(chosen)} configurations in {time.monotonic() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
