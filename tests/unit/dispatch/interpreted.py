"""Run the operators' Triton kernels in Triton's interpreter and print each case's error over its bound as JSON.

A process of its own, for which `interpreter` in tests/unit is importable. bfloat16 products are left out: the interpreter
multiplies their bit patterns.
"""

from __future__ import annotations

import json
from dataclasses import replace

import interpreter
import torch
from interpreter import FINISH, ROUNDING, WRONG, on

from hotloop import ops
from hotloop.dispatch import place, remembered
from hotloop.dispatch.choice import Candidate, Origin
from hotloop.errors import HotloopError
from hotloop.kernels.attention import choosing as attending
from hotloop.kernels.attention import pytorch as peers
from hotloop.kernels.gemm import KERNEL, products
from hotloop.kernels.gemm.problem import DEFAULT
from hotloop.kernels.gemm.triton.space import START
from hotloop.model.space import Config

HOPPER, OTHER = interpreter.gpu("sm_90"), interpreter.gpu("sm_86", 101376)
FOUND = {}


def winner(kind: str, **values: int) -> None:
    """Let the store have one winner, whatever the shape."""
    config = KERNEL.implementation(kind).start.replace(BM=16, BN=32, BK=32, num_stages=2).replace(**values)

    def winners(_family: str, _device: object) -> place.Winners:
        sizes = products.Product(64, 64, 64, "float16", "none").problem.sizes
        won = Candidate(origin=Origin.STORE, implementation=kind, config=config, sizes=sizes, source="store")
        return place.Winners((won,))

    place.winners = winners
    remembered.forget()


def judge(name: str, ran: str, found: torch.Tensor, wanted: torch.Tensor, slack: torch.Tensor | float) -> None:
    error = interpreter.error(found, wanted, slack)
    FOUND[name] = {"ran": ran, "error": error, "form": [list(found.shape), list(found.stride())]}


def product(
    name: str, m: int, n: int, k: int, *, function: str = "none", with_bias: bool = False, row: int = 0, op: str = "nn"
) -> None:
    a = torch.randn(m, row or k).half()[:, :k] if op[0] == "n" else torch.randn(k, row or m).half()[:, :m].t()
    b = torch.randn(k, n).half() if op[1] == "n" else torch.randn(n, k + 24).half()[:, 8 : k + 8].t()
    bias = torch.randn(n).half() if with_bias else None
    options = {"bias": bias, "activation": function}
    found = ops.gemm(a, b, **options)
    total, size = a.double() @ b.double(), a.double().abs() @ b.double().abs()
    total = total if bias is None else total + bias.double()
    ran = ops.explain_choice("gemm", a, b, **options).implementation
    judge(name, ran, found, FINISH[function](total), 4e-6 * size + 1e-6)


def gemms() -> None:
    place.winners = lambda _family, _device: place.Winners()
    on(OTHER)
    product("gemm default", 130, 72, 136)
    product("gemm default, padded rows", 33, 64, 40, function="relu", row=48)
    winner("persistent", BM=32, BN=64, GROUP=2, HALVES=1, FLATTEN=1, RESIDENT=2)
    for function in ("none", "relu", "gelu", "silu"):
        product(f"gemm halves {function}", 50, 72, 64, function=function, with_bias=True)
    for op in ("nt", "tn", "tt"):  # columns begin within rows, as in a weight that holds several
        product(
            f"gemm persistent {op}", 56, 72, 88, op=op, function="silu", with_bias=True, row=64 if op[0] == "t" else 96
        )
    winner("split")
    product("gemm one slice", 1, 64, 72, with_bias=True)
    product("gemm one slice nt", 33, 64, 72, op="nt", with_bias=True, function="gelu")
    winner("split", SPLITS=2)
    product("gemm two slices tt", 40, 64, 200, op="tt")
    winner("split", GROUP=4, SPLITS=4)
    product("gemm four slices", 33, 40, 200, function="gelu", with_bias=True)
    product("gemm more slices than steps", 20, 40, 32)
    tiles()
    on(replace(HOPPER, runtime_key="interpreter"))  # which knows no launches that begin early
    place.winners = lambda _family, _device: place.Winners()
    product("gemm table", 1, 2048, 2048)


