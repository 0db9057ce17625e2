"""What is known of a configuration without running it; names and units in `hotloop.metrics.vocabulary`."""

from __future__ import annotations

from collections.abc import Mapping

from hotloop.kernels.gemm.opencl.plan import fitted, shape
from hotloop.kernels.gemm.problem import ELEMENT_BYTES, Gemm, gemm
from hotloop.kernels.gemm.shared.geometry import Geometry
from hotloop.model.device import Device
from hotloop.model.problem import Problem
from hotloop.model.space import Config


def traits(problem: Problem, config: Config, device: Device) -> Mapping[str, float]:
    """Return the ``config.*`` facts; none for an empty problem."""
    form = gemm(problem)
    if form.empty:
        return {}
    config = fitted(form, config)
    geometry = shape(form, config)
    mwi, nwi, vw = (config.integer(name) for name in ("MWI", "NWI", "VW"))
    element = ELEMENT_BYTES[form.accumulate]
    block = min(form.k, config.integer("KC") or form.k)
    facts = {
        "config.accumulators": float(mwi * nwi),
        "config.local_bytes": float(geometry.local_bytes),
        "config.barriers": float(_barriers(form, config, block)),
        "config.vector_elements": float(vw),
        "config.contiguous_bytes": float(_row_elements(form, config) * ELEMENT_BYTES[form.dtype]),
        "config.stride_bytes": float(_stride_elements(form, config, geometry) * ELEMENT_BYTES[form.dtype]),
        "config.working_set_bytes": float(_reused(config, block) * element),
        "config.reuse": 2.0 * mwi * nwi / ((mwi + nwi) * element),
        "config.packed": float(config.integer("PACK") > 0),
    }
    if registers := _registers(mwi, nwi, vw, device.lanes(element)):
        facts["config.accumulator_registers"] = registers
    return facts


def _registers(mwi: int, nwi: int, vw: int, lanes: int | None) -> float | None:
    """Return vector registers of the sums: a vector narrower than a register still takes one."""
    return float(mwi * (nwi // vw) * max(1, -(-vw // lanes))) if lanes else None


def _barriers(form: Gemm, config: Config, block: int) -> int:
    """Return barriers that one item executes; a group of one item has none."""
    if config.integer("MDIM") * config.integer("NDIM") == 1 or not block:
        return 0
    blocks, mpi, npi = -(-form.k // block), config.integer("MPI"), config.integer("NPI")
    staging = {config.integer("SA"), config.integer("SB")}
    if 1 in staging:
        return 2 * -(-block // config.integer("KWG")) * blocks * mpi * npi
    return 2 * blocks * npi if 2 in staging else 0


def _row_elements(form: Gemm, config: Config) -> int:
    """Return elements of B that an item reads side by side: across n, or one when the vectors run across its rows."""
    in_place = config.integer("PACK") == 0 and config.integer("SB") == 0
    if in_place and form.transposed_b:
        return 1
    return config.integer("VW") if config.integer("NDIM") > 1 else config.integer("NWI")


def _stride_elements(form: Gemm, config: Config, geometry: Geometry) -> int:
    """Return elements between what the inner loop reads of B in two successive steps of k; the worst operand there."""
    if config.integer("PACK") or config.integer("SB"):
        return geometry.tile_n
    return form.b.ld


def _reused(config: Config, block: int) -> int:
    """Return elements that an item's loop over tiles comes back to: a panel of B, or one tile of both when it has none."""
    mwi, nwi, mpi = (config.integer(name) for name in ("MWI", "NWI", "MPI"))
    return block * (nwi if mpi > 1 else nwi + mwi)
