"""``hotloop::gemm_batched``: products of a batch of matrices, of one height or of uneven ones."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from hotloop.dispatch import arguments, place
from hotloop.dispatch.activation import activation as named
from hotloop.dispatch.arguments import ALIGNED_BYTES, NO_GRADIENT, torch
from hotloop.dispatch.finish import activated
from hotloop.dispatch.operator import Operator
from hotloop.errors import BadArrayError, BadShapeError, UsageError
from hotloop.kernels.gemm_batched import choosing
from hotloop.kernels.gemm_batched.choosing import Products
from hotloop.kernels.gemm_batched.problem import DEFAULT, ELEMENT_BYTES, Form, form_of
from hotloop.kernels.gemm_batched.triton import plan

if TYPE_CHECKING:
    from collections.abc import Hashable

    from hotloop.dispatch.choice import Choice
    from hotloop.model.program import Program

_BATCH, _MATRIX = 3, 2
_GROUPS = 1024
"""Groups from which on PyTorch's grouped product says "Can't process more than 1024 groups"."""
_NOTHING = form_of(DEFAULT)
"""Stands for sizes that have no meaning."""


class Call(NamedTuple):
    """The operator's arguments, in its order: matrices are batches of one."""

    a: torch.Tensor
    b: torch.Tensor
    bias: torch.Tensor | None
    residual: torch.Tensor | None
    ends: torch.Tensor | None
    activation: str


class _Batched(Operator[Call, Products, torch.Tensor]):
    arguments = Call
    operands = 5
    hinted = 1
    flagged = True
    glanced = choosing.GLANCED

    def check(self, call: Call) -> None:
        _check(call)

    def described(self, call: Call, *, gradient: bool) -> Products:
        form, fast32 = _form(call), call.a.dtype is torch.float32 and arguments.fast32()
        apart = next((name for name, x in (("residual", call.residual),) if x is not None and x.stride(-1) != 1), "")
        obstacle = NO_GRADIENT if gradient else ""
        if not obstacle and (form is None or not call.a.numel() or not call.b.numel()):
            obstacle = "there is nothing to multiply"
        if form is None:
            uneven = call.ends is not None
            form = replace(_NOTHING, dtype=arguments.text(call.a.dtype), activation=call.activation, uneven=uneven)
        if not obstacle and form.dtype not in ELEMENT_BYTES:
            obstacle = f"the kernel takes {', '.join(ELEMENT_BYTES)}, not {form.dtype}"
        return Products(
            form, _steps(call, form), fast32, obstacle or (f"{apart} has a last stride other than 1" if apart else "")
        )

    def function(self, described: Products) -> str:
        return choosing.GROUPED if described.form.uneven else choosing.BATCHED

    def key(self, call: Call) -> Hashable:
        return super().key(call), call.a.dtype is torch.float32 and arguments.fast32()

    def choose(self, described: Products, like: torch.Tensor) -> Choice:
        at = place.facts(like, "triton")
        return choosing.choose(replace(described, obstacle=described.obstacle or at.obstacle), at.device)

    def alternatives(self, described: Products, like: torch.Tensor) -> tuple[Choice, ...]:
        at = place.facts(like, "triton")
        return () if at.obstacle else choosing.alternatives(described, at.device)

    def program(self, call: Call, choice: Choice) -> Program:
        described = self.described(call, gradient=False)
        return plan.program(described.form, described.steps, choice.config, choice.device)

    def arrays(self, call: Call, made: torch.Tensor) -> dict[str, torch.Tensor]:
        arrays = {"a": call.a, "b": call.b, "c": made}
        arrays |= {} if call.bias is None else {"bias": call.bias.contiguous()}
        arrays |= {} if call.residual is None else {"residual": call.residual}
        return arrays if call.ends is None else {**arrays, "ends": call.ends.contiguous()}

    def lying(self, call: Call) -> dict[str, str]:
        if any(x is not None and not x.is_contiguous() for x in (call.bias, call.ends)):
            return {}
        return {name: name for name in ("a", "b", "bias", "residual", "ends") if getattr(call, name) is not None}

    def own(self, call: Call) -> torch.Tensor:
        a, b, bias, residual, ends, activation = call
        if ends is not None:
            total = _grouped(a, b, ends, bias)
        else:
            total = torch.matmul(a, b) if bias is None else torch.baddbmm(bias[:, None], *_spread(a, b))
        total = activated(total, activation)
        return total if residual is None else total + residual

    def peer(self, call: Call) -> torch.Tensor:
        """Return the same without gaps: PyTorch's grouped product leaves some between rows that are no multiples of 16 bytes."""
        return self.own(call).contiguous()

    def fake(self, call: Call) -> torch.Tensor:
        a, b = call.a, call.b
        if call.ends is not None:
            return a.new_empty((a.shape[0], b.shape[2]))
        return a.new_empty((max(a.shape[0], b.shape[0]) if a.shape[0] and b.shape[0] else 0, a.shape[1], b.shape[2]))


