"""Finding plug-ins: one package is one kind, one module in it is one plug-in, its attribute is the object.

A plug-in is added by adding a file; nothing here or elsewhere lists names. Modules are imported only when asked for,
so a missing optional dependency hurts only whoever asks for that plug-in, with the extra that brings it.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, TypeVar

from hotloop.errors import MissingExtraError, UnknownNameError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Data = TypeVar("Data")

_SHARED = {
    "pyopencl": "cpu",
    "ziglang": "amd",
    "msgpack": "amd",
    "capstone": "cpu",
    "elftools": "cpu",
    "tree_sitter": "cpu",
    "tree_sitter_c": "cpu",
    "pcpp": "cpu",
    "ray": "ray",
    "psycopg": "postgres",
    "pyarrow": "profile",
}
"""Extra of hotloop that installs a top-level module, for modules that serve several parts of hotloop; a language's own are in its data file."""
_KINDS = {
    "hotloop.backends": "{}",
    "hotloop.frontends": "compiling {} for another machine",
    "hotloop.cli.commands": "hotloop {}",
    "hotloop.isa.containers": "reading binaries of {}",
    "hotloop.isa.dialects": "reading {} machine code",
    "hotloop.kernels": "the kernel family {}",
    "hotloop.techniques.methods": "the technique {}",
}
"""How messages call a plug-in of a package; plug-ins of other packages are called after the package."""
_DASHED = frozenset({"hotloop.cli.commands", "hotloop.diagnose.rules", "hotloop.techniques.methods"})
"""Packages whose plug-in names are typed and printed with dashes."""


def names(package: str) -> tuple[str, ...]:
    """Return the plug-in names of a package, without importing them; names starting with ``_`` are private."""
    return _listed(tuple(importlib.import_module(package).__path__))


@cache
def _listed(folders: tuple[str, ...]) -> tuple[str, ...]:
    """List folders once: a run loads a hundred and more plug-ins, each of them by its name."""
    return tuple(sorted(m.name for m in pkgutil.iter_modules(folders) if not m.name.startswith("_")))


def with_module(package: str, module: str) -> tuple[str, ...]:
    """Return the plug-ins of a package that are folders with a module of that name, without importing them."""
    root = importlib.import_module(package)

    def has(name: str) -> bool:
        return any(m.name == module for m in pkgutil.iter_modules([f"{folder}/{name}" for folder in root.__path__]))

    return tuple(name for name in names(package) if has(name))


def load(package: str, name: str, attribute: str, module: str = "") -> Any:  # noqa: ANN401 - the caller knows the plug-in's type
    """Return ``package.name.attribute``, or ``package.name.module.attribute``.

    Raises:
        UnknownNameError: no such plug-in.
        MissingExtraError: the plug-in's optional dependency is not installed.
    """
    plugins = names(package)
    if name not in plugins:
        raise UnknownNameError(_one(package), name, plugins)
    try:
        holder = importlib.import_module(f"{package}.{name}.{module}" if module else f"{package}.{name}")
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if extra := extra_of(missing):
            raise MissingExtraError(_in_words(package, name), extra) from error
        raise
    return getattr(holder, attribute)


def load_all(package: str, attribute: str, module: str = "") -> Iterator[Any]:
    """Yield ``attribute`` of every plug-in of a package in name order; with `module`, of that module of the plug-ins that have it."""
    for name in with_module(package, module) if module else names(package):
        yield load(package, name, attribute, module)


def stated(package: str, name: str, read: Callable[[str], Data], what: str) -> Data:
    """Return what `read` makes of the data file beside a plug-in, whose name may have hyphens; `what` is it that the file has.

    Raises:
        UsageError: it cannot be read; `read` raises KeyError, TypeError or ValueError.
    """
    path = files(package).joinpath(f"{name.replace('-', '_')}.toml")
    try:
        return read(path.read_text(encoding="utf-8"))
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise UsageError(f"{path.name} is no file of {what}: {error}; compare it with another of the folder.") from None


def extra_of(module: str) -> str:
    """Return the extra of hotloop that installs a top-level module; empty when none does.

    >>> extra_of("pynvml"), extra_of("ray"), extra_of("nosuch")
    ('cuda', 'ray', '')
    """
    from hotloop.model.language import extras

    return _SHARED.get(module) or next((extra.name for extra in extras() if module in extra.modules), "")


def _one(package: str) -> str:
    """Return the singular of a package's name, which is what one plug-in of it is called."""
    kind = package.rpartition(".")[2]
    return f"{kind.removesuffix('ies')}y" if kind.endswith("ies") else kind.removesuffix("s")


def _in_words(package: str, name: str) -> str:
    """Return the name of a plug-in as messages write it."""
    from hotloop.model.language import language

    spelled = name.replace("_", "-") if package in _DASHED else language(name).title
    return _KINDS.get(package, f"the {_one(package)} {{}}").format(spelled)
