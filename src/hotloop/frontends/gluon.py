"""Gluon kernels for AMD and NVIDIA GPUs, through Triton's own compiler; nothing is launched."""

from __future__ import annotations

from hotloop.compilers import jit as _jit
from hotloop.compilers.offer import Request, Result
from hotloop.targets.target import Target


class GluonCompiler:
    """Compiles a function of a Python file."""

    name = "gluon"
    suffixes = (".py", ".glir")

    def refusal(self, target: Target) -> str:
        """Return why Triton cannot reach a target, or an empty text."""
        return _jit.refusal(target)

    def compile(self, request: Request) -> Result:
        """Compile; Triton and Gluon run in a child process of their own."""
        return _jit.compile_(request, self.name)


COMPILER = GluonCompiler()
