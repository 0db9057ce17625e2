"""The files of an export: a module and its test, or a package that Hugging Face's `kernels` loads.

The package has the sources as its builder takes them (``build.toml``, ``torch-ext``) and, because Triton and Gluon need no
building and CUDA C++ is compiled by NVRTC at the first call, the built variant too (``build/torch-cuda`` with ``metadata.json``): forms of `kernels` 0.17.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from importlib import metadata
from pathlib import Path

from hotloop.app.export import cltext, cudatext, jittext, proof
from hotloop.app.export.found import Found
from hotloop.errors import MachineError, UsageError
from hotloop.model.language import language as language_of

FORMATS = ("python", "hf-kernel")
_CUDA = "cuda"
_OPS = '''import torch

_NAMESPACE = "{namespace}"
ops = getattr(torch.ops, _NAMESPACE)


def add_op_namespace_prefix(op_name: str) -> str:
    """Return an operator's name with the namespace of this version of the package."""
    return f"{{_NAMESPACE}}::{{op_name}}"
'''


def files(winner: Found, form: str, *, tested: bool = True) -> Mapping[str, str]:
    """Return the text of each file of an export by its path.

    Raises:
        UsageError: the winner's language has no such form, or its program has what cannot be written down.
    """
    language = language_of(winner.program.language)
    if form == "hf-kernel":
        if not (language.jit or language.name == _CUDA):
            raise UsageError(
                f"the winner is in {language.title}, and packages for Hugging Face's kernels are made of Triton, Gluon and CUDA C++; "
                "--format python exports OpenCL."
            )
        return _package(winner, tested=tested)
    if language.name == "opencl":
        made = {f"{winner.name}.py": cltext.text(winner, heading(winner))}
    elif language.jit or language.name == _CUDA:
        made = {f"{winner.name}.py": _module(winner)}
    else:
        raise UsageError(
            f"the winner is in {language.title}; Triton, Gluon, CUDA C++ and OpenCL are exported as a module."
        )
    if tested:
        made[f"{winner.name}_test.py"] = proof.text(winner, f"import {winner.name} as tested")
    return made


def _module(winner: Found, operator: str = "") -> str:
    if winner.program.language == _CUDA:
        return cudatext.text(winner, heading(winner), operator=operator)
    return jittext.text(winner, heading(winner), operator=operator)


def _package(winner: Found, *, tested: bool) -> Mapping[str, str]:
    name, namespace = winner.name, f"_{winner.name}"
    module = _module(winner, f'add_op_namespace_prefix("{winner.kernel.family}")')
    module = module.replace("import torch\n", "import torch\n\nfrom ._ops import add_op_namespace_prefix\n", 1)
    parts = {
        "__init__.py": f'"""{winner.problem.key}, tuned for {winner.device.name}."""\n\nfrom .kernel import {name}\n\n__all__ = ["{name}"]\n',
        "kernel.py": module,
    }
    backend = {
        "name": name.replace("_", "-"),
        "id": namespace,
        "version": 1,
        "license": winner.licence or "other",
        "python-depends": [],
        "backend": {"type": "cuda"},
    }
    made = {
        "build.toml": _build(winner),
        "README.md": _readme(winner),
        "provenance.json": json.dumps(dict(winner.provenance), indent=1) + "\n",
        **{f"torch-ext/{name}/{path}": text for path, text in parts.items()},
        **{f"build/torch-cuda/{path}": text for path, text in parts.items()},
        "build/torch-cuda/_ops.py": _OPS.format(namespace=namespace),
        "build/torch-cuda/metadata.json": json.dumps(backend, indent=2) + "\n",
    }
    if winner.licence:
        made["LICENSE"] = _licence()
    if tested:
        loaded = (
            "from pathlib import Path\n\nfrom kernels import get_local_kernel\n\n"
            'tested = get_local_kernel(Path(__file__).parents[1] / "build" / "torch-cuda", backend="cpu" if DEVICE == "cpu" else None)'
        )
        made[f"tests/test_{name}.py"] = proof.text(winner, loaded)
    return made


def _build(winner: Found) -> str:
    """Return ``build.toml``: a kernel without anything to compile ahead."""
    licence = f'license = "{winner.licence or "other"}"\n'
    return f'[general]\nedition = 5\nname = "{winner.name.replace("_", "-")}"\nversion = 1\n{licence}backends = ["cuda"]\n\n[torch-noarch]\n'


def _readme(winner: Found) -> str:
    rows = "\n".join(f"- {name}: {value}" for name, value in winner.provenance.items())
    shapes = "\n".join(
        f"- `{slot.name}`: {' x '.join(map(str, slot.shape))} of {slot.dtype}" + (" (result)" if slot.written else "")
        for slot in winner.slots
    )
    licence = (
        f"---\nlicense: {winner.licence.casefold()}\ntags:\n- kernels\n---\n"
        if winner.licence
        else "---\ntags:\n- kernels\n---\n"
    )
    owner = "" if winner.licence else "\nThe source is a user's own file; its licence is its owner's to state.\n"
    compiles = winner.program.language == _CUDA
    needs = (
        "\nThe CUDA C++ source is compiled at the first call, by NVRTC through `cuda-bindings`, which PyTorch brings from 2.11 on.\n"
        if compiles
        else ""
    )
    return f"""{licence}
# {winner.name}

`{winner.name}` computes `{winner.problem.key}` and nothing else: other sizes and types are refused.

{shapes}
{owner}{needs}
## Where it comes from

{rows}
"""


def heading(winner: Found) -> str:
    """Return the docstring of an exported module, and its licence."""
    rows = "\n".join(f"{name}: {value}" for name, value in winner.provenance.items())
    text = f'"""{winner.name}: a kernel tuned by hotloop, without hotloop.\n\n{rows}\n"""\n'.replace("\\", "/")
    claim = (
        f"# SPDX-License-Identifier: {winner.licence}\n"
        if winner.licence
        else "# The source is a user's own file; its licence is its owner's.\n"
    )
    return f"{claim}{text}"


def _licence() -> str:
    """Return the text of hotloop's licence, which is a file of the installed package."""
    with suppress(metadata.PackageNotFoundError):  # used from a checkout
        for file in metadata.files("hotloop") or ():
            if file.name == "LICENSE":
                return file.read_text(encoding="utf-8")
    here = Path(__file__).parents[4] / "LICENSE"  # a checkout
    return (
        here.read_text(encoding="utf-8")
        if here.is_file()
        else "Apache License 2.0: https://www.apache.org/licenses/LICENSE-2.0\n"
    )


def write(made: Mapping[str, str], folder: Path, *, force: bool = False) -> tuple[Path, ...]:
    """Write files below a folder.

    Raises:
        UsageError: one is there already, unless `force`.
        MachineError: one cannot be written.
    """
    paths = {folder / name: text for name, text in made.items()}
    there = [path for path in paths if path.exists()]
    if there and not force:
        raise UsageError(f"{there[0]} is there already; choose another folder, or say --force.")
    for path, text in paths.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            raise MachineError(f"cannot write {path}: {error.strerror}; choose another folder.") from None
    return tuple(paths)
