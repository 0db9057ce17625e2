"""The GPU languages beside OpenCL, as the doctor looks at them: what each needs, and what of it is missing."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Language:
    """One backend that needs a vendor's driver."""

    title: str
    backend: str
    modules: tuple[str, ...]
    """Importable modules that its backend needs."""
    remedy: str
    """The one command that brings them."""
    driver: str
    """What to do where the modules are there and no device works."""


LANGUAGES = (
    Language("CUDA", "cuda", ("cuda.bindings",), "pip install 'hotloop[cuda]'", "install NVIDIA's driver"),
    Language("HIP", "hip", ("hip",), "pip install 'hotloop[hip]'", "install AMD's driver and ROCm"),
    Language("Triton", "triton", ("triton", "torch"), "pip install 'hotloop[torch]'", "install the GPU's driver"),
)


def missing(language: Language) -> str:
    """Return which modules are not installed, in words; empty when all are."""
    absent = [name for name in language.modules if not _installed(name)]
    return f"{' and '.join(absent)} {'is' if len(absent) == 1 else 'are'} not installed" if absent else ""


def _installed(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:  # a parent package is missing
        return False
