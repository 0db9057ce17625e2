"""Finding plug-ins: one package is one kind, one module in it is one plug-in, its attribute is the object.

A plug-in is added by adding a file; nothing here or elsewhere lists names. Modules are imported only when asked for,
so a missing optional dependency hurts only whoever asks for that plug-in, with the extra that brings it.
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import TYPE_CHECKING, Any

from hotloop.errors import MissingExtraError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Iterator

EXTRAS = {
    "pyopencl": "cpu",
    "triton": "triton",
    "ziglang": "amd",
    "msgpack": "amd",
    "torch": "torch",
    "flydsl": "flydsl",
    "capstone": "cpu",
    "elftools": "cpu",
    "ray": "ray",
    "psycopg": "postgres",
    "cuda": "cuda",
    "pynvml": "cuda",
    "hip": "hip",
    "pyarrow": "profile",
}
"""Which extra brings an importable top-level package."""


def names(package: str) -> tuple[str, ...]:
    """Return the plug-in names of a package, without importing them; names starting with ``_`` are private."""
    root = importlib.import_module(package)
    return tuple(sorted(m.name for m in pkgutil.iter_modules(root.__path__) if not m.name.startswith("_")))


def load(package: str, name: str, attribute: str) -> Any:  # noqa: ANN401 - the caller knows the plug-in's type
    """Return ``package.name.attribute``.

    Raises:
        UnknownNameError: no such plug-in.
        MissingExtraError: the plug-in's optional dependency is not installed.
    """
    known = names(package)
    if name not in known:
        kind = package.rpartition(".")[2]
        one = f"{kind.removesuffix('ies')}y" if kind.endswith("ies") else kind.removesuffix("s")
        raise UnknownNameError(one, name, known)
    try:
        module = importlib.import_module(f"{package}.{name}")
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing in EXTRAS:
            raise MissingExtraError(f"{package}.{name}", EXTRAS[missing]) from error
        raise
    return getattr(module, attribute)


def load_all(package: str, attribute: str) -> Iterator[Any]:
    """Yield ``attribute`` of every plug-in of a package, in name order."""
    for name in names(package):
        yield load(package, name, attribute)
