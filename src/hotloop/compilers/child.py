"""The child process that runs Triton's or Gluon's compiler on a user's file, once; it may abort at any moment.

It answers one request and is then killed by its parent. What MLIR and LLVM print goes to the parent's tail.
"""

from __future__ import annotations

import ast
import base64
import sys
import traceback
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

from hotloop import offline_api
from hotloop.compilers import absent, launch, loading, passing, pretended, reading, usage, vacant
from hotloop.compilers.offer import Passed
from hotloop.compilers.process import refusal, serve
from hotloop.errors import HotloopError, KernelFileError, UnknownNameError
from hotloop.targets.target import Target

IR_SUFFIXES = (".ttir", ".ttgir", ".glir")
_CONSTANTS: Final[Mapping[object, object]] = {"True": True, "False": False, "None": None}
"""Texts of the command line that mean Python's constants: a kernel tests them, and any text would hold."""


def answer(message: Mapping[str, Any]) -> dict[str, Any]:
    """Compile as asked; what the compiler refuses comes back as ``failed``, what the user did wrong as ``refused``."""
    try:
        return _compile(message)
    except HotloopError as error:
        return refusal(error)
    except Exception as error:  # noqa: BLE001 - whatever the compiler raises means that it refuses
        cause = error.__cause__ or error.__context__
        text = f"{type(error).__name__}: {error}" + (f"\n{type(cause).__name__}: {cause}" if cause else "")
        return {"failed": text, "trace": traceback.format_exc()[-4000:]}


def _compile(message: Mapping[str, Any]) -> dict[str, Any]:
    import triton
    from triton.backends.compiler import GPUTarget

    arch = message["arch"] if message["backend"] == "hip" else int(message["arch"])
    target = GPUTarget(message["backend"], arch, message["wave_size"])
    pretended.activate(Target.parse(message["target"]), target)
    parameters = {name: _CONSTANTS.get(value, value) for name, value in dict(message["parameters"]).items()}
    if message["path"].endswith(IR_SUFFIXES):
        made = triton.compile(message["path"], target=target, options=parameters)
        return _answer(made, message["language"], made.metadata.name, tuple(parameters.items()))
    sys.path.extend(place for place in message.get("search", ()) if place not in sys.path)
    package = message.get("package", "")
    declared, notes = load(Path(message["path"]), message["kernel"], message["language"], parameters, package)
    passed = [argument and Passed(*argument) for argument in message.get("passed", ())]
    loads = vacant.watch()
    loads.fill = message.get("vacant", "")
    declared, folded = passing.told(declared, passed, parameters) if passed else (declared, ())
    made = _made(declared, parameters, target, notes)
    return {**made, "folded": list(folded), "vacant": sorted(set(loads.places))}


def _made(
    declared: offline_api.Offline, parameters: dict[str, object], target: object, notes: tuple[str, ...]
) -> dict[str, Any]:
    """Compile a declaration with parameters and options of the command line."""
    import triton

    if declared.arguments is not None:
        rest = {key: value for key, value in parameters.items() if key not in declared.settled}
        made, used = launch.compiled(declared, rest)
        return {**_answer(made, _language(declared), declared.name, used), "notes": list(notes)}
    names = declared.kernel.arg_names
    options = {key: parameters.pop(key) for key in launch.OPTIONS if key in parameters and key not in names}
    options = {"num_warps": declared.num_warps, **_stages(declared), **options}
    signature = offline_api.resolve(declared, parameters, usage.types(launch.plain(declared.kernel)))
    guessed = [f"{name}: {signature.types[name]}" for name in offline_api.guessed(declared, signature, parameters)]
    if guessed:
        notes = (
            *notes,
            f"types guessed from the source, as nothing gives them: {', '.join(guessed)}; -P NAME=TYPE gives one",
        )
    made = triton.compile(_source(declared, signature), target=target, options=options)
    used = (*((name, str(value)) for name, value in signature.constexprs.items()), *options.items())
    return {**_answer(made, _language(declared), declared.name, used), "notes": list(notes)}


def _stages(declared: offline_api.Offline) -> dict[str, int]:
    return {} if declared.num_stages is None else {"num_stages": declared.num_stages}


def _source(declared: offline_api.Offline, signature: offline_api.Signature) -> Any:  # noqa: ANN401 - Triton is untyped
    import triton.language
    from triton.compiler import ASTSource
    from triton.experimental.gluon._runtime import GluonASTSource

    names = list(declared.kernel.arg_names)
    make = GluonASTSource if _language(declared) == "gluon" else ASTSource
    return make(
        declared.kernel,
        signature=dict(signature.types),
        constexprs={name: typed(value, triton.language) for name, value in signature.constexprs.items()},
        attrs={(names.index(name),): [["tt.divisibility", 16]] for name in signature.divisible},
    )


