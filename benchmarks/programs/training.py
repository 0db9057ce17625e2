"""A small transformer learns next tokens of made-up text, with Liger's kernels for norms, rotations, gates and the loss.

    python training.py [--steps 200] [--layers 4] [--width 1024] [--length 2048] [--batch 8] [--words 32000]

Prints the mean of the last losses and the seconds of the steps behind the first ten. With TRITON_INTERPRET=1 it runs on the CPU.
"""

from __future__ import annotations

import argparse
import os
import time

import torch
from liger_kernel.ops.cross_entropy import LigerCrossEntropyFunction
from liger_kernel.ops.rms_norm import LigerRMSNormFunction
from liger_kernel.ops.rope import LigerRopeFunction
from liger_kernel.ops.swiglu import LigerSiLUMulFunction

GPU = "cpu" if os.environ.get("TRITON_INTERPRET") == "1" else "cuda"
_WARM, _LAST = 10, 20


class Norm(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(width))

    def forward(self, x):
        return LigerRMSNormFunction.apply(x, self.weight, 1e-6, 0.0, "llama", False)


class Block(torch.nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads, self.before, self.between = heads, Norm(width), Norm(width)
        self.attend, self.out = torch.nn.Linear(width, 3 * width, bias=False), torch.nn.Linear(width, width, bias=False)
        self.gates, self.down = (
            torch.nn.Linear(width, 8 * width, bias=False),
            torch.nn.Linear(4 * width, width, bias=False),
        )

    def forward(self, x, turn):
        batch, length, width = x.shape
        q, k, v = (
            part.view(batch, length, self.heads, -1).transpose(1, 2)
            for part in self.attend(self.before(x)).chunk(3, -1)
        )
        q, k = LigerRopeFunction.apply(q, k, *turn)
        mixed = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(mixed.transpose(1, 2).reshape(batch, length, width))
        gate, up = self.gates(self.between(x)).chunk(2, -1)
        return x + self.down(LigerSiLUMulFunction.apply(gate.contiguous(), up.contiguous()))


class Model(torch.nn.Module):
    def __init__(self, words, width, layers, heads):
        super().__init__()
        self.words = torch.nn.Embedding(words, width)
        self.blocks = torch.nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.last, self.head = Norm(width), torch.nn.Linear(width, words, bias=False)

    def forward(self, tokens, turn):
        x = self.words(tokens)
        for block in self.blocks:
            x = block(x, turn)
        return self.head(self.last(x))


def turns(length, size, dtype):
    """Return cosines and sines of each place, for heads of a size."""
    rate = 10_000.0 ** (-torch.arange(0, size, 2, device=GPU) / size)
    angle = torch.arange(length, device=GPU)[:, None] * rate
    both = torch.cat((angle, angle), -1)[None]
    return both.cos().to(dtype), both.sin().to(dtype)


def step(model, chooser, tokens, turn):
    logits = model(tokens[:, :-1], turn)
    flat, targets = logits.reshape(-1, logits.shape[-1]), tokens[:, 1:].reshape(-1)
    loss = LigerCrossEntropyFunction.apply(flat, targets, None, -100)[0]
    loss.backward()
    chooser.step()
    chooser.zero_grad(set_to_none=True)
    return loss.detach()


def main():
    asked = argparse.ArgumentParser(description=__doc__)
    for name, value in {
        "steps": 200,
        "layers": 4,
        "width": 1024,
        "length": 2048,
        "batch": 8,
        "words": 32000,
        "head": 64,
    }.items():
        asked.add_argument(f"--{name}", type=int, default=value)
    given = asked.parse_args()
    torch.manual_seed(0)
    dtype = torch.float32 if GPU == "cpu" else torch.bfloat16
    model = Model(given.words, given.width, given.layers, given.width // given.head).to(GPU, dtype)
    chooser = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=GPU == "cuda")
    turn, losses, began = turns(given.length, given.head, dtype), [], 0.0
    text = torch.randint(given.words, (16, given.batch, given.length + 1), device=GPU)
    for number in range(given.steps):
        if number == min(_WARM, given.steps - 1):
            _ = losses and losses[-1].item()
            began = time.perf_counter()
        losses.append(step(model, chooser, text[number % 16], turn))
    told = torch.stack(losses[-_LAST:]).float().mean().item()
    print(f"result {told:.6g}, {time.perf_counter() - began:.4f} s")


if __name__ == "__main__":
    main()
