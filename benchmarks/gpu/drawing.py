"""Random legal calls of every operator on tensors, with their results in float64 and what a right result may be away from them.

A bound is counted from the roundings that PyTorch itself does: one for each step of the unfused sum, and the chain of additions in
float32 (float64 for that type). Calls have any layout: contiguous, offset, rows apart, permuted, every other element, expanded along any
dimension, strides at extents of 1 that mean nothing, views that PyTorch negates when it reads them. Rarely there are more batches or
groups than PyTorch's kernels take at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from math import prod
from random import Random

import torch
from bounds import HALF_ULP, attended, log_sums, summed

DTYPES = tuple(HALF_ULP)
KINDS = ("whole", "whole", "offset", "apart", "permuted", "every other", "expanded", "loose", "negated")
"""How operands lie."""
ACTIVATIONS = ("none", "relu", "gelu", "gelu-tanh", "silu")
EMPTY = 0.04
"""Share of extents that are 0."""
LONG, RARELY = (1 << 15, 1 << 17), 0.02
"""An extent beyond 16 bits, and the share of products that have one."""
CROWDS, GROUPS = (65536, 66000), (1022, 1030)
"""Batches of attention beyond the blocks of a grid's dimension, and groups about the most that PyTorch's product takes; both as rarely."""


@dataclass
class Drawn:
    """A call, what it should give in float64, and by how much each element of it may be off."""

    name: str
    given: tuple[object, ...]
    options: dict[str, object]
    exact: Callable[[], tuple[torch.Tensor, torch.Tensor]]
    """Returns results and bounds."""
    told: dict[str, object] = field(default_factory=dict)


class Drawer:
    """Draws calls of one seed for tensors on one device."""

    def __init__(self, seed: int, device: str, most: int) -> None:
        self.rng, self.device, self.most = Random(seed), device, most
        self.generator = torch.Generator(device=device).manual_seed(seed)

    def draw(self, name: str) -> Drawn:
        """Return a random call of an operator."""
        made: Drawn = getattr(self, name)()
        return made

    def extent(self, most: int = 0, *, least: int = 0) -> int:
        """Return a size: small, round, or any; rarely none."""
        most = most or self.most
        if least == 0 and self.rng.random() < EMPTY:
            return 0
        few = self.rng.choice((1, 2, 3, 5, 7, 16, 17, 31, 33, 64))
        some = self.rng.choice((few, self.rng.randrange(1, most + 1), 8 * self.rng.randrange(1, most // 8 + 2)))
        return max(1, least, min(most, some))

    def numbers(self, shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
        """Return numbers in memory of their own."""
        return torch.randn(shape, device=self.device, generator=self.generator, dtype=torch.float32).to(dtype)

    def view(self, shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
        """Return numbers of a shape, lying in some way."""
        kind = self.rng.choice(KINDS)
        if kind == "offset":
            shift = self.rng.randrange(1, 17)
            return self.numbers((prod(shape) + shift,), dtype)[shift:].view(shape)
        if kind == "apart" and shape:
            wide = self.numbers((*shape[:-1], shape[-1] + self.rng.choice((1, 3, 8))), dtype)
            return wide[..., : shape[-1]]
        if kind == "permuted":
            order = list(range(len(shape)))
            self.rng.shuffle(order)
            return self.numbers(tuple(shape[i] for i in order), dtype).permute(
                [order.index(i) for i in range(len(shape))]
            )
        if kind == "every other" and shape:
            axis = self.rng.randrange(len(shape))
            doubled = tuple(2 * size if i == axis else size for i, size in enumerate(shape))
            return self.numbers(doubled, dtype)[
                tuple(slice(None, None, 2) if i == axis else slice(None) for i in range(len(shape)))
            ]
        if kind == "expanded" and shape:
            axis = self.rng.choice((0, self.rng.randrange(len(shape))))
            return self.numbers(tuple(1 if i == axis else size for i, size in enumerate(shape)), dtype).expand(shape)
        made = self.numbers(shape, dtype)
        if kind == "loose":  # an extent of 1 may have any stride
            steps = [
                self.rng.choice((0, 1, 3, 8, step)) if size == 1 else step
                for size, step in zip(shape, made.stride(), strict=True)
            ]
            return made.as_strided(shape, steps)
        return torch._neg_view(made) if kind == "negated" else made  # noqa: SLF001 - what parts of conjugated complex numbers are

    def eight(self, shape: tuple[int, ...]) -> torch.Tensor:
        """Return 8-bit floats of a shape, as often as not lying in some way; they have no negative views."""
        made = self.view(shape, torch.float8_e4m3fn) if self.rng.random() < 0.5 else None
        return self.numbers(shape, torch.float8_e4m3fn) if made is None or made.is_neg() else made

    def again(self, x: torch.Tensor) -> torch.Tensor:
        """Return the same numbers, as often as not lying in another way: from an odd place on, or apart."""
        kind = self.rng.choice(("whole", "whole", "offset", "apart"))
        if kind == "whole" or not x.dim():
            return x
        if kind == "offset":
            made = x.new_zeros(x.numel() + 3)[3:].view(x.shape)
        else:
            made = x.new_zeros((*x.shape[:-1], 2 * x.shape[-1]))[..., ::2]
        return made.copy_(x)

    def factors(self, size: int, shape: tuple[int, ...]) -> torch.Tensor:
        """Return positive factors: one of any number of dimensions, or as many as rows or columns."""
        shape = shape if size > 1 else (1,) * self.rng.randrange(4)
        return self.again(self.numbers(shape, torch.float32).abs())

    def maybe(self, made: Callable[[], torch.Tensor]) -> torch.Tensor | None:
        return made() if self.rng.random() < 0.5 else None

    # --- products -------------------------------------------------------------------------------------------------------

    def gemm(self) -> Drawn:
        dtype, (m, n, k) = self.rng.choice(DTYPES), self.products()
        flips = self.rng.random() < 0.3, self.rng.random() < 0.3
        a = self.view((k, m) if flips[0] else (m, k), dtype)
        b = self.view((n, k) if flips[1] else (k, n), dtype)
        alpha, beta = self.rng.choice((1.0, 1.0, 1.0, 0.0, 0.5, -2.0)), self.rng.choice((0.0, 0.0, 1.0, -0.5))
        c = self.view((m, n), dtype) if beta else None
        bias, activation = self.maybe(lambda: self.view((n,), dtype)), self.rng.choice(ACTIVATIONS)
        options = {"alpha": alpha, "beta": beta, "c": c, "transpose_a": flips[0], "transpose_b": flips[1],
                   "bias": bias, "activation": activation}  # fmt: skip
        if self.rng.random() < 0.15:
            options["out"] = self.view((m, n), dtype) if self.rng.random() < 0.3 else self.numbers((m, n), dtype)
            options["out"] = options["out"] if min(options["out"].stride(), default=1) else options["out"].clone()

        def exact():
            left, right = (x.double().t() if flip else x.double() for x, flip in zip((a, b), flips, strict=True))
            parts = [alpha * (left @ right)]
            parts += [] if c is None else [beta * c.double()]
            parts += [] if bias is None else [bias.double().expand(m, n)]
            return summed(parts, abs(alpha) * (left.abs() @ right.abs()), k, dtype, activation)

        return Drawn("gemm", (a, b), options, exact, {"m": m, "n": n, "k": k})

    def products(self) -> tuple[int, ...]:
        """Return rows, columns and depth of a product; rarely one of them is long, and the others are not."""
        if self.rng.random() >= RARELY:
            return self.extent(), self.extent(), self.extent()
        sizes = [self.extent(24, least=1), self.extent(24, least=1), self.rng.randrange(*LONG)]
        self.rng.shuffle(sizes)
        return tuple(sizes)

    def gemm_batched(self) -> Drawn:
        dtype, (m, n, k) = self.rng.choice(DTYPES), (self.extent(self.most // 4) for _ in range(3))
        batch = self.extent(9)
        shared = self.rng.choice(("", "", "a", "b")) if batch else ""
        a = self.view((1 if shared == "a" else batch, m, k), dtype)
        b = self.view((1 if shared == "b" else batch, k, n), dtype)
        bias, residual = (
            self.maybe(lambda: self.view((batch, n), dtype)),
            self.maybe(lambda: self.view((batch, m, n), dtype)),
        )
        activation = self.rng.choice(ACTIVATIONS)

        def exact():
            parts = [torch.matmul(a.double(), b.double())]
            parts += [] if bias is None else [bias.double()[:, None].expand(batch, m, n)]
            return summed(parts, torch.matmul(a.double().abs(), b.double().abs()), k, dtype, activation, residual)

        options = {"bias": bias, "residual": residual, "activation": activation}
        if shared and self.rng.random() < 0.5:  # a matrix without a batch
            a, b = (a[0], b) if shared == "a" else (a, b[0])
        return Drawn("gemm_batched", (a, b), options, exact, {"batch": batch, "m": m, "n": n, "k": k})

    def gemm_grouped(self) -> Drawn:
        dtype, rows, groups = (
            self.rng.choice(DTYPES),
            self.extent(),
            self.rng.choice((self.rng.randrange(1, 9), self.rng.randrange(1, 65))),
        )
        n, k = self.extent(self.most // 4), self.extent(self.most // 4)
        if self.rng.random() < RARELY:
            groups, n, k = self.rng.randrange(*GROUPS), min(n, 32), min(k, 32)
        bounds = [0, *sorted(self.rng.randrange(rows + 1) for _ in range(groups - 1)), rows]
        ends = self.again(torch.tensor(bounds[1:], dtype=torch.int32, device=self.device))
        a, b = self.view((rows, k), dtype), self.view((groups, k, n), dtype)
        bias, residual = (
            self.maybe(lambda: self.view((groups, n), dtype)),
            self.maybe(lambda: self.view((rows, n), dtype)),
        )
        activation = self.rng.choice(ACTIVATIONS)

        def exact():
            whole, size, added = (torch.zeros(rows, n, dtype=torch.float64, device=self.device) for _ in range(3))
            for i, (first, last) in enumerate(pairwise(bounds)):
                whole[first:last] = a[first:last].double() @ b[i].double()
                size[first:last] = a[first:last].double().abs() @ b[i].double().abs()
                added[first:last] = 0 if bias is None else bias[i].double()
            return summed([whole] if bias is None else [whole, added], size, k, dtype, activation, residual)

        options = {"bias": bias, "residual": residual, "activation": activation}
        return Drawn("gemm_grouped", (a, b, ends), options, exact, {"rows": rows, "groups": groups, "n": n, "k": k})

    def gemm_fp8(self) -> Drawn:
        dtype = self.rng.choice((torch.bfloat16, torch.float16, torch.float32))
        m, n, k = self.extent(), self.extent(), self.extent()
        a, b = self.eight((m, k)), self.eight((n, k)).t()
        b = b.contiguous() if self.rng.random() < 0.2 else b
        rows, columns = self.rng.random() < 0.5, self.rng.random() < 0.5
        scale_a, scale_b = self.factors(m if rows else 1, (m, 1)), self.factors(n if columns else 1, (1, n))
        bias, activation = self.maybe(lambda: self.view((n,), dtype)), self.rng.choice(ACTIVATIONS)
        fast = self.rng.random() < 0.5

        def exact():
            left, right = a.double(), b.double()
            factor = _broad(scale_a.double()) * _broad(scale_b.double())
            parts, size = [(left @ right) * factor], (left.abs() @ right.abs()) * factor
            parts += [] if bias is None else [bias.double().expand(m, n)]
            wanted, bound = summed(parts, size, k, dtype, activation)
            return wanted, bound + size * (2.0**-9 if fast else 2.0**-12)

        options = {"bias": bias, "activation": activation, "dtype": dtype, "fast_accum": fast}
        return Drawn("gemm_fp8", (a, b, scale_a, scale_b), options, exact, {"m": m, "n": n, "k": k})

    def gemm_int4(self) -> Drawn:
        from hotloop.kernels.gemm_int4.tensors import pack_int4, widened

        dtype = self.rng.choice((torch.bfloat16, torch.float16))
        m, n, k = self.extent(), 64 * self.rng.randrange(1, 7), 128 * self.rng.randrange(1, 5)
        a = self.view((m, k), dtype)
        stored, scales = map(self.again, pack_int4(self.numbers((k, n), dtype)))
        bias, activation = self.maybe(lambda: self.view((n,), dtype)), self.rng.choice(ACTIVATIONS)

        def exact():
            weight = widened(stored, scales.double())
            parts = [a.double() @ weight, *([] if bias is None else [bias.double().expand(m, n)])]
            size = a.double().abs() @ weight.abs()
            wanted, bound = summed(parts, size, k, dtype, activation)
            return wanted, bound + size * HALF_ULP[dtype]  # PyTorch rounds the widened weights

        return Drawn(
            "gemm_int4", (a, stored, scales), {"bias": bias, "activation": activation}, exact, {"m": m, "n": n, "k": k}
        )

    # --- attention ------------------------------------------------------------------------------------------------------

    def attention(self) -> Drawn:
        dtype, batch, kv = self.rng.choice(DTYPES), self.extent(3), self.rng.randrange(1, 4)
        heads = kv * self.rng.choice((1, 1, 2, 4))
        queries, keys = self.extent(self.most // 2), self.extent(self.most // 2, least=int(self.rng.random() > EMPTY))
        size = self.rng.choice((32, 64, 80, 96, 128, 256, 8 * self.rng.randrange(1, 33), self.rng.randrange(1, 257)))
        if self.rng.random() < RARELY:
            batch, queries, keys, size = self.rng.randrange(*CROWDS), min(queries, 5), min(keys, 5), min(size, 40)
        q, k, v = (self.view((batch, h, rows, size), dtype) for h, rows in ((heads, queries), (kv, keys), (kv, keys)))
        options = {
            "causal": self.rng.random() < 0.5, "scale": self.rng.choice((None, None, 0.1, 1 / size)),
            "window": self.rng.choice((0, 0, 1, self.extent(keys, least=1), keys + queries + 3)), "shift": self.rng.choice((0, 0, keys - queries)),
        }  # fmt: skip
        options |= {"return_lse": True} if self.rng.random() < 0.15 else {}

        def exact():
            scale = options["scale"] or size**-0.5
            place = torch.arange(queries, device=self.device)[:, None] + options["shift"]
            key = torch.arange(keys, device=self.device)[None]
            seen = torch.ones(queries, keys, dtype=torch.bool, device=self.device)
            seen = seen & (key <= place) if options["causal"] else seen
            if options["window"]:
                seen = seen & ((key - place).abs() < options["window"])
            wide = [x.double().repeat_interleave(heads // kv, 1) for x in (k, v)]
            made = attended(q.double(), *wide, scale, seen, dtype)
            return (made, log_sums(q.double(), wide[0], scale, seen, dtype)) if options.get("return_lse") else made

        return Drawn("attention", (q, k, v), options, exact, {"sizes": (batch, heads, kv, queries, keys, size)})

    def attention_packed(self) -> Drawn:
        dtype, kv, sequences = self.rng.choice(DTYPES), self.rng.randrange(1, 3), self.rng.randrange(1, 6)
        heads, size = kv * self.rng.choice((1, 2, 4)), self.rng.choice((32, 64, 80, 128, 8 * self.rng.randrange(1, 33)))
        own, causal = self.rng.random() < 0.4, self.rng.random() < 0.5
        bounds_q = self.starts(sequences)
        bounds_k = self.starts(sequences) if own else bounds_q
        q = self.view((bounds_q[-1], heads, size), dtype)
        k, v = (self.view((bounds_k[-1], kv, size), dtype) for _ in range(2))
        starts = [self.again(torch.tensor(one, dtype=torch.int32, device=self.device)) for one in (bounds_q, bounds_k)]
        options = {"causal": causal, "scale": self.rng.choice((None, 0.2))}
        if self.rng.random() < 0.5:
            longest = [max(last - first for first, last in pairwise(one)) for one in (bounds_q, bounds_k)]
            options |= {"longest_q": longest[0], "longest_k": longest[1]}

        def exact():
            made, bounds = [], []
            for (first, last), (begin, end) in zip(pairwise(bounds_q), pairwise(bounds_k), strict=True):
                wide = [x[begin:end].double().transpose(0, 1).repeat_interleave(heads // kv, 0) for x in (k, v)]
                place = torch.arange(last - first, device=self.device)[:, None] + (end - begin) - (last - first)
                key = torch.arange(end - begin, device=self.device)[None]
                seen = key <= place if causal else torch.ones_like(key <= place)
                part, bound = attended(
                    q[first:last].double().transpose(0, 1), *wide, options["scale"] or size**-0.5, seen, dtype
                )
                made.append(part.transpose(0, 1)), bounds.append(bound.transpose(0, 1))
            return torch.cat(made), torch.cat(bounds)

        given = (q, k, v, starts[0], starts[1] if own else None)
        return Drawn(
            "attention_packed", given, options, exact, {"starts": (bounds_q, bounds_k), "heads": (heads, kv, size)}
        )

    def starts(self, sequences: int) -> list[int]:
        """Return where sequences begin, and the end of the last; at least one has a row."""
        made = [0]
        for _ in range(sequences):
            made.append(made[-1] + self.extent(self.most // 4))
        return made if made[-1] else [*made[:-1], 1]

    # --- the others -----------------------------------------------------------------------------------------------------

    def softmax(self) -> Drawn:
        dtype = self.rng.choice(DTYPES)
        rank = self.rng.choice((1, 2, 3, 3, 4, 5))
        most = (3, 3, 5 if rank > 3 else 40, self.rng.choice((5, 40)), self.rng.choice((5, 40, 4 * self.most)))
        shape = tuple(self.extent(extent) for extent in most)[-rank:]
        x, dim = self.view(shape, dtype), self.rng.choice((-1, -1, self.rng.randrange(-len(shape), len(shape))))

        def exact():
            wanted = x.double().softmax(dim)
            return wanted, (2 * HALF_ULP[dtype] + (2.0**-18 if dtype != torch.float64 else 2.0**-48)) * wanted + (
                1e-7 if dtype != torch.float64 else 1e-300
            )

        return Drawn("softmax", (x, dim), {}, exact, {"shape": shape})

    def depthwise_conv3d(self) -> Drawn:
        dtype, n, channels = (
            self.rng.choice(DTYPES),
            self.extent(2),
            self.rng.choice((1, 3, 8, 16, 24, self.rng.randrange(1, 33))),
        )
        window = tuple(self.rng.choice((1, 2, 3, 3, 3, 4, 5, 7)) for _ in range(3))
        dense = self.rng.random() < 0.6
        stride, dilation = (tuple(1 if dense else self.rng.choice((1, 1, 2, 3, 6)) for _ in range(3)) for _ in range(2))
        padding = tuple(self.rng.choice((0, extent // 2, extent // 2, 1, extent + 1)) for extent in window)
        if self.rng.random() < 0.1:  # one number for all three
            stride, dilation, padding = (one[:1] * 3 for one in (stride, dilation, padding))
        size = tuple(
            max(far * (taps - 1) + 1 - 2 * pad, self.extent(most, least=int(pad == 0)))
            for far, taps, pad, most in zip(dilation, window, padding, (8, 40, 50), strict=True)
        )
        multiplier = self.rng.choice((1, 1, 1, 2, 3))
        if self.rng.random() < 0.4:
            x = self.numbers((n, channels, *size), dtype).contiguous(memory_format=torch.channels_last_3d)
        else:
            x = self.view((n, channels, *size), dtype)
        weight = self.view((channels * multiplier, 1, *window), dtype)
        bias = self.maybe(lambda: self.view((channels * multiplier,), dtype))
        options = {"stride": stride, "padding": padding, "dilation": dilation}
        if self.rng.random() < 0.5:
            options = {name: three[0] if len(set(three)) == 1 else three for name, three in options.items()}

        def exact():
            # Copies whose strides are the usual ones also where an extent is 1: PyTorch takes others for another layout.
            wide = [None if extent is None else torch.empty(extent.shape, dtype=torch.float64, device=extent.device).copy_(extent)
                    for extent in (x, weight, bias)]  # fmt: skip
            sides = [padding[i // 2] for i in (4, 5, 2, 3, 0, 1)]
            padded = torch.nn.functional.pad(wide[0], sides)  # PyTorch refuses a volume without an element
            steps = {"stride": stride, "dilation": dilation, "groups": channels}
            plain = torch.nn.functional.conv3d(padded, wide[1], None, **steps)
            size = torch.nn.functional.conv3d(padded.abs(), wide[1].abs(), None, **steps)
            parts = [plain, *([] if bias is None else [wide[2][None, :, None, None, None].expand(plain.shape)])]
            return summed(parts, size, prod(window), dtype, "none")

        return Drawn(
            "depthwise_conv3d", (x, weight, bias), options, exact, {"x": tuple(x.shape), "window": window, **options}
        )


def _broad(scale: torch.Tensor) -> torch.Tensor:
    """Return factors that leave a matrix a matrix."""
    return scale.reshape(()) if scale.numel() == 1 else scale


OPERATORS = (
    "gemm", "gemm_batched", "gemm_grouped", "gemm_fp8", "gemm_int4", "attention", "attention_packed", "softmax", "depthwise_conv3d",
)  # fmt: skip
