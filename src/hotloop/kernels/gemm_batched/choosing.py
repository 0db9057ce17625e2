"""Which kernel computes products of a batch of tensors: PyTorch's until `ops.warm` measured; needs no PyTorch."""

from __future__ import annotations

from dataclasses import dataclass

from hotloop.dispatch.choice import Candidate, Choice, Origin
from hotloop.dispatch.select import Asked, own, select
from hotloop.kernels._jit import LEAST_CAPABILITY
from hotloop.kernels.gemm_batched import foreseen
from hotloop.kernels.gemm_batched.problem import ELEMENT_BYTES, FAMILY, Form
from hotloop.kernels.gemm_batched.triton import plan
from hotloop.model.device import Device
from hotloop.model.problem import Problem
from hotloop.model.record import Record
from hotloop.model.space import Config
from hotloop.targets.target import Target

TRITON = "triton"
GROUPED, BATCHED = "torch.nn.functional.grouped_mm, or a product for each group,", "torch.bmm"
_UNKNOWN = "nobody has measured hotloop's kernel at this form of call; ops.warm does, once"
_GUESS = "the Triton kernel for products of a batch, of whose speed here nobody knows"
GLANCED = 3
"""Kernels that a first call tries."""
_MOST = 4
"""Foreseen tiles that are worth measuring."""
_FEW = 32
"""Rows of a product up to which tiles are low and memory sets the pace."""


@dataclass(frozen=True, slots=True)
class Products:
    """One call, as far as it decides what runs."""

    form: Form
    steps: plan.Steps
    """How the operands lie."""
    fast32: bool = False
    """PyTorch's flag lets float32 be multiplied as TF32."""
    obstacle: str = ""
    """Why no kernel can take the operands; empty when one can."""

    @property
    def problem(self) -> Problem:
        """Return the sizes in the family's words."""
        form = self.form
        text = ("bias" if form.activation == "none" else f"bias-{form.activation}") if form.bias else form.activation
        return Problem(
            FAMILY,
            Record(
                batch=form.batch, m=form.m, n=form.n, k=form.k, dtype=form.dtype, op=form.op, epilogue=text,
                residual=int(form.residual), shared=form.shared, uneven=int(form.uneven),
            ),
        )  # fmt: skip


def choose(call: Products, device: Device) -> Choice:
    """Return PyTorch's own function, and why."""
    function = GROUPED if call.form.uneven else BATCHED
    return own(Asked(problem=call.problem, device=device, function=function), call.obstacle or _UNKNOWN)


def alternatives(call: Products, device: Device) -> tuple[Choice, ...]:
    """Return the configurations that a measurement should compare."""
    if call.obstacle or not Target.of(device.target).at_least(LEAST_CAPABILITY):
        return ()
    asked = Asked(problem=call.problem, device=device, function=BATCHED)

    def fitted(candidate: Candidate) -> Config:
        plan.program(call.form, call.steps, candidate.config, device)
        return candidate.config

    tried = [
        Candidate(origin=Origin.START, implementation=TRITON, config=config, sizes=Record(), source=_GUESS)
        for config in worth_trying(call.form, fast32=call.fast32, described=plan.describable(call.form, call.steps))
    ]
    made = (select(asked, (), configuration, fitted) for configuration in tried)
    return tuple(choice for choice in made if choice.origin is not Origin.TORCH)


def worth_trying(form: Form, *, fast32: bool = False, described: bool = False) -> tuple[Config, ...]:
    """Return the configurations of a form, those that should be fast first.

    Those that `described` operands allow lead, with one on addresses among the first `GLANCED`; then tiles as high as the
    products, in the precision that PyTorch would have.
    """
    usual, *others = _on_addresses(form, fast32=fast32)
    if ELEMENT_BYTES[form.dtype] > 2 or not described:
        return (usual, *others)
    copied = usual.replace(PATH="descriptors")
    first = (copied, *foreseen.best(form, _MOST)) if form.uneven else (*foreseen.best(form, _MOST), copied)
    return tuple(dict.fromkeys((*first[: GLANCED - 1], usual, *first[GLANCED - 1 :], *others)))


def _on_addresses(form: Form, *, fast32: bool) -> tuple[Config, ...]:
    wide = ELEMENT_BYTES[form.dtype] > 2
    usual = Config(BM=128, BN=128, BK=64, GROUP=8, PATH="pointers", PRECISION="ieee", num_warps=8, num_stages=3)
    if wide:
        usual = usual.replace(BN=64, BK=32, PRECISION="tf32" if fast32 else "tf32x3")
    if form.m <= _FEW:
        usual = usual.replace(BM=16 if form.m <= 16 else 32, BN=64, BK=64 if wide else 128, num_warps=4, num_stages=4)
    others: tuple[dict[str, int | str], ...] = (
        {"BN": 2 * usual.integer("BN")}, {"BM": max(16, usual.integer("BM") // 2), "num_warps": 4}, {"num_stages": 4},
        {"BK": usual.integer("BK") // 2, "num_stages": 5}, {"GROUP": 1}, *(({"PRECISION": "ieee"},) if wide and not fast32 else ()),
    )  # fmt: skip
    return tuple(dict.fromkeys((usual, *(usual.replace(**other) for other in others))))