def _spread(a: torch.Tensor, b: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    batch = max(a.shape[0], b.shape[0])
    return a.expand(batch, -1, -1), b.expand(batch, -1, -1)


def _grouped(a: torch.Tensor, b: torch.Tensor, ends: torch.Tensor, bias: torch.Tensor | None) -> torch.Tensor:
    """Return PyTorch's grouped product where it has one for these operands, else one product after the other."""
    grouped = getattr(torch.nn.functional, "grouped_mm", getattr(torch, "_grouped_mm", None))
    if grouped is not None and bias is None and _grouped_takes(a, b):
        made: torch.Tensor = grouped(a, b, offs=ends.contiguous())  # it reads them one behind the other
        if made.requires_grad and not torch.compiler.is_compiling():
            made.register_hook(_lined)
        return made
    if a.is_cuda and torch.cuda.is_current_stream_capturing():
        raise UsageError(
            "a CUDA graph is captured, so ends cannot be read: PyTorch's grouped product takes bfloat16 without a bias, 1 to 1023 groups, "
            "rows of a and lines of b at multiples of 16 bytes; or find a kernel before, by ops.warm."
        )
    bounds = [0, *ends.tolist()]
    parts = [a[first:last] @ b[i] for i, (first, last) in enumerate(pairwise(bounds))]
    parts = parts if bias is None else [product + bias[i] for i, product in enumerate(parts)]
    return torch.cat(parts) if parts else a.new_zeros((0, b.shape[2]))


def _grouped_takes(a: torch.Tensor, b: torch.Tensor) -> bool:
    """Tell whether PyTorch's grouped product computes a call.

    It has no forward-mode derivative. It divides the rows by the groups, launches a thread for each, refuses 1024 of them (aten/src/ATen/native/cuda/GroupMM.cu), and its
    copy engine reads no empty matrix. Where rows are the unit stride a group may begin anywhere, which its kernel asserts not to happen.
    """
    if a.device.type != "cuda" or a.dtype is not torch.bfloat16 or a.stride(1) != 1:
        return False
    if arguments.has_tangent(a) or arguments.has_tangent(b):
        return False
    return 0 < b.shape[0] < _GROUPS and min(a.shape[0], *b.shape[1:]) > 0 and _aligned(a) and _aligned(b)


def _lined(gradient: torch.Tensor) -> torch.Tensor:
    """Return a gradient as PyTorch's grouped product reads it: that of a sum steps nowhere, and rows may be no multiples of 16 bytes."""
    if gradient.stride(1) == 1 and _aligned(gradient):
        return gradient
    rows, columns = gradient.shape
    step = ALIGNED_BYTES // gradient.element_size()
    return gradient.new_empty((rows, -(-columns // step) * step))[:, :columns].copy_(gradient)


def _aligned(x: torch.Tensor) -> bool:
    """Tell whether PyTorch's grouped product reads an operand: a dimension of unit stride, and the others' strides multiples of 16 bytes.

    It asks for a stride between lines that is no less than a line is long, also where there is one line and the stride means nothing.
    """
    rows, columns = x.shape[-2:]
    down, across = x.stride()[-2:]
    between = across if down == 1 and across >= max(1, rows) else down if across == 1 and down >= max(1, columns) else 0
    steps = (between, *x.stride()[:-2])
    return between > 0 and all(step * x.element_size() % ALIGNED_BYTES == 0 for step in steps) and arguments.aligned(x)


def _form(call: Call) -> Form | None:
    """Return the sizes; None where there is nothing to multiply."""
    a, b, uneven = call.a, call.b, call.ends is not None
    groups, k, n = b.shape
    batch = groups if uneven else max(a.shape[0], groups)
    rows = a.shape[0] if uneven else a.shape[1]
    m = -(-rows // groups) if uneven and groups else rows
    if min(batch, m, n, k) < 1 or not a.numel():
        return None
    shared = "none" if uneven or a.shape[0] == groups else "a" if a.shape[0] == 1 else "b"
    op = f"{'n' if uneven or a.stride(2) == 1 else 't'}{'n' if b.stride(2) == 1 else 't'}"
    dtype = arguments.text(a.dtype)
    return Form(
        batch, m, n, k, dtype, op, call.bias is not None, call.activation, call.residual is not None, shared, uneven
    )


def _steps(call: Call, form: Form) -> plan.Steps:
    a, b, residual = call.a, call.b, call.residual
    left = (0, *a.stride()) if form.uneven else (0 if a.shape[0] == 1 else a.stride(0), a.stride(1), a.stride(2))
    right = (0 if b.shape[0] == 1 else b.stride(0), b.stride(1), b.stride(2))
    made = (0 if form.uneven else form.m * form.n, form.n)
    added = (
        made
        if residual is None
        else (0, residual.stride(0))
        if form.uneven
        else (residual.stride(0), residual.stride(1))
    )
    aligned = arguments.aligned(a) and arguments.aligned(b)
    return plan.Steps(left, right, made, added, form.n, aligned, a.shape[0] if form.uneven else 0)


def _check(call: Call) -> None:
    a, b, bias, residual, ends, _ = call
    arguments.tensors(a=a, b=b)
    for name, x in (("bias", bias), ("residual", residual)):
        if x is not None:
            arguments.tensors(**{"a": a, name: x})
    rank = _BATCH if ends is None else _MATRIX
    for name, x, wanted in (("a", a, rank), ("b", b, _BATCH)):
        if x.dim() != wanted:
            raise BadArrayError(
                f"{name} has {x.dim()} dimensions, and {wanted} are needed; its shape is {tuple(x.shape)}."
            )
    if a.shape[-1] != b.shape[1]:
        raise BadShapeError(f"a has {a.shape[-1]} columns and b matrices of {b.shape[1]} rows: these must be equal.")
    groups, n = b.shape[0], b.shape[2]
    if ends is None:
        if a.shape[0] != groups and 1 not in (a.shape[0], groups):
            raise BadShapeError(f"a has {a.shape[0]} matrices and b {groups}: give as many, or one that all share.")
        groups = max(a.shape[0], groups) if a.shape[0] and groups else 0
    else:
        _check_ends(a, ends, groups)
    if bias is not None and bias.shape != (groups, n):
        raise BadShapeError(f"bias has shape {tuple(bias.shape)}; it must have {(groups, n)}: a row for each product.")
    made = (groups, a.shape[1], n) if ends is None else (a.shape[0], n)
    if residual is not None and residual.shape != made:
        raise BadShapeError(f"residual has shape {tuple(residual.shape)}; the result has {made}.")


def _check_ends(a: torch.Tensor, ends: torch.Tensor, groups: int) -> None:
    arguments.tensor("ends", ends)
    if ends.dtype is not torch.int32 or ends.shape != (groups,):
        raise BadArrayError(
            f"ends is {arguments.text(ends.dtype)} of shape {tuple(ends.shape)}; give int32 of shape {(groups,)}, the row before which each group ends."
        )
    if ends.device != a.device:
        raise BadArrayError(f"a is on {a.device} and ends on {ends.device}; move one with to().")


_OPERATOR = _Batched(
    "gemm_batched",
    "(Tensor a, Tensor b, Tensor? bias, Tensor? residual, Tensor? ends, str activation) -> Tensor",
)


def gemm_grouped(
    a: torch.Tensor, b: torch.Tensor, ends: torch.Tensor, *, bias: torch.Tensor | None = None, activation: str = "none",
    residual: torch.Tensor | None = None,
) -> tuple[_Batched, Call]:  # fmt: skip
    """Return the operator and its arguments."""
    if ends is None:
        raise BadArrayError("ends is None; give an int32 tensor, the row before which each group ends.")
    return _OPERATOR, Call(a, b, bias, residual, ends, named(activation))


def gemm_batched(
    a: torch.Tensor, b: torch.Tensor, *, bias: torch.Tensor | None = None, activation: str = "none",
    residual: torch.Tensor | None = None,
) -> tuple[_Batched, Call]:  # fmt: skip
    """Return the operator and its arguments; a matrix without a batch is a batch of one."""
    for name, x in (("a", a), ("b", b)):
        arguments.tensor(name, x)
    a, b = (x[None] if x.dim() == _MATRIX else x for x in (a, b))
    bias = bias[None] if bias is not None and bias.dim() == 1 else bias
    residual = residual[None] if residual is not None and residual.dim() == _MATRIX else residual
    return _OPERATOR, Call(a, b, bias, residual, None, named(activation))
