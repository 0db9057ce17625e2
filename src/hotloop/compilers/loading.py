"""Running a user's Python file for the kernels that it defines, on a machine without its GPU and without what else it imports.

The file runs statement by statement: what one raises, because there is no device or nothing can be launched, does not keep
the kernels below it from being defined. Packages that are missing are pretended (`hotloop.compilers.absent`). A file that lies in a package
is loaded under its real name, and the package's own ``__init__`` runs only when something of it is asked for.
"""

from __future__ import annotations

import ast
import importlib
import importlib.machinery
import importlib.util
import linecache
import sys
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

from hotloop.compilers import absent, reading
from hotloop.errors import HotloopError, KernelFileError
from hotloop.raised import raised


@dataclass(frozen=True, slots=True)
class Loaded:
    """A file that has run."""

    names: dict[str, Any]
    failure: tuple[int, Exception] | None
    """Line and reason of the first statement that raised."""
    pretended: tuple[str, ...]
    """Packages that were missing."""

    def refusal(self, path: Path) -> KernelFileError | None:
        """Return what to tell when the kernel that is asked for was not found."""
        if self.failure:
            error = self.failure[1]
            if isinstance(error, HotloopError):
                return KernelFileError(str(error))
            return KernelFileError(f"{path} raises {raised(error, ' when it is loaded')}.")
        if self.pretended:
            missing = ", ".join(self.pretended)
            return KernelFileError(f"{path} raises ModuleNotFoundError when it is loaded: {missing} is not installed.")
        return None

    @property
    def misused(self) -> bool:
        """True when what raised is hotloop's own complaint about a declaration."""
        return self.failure is not None and isinstance(self.failure[1], HotloopError)

    @property
    def notes(self) -> tuple[str, ...]:
        """What whoever reads the result should know."""
        notes = []
        if self.pretended:
            notes.append(
                f"{', '.join(self.pretended)} not installed: stand-ins took their places when the file was loaded"
            )
        if self.failure:
            line, error = self.failure
            notes.append(
                f"line {line} of the file raises {type(error).__name__} without its GPU; the kernels around it count"
            )
        return tuple(notes)


def run(path: Path) -> dict[str, Any]:
    """Run a file that needs nothing that is not here; return its names. Raises KernelFileError when it raises."""
    loaded = load(path)
    if refusal := loaded.refusal(path):
        raise refusal
    return loaded.names


def load(path: Path, beside: str = "") -> Loaded:
    """Run a file, as one of the package `beside` if that is named and can be found. Raises KernelFileError when it is not Python."""
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
    except SyntaxError as error:
        raise KernelFileError(f"{path}:{error.lineno}: {error.msg}.") from error
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise KernelFileError(f"{path} cannot be read as Python: {reading.why(error)}.") from error
    linecache.checkcache(str(path))
    folder, package = _place(path)
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    last: list[tuple[ModuleType, list[tuple[int, Exception]]]] = []

    def once(_finder: absent.Finder) -> list[Exception]:
        module = _module(path, folder, package, beside)
        last[:] = [(module, _run(tree, path, module))]
        return [error for _, error in last[0][1]]

    pretended = absent.pretending(once)
    module, failures = last[0]
    return Loaded(vars(module), failures[0] if failures else None, pretended)


def _place(path: Path) -> tuple[Path, tuple[str, ...]]:
    """Return the folder that imports start from, and the packages between it and the file."""
    folder, names = path.resolve().parent, list[str]()
    while (folder / "__init__.py").is_file() and folder.name.isidentifier():
        names.insert(0, folder.name)
        folder = folder.parent
    return folder, tuple(names)


def _module(path: Path, folder: Path, package: tuple[str, ...], beside: str) -> ModuleType:
    own = path.stem if package else f"hotloop_offline_{path.stem}"
    name = ".".join((*(package or filter(None, (beside,))), own))
    for depth in range(1, len(package) + 1):
        _parent(".".join(package[:depth]), folder.joinpath(*package[:depth]))
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    return module


def _parent(name: str, folder: Path) -> None:
    """Put a package in place whose ``__init__`` waits."""
    if name in sys.modules:
        return
    spec = importlib.util.spec_from_file_location(
        name, folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    module.__dict__["__getattr__"] = partial(_asked, module, spec)
    sys.modules[name] = module


def _asked(module: ModuleType, spec: importlib.machinery.ModuleSpec, name: str) -> Any:  # noqa: ANN401
    """Answer for an attribute of a package: a module in it, else what one statement of its ``__init__`` says, else all of that."""
    if name.startswith("__") and name not in ("__version__", "__all__"):
        raise AttributeError(name)
    submodule = f"{module.__name__}.{name}"
    if importlib.util.find_spec(submodule) is not None:
        return importlib.import_module(submodule)
    assert spec.origin is not None
    for statement in ast.parse(Path(spec.origin).read_text(encoding="utf-8")).body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=bound)], value=ast.Constant(value=value)) if bound == name:
                return value
            case ast.ImportFrom(module=origin, names=names, level=level):
                for alias in names:
                    if (alias.asname or alias.name) == name:
                        imported = importlib.import_module(f"{'.' * level}{origin or ''}", module.__name__)
                        return getattr(imported, alias.name)
    module.__dict__.pop("__getattr__", None)
    assert spec.loader is not None
    spec.loader.exec_module(module)
    return getattr(module, name)


def _run(tree: ast.Module, path: Path, module: ModuleType) -> list[tuple[int, Exception]]:
    """Run a file's statements one after the other; return what they raised, with their lines."""
    futures = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module == "__future__"]
    flags = 0
    for node in futures:
        for alias in node.names:
            flags |= getattr(__import__("__future__"), alias.name).compiler_flag
    failures: list[tuple[int, Exception]] = []
    for statement in tree.body:
        code = compile(ast.Module([statement], []), str(path), "exec", flags=flags, dont_inherit=True)
        try:
            with redirect_stdout(sys.stderr):
                exec(code, vars(module))  # noqa: S102 - the user's own file, which was named to be run
        except SystemExit as leave:
            failures.append((statement.lineno, RuntimeError(f"it leaves with {leave.code}")))
            break
        except Exception as error:  # noqa: BLE001 - the file is the user's code and may raise anything
            failures.append((statement.lineno, error))
    return failures
