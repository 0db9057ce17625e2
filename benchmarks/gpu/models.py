"""What `nn.Linear`'s layout and whole models cost: kernels by columns beside cuBLAS, models before and after `ops.use`, host time.

    PYTHONPATH=src python benchmarks/gpu/models.py OUT.json [--parts linear,layouts,models,host] [--limit-s 420]
    PYTHONPATH=src python benchmarks/gpu/models.py OUT.json --dry   # without a GPU: what would be launched

`linear`: shapes of public model configurations as `nn.Linear` holds weights, plain and with bias and GELU. Each is computed by what
dispatch chooses, by the nearest configurations of the table (so that the model of `hotloop.kernels.gemm.expected` can be fitted),
and by PyTorch; results against float64, times of CUDA graphs in interleaved rounds. `layouts`: one shape in nn, nt, tn, tt. `models`: three
networks with random weights, eager and as a graph, before and after. `host`: time of an eager call at a shape whose kernel takes nothing.
Parts stop at the limit and say what is missing.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import torch
from torch.nn import functional

from hotloop import ops
from hotloop.dispatch import launch
from hotloop.kernels.gemm import KERNEL, products
from hotloop.kernels.gemm.rows import TABLE
from hotloop.model.device import Device
from hotloop.model.near import distance
from hotloop.ops import place

# rows; out features, in features: projections, MLPs and heads of GPT-2, BERT, ViT-B/L, Llama 2/3, Mistral, Qwen 2.5, Phi-3, T5
LINEAR = [
    (1, 4096, 4096), (1, 28672, 4096), (1, 4096, 14336), (8, 14336, 4096), (16, 4096, 14336), (32, 11008, 4096), (64, 5120, 13824),
    (77, 4096, 11008), (128, 3072, 768), (197, 2304, 768), (197, 3072, 768), (197, 768, 3072), (256, 6144, 4096), (333, 13824, 5120),
    (512, 4096, 4096), (577, 4096, 1024), (1024, 3072, 3072), (1024, 8192, 3072), (1576, 3072, 768), (2048, 6144, 4096),
    (2048, 4096, 14336), (3072, 1536, 8960), (4096, 4096, 4096), (4096, 11008, 4096), (8192, 5120, 5120), (12608, 3072, 768),
    (12608, 768, 3072), (16384, 4096, 1024),
]  # fmt: skip
NEAREST = 5
ROUNDS, PASSES = 5, 8
H200 = Device(
    name="NVIDIA H200", kind="gpu", backend="triton", runtime="Triton", runtime_key="cuda", target="sm_90", compute_units=132,
    local_mem_bytes=232448, max_workgroup=1024,
)  # fmt: skip


@dataclass(frozen=True)
class Product:
    m: int
    n: int
    k: int
    op: str = "nt"
    fused: bool = False

    @property
    def described(self) -> products.Product:
        epilogue = "bias-gelu-erf" if self.fused else "none"
        return products.Product(self.m, self.n, self.k, "bfloat16", epilogue, op=self.op)

    def candidates(self, device: Device) -> list[tuple[str, object]]:
        """Return the nearest configurations of each kernel that take the product."""
        found: dict[str, list[tuple[float, object]]] = {}
        for name, row in TABLE:
            one = products._candidate(name, row, self.described)  # noqa: SLF001 - the table as dispatch sees it
            gap = distance(self.described.problem.sizes, one.sizes, products.WEIGHTS)
            found.setdefault(name, []).append((gap, row.config))
        kept = []
        for name, rows in found.items():
            for _, config in sorted(rows, key=lambda row: row[0])[:2]:
                try:
                    program = KERNEL.implementation(name).plan(self.described.tight, config, device)
                except ValueError:
                    continue
                if (name, config) not in [(n, c) for n, c, _ in kept]:
                    kept.append((name, config, program))
        return kept[: 2 * NEAREST]


def operands(one: Product, sets: int):
    """Return input sets as the layout has them: op(a), op(b), bias."""
    made = []
    for _ in range(sets):
        a = torch.randn((one.k, one.m) if one.op[0] == "t" else (one.m, one.k), device="cuda", dtype=torch.bfloat16)
        b = (
            torch.randn((one.n, one.k) if one.op[1] == "t" else (one.k, one.n), device="cuda", dtype=torch.bfloat16)
            / one.k**0.5
        )
        bias = torch.randn(one.n, device="cuda", dtype=torch.bfloat16)
        made.append((a.t() if one.op[0] == "t" else a, b.t() if one.op[1] == "t" else b, bias))
    return made


def pytorch(one: Product, a, b, bias):
    if not one.fused:
        return torch.matmul(a, b)
    return functional.gelu(functional.linear(a, b.t(), bias))


def error(one: Product, made, a, b, bias) -> float:
    """Return the largest error over half an ulp of bfloat16 and what the sums may lose."""
    wide = a.double() @ b.double()
    size = a.double().abs() @ b.double().abs()
    wide = functional.gelu(wide + bias.double()) if one.fused else wide
    bound = 2.0**-8 * wide.abs() + 4e-6 * size + 1e-6
    return float(((made.double() - wide).abs() / bound).nan_to_num(1e9).max())


def measured(one: Product, device: Device, *, all_of_them: bool) -> dict[str, object]:
    from graphs import graphed, interleaved

    moved = 2 * (one.m * one.k + one.k * one.n + one.m * one.n)
    sets = operands(one, max(1, min(8, (128 << 20) // moved)))
    options = {"bias": sets[0][2], "activation": "gelu"} if one.fused else {}
    choice = ops.explain_choice("gemm", sets[0][0], sets[0][1], **options)
    runs = {
        "torch": [lambda s=s: pytorch(one, *s) for s in sets],
        "dispatch": [
            lambda s=s: ops.gemm(s[0], s[1], **({"bias": s[2], "activation": "gelu"} if one.fused else {}))
            for s in sets
        ],
    }
    errors, refused = {"dispatch": error(one, runs["dispatch"][0](), *sets[0])}, {}
    errors["torch"] = error(one, runs["torch"][0](), *sets[0])
    for name, config, program in one.candidates(device) if all_of_them else ():
        label = f"{name} {config}"
        try:
            calls = []
            for a, b, bias in sets:
                c = torch.empty((one.m, one.n), device="cuda", dtype=torch.bfloat16)
                arrays = {"a": a, "b": b, "c": c} | ({"bias": bias} if one.fused else {})
                prepared = launch.prepared(program, device, arrays)
                calls.append(lambda p=prepared, x=arrays: p(dict(x)))
            calls[0]()
            torch.cuda.synchronize()
            errors[label] = error(one, arrays_of(calls[0])["c"], *sets[0])
            runs[label] = calls
        except Exception as problem:  # noqa: BLE001 - a benchmark tells and goes on
            refused[label] = f"{type(problem).__name__}: {str(problem)[:160]}"
    graphs = {label: graphed(calls, PASSES) for label, calls in runs.items()}
    times = interleaved(graphs, dict.fromkeys(graphs, 3), ROUNDS)
    each = {label: median(column) * 1e3 for label, column in times.items()}
    return {
        "shape": [one.m, one.n, one.k], "op": one.op, "fused": one.fused, "chosen": f"{choice.implementation} {choice.config}".strip(),
        "why": choice.reason, "us": each, "ratio": each["torch"] / each["dispatch"], "errors": errors, "refused": refused,
        "best": min(each, key=lambda label: each[label]), "samples_ms": times,
    }  # fmt: skip


def arrays_of(call):
    """Return the arrays that a timed call is bound to."""
    return call.__defaults__[1]


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


def whole(name, model, shape) -> dict[str, object]:
    from graphs import graphed, interleaved

    model = model.cuda().bfloat16().eval()
    x = torch.randn(shape, device="cuda", dtype=torch.bfloat16)
    with torch.no_grad():
        exact = model.double()(x.double())
        model = model.bfloat16()
        before = model(x)
        plain = graphed([lambda: model(x)], 2)
        eager_before = host(lambda: model(x), 20)
        usage = ops.use(model)
        after = model(x)
        taken = graphed([lambda: model(x)], 2)
        eager_after = host(lambda: model(x), 20)
        times = interleaved({"torch": plain, "hotloop": taken}, {"torch": 3, "hotloop": 3}, 8)
        compiled = torch.compile(model, fullgraph=True)
        same = float((compiled(x).double() - exact).abs().max())
        said = {f"{function} {why}": count for (function, why), count in usage.mode.said.items()}
        usage.remove()
    old, new = median(times["torch"]), median(times["hotloop"])
    return {
        "model": name, "graph_ms": [old, new], "ratio": old / new, "eager_ms": [eager_before, eager_after],
        "error": [float((one.double() - exact).abs().max()) for one in (before, after)], "compiled_error": same, "said": said,
    }  # fmt: skip


def host(call, count) -> float:
    """Return ms of an eager call, the GPU's work included."""
    for _ in range(3):
        call()
    torch.cuda.synchronize()
    began = time.perf_counter()
    for _ in range(count):
        call()
    torch.cuda.synchronize()
    return (time.perf_counter() - began) * 1e3 / count


