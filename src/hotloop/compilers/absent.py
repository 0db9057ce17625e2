"""Stand-ins for packages that a user's file imports at its top and that are not installed: PyTorch, most of all.

A kernel is compiled from the text of its function; what the file around it does with tensors does not matter for that, but it
has to run for the function to be defined. A stand-in can be called, derived from, compared, used as a decorator and iterated
over (it is empty); it has every attribute. Nothing it returns is a value, so a kernel that needs one does not compile.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import FunctionType, ModuleType
from typing import Any

_VERSION = "9999.0"
"""Version number of a stand-in module, because files check whether a package is recent enough."""


class Meta(type):
    """What every stand-in is an instance of; they are classes, because files derive from them."""

    def __new__(cls, name: str, bases: tuple[type, ...], space: dict[str, Any], **_given: object) -> Meta:
        """Return a class; what a file says beside the bases of its own is for the package that is missing."""
        return super().__new__(cls, name, bases, space)

    def __init__(cls, name: str, bases: tuple[type, ...], space: dict[str, Any], **_given: object) -> None:
        """Take what `__new__` takes."""
        super().__init__(name, bases, space)

    def __getattr__(cls, name: str) -> Any:  # noqa: ANN401 - stands for anything
        """Return a stand-in for an attribute. Raises AttributeError for what Python itself asks about."""
        if name.startswith("__"):
            raise AttributeError(name)
        return stand_in(f"{cls.__name__}.{name}")

    def __call__(cls, *args: object, **_named: object) -> Any:  # noqa: ANN401
        """Return what a decorator would return for a function, else a stand-in."""
        if len(args) == 1 and isinstance(args[0], FunctionType | type) and not isinstance(args[0], Meta):
            return args[0]
        return stand_in(f"{cls.__name__}()")

    def __getitem__(cls, _item: object) -> Meta:
        """Return the stand-in itself, as for ``Tensor[...]``."""
        return cls

    def __or__(cls, _other: object) -> Meta:
        """Return the stand-in itself, as in annotations."""
        return cls

    __ror__ = __or__

    def _operated(cls, *_others: object) -> Meta:
        return cls

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _operated
    __floordiv__ = __mod__ = __pow__ = __rpow__ = __neg__ = __matmul__ = __and__ = __rand__ = __enter__ = _operated

    def __exit__(cls, *_error: object) -> None:
        """Leave a ``with`` block."""

    def __iter__(cls) -> Iterator[object]:
        """Iterate over nothing."""
        return iter(())

    def __len__(cls) -> int:
        """Return 0."""
        return 0

    def __bool__(cls) -> bool:
        """Return True, as an object without a length."""
        return True

    def __ge__(cls, _other: object) -> bool:
        """Return True: the package is recent."""
        return True

    __gt__ = __ge__

    def __le__(cls, _other: object) -> bool:
        """Return False, for the same reason."""
        return False

    __lt__ = __le__

    def __str__(cls) -> str:
        """Return the name, such as ``torch.float16``."""
        return cls.__name__


def stand_in(name: str) -> Meta:
    """Return a stand-in that calls itself by a name."""
    return Meta(name, (), {"__module__": name.partition(".")[0]})


class _Module(ModuleType):
    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        if name.startswith("__"):
            raise AttributeError(name)
        return KNOWN.get(f"{self.__name__}.{name}", stand_in(f"{self.__name__}.{name}"))

    def __deepcopy__(self, _memory: object) -> _Module:
        """Return the module itself: Triton copies the globals that a kernel mentions."""
        return self


KNOWN: dict[str, object] = {}
"""Attributes by dotted name that are more than stand-ins, such as the capability of the GPU that is compiled for."""


class Finder(MetaPathFinder, Loader):
    """Finds stand-ins for packages of certain names; stands last, so whatever is installed is found before."""

    def __init__(self) -> None:
        self.roots: set[str] = set()

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return where a stand-in comes from, None for other packages."""
        del path, target
        return ModuleSpec(fullname, self, is_package=True) if fullname.partition(".")[0] in self.roots else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return an empty module with every attribute."""
        module = _Module(spec.name)
        module.__version__ = KNOWN.get(f"{spec.name}.__version__", _VERSION)  # type: ignore[attr-defined]
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing: there is nothing to run."""


def pretending(run: Callable[[Finder], Sequence[Exception]]) -> tuple[str, ...]:
    """Run a file again and again until nothing that it imports is missing; return what was pretended.

    What a file imports in a ``try`` of its own stays absent: it knows what to do without. `run` returns what was raised.
    """
    finder = Finder()
    sys.meta_path.append(finder)
    while True:
        before = set(sys.modules)
        missing = {root for error in run(finder) if (root := _missing(error)) and root not in finder.roots}
        if not missing:
            return tuple(sorted(finder.roots))
        finder.roots |= missing
        for name in set(sys.modules) - before:
            if not name.startswith(("triton", "hotloop.", "numpy")):
                del sys.modules[name]


def _missing(error: Exception) -> str:
    """Return the package whose absence an import tells of; empty for other errors, and for a part of a package that is here."""
    name = (error.name or "") if isinstance(error, ModuleNotFoundError) else ""
    root = name.partition(".")[0]
    return "" if root in sys.modules else root
