"""The child process that runs Triton's or Gluon's compiler on a user's file, once; it may abort at any moment.

It answers one request and is then killed by its parent. What MLIR and LLVM print goes to the parent's tail.
"""

from __future__ import annotations

import ast
import base64
import importlib.util
import socket
import sys
import traceback
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from hotloop import offline_api
from hotloop.errors import HotloopError, KernelFileError, UnknownNameError
from hotloop.host.process import die_with_parent, receive, send

IR_SUFFIXES = (".ttir", ".ttgir", ".glir")
_OPTIONS = ("num_warps", "num_stages", "num_ctas", "waves_per_eu", "matrix_instr_nonkdim", "kpack", "maxnreg")
"""Parameters that are options of the compiler unless the kernel has a parameter of that name."""


def answer(message: Mapping[str, Any]) -> dict[str, Any]:
    """Compile as asked; what the compiler refuses comes back as ``failed``, what the user did wrong as ``refused``."""
    try:
        return _compile(message)
    except HotloopError as error:
        return {"refused": str(error), "exit_code": error.exit_code}
    except Exception as error:  # noqa: BLE001 - whatever the compiler raises means that it refuses
        cause = error.__cause__ or error.__context__
        text = f"{type(error).__name__}: {error}" + (f"\n{type(cause).__name__}: {cause}" if cause else "")
        return {"failed": text, "trace": traceback.format_exc()[-4000:]}


def _compile(message: Mapping[str, Any]) -> dict[str, Any]:
    import triton
    from triton.backends.compiler import GPUTarget

    arch = message["arch"] if message["backend"] == "hip" else int(message["arch"])
    target = GPUTarget(message["backend"], arch, message["wave_size"])
    parameters = dict(message["parameters"])
    if message["path"].endswith(IR_SUFFIXES):
        made = triton.compile(message["path"], target=target, options=parameters)
        return _answer(made, message["language"], made.metadata.name, tuple(parameters.items()))
    declared = load(Path(message["path"]), message["kernel"], message["language"])
    names = declared.kernel.arg_names
    options = {key: parameters.pop(key) for key in _OPTIONS if key in parameters and key not in names}
    options = {"num_warps": declared.num_warps, **_stages(declared), **options}
    signature = offline_api.resolve(declared, parameters)
    made = triton.compile(_source(declared, signature), target=target, options=options)
    used = (*((name, str(value)) for name, value in signature.constexprs.items()), *options.items())
    return _answer(made, _language(declared), declared.name, used)


def _stages(declared: offline_api.Offline) -> dict[str, int]:
    return {} if declared.num_stages is None else {"num_stages": declared.num_stages}


def _source(declared: offline_api.Offline, signature: offline_api.Signature) -> Any:  # noqa: ANN401 - Triton is untyped
    from triton.compiler import ASTSource
    from triton.experimental.gluon._runtime import GluonASTSource

    names = list(declared.kernel.arg_names)
    make = GluonASTSource if _language(declared) == "gluon" else ASTSource
    return make(
        declared.kernel,
        signature={name: _laid(kind) for name, kind in signature.types.items()},
        constexprs=dict(signature.constexprs),
        attrs={(names.index(name),): [["tt.divisibility", 16]] for name in signature.divisible},
    )


def _laid(kind: str) -> str:
    """Return a type with the layout of a tensor descriptor as Triton writes it, which is all that Triton reads."""
    if not kind.startswith("tensordesc<") or not (layout := kind.partition("]")[2].strip(",>")):
        return kind
    from triton.experimental import gluon
    from triton.experimental.gluon import language

    known = {**vars(language), "gluon": gluon, "gl": language, "ttgl": language}
    return f"{kind.partition(']')[0]}],{_value(ast.parse(layout, mode='eval').body, known)!r}>"


def _value(node: ast.expr, known: Mapping[str, Any]) -> Any:  # noqa: ANN401
    """Return what the text of a layout means: a call of what is known, with literals.

    Raises:
        KernelFileError: a name that Gluon does not have.
    """
    match node:
        case ast.Call(func=function, args=args, keywords=keywords):
            named = {one.arg: _value(one.value, known) for one in keywords if one.arg}
            return _value(function, known)(*[_value(one, known) for one in args], **named)
        case ast.Attribute(value=owner, attr=name) if not name.startswith("_"):
            return getattr(_value(owner, known), name)
        case ast.Name(id=name):
            if name not in known:
                raise KernelFileError(f"the layout of a descriptor names {name}, which Gluon does not have.")
            return known[name]
        case _:
            return ast.literal_eval(node)


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


def load(path: Path, name: str, language: str) -> offline_api.Offline:
    """Run a user's file and return the kernel of that name, else its only declared one, else its only one.

    Raises:
        KernelFileError: the file raises, or it has no kernel or several to choose from.
        UnknownNameError: it has no kernel of that name.
    """
    before, implemented = len(offline_api.REGISTERED), len(offline_api.IMPLEMENTED)
    module = run(path)
    declared: dict[str, Callable[[], offline_api.Offline]] = {
        **{start.name: start.make for start in reversed(offline_api.IMPLEMENTED[implemented:])},
        **{made.name: partial(_as_it_is, made) for made in offline_api.REGISTERED[before:]},
    }
    known = {**_undeclared(module), **declared}
    if name:
        if name not in known:
            raise UnknownNameError(f"{language} kernel in {path.name}", name, tuple(known))
        return known[name]()
    choice = list((declared or known).values())
    if len(choice) == 1:
        return choice[0]()
    if not choice:
        raise KernelFileError(f"{path} has no Triton or Gluon kernel.")
    raise KernelFileError(f"{path} has several kernels ({', '.join(known)}); choose one with {path}:NAME.")


def _as_it_is(made: offline_api.Offline) -> offline_api.Offline:
    return made


def _undeclared(module: dict[str, Any]) -> dict[str, Callable[[], offline_api.Offline]]:
    """Return the kernels that the file itself defines, not those that it imports."""
    found: dict[str, Callable[[], offline_api.Offline]] = {}
    for value in module.values():
        inner = offline_api.jitted(value)
        if inner is not None and getattr(inner, "__module__", "") == module["__name__"]:
            found[inner.__name__] = partial(offline_api.undeclared, value)
    return found


def _language(made: offline_api.Offline) -> str:
    return "gluon" if "gluon" in type(made.kernel).__module__ else "triton"


def run(path: Path) -> dict[str, Any]:
    """Run a user's file; return its names. Raises KernelFileError."""
    spec = importlib.util.spec_from_file_location(f"hotloop_offline_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    sys.path.insert(0, str(path.parent))
    try:
        spec.loader.exec_module(module)
    except HotloopError:
        raise
    except SyntaxError as error:
        raise KernelFileError(f"{path}:{error.lineno}: {error.msg}.") from error
    except (Exception, SystemExit) as error:  # the file is the user's code and may raise anything
        raise KernelFileError(f"{path} raises {type(error).__name__} when it is loaded: {error}.") from error
    return vars(module)


def main() -> None:
    """Answer one request."""
    die_with_parent()
    channel = socket.socket(fileno=int(sys.argv[1]))
    send(channel, answer(receive(channel)))
    channel.recv(1)  # until the parent, having read everything printed so far, closes or kills


if __name__ == "__main__":
    main()
