"""A stack of gated linear attention reads prompts and writes tokens after them, with flash-linear-attention's kernels.

    python inference.py [--prompts 30] [--written 64] [--layers 6] [--width 1024] [--length 8192] [--batch 4] [--words 32000]

A prompt is read in chunks, with the state kept; tokens are then written one at a time from the state. Prints a sum of the last scores and the
seconds of the prompts behind the first one. With TRITON_INTERPRET=1 it runs on the CPU.
"""

from __future__ import annotations

import argparse
import os
import time

import torch
from fla.modules import FusedRMSNormGated, RMSNorm
from fla.modules.activations import swiglu
from fla.ops.gla import chunk_gla, fused_recurrent_gla

GPU = "cpu" if os.environ.get("TRITON_INTERPRET") == "1" else "cuda"


class Layer(torch.nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads, self.before, self.between = heads, RMSNorm(width), RMSNorm(width)
        self.given = torch.nn.Linear(width, 5 * width, bias=False)
        self.gated, self.out = FusedRMSNormGated(width // heads), torch.nn.Linear(width, width, bias=False)
        self.gates, self.down = (
            torch.nn.Linear(width, 8 * width, bias=False),
            torch.nn.Linear(4 * width, width, bias=False),
        )

    def forward(self, x, state):
        batch, length, width = x.shape
        q, k, v, decay, gate = (
            one.reshape(batch, length, self.heads, -1) for one in self.given(self.before(x)).chunk(5, -1)
        )
        decay = torch.nn.functional.logsigmoid(decay.float()) / 16
        attend = chunk_gla if length > 1 else fused_recurrent_gla
        mixed, state = attend(q, k, v, decay, initial_state=state, output_final_state=True)
        x = x + self.out(self.gated(mixed, gate.contiguous()).reshape(batch, length, width))
        first, second = self.gates(self.between(x)).chunk(2, -1)
        return x + self.down(swiglu(first, second)), state


class Model(torch.nn.Module):
    def __init__(self, words, width, layers, heads):
        super().__init__()
        self.words, self.head = torch.nn.Embedding(words, width), torch.nn.Linear(width, words, bias=False)
        self.layers, self.last = torch.nn.ModuleList(Layer(width, heads) for _ in range(layers)), RMSNorm(width)

    def forward(self, tokens, states):
        x, after = self.words(tokens), []
        for layer, state in zip(self.layers, states, strict=True):
            x, kept = layer(x, state)
            after.append(kept)
        return self.head(self.last(x[:, -1:])), after


@torch.inference_mode()
def read_and_write(model, prompt, written):
    """Return the scores after the last token."""
    scores, states = model(prompt, [None] * len(model.layers))
    for _ in range(written):
        scores, states = model(scores.argmax(-1), states)
    return scores


def main():
    asked = argparse.ArgumentParser(description=__doc__)
    sizes = {
        "prompts": 30,
        "written": 64,
        "layers": 6,
        "width": 1024,
        "length": 8192,
        "batch": 4,
        "words": 32000,
        "head": 128,
    }
    for name, value in sizes.items():
        asked.add_argument(f"--{name}", type=int, default=value)
    given = asked.parse_args()
    torch.manual_seed(0)
    dtype = torch.float32 if GPU == "cpu" else torch.bfloat16
    model = Model(given.words, given.width, given.layers, given.width // given.head).to(GPU, dtype)
    prompts = torch.randint(given.words, (8, given.batch, given.length), device=GPU)
    total = read_and_write(model, prompts[0], given.written).float().abs().mean()
    _, began = total.item(), time.perf_counter()
    for number in range(1, given.prompts):
        total = total + read_and_write(model, prompts[number % 8], given.written).float().abs().mean()
    print(f"result {total.item() / given.prompts:.6g}, {time.perf_counter() - began:.4f} s")


if __name__ == "__main__":
    main()
