"""``hotloop::gemm``: products of matrices, each by rows or by columns, with bias and activation."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from hotloop.dispatch import arguments, place
from hotloop.dispatch.activation import activation as named
from hotloop.dispatch.activation import epilogue
from hotloop.dispatch.arguments import NO_GRADIENT, torch
from hotloop.dispatch.choice import Choice
from hotloop.dispatch.finish import activated
from hotloop.dispatch.operator import Operator
from hotloop.dispatch.select import PEER
from hotloop.errors import BadArrayError, BadShapeError, UsageError
from hotloop.kernels.gemm import KERNEL, products
from hotloop.kernels.gemm.alternatives import alternatives
from hotloop.kernels.gemm.problem import FAMILY
from hotloop.kernels.gemm.products import Product

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from hotloop.model.program import Program

MATRIX = 2
FUNCTION = "torch.matmul"


class Call(NamedTuple):
    """The operator's arguments, in its order."""

    a: torch.Tensor
    b: torch.Tensor
    bias: torch.Tensor | None
    c: torch.Tensor | None
    alpha: float
    beta: float
    transpose_a: bool
    transpose_b: bool
    activation: str

    @property
    def operands(self) -> tuple[torch.Tensor, torch.Tensor]:
        """op(a) and op(b)."""
        return self.a.t() if self.transpose_a else self.a, self.b.t() if self.transpose_b else self.b


def multiply(
    a: torch.Tensor, b: torch.Tensor, alpha: float, beta: float, c: torch.Tensor | None,
    transpose_a: bool, transpose_b: bool, bias: torch.Tensor | None, activation: str,  # noqa: FBT001 - named in `gemm`
    out: torch.Tensor | None, device: str,
) -> torch.Tensor:  # fmt: skip
    """Return ``activation(alpha · op(a) · op(b) + beta · c + bias)`` of tensors; see `hotloop.ops.gemm`.

    Raises:
        BadShapeError: shapes do not go together.
        BadArrayError: an argument is no matrix of floats, or types or devices differ.
        UnknownNameError: no such activation.
        UsageError: `device` is named, `beta` has no `c`, or a gradient should go through `out`.
    """
    if device:
        raise UsageError("tensors have a device already: move them with to(), and leave device= out.")
    function = named(activation)
    if out is None and (c is None or beta != 0):
        return _OPERATOR((a, b, bias, c, alpha, beta, transpose_a, transpose_b, function))
    call = Call(a, b, bias, c if beta != 0 else None, alpha, beta, transpose_a, transpose_b, function)
    if arguments.wants_gradient(a=a, b=b, bias=bias, c=c):  # of c even if it is not read
        _OPERATOR.check(call)
        if out is not None:
            raise UsageError("out= takes no part in gradients: call without it, or under torch.no_grad().")
        return _OPERATOR.recorded(call)
    if out is not None and _takes(call, out):
        return _OPERATOR.into(call, out)
    made = _OPERATOR(call)
    if out is None:
        return made
    arguments.tensor("out", out)
    if out.shape != made.shape or out.dtype != made.dtype:
        raise BadShapeError(
            f"out has shape {tuple(out.shape)} of {arguments.text(out.dtype)}; the product has {tuple(made.shape)} of {arguments.text(made.dtype)}."
        )
    return out.copy_(made)


def _takes(call: Call, out: Any) -> bool:  # noqa: ANN401 - checked here
    """Tell whether a kernel may write a result where it shall be: a whole matrix that no operand shares memory with."""
    if type(out) is not torch.Tensor or out.dim() != MATRIX or not out.is_contiguous() or not arguments.aligned(out):
        return False
    left, right = call.operands
    shape, like = (left.shape[0], right.shape[1]), call.a
    place = out.untyped_storage().data_ptr()
    apart = all(x is None or x.untyped_storage().data_ptr() != place for x in call[:4])
    return apart and out.shape == shape and (out.dtype, out.device) == (like.dtype, like.device)


