"""What whole models cost: three networks with random weights before and after `ops.use`, eager and as a graph.

    PYTHONPATH=src python benchmarks/gpu/models.py OUT.json [--limit-s 420] [--only vit,decoder,video] [--eager]

Results stand beside float64, times are those of CUDA graphs in interleaved rounds. Eager calls take turns, too: a lent host's speed drifts by
a factor of two within a run. Single layers are `layers.py`'s.
"""

from __future__ import annotations

import argparse
import gc
import json
import time
from pathlib import Path
from statistics import median

import torch
from torch.nn import functional

from hotloop import ops
from hotloop.dispatch import pace, straight

ROUNDS = 32
TURNS = 4
"""How often eager calls before and after take turns."""


class Layer(torch.nn.Module):
    """A layer of a transformer."""

    def __init__(self, size, heads, wide, *, causal):
        super().__init__()
        self.heads, self.causal = heads, causal
        self.one, self.two = torch.nn.LayerNorm(size), torch.nn.LayerNorm(size)
        self.qkv, self.out = torch.nn.Linear(size, 3 * size), torch.nn.Linear(size, size)
        self.mlp = torch.nn.Sequential(torch.nn.Linear(size, wide), torch.nn.GELU(), torch.nn.Linear(wide, size))

    def forward(self, x):
        batch, length, size = x.shape
        q, k, v = self.qkv(self.one(x)).view(batch, length, 3, self.heads, size // self.heads).permute(2, 0, 3, 1, 4)
        seen = functional.scaled_dot_product_attention(q, k, v, is_causal=self.causal)
        x = x + self.out(seen.transpose(1, 2).reshape(batch, length, size))
        return x + self.mlp(self.two(x))


class Video(torch.nn.Module):
    """Blocks of depthwise and pointwise convolutions over space and time."""

    def __init__(self, channels, blocks):
        super().__init__()
        self.deep = torch.nn.ModuleList(
            torch.nn.Conv3d(channels, channels, (3, 5, 5), padding=(1, 2, 2), groups=channels) for _ in range(blocks)
        )
        self.mix = torch.nn.ModuleList(
            torch.nn.Sequential(
                torch.nn.Linear(channels, 4 * channels), torch.nn.GELU(), torch.nn.Linear(4 * channels, channels)
            )
            for _ in range(blocks)
        )

    def forward(self, x):
        for deep, mix in zip(self.deep, self.mix, strict=True):
            x = x + deep(x)
            x = x + mix(x.movedim(1, -1)).movedim(-1, 1)
        return x


def networks():
    vit = torch.nn.Sequential(*(Layer(768, 12, 3072, causal=False) for _ in range(6)))
    decoder = torch.nn.Sequential(*(Layer(2048, 16, 8192, causal=True) for _ in range(4)))
    yield "vit", vit, (16, 197, 768)
    yield "decoder", decoder, (2, 2048, 2048)
    yield "video", Video(128, 3), (1, 128, 16, 56, 56)


def eager(name, model, shape) -> dict[str, object]:
    """Return what eager calls take before and after, and results beside float64; nothing is captured or compiled by PyTorch."""
    model = model.cuda().bfloat16().eval()
    x = torch.randn(shape, device="cuda", dtype=torch.bfloat16)
    with torch.no_grad():
        exact = model.double()(x.double())
        model = model.bfloat16()
        before = model(x)
        usage = ops.use(model)
        after = model(x)
        anew = dict(usage.mode.anew)
        usage.remove()
        turns = in_turns(model, x)
    return {
        "model": name, "eager_ms": turns, "anew": anew,
        "error": [float((result.double() - exact).abs().max()) for result in (before, after)],
    }  # fmt: skip


def whole(name, model, shape) -> dict[str, object]:
    model = model.cuda().bfloat16().eval()
    x = torch.randn(shape, device="cuda", dtype=torch.bfloat16)
    with torch.no_grad():
        exact = model.double()(x.double())
        model = model.bfloat16()
        before = model(x)
        clock = pace.of(x)
        samples = {"torch": clock.timed(lambda: model(x))}
        usage = ops.use(model)
        after = model(x)
        samples["hotloop"] = clock.timed(lambda: model(x))
        rounds = [{name: sample() / 1e6 for name, sample in samples.items()} for _ in range(ROUNDS)]
        compiled = torch.compile(model, fullgraph=True)
        same = float((compiled(x).double() - exact).abs().max())
        reasons = {f"{function} {why}": count for (function, why), count in usage.mode.said.items()}
        usage.remove()
        turns = in_turns(model, x)
    old, new = (median(each[name] for each in rounds) for name in ("torch", "hotloop"))
    return {
        "model": name, "graph_ms": [old, new], "ratio": old / new, "eager_ms": turns,
        "error": [float((result.double() - exact).abs().max()) for result in (before, after)], "compiled_error": same, "said": reasons,
    }  # fmt: skip


def in_turns(model, x) -> list[dict[str, object]]:
    """Return what eager calls take, in turns before and after."""
    turns = []
    for _ in range(TURNS):
        turns.append(host(lambda: model(x), 20))
        usage = ops.use(model)
        turns.append(host(lambda: model(x), 20))
        usage.remove()
    return turns


def host(call, count) -> dict[str, object]:
    """Return ms of an eager call, the GPU's work included, what a call in a row takes the host, and what disturbed the calls.

    The median of single calls stands beside the mean, because a full collection of Python's garbage takes as long as a hundred calls.
    """
    for _ in range(3):
        call()
    torch.cuda.synchronize()
    pauses: list[tuple[int, float]] = []
    begins = [0.0]

    def collected(phase: str, told: dict[str, int]) -> None:
        if phase == "start":
            begins[0] = time.perf_counter()
        else:
            pauses.append((told["generation"], 1e3 * (time.perf_counter() - begins[0])))

    gc.callbacks.append(collected)
    before, single = dict(straight.COUNTED), []
    began = time.perf_counter()
    for _ in range(count):
        first = time.perf_counter()
        call()
        single.append(1e3 * (time.perf_counter() - first))
    torch.cuda.synchronize()
    mean = (time.perf_counter() - began) * 1e3 / count
    gc.callbacks.remove(collected)
    launches = {name: number - before.get(name, 0) for name, number in straight.COUNTED.items()}
    return {"mean_ms": mean, "host_ms": median(single), "single_ms": single, "pauses_ms": pauses, "launches": launches}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--limit-s", type=float, default=420.0)
    parser.add_argument("--only", default="vit,decoder,video")
    parser.add_argument("--eager", action="store_true", help="eager calls alone")
    asked = parser.parse_args()
    ends, rows = time.monotonic() + asked.limit_s, []
    for name, model, shape in networks():
        if name not in asked.only.split(","):
            continue
        if time.monotonic() > ends:
            print("not reached:", name)
            continue
        rows.append((eager if asked.eager else whole)(name, model, shape))
        shown = {key: value for key, value in rows[-1].items() if key != "eager_ms"}
        shown["eager"] = [
            (told["mean_ms"], told["host_ms"], told["pauses_ms"], told["launches"]) for told in rows[-1]["eager_ms"]
        ]
        print(json.dumps(shown)[:600], flush=True)
        made = {"device": torch.cuda.get_device_name(), "torch": torch.__version__, "models": rows}
        asked.out.write_text(json.dumps(made, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
