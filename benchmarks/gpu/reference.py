"""The reference convolution in each of its forms beside a copy of its bytes, in rounds that no slow kernel disturbs.

    PYTHONPATH=src python benchmarks/gpu/reference.py OUT.json [--rounds 20] [--no-warm]

A form is called through dispatch after `ops.warm`, as graphs. Beside it a copy of as many bytes as the form must read and write stands in the
same rounds, in an order drawn anew for each; PyTorch's own function, dozens of times slower, is timed apart from them, because what follows it
takes up to a sixth longer. Results are compared with float64 on some channels.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import tempfile
from pathlib import Path
from statistics import median, quantiles

import torch

from hotloop import ops
from hotloop.dispatch import pace
from hotloop.kernels.conv3d_depthwise.tensors import depthwise_conv3d
from hotloop.ops import functions

CHANNELS, SIZE, WINDOW, PADDING = 512, (61, 45, 80), (3, 5, 5), (0, 2, 2)
FORMS = {
    "plain": (torch.bfloat16, False, False),
    "bias": (torch.bfloat16, True, False),
    "bias, channels last": (torch.bfloat16, True, True),
    "bias, float32": (torch.float32, True, False),
}
SEEN = 16
"""Channels compared with float64."""


def formed(dtype: torch.dtype, with_bias: bool, last: bool):
    """Return the operator and the call of a form."""
    x = torch.randn(1, CHANNELS, *SIZE, device="cuda").to(dtype)
    x = x.contiguous(memory_format=torch.channels_last_3d) if last else x
    weight = torch.randn(CHANNELS, 1, *WINDOW, device="cuda").to(dtype)
    bias = torch.randn(CHANNELS, device="cuda").to(dtype) if with_bias else None
    return depthwise_conv3d(x, weight, bias, padding=PADDING)


def errors(call, made: torch.Tensor) -> float:
    """Return the largest error of some channels against float64."""
    some = torch.linspace(0, CHANNELS - 1, SEEN, device="cuda").long()
    bias = None if call.bias is None else call.bias[some].double()
    given = call.x[:, some].double(), call.weight[some].double(), bias
    wanted = torch.nn.functional.conv3d(*given, padding=call.padding, groups=SEEN)
    return float((made[:, some].double() - wanted).abs().max())


def bits(call) -> tuple[int, ...]:
    """Return a sum over the bits of each operand: no call may change one."""
    return tuple(
        0 if x is None else int(x.view(torch.int16 if x.itemsize == 2 else torch.int32).long().sum())
        for x in (call.x, call.weight, call.bias)
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--no-warm", action="store_true", help="what dispatch runs without a measurement")
    asked = parser.parse_args()
    torch.manual_seed(7)
    functions.families()
    with torch.no_grad(), tempfile.TemporaryDirectory() as folder:
        os.environ["HOTLOOP_STORE"] = str(Path(folder) / "store.sqlite")
        told = measured(asked.rounds, warm=not asked.no_warm)
    asked.out.write_text(json.dumps(told, indent=1), encoding="utf-8")


def measured(rounds: int, *, warm: bool) -> dict[str, object]:
    """Return samples of every form and of the copies, and how far results are from float64."""
    samples, told, clock, calls = {}, {}, pace.Replays(), {}
    for name, form in FORMS.items():
        operator, call = formed(*form)
        if warm:
            ops.warm("depthwise_conv3d", call.x, call.weight, call.bias, padding=PADDING)
        calls[name] = operator, call, bits(call)
        made = operator(call)
        moved = sum(x.nbytes for x in (call.x, made))
        source, target = (torch.empty(moved // 2, dtype=torch.uint8, device="cuda") for _ in range(2))
        theirs = clock.timed(lambda operator=operator, call=call: operator.peer(call))
        told[name] = {
            "runs": f"{(choice := operator.explain(call)).implementation} {choice.config}", "bytes": moved, "torch_us": median(theirs() for _ in range(3)) / 1e3,
            "error": errors(call, made), "torch_error": errors(call, operator.peer(call)),
        }  # fmt: skip
        samples[name, "us"] = clock.timed(lambda operator=operator, call=call: operator(call))
        samples[name, "copy_us"] = clock.timed(lambda target=target, source=source: target.copy_(source))
    order, draw = list(samples), random.Random(7)
    raw: dict[tuple[str, str], list[float]] = {key: [] for key in order}
    for _ in range(rounds):
        draw.shuffle(order)
        for key in order:
            raw[key].append(samples[key]() / 1e3)
    for name, row in told.items():
        operator, call, before = calls[name]
        row |= {"error_after": errors(call, operator(call)), "inputs_changed": bits(call) != before}
        for what in ("us", "copy_us"):
            row[what] = raw[name, what]
        low, middle, high = quantiles(row["us"], n=4)
        copied = median(row["copy_us"])
        print(
            f"{name}: {middle:.1f} µs ({low:.1f} to {high:.1f}), a copy of its bytes {copied:.1f}: share {copied / middle:.3f}; "
            f"PyTorch {row['torch_us']:.0f} µs; largest error {row['error']:.2g}, after timing {row['error_after']:.2g}"
            f"{', INPUTS CHANGED' * row['inputs_changed']}, PyTorch's {row['torch_error']:.2g}; {row['runs'][:90]}",
            flush=True,
        )
    return {"device": torch.cuda.get_device_name(), "torch": torch.__version__, "forms": told}


if __name__ == "__main__":
    main()