class _Gemm(Operator[Call, Product, torch.Tensor]):
    arguments = Call
    operands = 4
    hinted = 1
    flagged = True

    def check(self, call: Call) -> None:
        _check(call)

    def described(self, call: Call, *, gradient: bool) -> Product:
        left, right = call.operands
        (m, k), n = left.shape, right.shape[1]
        dtype, sizes = arguments.text(left.dtype), (m, n, k)
        loose = next((name for name, x in (("op(a)", left), ("op(b)", right)) if not _readable(x)), "")
        scaled = call.alpha != 1 or call.beta != 0
        obstacle = NO_GRADIENT if gradient else "there is nothing to multiply" if min(sizes) < 1 else ""
        letters = [stored[0] if stored else "" for stored in map(_stored, (left, right))]
        return Product(
            m,
            n,
            k,
            dtype,
            epilogue(call.activation, bias=call.bias is not None),
            op="".join(letters) if all(letters) else "",
            reads_c=call.beta != 0,
            narrow=products.narrowness(dtype=dtype, sizes=sizes, function=call.activation, scaled=scaled, loose=loose),
            fast32=dtype == "float32" and arguments.fast32(),
            obstacle=obstacle,
            compiled=not place.facts(left, "cuda").obstacle,
        )

    def function(self, described: Product) -> str:
        del described
        return FUNCTION

    def choose(self, described: Product, like: torch.Tensor) -> Choice:
        at = place.facts(like, "triton")
        device = at.device
        if at.obstacle:
            return products.choose(replace(described, obstacle=described.obstacle or at.obstacle), device)
        won = place.Winners() if described.obstacle else place.winners(FAMILY, device)
        return products.choose(described, device, won.candidates, won.trouble)

    def alternatives(self, described: Product, like: torch.Tensor) -> tuple[Choice, ...]:
        at = place.facts(like, "triton")
        return () if at.obstacle else alternatives(described, at.device)

    def unsure(self, described: Product, like: torch.Tensor, usual: Choice) -> tuple[Choice, ...]:
        if not products.foreseeable(described, usual.device):
            return super().unsure(described, like, usual)
        likely = islice(products.foreseen(described, usual.device), products.glanced(described))
        kernels = (choice for choice, _ in likely)
        unlike = {(choice.implementation, choice.config): choice for choice in (usual, *kernels)}
        return tuple(choice for choice in unlike.values() if choice.implementation != PEER)

    def key(self, call: Call) -> Hashable:
        key = super().key(call)
        return (key, arguments.fast32()) if call.a.dtype is torch.float32 else key

    def program(self, call: Call, choice: Choice) -> Program:
        (_, lda), (_, ldb) = (_lying(x) for x in call.operands)
        problem = self.described(call, gradient=False).tight.replace(alpha=call.alpha, beta=call.beta, lda=lda, ldb=ldb)
        config, implementation = choice.config, KERNEL.implementation(choice.implementation)
        if "PATH" in config and not all(map(arguments.aligned, call.operands)):
            config = config.replace(PATH="pointers")
        return implementation.plan(problem, config, choice.device)

    def arrays(self, call: Call, made: torch.Tensor) -> dict[str, torch.Tensor]:
        left, right = call.operands
        if call.c is not None:
            made.copy_(call.c)  # the kernel reads and writes one matrix
        arrays = {"a": left, "b": right, "c": made}
        return arrays if call.bias is None else {**arrays, "bias": call.bias.contiguous()}

    def lying(self, call: Call) -> dict[str, str]:
        if call.c is not None or (call.bias is not None and not call.bias.is_contiguous()):
            return {}
        return {"a": "a", "b": "b"} if call.bias is None else {"a": "a", "b": "b", "bias": "bias"}

    def own(self, call: Call) -> torch.Tensor:
        return _own(call)

    def straight_peer(self, call: Call) -> Callable[[tuple[Any, ...]], torch.Tensor]:
        plain = call.alpha == 1 and call.c is None and call.activation == "none"
        if not plain or call.transpose_a or call.transpose_b:
            return super().straight_peer(call)
        if call.bias is None:
            return lambda given: torch.mm(given[0], given[1])
        return lambda given: torch.addmm(given[2], given[0], given[1])

    def fake(self, call: Call) -> torch.Tensor:
        left, right = call.operands
        return left.new_empty((left.shape[0], right.shape[1]))