def typed(value: object, language: Any) -> object:  # noqa: ANN401 - Triton is untyped
    """Return the type or layout that a text names (``tl.bfloat16``, ``gl.BlockedLayout(...)``), any other value as it is."""
    if isinstance(value, str) and value.startswith("gl.") and value.endswith(")"):
        return launch.layout(value.removeprefix("gl."))
    name = value.removeprefix("tl.") if isinstance(value, str) and value.startswith("tl.") else ""
    kind = getattr(language, name, None) if name else None
    return kind if isinstance(kind, language.dtype) else value


def _answer(made: Any, language: str, kernel: str, options: tuple[tuple[str, object], ...]) -> dict[str, Any]:  # noqa: ANN401
    import triton

    metadata = made.metadata
    binary = made.asm.get("hsaco") or made.asm.get("cubin") or b""
    return {
        "kernel": kernel,
        "symbol": metadata.name,
        "language": language,
        "amdgcn": made.asm.get("amdgcn", ""),
        "ptx": made.asm.get("ptx", ""),
        "binary": base64.b64encode(binary).decode(),
        "shared_bytes": metadata.shared,
        "num_warps": metadata.num_warps,
        "warp_size": metadata.target.warp_size,
        "options": [f"{name}={value}" for name, value in options],
        "compiler": f"triton {triton.__version__}",
    }


def load(
    path: Path, name: str, language: str, changes: Mapping[str, object] | None = None, package: str = ""
) -> tuple[offline_api.Offline, tuple[str, ...]]:
    """Run a user's file; return the kernel of that name, else its only declared one, else its only one, with notes about the file.

    Raises:
        KernelFileError: the file raises, or it has no kernel or several to choose from.
        UnknownNameError: it has no kernel of that name.
    """
    before, implemented = len(offline_api.REGISTERED), len(offline_api.IMPLEMENTED)
    loaded = loading.load(path, package)
    given = changes or {}
    declared: dict[str, Callable[[], offline_api.Offline]] = {
        **{start.name: partial(start.make, given) for start in reversed(offline_api.IMPLEMENTED[implemented:])},
        **{made.name: partial(_as_it_is, made) for made in offline_api.REGISTERED[before:]},
    }
    own = _undeclared(loaded.names)
    values = {**own, **declared}
    if name in values:
        return values[name](), loaded.notes
    choice = list(declared.values()) or _launchable(own)
    if (refusal := loaded.refusal(path)) and (name or not choice or loaded.misused):
        raise refusal
    if name and (function := _within(path, name)):
        raise KernelFileError(
            f"{path.name} defines {name} inside {function}, and it exists only where that runs; copy the kernel out of it to the left margin"
            " of a file, with what it needs."
        )
    if name:
        raise UnknownNameError(f"{language} kernel in {path.name}", name, tuple(values))
    if len(choice) == 1:
        return choice[0](), loaded.notes
    if not choice:
        raise KernelFileError(f"{path} has no Triton or Gluon kernel.")
    raise KernelFileError(f"{path} has several kernels ({', '.join(values)}); choose one with {path}:NAME.")


def _within(path: Path, name: str) -> str:
    """Return the name of the function or class inside which a file defines a function of that name; empty where there is none."""
    holders = (ast.FunctionDef, ast.ClassDef)
    tree = ast.parse(reading.text(path, "replace"))
    outer = (node for node in ast.walk(tree) if isinstance(node, holders))
    return next(
        (
            o.name
            for o in outer
            if any(isinstance(n, ast.FunctionDef) and n.name == name for n in ast.walk(o) if n is not o)
        ),
        "",
    )


def _as_it_is(made: offline_api.Offline) -> offline_api.Offline:
    return made


def _undeclared(module: Mapping[str, Any]) -> dict[str, Callable[[], offline_api.Offline]]:
    """Return the kernels that the file itself defines, not those that it imports, launchable ones and helpers alike."""
    kernels: dict[str, Callable[[], offline_api.Offline]] = {}
    for value in module.values():
        if isinstance(value, absent.Meta):
            continue
        inner = offline_api.jitted(value)
        if inner is not None and getattr(inner, "__module__", "") == module["__name__"]:
            kernels[inner.__name__] = partial(offline_api.undeclared, value)
    return kernels


def _launchable(own: Mapping[str, Callable[[], offline_api.Offline]]) -> list[Callable[[], offline_api.Offline]]:
    """Return the kernels that no other one calls: those are helpers."""
    made = {name: make().kernel for name, make in own.items()}
    called = {used for name, kernel in made.items() for used in launch.plain(kernel).__code__.co_names if used != name}
    return [make for name, make in own.items() if name not in called]


def _language(made: offline_api.Offline) -> str:
    return "gluon" if "gluon" in type(made.kernel).__module__ else "triton"


if __name__ == "__main__":
    serve(answer)
