"""The child process that runs FlyDSL's compiler on a user's file, once; it may abort at any moment.

Arguments are placeholders: a type, a shape and no memory. So neither a card nor PyTorch is needed; where PyTorch is not
installed, FlyDSL gets an empty module of its name, since it only asks for the names of types.
"""

from __future__ import annotations

import ctypes
import importlib.util
import inspect
import re
import sys
import traceback
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from hotloop import offline_api
from hotloop.compilers.loading import run
from hotloop.compilers.process import refusal, serve
from hotloop.errors import HotloopError, KernelFileError, UnknownNameError

_TENSOR = re.compile(r"\*?(?P<kind>[a-z]\w*)\s*(?:\[(?P<shape>[\d,\s]+)\])?")
_KINDS = {
    "fp16": "Float16",
    "bf16": "BFloat16",
    "fp32": "Float32",
    "fp64": "Float64",
    "fp8e4nv": "Float8E4M3FN",
    "fp8e4b8": "Float8E4M3FNUZ",
    "fp8e5": "Float8E5M2",
    **{f"i{bits}": f"Int{bits}" for bits in (8, 16, 32, 64)},
    **{f"u{bits}": f"Uint{bits}" for bits in (8, 16, 32, 64)},
}
"""Types as Triton spells them, and FlyDSL's names."""
_LENGTH = 1 << 20
"""Elements of a vector whose length is not given; it is no constant of the code."""
_EXAMPLE = 4096
_TYPES = ("float16", "bfloat16", "float32", "float64", "bool", "uint8", "int8", "int16", "int32", "int64")


def answer(message: Mapping[str, Any]) -> dict[str, Any]:
    """Compile as asked; what the compiler refuses comes back as ``failed``, what the user did wrong as ``refused``."""
    try:
        return _compile(message)
    except HotloopError as error:
        return refusal(error)
    except Exception as error:  # noqa: BLE001 - whatever the compiler raises means that it refuses
        text = f"{type(error).__name__}: {error}"
        return {"failed": text, "line": _line(error, message["path"]), "trace": traceback.format_exc()[-4000:]}


def _compile(message: Mapping[str, Any]) -> dict[str, Any]:
    if importlib.util.find_spec("torch") is None:
        _without_torch()
    path = Path(message["path"])
    declared = load(path, message["kernel"])
    assert isinstance(declared.kernel, offline_api.Launcher)
    values = {**declared.constexprs, **dict(message["parameters"])}
    if unknown := sorted(set(values) - set(declared.kernel.arg_names)):
        parameters = ", ".join(declared.kernel.arg_names)
        raise KernelFileError(f"launcher {declared.name} has no parameter {unknown[0]!r}; it has: {parameters}.")
    arguments = _arguments(declared, values)
    declared.kernel.call(**arguments)
    version = import_module("flydsl").__version__
    options = [f"{name}={value}" for name, value in values.items()]
    return {"launcher": declared.name, "compiler": f"flydsl {version}", "options": options}


def _without_torch() -> None:
    """Stand in for PyTorch: names of types that nothing here is an instance of."""
    torch, cuda = ModuleType("torch"), ModuleType("torch.cuda")
    for name in _TYPES:
        setattr(torch, name, type(name, (), {})())
    torch.Tensor = type("Tensor", (), {})  # type: ignore[attr-defined]
    torch.dtype = type("dtype", (), {})  # type: ignore[attr-defined]
    cuda.Stream = type("Stream", (), {})  # type: ignore[attr-defined]
    cuda.is_available = lambda: False  # type: ignore[attr-defined]
    torch.cuda = cuda  # type: ignore[attr-defined]
    sys.modules.update({"torch": torch, "torch.cuda": cuda})


