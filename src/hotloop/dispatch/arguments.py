"""What the operators share: arguments judged, gradients noticed, failed launches told from faults."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from numbers import Real
from typing import Any

from hotloop.errors import BadArrayError, BadShapeError, MachineError, MissingExtraError
from hotloop.ports import BuildError

try:
    import torch as torch  # noqa: PLC0414 - the operators take it from here, so that its absence names the extra
except ModuleNotFoundError as error:
    raise MissingExtraError("hotloop.ops on tensors", "torch") from error

NO_GRADIENT = "a gradient is wanted, and the kernels have no backward pass"
ALIGNED_BYTES = 16
_DISTRIBUTED = "torch.distributed.tensor"
"""Where PyTorch's tensors are defined that are spread over devices."""
_NOWHERE = -1
"""Stands for where memory begins that there is not."""
DTYPES = (torch.float16, torch.bfloat16, torch.float32, torch.float64)
OPTIONAL = ("bias", "c", "ends", "residual", "starts_k")
"""Arguments that may be None."""
PLAIN = (torch.Tensor, torch.nn.Parameter)
_FORWARD = torch.autograd.forward_ad
_PROBES: tuple[Callable[[], Any], ...] | None
"""Functions of PyTorch that tell who watches a call; they are not public. None with a PyTorch that has others."""
try:
    _PROBES = (
        torch._C._len_torch_dispatch_stack, torch._C._functorch.peek_interpreter_stack,  # noqa: SLF001
        torch._C._is_any_autocast_enabled, torch._C._get_tracing_state,  # noqa: SLF001
    )  # fmt: skip
    _FORWARD._current_level  # noqa: B018, SLF001
except AttributeError:  # its dispatcher knows
    _PROBES = None
_WRAPPED, _UNWRAPPED = torch._C._functorch.is_functorch_wrapped_tensor, torch._C._functorch.get_unwrapped  # noqa: SLF001
_CASTING = ("cpu", "cuda")
"""Devices whose autocast is kept off: PyTorch's tracer cannot ask which devices have one."""
_BROKEN_PASS = "PassManager::run failed"  # noqa: S105 - what Triton's compiler says


def tensors(**named: object) -> None:
    """Check that arguments are tensors of one of `DTYPES` on one device; None is left out where an argument is optional.

    Raises:
        BadArrayError: they are not.
    """
    first, like = "", None
    for name, value in named.items():
        if value is None and name in OPTIONAL:
            continue
        operand = tensor(name, value)
        if operand.dtype not in DTYPES:
            names = ", ".join(map(text, DTYPES))
            raise BadArrayError(f"{name} has dtype {text(operand.dtype)}; use a floating-point type of {names}.")
        if like is None:
            first, like = name, operand
        if operand.dtype != like.dtype:
            raise BadArrayError(
                f"{first} is {text(like.dtype)} and {name} is {text(operand.dtype)}; convert one with to()."
            )
        if operand.device != like.device:
            raise BadArrayError(f"{first} is on {like.device} and {name} on {operand.device}; move one with to().")


def tensor(name: str, value: object) -> torch.Tensor:
    """Return an argument that is a tensor of which each element has an address. Raises BadArrayError."""
    if not isinstance(value, torch.Tensor):
        raise BadArrayError(f"{name} is {type(value).__name__}; give PyTorch tensors only, or NumPy arrays only.")
    if not torch.compiler.is_compiling() and type(value).__module__.startswith(_DISTRIBUTED):
        raise BadArrayError(
            f"{name} is a {type(value).__name__}, which lies on several devices; give its part, to_local()."
        )
    if value.is_nested:
        raise BadArrayError(f"{name} is a nested tensor; give a padded one, or sequences to attention_packed.")
    if value.layout is not torch.strided:
        raise BadArrayError(f"{name} has the layout {text(value.layout)}; convert it with to_dense().")
    return value


def whole(name: str, value: object) -> None:
    """Check that an argument is a whole number. Raises BadShapeError."""
    if not isinstance(value, int | torch.SymInt):
        raise BadShapeError(f"{name} is {value!r}; give a whole number.")


def number(name: str, value: object) -> None:
    """Check that an argument is a number. Raises BadShapeError."""
    if not isinstance(value, Real | torch.SymInt | torch.SymFloat):
        raise BadShapeError(f"{name} is {value!r}; give a number.")


