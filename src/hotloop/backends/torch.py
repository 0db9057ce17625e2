"""Functions of PyTorch on a GPU, as peers: what a user would otherwise call, on the same banded buffers and in the same rounds.

The functions are a closed table, so a program can ask for no other code. Most of them allocate their result, as they do for
their users; it is copied into the output's buffer after the call, outside its time.
"""

# ruff: noqa: ANN401 - PyTorch is not typed here
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from math import prod
from types import FunctionType
from typing import TYPE_CHECKING, Any

from hotloop.drivers import torch as _torch
from hotloop.drivers.torch import BandedBuffer, BoundProgram, Timeline, launching
from hotloop.errors import NoDeviceError
from hotloop.model.call import Call, View, call_of
from hotloop.model.device import Device
from hotloop.model.outcome import Artifact
from hotloop.model.program import Program
from hotloop.ports import Bound, Buffer, BuildError, LaunchError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_COMPILED = "compiled"


class Torch:
    """Implements the `Backend` port; launches name a function of `FUNCTIONS`, options are those of `hotloop.model.call`."""

    settle_ns = 0
    memory = _torch.MEMORY

    def __init__(self) -> None:
        self._timeline: Timeline | None = None
        self._compiled: dict[str, Callable[..., Any]] = {}
        """Compiled functions by name and constants."""

    def devices(self) -> Sequence[Device]:
        """Return nothing: the devices are listed by the backends of kernels."""
        return []

    def select(self, device_name: str) -> Device:
        """Use the first GPU that matches and works; where the name is one of another runtime, the first that works.

        Raises:
            NoDeviceError: PyTorch has no GPU that works.
        """
        listed = _torch.gpus("torch", "its own kernels")
        numbers = [n for n, device in enumerate(listed) if _torch.matches(device, device_name)] or range(len(listed))
        reasons = []
        for number in numbers:
            if not (reason := _torch.probe(number)):
                self._timeline = Timeline()
                return listed[number]
            reasons.append(f"{listed[number].name}: {reason}")
        raise NoDeviceError(f"PyTorch has no GPU that works: {'; '.join(reasons) or 'it finds none'}.")

    def build(self, program: Program) -> Artifact:
        """Look the functions up. Raises BuildError."""
        _calls(program)
        return Artifact(program.build_key, 0.0, f"PyTorch {_torch.load().__version__}")

    def binary(self, program: Program) -> bytes:  # noqa: ARG002 - the library is not ours to take apart
        """Return nothing."""
        return b""

    def allocate(self, banded_bytes: int) -> Buffer:
        """Return memory for one banded array."""
        return BandedBuffer(banded_bytes, "cuda")

    def pin(self, array: NDArray[np.uint8]) -> None:
        """Pin an array's pages; one that cannot be pinned is left as it is."""
        _torch.pin(array)

    def unpin(self, array: NDArray[np.uint8]) -> None:
        """Release pages that were pinned; any others are left as they are."""
        _torch.unpin(array)

    def bind(self, program: Program, buffers: Mapping[str, Buffer]) -> Bound:
        """Return the calls on the buffers; what PyTorch compiles first is compiled here."""
        if self._timeline is None:
            self.select("")
        assert self._timeline is not None
        deeds = [_Deed(call, self._function(call), buffers) for call in _calls(program)]
        for deed in deeds:
            if deed.compiled:
                with launching("cuda"):
                    deed()

        def deliver() -> None:
            for deed in deeds:
                deed.deliver()

        return BoundProgram(self._timeline, [("main", deed) for deed in deeds], deliver)

    def _function(self, call: Call) -> Callable[..., Any]:
        """Return a function with its constants, compiled where that is asked for: once for all input sets of a shape."""
        torch = _torch.load()
        constants = {name: value for name, value in call.constants.items() if name != _COMPILED}
        function = partial(FUNCTIONS[call.function], torch, **constants)
        if not call.constants.get(_COMPILED):
            return function
        shapes = [(name, view.dtype, view.shape, view.strides) for name, view in call.views.items()]
        key = f"{call.function} {sorted(constants.items())} {shapes}"
        if key not in self._compiled:
            self._compiled[key] = torch.compile(_fresh(function), dynamic=False)
        return self._compiled[key]


