"""Found first on the path of a program that ``hotloop capture`` or ``adopt`` runs: begins that, then the environment's own file.

Only hotloop becomes importable by it, not what is installed beside hotloop: the program keeps its own packages.
"""

import importlib.machinery
import importlib.util
import json
import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

_HERE = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120 - pathlib would be loaded into every program


class _Ours:
    """Finds hotloop where it is, and nothing else there."""

    def __init__(self, home: str) -> None:
        self._home = home

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return where hotloop is; its parts are found through it."""
        if name != "hotloop" or path is not None:
            return None
        return importlib.machinery.PathFinder.find_spec(name, [self._home], target)


def _begin() -> None:
    adopting = os.environ.get("HOTLOOP_ADOPT")
    if adopting:
        with open(adopting, encoding="utf-8") as file:  # noqa: PTH123
            given = json.load(file)
    else:
        given = json.loads(os.environ["HOTLOOP_CAPTURE"])
    sys.meta_path.insert(0, _Ours(os.environ["HOTLOOP_HOME"]))
    if adopting:
        from hotloop.recorder import adopt

        adopt.begin(given)
    else:
        from hotloop.recorder import begin

        begin.begin(given)


def _next() -> None:
    """Run the file of this name that would have been found without us."""
    places = [place for place in sys.path if os.path.abspath(place or ".") != _HERE]  # noqa: PTH100
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", places)
    if spec is not None and spec.loader is not None:
        module = importlib.util.module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


if "HOTLOOP_HOME" in os.environ:
    _begin()
_next()