def text(dtype: object) -> str:
    """Return the name of a type or layout as the rest of hotloop writes it."""
    return str(dtype).removeprefix("torch.")


def judged(values: tuple[Any, ...], count: int) -> tuple[bool, bool]:
    """Return whether PyTorch would record a call, and whether the call may go past PyTorch's dispatcher.

    The first `count` of a named tuple's values are tensors; None is left out where an argument is optional. A record serves
    a backward pass or tangents. The dispatcher costs more time of the host than all decisions here; it is left out where
    nothing but the result is asked for: plain tensors, no gradient, and nobody who traces or intercepts calls. Memory must
    hold what the tensor means: a view that PyTorch negates when it is read must go through the dispatcher.

    Raises:
        BadArrayError: one is no tensor.
    """
    recording = torch.is_grad_enabled()
    recorded, direct = False, not torch.compiler.is_compiling() and not _watched()
    for index in range(count):
        given = values[index]
        if type(given) not in PLAIN:
            direct = direct and given is None
            name = values._fields[index]  # type: ignore[attr-defined] # a named tuple's
            if given is None and name in OPTIONAL:
                continue
            tensor(name, given)
        elif not direct or given.layout is not torch.strided:
            tensor(values._fields[index], given)  # type: ignore[attr-defined]
        if (recording and given.requires_grad) or (not direct and has_tangent(given)):
            recorded, direct = True, False
        elif direct and given.is_neg():
            direct = False
    return recorded, direct


def unwatched(values: tuple[Any, ...], count: int) -> bool:
    """Tell whether a call is certainly one that nobody records, traces or intercepts: the first of `judged`'s answers, sooner.

    The first `count` values are plain tensors of memory as it is, or None; False says nothing.
    """
    if torch.compiler.is_compiling() or _watched():
        return False
    recording = torch.is_grad_enabled()
    for given in values[:count]:
        if given is None:
            continue
        if type(given) not in PLAIN or given.layout is not torch.strided or given.is_neg():
            return False
        if recording and given.requires_grad:
            return False
    return True


def wants_gradient(**named: object) -> bool:
    """Tell whether PyTorch would record a call of these tensors, for a backward pass or for tangents.

    Raises:
        BadArrayError: one is no tensor.
    """
    recording = torch.is_grad_enabled()
    recorded = False
    for name, value in named.items():
        if value is None and name in OPTIONAL:
            continue
        operand: Any = value
        if type(operand) not in PLAIN or operand.layout is not torch.strided:
            operand = tensor(name, value)
        recorded = recorded or (recording and operand.requires_grad) or has_tangent(operand)
    return recorded


def has_tangent(value: torch.Tensor) -> bool:
    """Tell whether a tensor carries a tangent, for forward-mode derivatives."""
    if getattr(_FORWARD, "_current_level", -1) < 0:
        return False
    return _FORWARD.unpack_dual(value).tangent is not None


def as_given(x: torch.Tensor) -> AbstractContextManager[object]:
    """Return a context in which PyTorch computes in the types of the operands: autocast would change them."""
    kind = x.device.type
    if kind not in _CASTING or not torch.is_autocast_enabled(kind):
        return nullcontext()
    without: AbstractContextManager[object] = torch.autocast(kind, enabled=False)
    return without


def alike(q: torch.Tensor, made: torch.Tensor) -> torch.Tensor:
    """Return a result in the strides that an empty tensor like `q` has."""
    wanted = torch.empty_like(q)
    return made if made.stride() == wanted.stride() else wanted.copy_(made)


def form(x: torch.Tensor) -> tuple[object, object, torch.Size, tuple[int, ...], int]:
    """Return all of a tensor that decides what runs: type, device, shape, strides, and whether wide accesses may begin."""
    place = x.data_ptr()
    return (x.dtype, x.device, x.shape, x.stride(), place % ALIGNED_BYTES if place else _NOWHERE)


