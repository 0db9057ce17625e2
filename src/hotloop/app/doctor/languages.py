"""The GPU languages beside OpenCL, as the doctor looks at them: what each needs, and what of it is missing."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING

from hotloop import registry
from hotloop.model.language import language

if TYPE_CHECKING:
    from hotloop.model.language import Runtime


def runtimes() -> dict[str, Runtime]:
    """Return what each backend needs that runs on a vendor's GPU driver, by the backend's name."""
    backends = map(language, registry.names("hotloop.backends"))
    return {backend.name: backend.runtime for backend in backends if backend.runtime}


def missing(runtime: Runtime) -> str:
    """Return which modules are not installed, in words; empty when all are."""
    absent = [name for name in runtime.modules if not _installed(name)]
    return f"{' and '.join(absent)} {'is' if len(absent) == 1 else 'are'} not installed" if absent else ""


def _installed(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:  # a parent package is missing
        return False