def load(path: Path, name: str) -> offline_api.Offline:
    """Run a user's file and return the launcher of that name, else its only declared one, else its only one.

    Raises:
        KernelFileError: the file raises, or it has no launcher or several to choose from.
        UnknownNameError: it has no launcher of that name.
    """
    before = len(offline_api.REGISTERED)
    module = run(path)
    declared = {made.name: made for made in offline_api.REGISTERED[before:]}
    launchers = [offline_api.launcher(value) for value in module.values()]
    own = [made for made in launchers if made and made.written.__module__ == module["__name__"]]
    kernels = {**{made.__name__: offline_api.Offline(made.__name__, made) for made in own}, **declared}
    if name:
        if name not in kernels:
            raise UnknownNameError(f"FlyDSL launcher in {path.name}", name, tuple(kernels))
        return kernels[name]
    choice = list((declared or kernels).values())
    if len(choice) == 1:
        return choice[0]
    if not choice:
        raise KernelFileError(f"{path} has no launcher of FlyDSL; put flyc.jit above the function that launches.")
    raise KernelFileError(f"{path} has several launchers ({', '.join(kernels)}); choose one with {path}:NAME.")


def _arguments(declared: offline_api.Offline, values: Mapping[str, object]) -> dict[str, Any]:
    """Return something to call the launcher with: placeholders for arrays, examples for numbers, given constants."""
    assert isinstance(declared.kernel, offline_api.Launcher)
    arguments: dict[str, Any] = {}
    for name, parameter in inspect.signature(declared.kernel.written, eval_str=True).parameters.items():
        if name in values:
            arguments[name] = values[name]
        elif name in declared.signature:
            arguments[name] = _placeholder(declared.name, name, declared.signature[name], parameter.annotation)
        elif parameter.default is inspect.Parameter.empty:
            arguments[name] = _example(declared.name, name, parameter.annotation)
    return arguments


def _example(launcher: str, name: str, annotation: object) -> object:
    """Return a number for a parameter that is one; its value does not reach the code."""
    text = getattr(annotation, "__name__", str(annotation))
    if text.startswith(("Int", "Uint")) or annotation is int:
        return _EXAMPLE
    if text.startswith(("Float", "BFloat")) or annotation is float:
        return 1.0
    if "Constexpr" in str(annotation):
        raise KernelFileError(
            f"launcher {launcher}: the constexpr {name} has no value; declare hl.offline(..., constexprs=dict({name}=...)) "
            f"in its file or give {name}=VALUE."
        )
    raise KernelFileError(
        f"launcher {launcher}: the type of {name} is not known; declare hl.offline(..., "
        f'signature=dict({name}="fp16[4096, 128]")) in its file.'
    )


def _placeholder(launcher: str, name: str, spelled: str, annotation: object) -> Any:  # noqa: ANN401 - FlyDSL's own types
    fx, arguments = import_module("flydsl.expr"), import_module("flydsl.compiler.jit_argument")
    match = _TENSOR.fullmatch(spelled.strip())
    if not match or match["kind"] not in _KINDS:
        raise KernelFileError(
            f"launcher {launcher}: {spelled!r} of parameter {name} is not understood; write a type and a shape such as "
            f"'fp16[4096, 128]', or '*fp32' for a vector."
        )
    kind = getattr(fx, _KINDS[match["kind"]])
    shape = tuple(int(extent) for extent in (match["shape"] or str(_LENGTH)).split(","))
    if "Pointer" in str(annotation):
        return arguments.from_c_void_p(kind, 0)
    if not match["shape"] and not spelled.startswith("*"):
        return kind(_EXAMPLE)
    return _array(arguments, fx, kind, shape)


def _array(arguments: Any, fx: Any, kind: Any, shape: tuple[int, ...]) -> Any:  # noqa: ANN401
    """Return a dense array without memory, its sizes and strides known at a launch only, as a tensor's of PyTorch are."""

    class Placeholder(arguments.MemRefJitArg):  # type: ignore[misc]
        """An array that is only described."""

        element_type = property(lambda _: kind.ir_type)

        def __c_abi_spec__(self) -> list[tuple[type, Any]]:
            return [(ctypes.c_void_p, lambda _array, _slot: None)]

    arguments.JitArgumentRegistry.register_jit_arg(Placeholder, fx.Tensor)
    strides = [1]
    for extent in reversed(shape[1:]):
        strides.insert(0, strides[0] * extent)
    return Placeholder(element_bits=kind.width, shape=shape, strides=strides, dtype=kind.__name__)


def _line(error: BaseException, path: str) -> int | None:
    """Return the line of the user's file that the error passed through last."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    return lines[-1] if lines else None


if __name__ == "__main__":
    serve(answer)
