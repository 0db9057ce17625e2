"""What the operators share: arguments judged, gradients noticed, failed launches told from faults."""

from __future__ import annotations

from typing import Any

from hotloop.errors import MachineError, MissingExtraError
from hotloop.ops.operand import BadArrayError
from hotloop.ports import BuildError

try:
    import torch as torch  # noqa: PLC0414 - the operators take it from here, so that its absence names the extra
except ModuleNotFoundError as error:
    raise MissingExtraError("hotloop.ops on tensors", "torch") from error

NO_GRADIENT = "a gradient is wanted, and the kernels have no backward pass"
ALIGNED_BYTES = 16
_PLAIN = (torch.Tensor, torch.nn.Parameter)
_BROKEN_PASS = "PassManager::run failed"  # noqa: S105 - what Triton's compiler says


def tensors(**named: object) -> None:
    """Check that arguments are floating-point tensors of one type on one device; None is left out.

    Raises:
        BadArrayError: they are not.
    """
    first = ""
    for name, value in named.items():
        if value is None:
            continue
        _tensor(name, value)
        assert isinstance(value, torch.Tensor)
        if not value.dtype.is_floating_point:
            raise BadArrayError(f"{name} has dtype {text(value.dtype)}; use a floating-point type.")
        if not first:
            first = name
            continue
        like = named[first]
        assert isinstance(like, torch.Tensor)
        if value.dtype != like.dtype:
            raise BadArrayError(
                f"{first} is {text(like.dtype)} and {name} is {text(value.dtype)}; convert one with to()."
            )
        if value.device != like.device:
            raise BadArrayError(f"{first} is on {like.device} and {name} on {value.device}; move one with to().")


def text(dtype: torch.dtype) -> str:
    """Return a type's name as the rest of hotloop writes it."""
    return str(dtype).removeprefix("torch.")


def wants_gradient(**named: object) -> bool:
    """Tell whether PyTorch would record a call of these tensors, for a backward pass or for tangents; None is left out.

    Raises:
        BadArrayError: one is no tensor.
    """
    for name, value in named.items():
        if value is not None:
            _tensor(name, value)
    recording = torch.is_grad_enabled()
    return any(
        (recording and getattr(value, "requires_grad", False)) or _has_tangent(value) for value in named.values()
    )


def _has_tangent(value: object) -> bool:
    forward = torch.autograd.forward_ad
    if getattr(forward, "_current_level", -1) < 0 or not isinstance(value, torch.Tensor):
        return False
    return forward.unpack_dual(value).tangent is not None


def form(x: torch.Tensor) -> tuple[object, ...]:
    """Return all of a tensor that decides what runs: type, device, shape, strides, and whether wide accesses may begin."""
    return (x.dtype, x.device, x.shape, x.stride(), x.data_ptr() % ALIGNED_BYTES)


def direct(*values: torch.Tensor | None) -> bool:
    """Tell whether a call may go past PyTorch's dispatcher, which costs more time of the host than all decisions here.

    It may where nothing but the result is asked for: plain tensors, no gradient, and nobody who traces or intercepts calls.
    Memory must hold what the tensor means: a view that PyTorch negates when it is read must go through the dispatcher.
    """
    if torch.compiler.is_compiling() or _watched():
        return False
    recording = torch.is_grad_enabled()
    return all(
        one is None or (type(one) in _PLAIN and not one.is_neg() and not (recording and one.requires_grad))
        for one in values
    )


def _watched() -> bool:
    try:
        dispatching = torch._C._len_torch_dispatch_stack() > 0  # noqa: SLF001 - PyTorch has no public name for these
        transforming = torch._C._functorch.peek_interpreter_stack() is not None  # noqa: SLF001
        casting = torch._C._is_any_autocast_enabled()  # noqa: SLF001
        forward = torch.autograd.forward_ad._current_level >= 0  # noqa: SLF001 - tangents, which no flag of a tensor tells
        tracing = torch._C._get_tracing_state() is not None  # noqa: SLF001
        return bool(dispatching or transforming or casting or forward or tracing)
    except AttributeError:  # another PyTorch: its dispatcher knows
        return True


def _tensor(name: str, value: object) -> None:
    if not isinstance(value, torch.Tensor):
        raise BadArrayError(f"{name} is {type(value).__name__}; give PyTorch tensors only, or NumPy arrays only.")


def aligned(x: torch.Tensor) -> bool:
    """Tell whether a tensor begins where wide accesses may begin."""
    return bool(x.data_ptr() % ALIGNED_BYTES == 0)


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
