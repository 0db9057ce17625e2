"""From a rung to what is compiled for it and how it is launched: the family's own plan, or the FlyDSL source with switches."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from hotloop.kernels import _offline, _text
from hotloop.kernels.gemm_preshuffled import KERNEL
from hotloop.kernels.gemm_preshuffled.hip import HIP
from hotloop.kernels.gemm_preshuffled.hip.plan import ARRAYS
from hotloop.kernels.gemm_preshuffled.problem import Product, product
from hotloop.model.kernel import Kernel
from hotloop.model.ladder import Ladder, Rung, Unit
from hotloop.model.record import Scalar
from hotloop.model.space import Config

FLYDSL = "flydsl"
"""The series of rungs that the FlyDSL source makes; the others are HIP's."""
_IN_SOURCE = ("BM", "BN", "BKB", "SWIZZLE", "AHEAD", "WIDE", "HINTS", "UNPACK")
"""Parameters that the FlyDSL source has; it has two places in local memory, weights in registers and W as its left operand."""


def asked(ladder: Ladder, rung: Rung, sizes: Mapping[str, Scalar]) -> Product:
    """Return the product that a rung computes. Raises ValueError as `product`."""
    return product(KERNEL.problem.replace(**{**ladder.varied(rung), **sizes}))


def config_of(ladder: Ladder, rung: Rung, target: str = "") -> Config:
    """Return the configuration of a rung.

    Raises:
        ValueError: it breaks a constraint of the implementation's space.
    """
    config = HIP.start.replace(**ladder.changes(rung, target))
    if broken := HIP.space.violation(config):
        raise ValueError(f"{rung.name}: {broken}")
    return config


def unit(ladder: Ladder, rung: Rung, target: str, sizes: Mapping[str, Scalar]) -> Unit:
    """Return the text and the launch of a rung for the ladder's problem with other `sizes`.

    Raises:
        ValueError: problem, configuration and target do not fit together.
    """
    problem, config = KERNEL.problem.replace(**{**ladder.varied(rung), **sizes}), config_of(ladder, rung, target)
    planned = _offline.unit(HIP.plan(problem, config, _offline.device(target)), "preshuffled.hip")
    if rung.series != FLYDSL:
        return planned
    return replace(
        planned, language=FLYDSL, name="preshuffled_flydsl.py", text=flydsl_text(product(problem), config), entry="",
        options=(), arrays=ARRAYS, numbers=(), described=True,
    )  # fmt: skip


def flydsl_text(form: Product, config: Config) -> str:
    """Return the FlyDSL source with its switches and sizes set.

    Raises:
        ValueError: it has not what a parameter asks for.
    """
    buffers, staged, swapped = config.integers("BUFFERS", "STAGE_B", "SWAP")
    if (buffers, staged, swapped) != (2, 0, 1) or form.n % config.integer("BN"):
        raise ValueError(
            "the FlyDSL source has two places, weights in registers, W on the left, and whole tiles of columns"
        )
    values = {name: config.integer(name) for name in _IN_SOURCE}
    text = _text.read("hotloop.kernels.gemm_preshuffled.ladders", "preshuffled.flydsl")
    for name, value in {**values, "FORM": form.form.number, "M": form.m, "N": form.n, "K": form.k}.items():
        text, count = re.subn(rf"^{name} = \d+$", f"{name} = {value}", text, flags=re.MULTILINE)
        if count != 1:
            raise ValueError(f"the FlyDSL source has no switch {name}")
    return text


def posed(sizes: Mapping[str, Scalar]) -> Kernel:
    """Return the family with the problem of these sizes."""
    return replace(KERNEL, problem=KERNEL.problem.replace(**sizes), awkward=lambda _problem: ())
