"""A configuration that was measured on one product, made to fit another: its type, its local memory, as many groups as cores."""

from __future__ import annotations

import math

from hotloop.kernels.gemm.opencl.plan import shape
from hotloop.kernels.gemm.opencl.space import SPACE
from hotloop.kernels.gemm.problem import Gemm
from hotloop.model.device import Device
from hotloop.model.space import Config

GROUPS_PER_UNIT = 2
"""Groups wanted per compute unit unless they share out evenly: an odd one leaves the other units idle for its length."""


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