def _fresh(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function with code of its own.

    PyTorch counts compilations by code object: after the second shape it compiles for any shape, which is slower than what a
    user's model of one shape gets, and after the eighth it runs the function uncompiled.
    """

    def run(*tensors: Any) -> Any:
        return function(*tensors)

    return FunctionType(run.__code__.replace(), run.__globals__, closure=run.__closure__)


class _Deed:
    """One function on fixed tensors, and what it returned last."""

    def __init__(self, call: Call, function: Callable[..., Any], buffers: Mapping[str, Buffer]) -> None:
        tensors = [_tensor(view, buffers[name]) for name, view in call.views.items()]
        self.compiled = bool(call.constants.get(_COMPILED))
        self._run = partial(function, *tensors)
        self._output = tensors[-1]
        self._result: Any = None

    def __call__(self) -> None:
        self._result = self._run()

    def deliver(self) -> None:
        """Copy the result to where it is looked at, unless the function wrote there itself."""
        if self._result is not None and self._result is not self._output:
            with launching("cuda"):
                self._output.copy_(self._result)


def _calls(program: Program) -> list[Call]:
    unknown = [launch.entry for launch in program.launches if launch.entry not in FUNCTIONS]
    if unknown:
        raise BuildError(f"error: no function {unknown[0]!r} of PyTorch is offered; there are {', '.join(FUNCTIONS)}")
    try:
        return [call_of(launch.entry, program.options) for launch in program.launches]
    except (ValueError, LookupError, TypeError) as error:
        raise BuildError(f"error: {error}") from None


def _tensor(view: View, buffer: Buffer) -> Any:
    """Return a strided view of a buffer. Raises LaunchError when it does not lie within."""
    assert isinstance(buffer, BandedBuffer)
    payload = buffer.payload(view.dtype)
    strides = view.strides or tuple(prod(view.shape[axis + 1 :]) for axis in range(len(view.shape)))
    last = view.offset + sum((extent - 1) * stride for extent, stride in zip(view.shape, strides, strict=True))
    if min(view.shape, default=1) and not 0 <= last < payload.numel():
        raise LaunchError(f"a view of {list(view.shape)} does not lie within its buffer")
    return payload.as_strided(view.shape, strides, payload.storage_offset() + view.offset)


# --- the table ---------------------------------------------------------------------------------------------------------


def _matmul(torch: Any, a: Any, b: Any, c: Any) -> Any:
    return torch.matmul(a, b, out=c)


def _linear(torch: Any, a: Any, b: Any, bias: Any, _c: Any, *, activation: str = "none") -> Any:
    functional = torch.nn.functional
    activations: dict[str, Callable[[Any], Any]] = {
        "none": lambda x: x,
        "relu": functional.relu,
        "gelu-tanh": partial(functional.gelu, approximate="tanh"),
        "gelu-erf": functional.gelu,
        "silu": functional.silu,
    }
    return activations[activation](torch.addmm(bias, a, b))


def _scaled_matmul(torch: Any, a: Any, b: Any, scale_a: Any, scale_b: Any, c: Any, *, fast: bool = True) -> Any:
    return torch._scaled_mm(a, b, scale_a=scale_a, scale_b=scale_b, out_dtype=c.dtype, use_fast_accum=fast)  # noqa: SLF001


def _attention(
    torch: Any, q: Any, k: Any, v: Any, _o: Any, *, backend: str, causal: bool, grouped: bool = False
) -> Any:
    choosing = import_module("torch.nn.attention")
    more = {"enable_gqa": True} if grouped else {}
    with choosing.sdpa_kernel(getattr(choosing.SDPBackend, backend)):
        return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal, **more)


def _attention_packed(
    torch: Any, q: Any, k: Any, v: Any, starts_q: Any, starts_k: Any, _o: Any, *, longest_q: int, longest_k: int, causal: bool
) -> Any:  # fmt: skip
    dropout, debug = 0.0, False
    flash = torch.ops.aten._flash_attention_forward  # noqa: SLF001 - PyTorch names it so
    return flash(q, k, v, starts_q, starts_k, longest_q, longest_k, dropout, causal, debug)[0]


def _conv3d(torch: Any, x: Any, weights: Any, *rest: Any, **constants: Any) -> Any:
    bias = rest[0] if len(rest) > 1 else None  # the output is last
    return torch.nn.functional.conv3d(x, weights, bias, **constants)


def _softmax(torch: Any, x: Any, _y: Any) -> Any:
    return torch.softmax(x, -1)


def _sum(torch: Any, x: Any, _y: Any) -> Any:
    return torch.sum(x, -1)


def _max(torch: Any, x: Any, _y: Any) -> Any:
    return torch.amax(x, -1)


def _rms_norm(torch: Any, x: Any, scale: Any, _y: Any, *, epsilon: float) -> Any:
    return torch.nn.functional.rms_norm(x, (x.shape[-1],), scale, epsilon)


def _layer_norm(torch: Any, x: Any, scale: Any, shift: Any, _y: Any, *, epsilon: float) -> Any:
    return torch.nn.functional.layer_norm(x, (x.shape[-1],), scale, shift, epsilon)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "matmul": _matmul,
    "linear": _linear,
    "scaled_matmul": _scaled_matmul,
    "attention": _attention,
    "attention_packed": _attention_packed,
    "conv3d": _conv3d,
    "softmax": _softmax,
    "sum": _sum,
    "max": _max,
    "rms_norm": _rms_norm,
    "layer_norm": _layer_norm,
}
"""Functions that peers may call, by name; they take the tensors in order, the output last."""

BACKEND = Torch