def overhead() -> dict[str, object]:
    """Return µs of host time of calls whose kernels take nothing: ours, PyTorch's, PyTorch's inside `ops.used`."""
    a, b = (torch.randn(64, 64, device="cuda", dtype=torch.bfloat16) for _ in range(2))
    q = torch.randn(1, 4, 64, 64, device="cuda", dtype=torch.bfloat16)
    found = {}
    with torch.no_grad():
        for name, ours, theirs in (
            ("gemm", lambda: ops.gemm(a, b), lambda: torch.matmul(a, b)),
            ("linear", lambda: ops.gemm(a, b.t()), lambda: functional.linear(a, b)),
            ("attention", lambda: ops.attention(q, q, q), lambda: functional.scaled_dot_product_attention(q, q, q)),
            ("softmax", lambda: ops.softmax(a), lambda: torch.softmax(a, -1)),
        ):
            found[name] = {"hotloop_us": 1e3 * host(ours, 2000), "torch_us": 1e3 * host(theirs, 2000)}
            with ops.used():
                found[name]["used_us"] = 1e3 * host(theirs, 2000)
    return found


def planned() -> None:
    """Print what would be launched."""
    for shape in LINEAR:
        for fused in (False, True):
            one = Product(*shape, fused=fused)
            choice = products.choose(one.described, H200)
            names = [name for name, _, _ in one.candidates(H200)]
            print(shape, "fused" if fused else "plain", "→", choice.implementation, "| candidates", ", ".join(names))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("--parts", default="linear,layouts,models,host")
    parser.add_argument("--limit-s", type=float, default=420.0)
    parser.add_argument("--dry", action="store_true")
    asked = parser.parse_args()
    if asked.dry:
        planned()
        return
    Session(asked.out, asked.limit_s).run(asked.parts.split(","))