def _check(call: Call) -> None:
    a, b, bias, c = call[:4]
    arguments.tensors(a=a, b=b, bias=bias, c=c)
    arguments.number("alpha", call.alpha)
    arguments.number("beta", call.beta)
    for name, tensor in (("a", a), ("b", b)):
        if tensor.dim() != MATRIX:
            raise BadArrayError(
                f"{name} has {tensor.dim()} dimensions, and a matrix has 2; its shape is {tuple(tensor.shape)}."
            )
    left, right = call.operands
    (m, k), (rows, n) = left.shape, right.shape
    if k != rows:
        raise BadShapeError(
            f"op(a) is {m} by {k} and op(b) is {rows} by {n}: the columns of op(a) must equal the rows of op(b)."
        )
    if bias is not None and bias.shape != (n,):
        raise BadShapeError(
            f"bias has shape {tuple(bias.shape)}; it must have one element for each of the {n} columns."
        )
    if call.beta != 0 and c is None:
        raise UsageError(f"beta is {call.beta:g} but there is no c to multiply; pass c=, or leave beta at 0.")
    if c is not None and c.shape != (m, n):
        raise BadShapeError(f"c has shape {tuple(c.shape)}; the product has shape {(m, n)}.")


def _stored(x: torch.Tensor) -> tuple[str, int] | None:
    """Return how a matrix lies: n by rows or t by columns, and elements from one to the next; None for other views."""
    rows, columns = x.shape
    if (x.stride(1) == 1 or columns == 1) and (rows == 1 or x.stride(0) >= columns):
        return "n", columns if rows == 1 else x.stride(0)
    if (x.stride(0) == 1 or rows == 1) and (columns == 1 or x.stride(1) >= rows):
        return "t", rows if columns == 1 else x.stride(1)
    return None


def _readable(x: torch.Tensor) -> bool:
    """Tell whether the copy engine can read a matrix the way it lies."""
    stored = _stored(x)
    return stored is not None and arguments.row_major(x if stored[0] == "n" else x.t())


def _lying(x: torch.Tensor) -> tuple[str, int]:
    """Return how a matrix lies of which that is known."""
    stored = _stored(x)
    assert stored is not None
    return stored


def _own(call: Call) -> torch.Tensor:
    """Return the same in PyTorch; with alpha or beta 0 the operands that they multiply are not read."""
    (left, right), bias, alpha, beta = call.operands, call.bias, call.alpha, call.beta
    if alpha == 1 and bias is None and call.c is None:
        total = torch.matmul(left, right)
        return total if call.activation == "none" else activated(total, call.activation)
    c = call.c if beta != 0 else None
    added, factor = (bias, 1.0) if c is None else (c, beta)
    if alpha == 0:
        total = left.new_zeros((left.shape[0], right.shape[1]))
        if left.requires_grad or right.requires_grad:  # gradients are zeros, not missing
            total = total + (left[:0].sum() + right[:0].sum())
        total = total if added is None else total + factor * added
    elif added is None:
        total = torch.matmul(left, right) if alpha == 1 else torch.matmul(left, right) * alpha
    else:
        total = torch.addmm(added, left, right, beta=factor, alpha=alpha)
    if c is not None and bias is not None:
        total = total + bias
    return total if call.activation == "none" else activated(total, call.activation)


_OPERATOR = _Gemm(
    "gemm",
    "(Tensor a, Tensor b, Tensor? bias, Tensor? c, float alpha, float beta, bool transpose_a, bool transpose_b, "
    "str activation) -> Tensor",
)


def gemm(
    a: torch.Tensor, b: torch.Tensor, *, alpha: float = 1.0, beta: float = 0.0, c: torch.Tensor | None = None,
    transpose_a: bool = False, transpose_b: bool = False, bias: torch.Tensor | None = None, activation: str = "none",
) -> tuple[_Gemm, Call]:  # fmt: skip
    """Return the operator and its arguments."""
    if beta == 0 and not arguments.wants_gradient(c=c):  # one that is not read still asks for a gradient
        c = None
    return _OPERATOR, Call(a, b, bias, c, alpha, beta, transpose_a, transpose_b, named(activation))