def alive(operands: Iterable[torch.Tensor | None]) -> None:
    """Check that tensors on a GPU have memory: a kernel that reads at address 0 ends the whole process's use of the device.

    Raises:
        BadArrayError: a storage was freed, as those of sharded parameters are between their uses.
    """
    for x in operands:
        if x is not None and x.is_cuda and x.numel() and not x.data_ptr():
            raise BadArrayError(f"a tensor of shape {tuple(x.shape)} has no memory: its storage was freed.")


def _watched() -> bool:
    if _PROBES is None:
        return True
    dispatching, transforming, casting, tracing = _PROBES
    forward = _FORWARD._current_level >= 0  # noqa: SLF001 - tangents, which no flag of a tensor tells
    return forward or dispatching() > 0 or casting() or transforming() is not None or tracing() is not None


def fast32() -> bool:
    """Tell whether PyTorch's flags let products of float32 be computed as TF32."""
    matmul = torch.backends.cuda.matmul
    try:
        return bool(matmul.allow_tf32)
    except RuntimeError:  # the flag was set by its newer name, and PyTorch refuses to tell it by the older one
        return bool(matmul.fp32_precision == "tf32")


def aligned(x: torch.Tensor) -> bool:
    """Tell whether a tensor begins where wide accesses may begin; one that stands for others, and has no memory, does."""
    try:
        return bool(x.data_ptr() % ALIGNED_BYTES == 0)
    except RuntimeError:
        return not _WRAPPED(x) or aligned(
            _UNWRAPPED(x)
        )  # functions like torch.func.grad wrap the tensor that has the memory


def row_major(x: torch.Tensor) -> bool:
    """Tell whether the copy engine can read a matrix: rows without gaps between elements, at multiples of 16 bytes."""
    if x.numel() == 0:
        return True
    rows, columns = x.shape
    gap = rows == 1 or (x.stride(0) >= columns and x.stride(0) * x.element_size() % ALIGNED_BYTES == 0)
    return gap and (x.stride(1) == 1 or columns == 1) and aligned(x)


def strides(x: torch.Tensor) -> tuple[int, ...]:
    """Return a tensor's strides; a dimension of one element may have any, and gets that of a tensor without gaps."""
    made, dense = [], 1
    for step, extent in zip(reversed(x.stride()), reversed(x.shape), strict=True):
        made.append(dense if extent == 1 else step)
        dense *= extent
    return tuple(reversed(made))


def readable(x: torch.Tensor) -> bool:
    """Tell whether the copy engine can read a tensor: unit last stride, the others multiples of 16 bytes."""
    *steps, last = strides(x)
    size = x.element_size()
    return last == 1 and all(step and step * size % ALIGNED_BYTES == 0 for step in steps) and aligned(x)


def uneven(x: torch.Tensor) -> bool:
    """Tell whether accesses of 16 bytes would meet other addresses than multiples of 16, and would not in a copy without gaps."""
    if x.is_contiguous() or not aligned(x):  # by far the most are; this is asked at every call
        return not aligned(x)
    shape, steps, size = x.shape, x.stride(), x.element_size()
    if steps[-1] != 1 and shape[-1] != 1:
        return True
    if shape[-1] * size % ALIGNED_BYTES:
        return False
    return any(step * size % ALIGNED_BYTES and extent != 1 for step, extent in zip(steps[:-1], shape[:-1], strict=True))


def evened(x: torch.Tensor) -> torch.Tensor:
    """Return a tensor, or a copy without gaps of an uneven one; a tracer sees no addresses."""
    if torch.compiler.is_compiling() or not uneven(x):
        return x
    return x.clone(memory_format=torch.contiguous_format)


def no_backward(name: str) -> Any:  # noqa: ANN401 - what register_autograd takes
    """Return a backward pass that says that there is none."""

    def backward(_context: Any, *_gradients: Any) -> Any:  # noqa: ANN401
        raise BadArrayError(
            f"torch.ops.hotloop.{name} has no backward pass: call hotloop.ops.{name}, which lets PyTorch compute what needs one."
        )

    return backward


def compile_trouble(error: Exception) -> str:
    """Return one line about a kernel that cannot be compiled or launched, or an empty text for any other error.

    Faults of the device are no such errors: they must not be hidden behind another kernel.
    """
    line = (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
    if isinstance(error, BuildError | MachineError):
        return line
    from triton.errors import TritonError

    return line if isinstance(error, TritonError) or _BROKEN_PASS in str(error) else ""