class Session:
    """Measures parts until the limit, and writes what is there after each step."""

    def __init__(self, out: Path, limit_s: float) -> None:
        self.out, self.ends = out, time.monotonic() + limit_s
        self.device = place.facts(torch.empty(1, device="cuda"), "triton").device
        self.found: dict[str, object] = {"device": self.device.name, "torch": torch.__version__, "missing": []}

    def run(self, parts: list[str]) -> None:
        for name in ("host", "models", "layouts", "linear"):
            if name in parts:
                getattr(self, name)()
        summary(self.found)

    def keep(self, part: str, one: object) -> None:
        self.found.setdefault(part, []).append(one)
        self.out.write_text(json.dumps(self.found, indent=1), encoding="utf-8")
        print(part, json.dumps(one)[:300], flush=True)

    def late(self, what: object) -> bool:
        if time.monotonic() < self.ends:
            return False
        self.found["missing"].append(what)
        return True

    def host(self) -> None:
        self.keep("host", overhead())

    def models(self) -> None:
        for name, model, shape in networks():
            if not self.late(name):
                self.keep("models", whole(name, model, shape))

    def layouts(self) -> None:
        for op in ("nn", "nt", "tn", "tt"):
            if not self.late(op):
                self.keep("layouts", measured(Product(2048, 4096, 4096, op), self.device, all_of_them=True))

    def linear(self) -> None:
        for fused in (False, True):
            for shape in LINEAR:
                if not self.late([shape, fused]):
                    self.keep("linear", measured(Product(*shape, fused=fused), self.device, all_of_them=True))


def summary(found: dict[str, object]) -> None:
    """Print mean and least, what is beyond its bound, and what was not reached."""
    rows = found.get("linear", [])
    for fused in (False, True):
        ratios = [row["ratio"] for row in rows if row["fused"] is fused]
        if ratios:
            mean = torch.tensor(ratios).log().mean().exp().item()
            print("fused" if fused else "plain", len(ratios), f"geometric mean {mean:.3f} least {min(ratios):.3f}")
    wrong = [row["shape"] for row in rows + found.get("layouts", []) if max(row["errors"].values()) > 1]
    print("beyond the bound:", wrong or "none", "| not reached:", len(found["missing"]))


if __name__ == "__main__":
    main()
