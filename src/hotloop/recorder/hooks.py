"""Calling back when the program imports a module: what is not imported is not touched, and nothing is imported for us."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

Hook = Callable[[ModuleType], None]


class Watch:
    """Runs a hook behind the import of each module that has one."""

    def __init__(self, hooks: Mapping[str, Hook]) -> None:
        self._hooks = dict(hooks)
        self._busy: set[str] = set()

    def find_spec(
        self,
        name: str,
        path: Sequence[str] | None = None,  # noqa: ARG002 - the protocol's
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        """Return what the other finders find, with the hook behind its loading."""
        if name not in self._hooks or name in self._busy:
            return None
        self._busy.add(name)
        try:
            spec = importlib.util.find_spec(name)
        finally:
            self._busy.discard(name)
        if spec is None or spec.loader is None:
            return spec
        loader, hook = spec.loader, self._hooks[name]
        loading = loader.exec_module

        def loaded(module: ModuleType) -> None:
            loading(module)
            hook(module)

        loader.exec_module = loaded  # type: ignore[method-assign]
        return spec


def watch(hooks: Mapping[str, Hook]) -> None:
    """Call each hook with its module once that is imported."""
    sys.meta_path.insert(0, Watch(hooks))
