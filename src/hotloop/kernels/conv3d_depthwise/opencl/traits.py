"""What is known of a configuration without running it; names and units in `hotloop.metrics.vocabulary`."""

from __future__ import annotations

from collections.abc import Mapping

from hotloop.kernels.conv3d_depthwise.opencl.plan import padded, width
from hotloop.kernels.conv3d_depthwise.problem import shape_of
from hotloop.kernels.conv3d_depthwise.shape import ELEMENT_BYTES
from hotloop.model.device import Device
from hotloop.model.problem import Problem
from hotloop.model.space import Config


def traits(problem: Problem, config: Config, device: Device) -> Mapping[str, float]:
    """Return the ``config.*`` facts."""
    shape = shape_of(problem)
    rows, columns = config.integer("HWI"), width(config)
    packed = config.integer("PACK") == 1
    element = 4 if packed else ELEMENT_BYTES[shape.dtype]
    step = shape.c if shape.channels_last and not packed else 1
    kd, kh, kw = shape.kernel
    read = (rows + kh - 1) * kw * columns * element  # per plane of taps: each row once per column of taps
    facts = {
        "config.accumulators": float(rows * columns),
        "config.local_bytes": 0.0,
        "config.barriers": 0.0,
        "config.vector_elements": float(config.integer("VW")),
        "config.contiguous_bytes": float((columns if step == 1 else 1) * element),
        "config.stride_bytes": float(step * element),
        "config.working_set_bytes": float(kd * (rows + kh - 1) * padded(shape, config)[2] * element),
        "config.reuse": 2.0 * kh * kw * rows * columns / read,
        "config.packed": float(packed),
    }
    if lanes := device.lanes(4):
        per_vector = max(1, -(-config.integer("VW") // lanes))
        facts["config.accumulator_registers"] = float(rows * config.integer("NWI") * per_vector)
    return facts
