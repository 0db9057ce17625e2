"""A call of a library's function on tensors, as the options of a program whose language is ``torch``.

A program's options are texts, because they cross to the worker and make the build's fingerprint. Here they are:

    view:a={"dtype": "bfloat16", "shape": [64, 32]}    how the function sees the buffer ``a``
    causal=true                                        a constant of the function, as JSON
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

from hotloop.model.program import Array, Launch, Program

if TYPE_CHECKING:
    from hotloop.model.device import Device

LANGUAGE = "torch"
NVIDIA, AMD = "cuda", "hip"
"""Runtime keys of the GPUs that such functions run on."""
_VIEW = "view:"


@dataclass(frozen=True, slots=True)
class View:
    """A buffer as a strided tensor."""

    dtype: str
    shape: tuple[int, ...]
    strides: tuple[int, ...] = ()
    """Strides in elements; empty: contiguous in row-major order."""
    offset: int = 0
    """Elements before the first one."""


@dataclass(frozen=True, slots=True)
class Call:
    """A function by its name in the backend's table, its tensors in order (the last one takes the result), its constants."""

    function: str
    views: Mapping[str, View]
    constants: Mapping[str, object] = field(default_factory=dict)
    """Constants that JSON can represent; ``compiled`` requests the function through ``torch.compile``."""

    @property
    def program(self) -> Program:
        """Return the call as a program; it compiles nothing and its one launch names the function."""
        views = tuple(f"{_VIEW}{name}={json.dumps(asdict(view))}" for name, view in self.views.items())
        constants = tuple(f"{name}={json.dumps(value)}" for name, value in sorted(self.constants.items()))
        launch = Launch(self.function, tuple(map(Array, self.views)), (1,))
        return Program(LANGUAGE, "", (*views, *constants), (launch,))


def exists(device: Device, runtimes: tuple[str, ...] = (NVIDIA, AMD)) -> bool:
    """Return whether a device is a GPU that PyTorch supports, with one of the given runtimes."""
    return device.kind == "gpu" and device.runtime_key in runtimes


def call_of(function: str, options: Iterable[str]) -> Call:
    """Return the call of a program's launch; the inverse of `Call.program`.

    Raises:
        ValueError: a text has neither form.
    """
    views, constants = dict[str, View](), dict[str, object]()
    for option in options:
        name, equals, text = option.partition("=")
        if not equals:
            raise ValueError(f"the option {option!r} is not NAME=VALUE")
        value = json.loads(text)
        if name.startswith(_VIEW):
            shape, strides = tuple(value["shape"]), tuple(value["strides"])
            views[name.removeprefix(_VIEW)] = View(value["dtype"], shape, strides, value["offset"])
        else:
            constants[name] = value
    return Call(function, views, constants)
