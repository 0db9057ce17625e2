"""A child that knows one operator, whose kernels end well, raise, or end the process; see test_apart."""

from __future__ import annotations

import os
import socket
import sys
import time
from types import SimpleNamespace
from typing import NamedTuple

import torch

from hotloop.dispatch.operator import Operator
from hotloop.model.space import Config
from hotloop.ops import apart


class Call(NamedTuple):
    x: torch.Tensor
    ends: torch.Tensor
    scale: float


class Planted(Operator):
    arguments = Call
    operands = 2

    def check(self, call): ...

    def described(self, call, *, gradient): ...

    def choose(self, described, like):
        return choice("fine")

    def alternatives(self, described, like):
        return tuple(map(choice, ("fault", "raise", "endless")))

    def program(self, call, choice): ...

    def arrays(self, call, made): ...

    def own(self, call): ...

    def fake(self, call): ...

    def function(self, described): ...

    def run(self, call, answer, made=None):
        kind = answer.choice.implementation
        if kind == "fault":
            os.abort()
        if kind == "endless":
            time.sleep(600)
        if kind == "raise":
            raise RuntimeError("no such tile\nand more")
        assert (call.x.shape, call.x.stride(), call.x.dtype) == ((3, 4), (8, 2), torch.bfloat16)
        assert call.x.data_ptr() % 256 == 2 * 5
        assert call.ends.tolist() == [2, 3]
        assert call.scale == 0.5


def choice(kind):
    return SimpleNamespace(implementation=kind, config=Config(tile=4))


PLANTED = Planted("planted_apart", "(Tensor x, Tensor ends, float scale) -> Tensor")

if __name__ == "__main__":
    apart.serve(socket.socket(fileno=int(sys.argv[1])))
