"""What the programs share that run kernels in Triton's interpreter: stand-ins for a GPU, errors over their bounds.

The interpreter is chosen when kernels are defined, so it is imported before they are. The tensors are on the processor, so
the facts of a GPU are put in the place of theirs, and there is no device to make current. The interpreter cuts bfloat16 off
where a GPU rounds it, hence its whole ulp.
"""

from __future__ import annotations

import contextlib
import os

os.environ["TRITON_INTERPRET"] = "1"

import torch

from hotloop.dispatch import place, remembered
from hotloop.drivers.interpreting import count_by_numbers
from hotloop.model.device import Device

count_by_numbers()  # some of these programs launch kernels themselves
functional = torch.nn.functional
torch.cuda.device = lambda _device: contextlib.nullcontext()
ROUNDING = {torch.float16: 2.0**-11, torch.bfloat16: 2.0**-7, torch.float32: 2.0**-24}
FINISH = {
    "none": lambda x: x,
    "relu": torch.relu,
    "gelu": functional.gelu,
    "gelu-tanh": lambda x: functional.gelu(x, approximate="tanh"),
    "silu": functional.silu,
}
"""Activations by name."""
WRONG = 1e9
"""The error of what is not a number where one should be, or not of the form that it should have."""


def gpu(target: str, local_mem_bytes: int = 232448) -> Device:
    """Return the facts of a small GPU."""
    return Device(
        name="Interpreter", kind="gpu", backend="triton", runtime="Triton", runtime_key="cuda", target=target,
        compute_units=4, local_mem_bytes=local_mem_bytes, max_workgroup=1024,
    )  # fmt: skip


def on(device: Device) -> None:
    """Let all tensors be on a device for which CUDA C++ cannot be compiled."""
    place.facts = lambda _tensor, backend: place.Place(device, "" if backend == "triton" else "no CUDA C++")
    remembered.forget()


def error(found: torch.Tensor, wanted: torch.Tensor, slack: torch.Tensor | float) -> float:
    """Return the largest error over its bound: a rounding of the result, and `slack` for what went before."""
    bound = ROUNDING[found.dtype] * 1.01 * wanted.abs() + slack + 1e-7
    return float(((found.double() - wanted).abs() / bound).nan_to_num(WRONG).max())
