"""Which path and configuration a problem takes: a pure function of problem, device and a table of known winners.

The choice between the direct and the packed path is worth more than most parameters (a reported library ran every
size through the direct path because its threshold was never consulted, 550 instead of 1657 GFLOP/s), so it has its own
tests, its thresholds are data, and every answer carries the reason.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hotloop.kernels.gemm.opencl.plan import shape
from hotloop.kernels.gemm.opencl.rows import TABLES, Row
from hotloop.kernels.gemm.opencl.space import NAIVE, SPACE
from hotloop.kernels.gemm.problem import Gemm, gemm
from hotloop.model.device import Device
from hotloop.model.problem import Problem
from hotloop.model.space import Config

GROUPS_PER_UNIT = 2
"""Groups wanted per compute unit unless they share out evenly: an odd one leaves the other units idle for its length."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What to run and why."""

    path: str
    config: Config
    reason: str


def choose(problem: Problem, device: Device, tables: Mapping[str, Sequence[Row]] = TABLES) -> Choice:
    """Return path and configuration of a problem on a device."""
    form = gemm(problem)
    rows = tables.get(device.target, ())
    if not rows:
        return Choice("local", NAIVE, f"nothing is known for {device.target or device.name}: the naive tile")
    size = extent(form)
    row = next((row for row in rows if size <= row.up_to), rows[-1])
    config = fit_memory(form, fit_type(form, row.config), device)
    config = spread(form, config, device.compute_units)
    return Choice(row.path, config, f"size {size:.0f} is at most {row.up_to:g}: {row.path} path, won at n={row.n}")


def extent(form: Gemm) -> float:
    """Return the cube root of m·n·k: the side of the cube with as many multiplications."""
    return math.cbrt(form.m * form.n * form.k)


def fit_type(form: Gemm, config: Config) -> Config:
    """Return a float32 configuration for another type of sums: vectors keep their bits, so tiles their registers."""
    if form.accumulate != "float64":
        return config
    half = config.replace(VW=max(1, config.integer("VW") // 2), NWI=max(1, config.integer("NWI") // 2))
    return half if SPACE.valid(half) else config


def fit_memory(form: Gemm, config: Config, device: Device) -> Config:
    """Return the configuration with blocks of k short enough for the device's local memory, where blocks are staged."""
    if device.local_mem_bytes is None or 2 not in config.integers("SA", "SB"):
        return config
    shorter = sorted((int(v) for v in SPACE["KC"].values if v), reverse=True)
    for kc in (config.integer("KC"), *(v for v in shorter if v < (config.integer("KC") or form.k))):
        fitting = config.replace(KC=kc)
        if shape(form, fitting).local_bytes <= device.local_mem_bytes:
            return fitting
    return config


def spread(form: Gemm, config: Config, compute_units: int) -> Config:
    """Return the configuration with fewer tiles per group until every compute unit has work.

    Tiles along n go first: what they share (rows of A) is small; tiles along m share a staged or packed panel of B.
    """
    wanted = GROUPS_PER_UNIT * compute_units
    for name in ("NPI", "MPI"):
        smaller = sorted((int(v) for v in SPACE[name].values if int(v) <= config.integer(name)), reverse=True)
        for value in smaller:
            config = config.replace(**{name: value})
            groups = shape(form, config).groups
            if form.empty or groups >= wanted or groups % compute_units == 0:
                return config
    return config