def tiles() -> None:
    """The family's own program, which takes every layout, type and factor, as a winner of the store."""
    for changes in ({}, {"SPLITS": 4}, {"PATH": "descriptors", "PERSISTENT": 1, "GROUP": 4}):
        config = START.replace(BM=16, BN=32, **changes)
        for dtype, (m, n, k), op, alpha, beta, function in (
            (torch.float16, (33, 40, 72), "nt", 1.0, 0.0, "gelu-tanh"),
            (torch.float16, (20, 48, 64), "tn", 0.5, 2.0, "relu"),
            (torch.float32, (17, 24, 40), "tt", 1.0, 0.0, "none"),
            (torch.float32, (1, 32, 64), "nn", 2.0, 1.0, "silu"),
        ):
            name = str(dtype).removeprefix("torch.")
            sizes = DEFAULT.replace(m=m, n=n, k=k, dtype=name, op=op, beta=beta).sizes
            won = Candidate(origin=Origin.STORE, implementation="triton", config=config, sizes=sizes, source="store")
            place.winners = lambda _family, _device, won=won: place.Winners((won,))
            on(HOPPER)
            a = torch.randn((k, m) if op[0] == "t" else (m, k)).to(dtype)
            b = torch.randn((n, k) if op[1] == "t" else (k, n)).to(dtype)
            c, bias = torch.randn(m, n).to(dtype), torch.randn(n).to(dtype)
            options = {
                "alpha": alpha, "beta": beta, "c": c, "bias": bias, "activation": function,
                "transpose_a": op[0] == "t", "transpose_b": op[1] == "t",
            }  # fmt: skip
            kept = c.clone()
            found = ops.gemm(a, b, **options)
            left, right = (
                x.double().t() if letter == "t" else x.double() for x, letter in zip((a, b), op, strict=True)
            )
            total = alpha * (left @ right) + beta * c.double() + bias.double()
            size = alpha * (left.abs() @ right.abs()) + beta * c.double().abs() + bias.double().abs()
            ran = ops.explain_choice("gemm", a, b, **options).implementation if torch.equal(c, kept) else "wrote c"
            judge(f"tile {changes} {name} {op} {function}", ran, found, FINISH[function](total), 4e-6 * size)


def attentions() -> None:
    on(OTHER)
    attending._start = lambda size: Candidate(  # the default's tiles take the interpreter seconds
        origin=Origin.START, implementation="triton", sizes=Config(), source="small tiles",
        config=Config(rows=32, keys=32, warps=4, stages=1, keep=1, exit=1),
    )  # fmt: skip
    for name, heads, kv_heads, length_q, length_k, causal, scale, turned in (
        ("attention", 2, 2, 40, 70, False, None, False),
        ("attention causal grouped", 4, 2, 65, 65, True, None, False),
        ("attention causal, more keys, scaled", 2, 1, 33, 50, True, 0.3, True),
    ):

        def draw(count: int, length: int, turned: bool = turned) -> torch.Tensor:
            made = torch.randn(2, length, count, 64) if turned else torch.randn(2, count, length, 64)
            return (made.transpose(1, 2) if turned else made).half()

        q, k, v = draw(heads, length_q), draw(kv_heads, length_k), draw(kv_heads, length_k)
        found = ops.attention(q, k, v, causal=causal, scale=scale)
        wide = torch.nn.functional.scaled_dot_product_attention(
            q.double(), k.double(), v.double(), is_causal=causal, scale=scale, enable_gqa=True
        )
        ran = ops.explain_choice("attention", q, k, v, causal=causal, scale=scale).implementation
        judge(name, ran, found, wide, 2e-3)
        FOUND[name]["promised"] = [list(q.shape), list(torch.empty_like(q).stride())]
        again, sums = ops.attention(q, k, v, causal=causal, scale=scale, return_lse=True)
        exact = peers.log_sums(
            q.double(), k.double(), peers.Mask(q.shape[2], k.shape[2], causal, 0, 0, q.device), scale=scale
        )
        judge(f"sums of {name}", ran if torch.equal(again, found) else "another", sums, exact, 1e-5)


def softmaxes() -> None:
    on(OTHER)
    for dtype in ROUNDING:
        for shape in ((3, 4, 17), (5, 128), (2, 1)):
            x = torch.randn(shape).to(dtype) * 4
            found = ops.softmax(x)
            ran = ops.explain_choice("softmax", x).implementation
            judge(f"softmax {tuple(shape)} {dtype}", ran, found, x.double().softmax(-1), 1e-6)
    lost = torch.tensor([[1.0, float("nan")], [float("-inf"), 0.0]])
    judge("softmax of minus infinity", "triton", ops.softmax(lost)[1:], lost[1:].double().softmax(-1), 0.0)
    FOUND["softmax of a NaN"] = {"ran": "triton", "error": 0.0 if bool(ops.softmax(lost)[0].isnan().all()) else WRONG}


def main() -> None:
    torch.manual_seed(5)
    for part in (gemms, attentions, softmaxes):
        try:
            part()
        except HotloopError as error:
            FOUND[part.__name__] = {"ran": str(error), "error": WRONG}
    print(json.dumps(FOUND))


if __name__ == "__main__":
    main()
