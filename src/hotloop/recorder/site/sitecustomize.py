"""Found first on the path of a program that ``hotloop capture`` or ``adopt`` runs: begins that, then the environment's own file.

Only hotloop becomes importable by it, not what is installed beside hotloop: the program keeps its own packages.
"""

import importlib.machinery
import importlib.util
import json
import os
import sys
import time
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
    began = time.perf_counter_ns(), time.process_time_ns()
    sys.meta_path.insert(0, _Ours(os.environ["HOTLOOP_HOME"]))
    adopting = os.environ.get("HOTLOOP_ADOPT")
    if adopting:
        _adopt(adopting)
    else:
        from hotloop.recorder import begin, clocked

        begin.begin(json.loads(os.environ["HOTLOOP_CAPTURE"]), clocked.Took(*began))


def _adopt(path: str) -> None:
    """Begin what a file says; of one that is damaged nothing: the program runs as it is."""
    from hotloop.recorder import adopt

    try:
        with open(path, encoding="utf-8") as file:  # noqa: PTH123
            adopt.begin(json.load(file))
    except OSError as error:
        sys.stderr.write(f"hotloop adopt: {path} cannot be read ({error.strerror}): the program's own kernels run\n")
    except (ValueError, RecursionError) as error:
        sys.stderr.write(f"hotloop adopt: {path} is no adoption ({error}): the program's own kernels run\n")


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
