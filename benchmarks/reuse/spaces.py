"""Tuning spaces of which locality decides: parameters, launches and arrays of kernels.hip, for predicting and for measuring."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

SOURCE = Path(__file__).with_name("kernels.hip")
Config = Mapping[str, int]
Sizes = tuple[int, int, int]
_LEAST, _MOST = 32, 1024
"""Work-items of a group."""


@dataclass(frozen=True, slots=True)
class Launch:
    """Groups, work-items of a group, and bytes of each buffer; an array where contents decide addresses."""

    grid: Sizes
    group: Sizes
    buffers: tuple[int | NDArray[np.float32], ...]


@dataclass(frozen=True, slots=True)
class Family:
    """One kernel with the values of its parameters."""

    name: str
    fixed: Config
    values: Mapping[str, tuple[int, ...]]
    launch: Callable[[Config], Launch | None]
    """None: the values do not fit together."""

    def configs(self, count: int) -> list[dict[str, int]]:
        """Return a random part of the configurations, always the same."""
        every = list(self._every())
        random.Random(self.name).shuffle(every)
        return every[:count]

    def _every(self) -> Iterator[dict[str, int]]:
        for chosen in product(*self.values.values()):
            config = {**self.fixed, **dict(zip(self.values, chosen, strict=True))}
            if self.launch(config) is not None:
                yield config

    def macros(self, config: Config) -> dict[str, int]:
        """Return what the text is compiled with."""
        return {self.name.upper(): 1, **config}

    def label(self, config: Config) -> str:
        """Return the values that vary, as a name."""
        return ",".join(f"{key}={config[key]}" for key in self.values)


def delays(config: Config) -> NDArray[np.float32]:
    """Return samples of delay for each step of a trial, by channel: the inverse square of a frequency that falls to 0.6 of the first."""
    frequency = 1 - 0.4 * np.arange(config["CHANNELS"]) / config["CHANNELS"]
    return (config["DELAY"] / 1000 * (frequency**-2 - 1)).astype(np.float32)


def _dispersion(c: Config) -> Launch | None:
    over = (c["TX"] == 1 and c["SX"]) or (c["TY"] == 1 and c["SY"])
    wide, high = c["BX"] * c["TX"], c["BY"] * c["TY"]
    if over or c["TX"] * c["TY"] > 32 or not _fits(c["BX"] * c["BY"]) or c["SAMPLES"] % wide or c["TRIALS"] % high:
        return None
    reach = int(c["TRIALS"] * delays(c).max()) + 1
    assert reach + c["SAMPLES"] <= c["PITCH"]
    buffers = (c["CHANNELS"] * c["PITCH"], delays(c), 4 * c["TRIALS"] * c["SAMPLES"])
    return Launch((c["SAMPLES"] // wide, c["TRIALS"] // high, 1), (c["BX"], c["BY"], 1), buffers)


def _turn(c: Config) -> Launch | None:
    grid = [c["SIDE"] // (c["BX"] * c["TX"]), c["SIDE"] // (c["BY"] * c["TY"])]
    x, y = grid[::-1] if c["SWAP"] else grid
    return Launch((x, y, 1), (c["BX"], c["BY"], 1), (4 * c["SIDE"] ** 2,) * 2) if _fits(c["BX"] * c["BY"]) else None


def _seven(c: Config) -> Launch | None:
    if not _fits(c["BX"] * c["BY"] * c["BZ"]) or c["UNROLL"] > c["TZ"]:
        return None
    size = 4 * (c["NX"] + 2) * (c["NY"] + 2) * (c["NZ"] + 2)
    grid = (c["NX"] // c["BX"], c["NY"] // c["BY"], c["NZ"] // (c["BZ"] * c["TZ"]))
    return Launch(grid, (c["BX"], c["BY"], c["BZ"]), (size, size))


def _product(c: Config) -> Launch | None:
    wide, high = c["SIDE"] // (c["BX"] * c["TX"]), c["SIDE"] // (c["BY"] * c["TY"])
    if not _fits(c["BX"] * c["BY"]) or c["TX"] * c["TY"] > 32 or c["GROUP"] > high:
        return None
    buffers = (4 * c["SIDE"] * c["DEPTH"], 4 * c["DEPTH"] * c["SIDE"], 4 * c["SIDE"] ** 2)
    return Launch((wide * high, 1, 1), (c["BX"], c["BY"], 1), buffers)


def _rows(c: Config) -> Launch | None:
    if c["LANES"] == 1 and c["OWN"]:
        return None
    items = c["HIGH"] * c["LANES"]
    return Launch((items // c["BX"], 1, 1), (c["BX"], 1, 1), (4 * c["HIGH"] * c["WIDE"], 4 * c["WIDE"], 4 * items))


def _fits(items: int) -> bool:
    return _LEAST <= items <= _MOST


FAMILIES = {
    one.name: one
    for one in (
        Family(
            "dispersion",
            {"CHANNELS": 512, "SAMPLES": 49152, "TRIALS": 1024, "PITCH": 65536, "DELAY": 8000},
            {"BX": (8, 16, 32, 64, 128, 256), "BY": (1, 2, 4, 8, 16, 32), "TX": (1, 2, 4, 8), "TY": (1, 2, 4, 8), "SX": (0, 1), "SY": (0, 1), "UNROLL": (1, 4)},
            _dispersion,
        ),
        Family(
            "turn",
            {"SIDE": 8192},
            {"BX": (4, 8, 16, 32, 64, 128, 256), "BY": (1, 2, 4, 8, 16, 32), "TX": (1, 2, 4), "TY": (1, 2, 4), "FLIP": (0, 1), "SWAP": (0, 1)},
            _turn,
        ),
        Family(
            "seven",
            {"NX": 512, "NY": 512, "NZ": 256},
            {"BX": (4, 8, 16, 32, 64, 128, 256), "BY": (1, 2, 4, 8, 16, 32), "BZ": (1, 2, 4, 8), "TZ": (1, 2, 4, 8, 16), "UNROLL": (1, 2)},
            _seven,
        ),
        Family(
            "product",
            {"SIDE": 2048, "DEPTH": 512},
            {"BX": (4, 8, 16, 32, 64), "BY": (1, 2, 4, 8, 16, 32), "TX": (1, 2, 4), "TY": (1, 2, 4, 8), "GROUP": (1, 4, 32)},
            _product,
        ),
        Family(
            "rows",
            {"WIDE": 2048, "HIGH": 32768},
            {"BX": (32, 64, 128, 256, 512), "LANES": (1, 2, 4, 8, 16, 32, 64), "OWN": (0, 1), "UNROLL": (1, 4, 8)},
            _rows,
        ),
    )
}  # fmt: skip
