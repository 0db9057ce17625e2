"""The part of a Python file that a JIT-compiled function needs: what crosses to the worker as its source.

The kernel file also declares inputs, references and the kernel for hotloop; none of that may run beside the candidate, and
none of it changes what is compiled. So only the statements of the module's top level are taken that the function refers to,
directly or through others. Lines keep their numbers: what is left out is blank, and of a choice between imports the one that was
made stands alone. Functions in a top-level ``if`` or ``try`` stand at the margin, where their block was entered, and those that
a function makes as `enclosed.py` says.
"""

from __future__ import annotations

import ast
import builtins
import hashlib
import inspect
import linecache
import sys
import sysconfig
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import Any

from hotloop.errors import KernelFileError
from hotloop.languages.enclosed import Lifted, confused, defines, lifted, plain, without

_LANGUAGE = "triton.language"
_NOTHING = object()
_INSTALLED = tuple(str(Path(sysconfig.get_path(name)).resolve()) for name in ("stdlib", "purelib", "platlib"))


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Source text of a function with what it needs."""

    entry: str
    text: str
    file: Path
    search: tuple[str, ...] = ()
    """Folders that the imports of the user's own modules need."""
    package: str = ""
    """Package that relative imports start from."""
    uses: Mapping[str, str] = field(default_factory=dict)
    """Digest of each of the user's own modules that is imported, by name."""


def excerpt(kernel: object, where: str) -> Excerpt:
    """Return the part of its module that a JIT-compiled function needs.

    Args:
        kernel: the decorated function.
        where: for messages, such as ``of triton in softmax.py``.

    Raises:
        KernelFileError: not such a function, or its source cannot be taken out of its file.
    """
    return _excerpt(kernel, where, lambda text, _name: text)


def plain_excerpt(kernel: object, where: str) -> Excerpt:
    """Return the same for the function without its autotuners and heuristics, and without what only those need."""
    return _excerpt(kernel, where, _undecorated)


def _undecorated(text: str, name: str) -> str:
    """Blank every decorator of a function but that of the language."""
    rows = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and node.name == name:
            for decorator in node.decorator_list:
                called = decorator.func if isinstance(decorator, ast.Call) else decorator
                if not ast.unparse(called).endswith("jit"):
                    rows[decorator.lineno - 1 : decorator.end_lineno] = [""] * (
                        (decorator.end_lineno or decorator.lineno) - decorator.lineno + 1
                    )
    return "\n".join(rows) + "\n"


def _decorated(text: str, function: Callable[..., Any]) -> str:
    """Return a text in which a function that is jitted by a call, ``f = triton.jit(g)``, is decorated: in the line above it, if that is free."""
    tree = ast.parse(text)
    node = next((n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name == function.__name__), None)
    if node is None or node.decorator_list or node.lineno != function.__code__.co_firstlineno:
        return text
    call = next((n for n in ast.walk(tree) if isinstance(n, ast.Call) and _jits(n, node.name)), None)
    rows = text.splitlines()
    if call is None or node.lineno < 2 or rows[node.lineno - 2].strip():
        return text
    options = ", ".join(f"{keyword.arg}={ast.unparse(keyword.value)}" for keyword in call.keywords)
    decorator = f"{ast.unparse(call.func)}({options})" if options else ast.unparse(call.func)
    rows[node.lineno - 2] = f"{' ' * node.col_offset}@{decorator}"
    return "\n".join(rows) + "\n"


def _wraps(node: ast.stmt, name: str) -> bool:
    """Tell whether it is ``f = triton.jit(f)``, which the decorator says now, or ``f = tuned(...)(f)``: the rest is of the function itself."""
    match node:
        case ast.Assign(targets=[ast.Name(id=target)], value=ast.Call(args=[ast.Name(id=given), *_])):
            return target == given == name
    return False


def _jits(call: ast.Call, name: str) -> bool:
    """Tell whether a call is ``triton.jit(name)`` or the like."""
    given = call.args[0] if call.args else None
    return isinstance(given, ast.Name) and given.id == name and ast.unparse(call.func).rpartition(".")[2] == "jit"


def _excerpt(kernel: object, where: str, prepared: Callable[[str, str], str]) -> Excerpt:
    function = plain(kernel)
    if function is None or inspect.isfunction(kernel):
        raise KernelFileError(f"the kernel {where} is no function decorated with triton.jit or gluon.jit.")
    file = Path(inspect.getsourcefile(function) or "")
    text = _decorated(prepared(_source(file, function, where), function.__name__), function)
    tree = _settled(ast.parse(text), function.__globals__)
    tree.body = [node for node in tree.body if not _wraps(node, function.__name__)]
    made = Lifted()
    if not any(defines(node, function.__code__) for node in tree.body):
        made = lifted(ast.parse(text), function) or made
        tree.body = without(tree.body, made, _bound)
    chosen = _needed(tree, [function.__name__, *made.needs], set(made.values))
    if not any(defines(node, function.__code__) for node in chosen):
        raise KernelFileError(f"{function.__name__} {where} {_unfound(text, function.__name__, file)}.")
    if names := confused(chosen, made):
        raise KernelFileError(
            f"{function.__name__} {where} is made inside a function, where {', '.join(sorted(names))} is not what the top "
            f"level of {file.name} calls so and needs; rename it."
        )
    text = _said(_blanked(text, chosen, function.__globals__), made)
    chosen += ast.parse("; ".join(made.values.values())).body
    modules = _own_modules(chosen, function.__globals__)
    package = str(function.__globals__.get("__package__") or "") if _relative(chosen) else ""
    return Excerpt(
        entry=function.__name__,
        text=text,
        file=file,
        search=_search(modules, file, package),
        package=package,
        uses={name: _digest(path) for name, path in sorted(modules.items())},
    )


def _unfound(text: str, name: str, file: Path) -> str:
    """Return why a function's definition is not among its module's statements, and what to do about it."""
    if any(isinstance(node, ast.FunctionDef) and node.name == name for node in ast.walk(ast.parse(text))):
        return f"is not defined at the top level of {file.name}; move it there"
    return f"is in no file: {file.name} makes it of a text while it runs; launch a function that a file defines"


def _source(file: Path, function: Callable[..., Any], where: str) -> str:
    """Return the text of a function's file; what was executed from a text may be known to `linecache` alone."""
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        if text := "".join(linecache.getlines(function.__code__.co_filename, function.__globals__)):
            return text
        raise KernelFileError(f"the source of {function.__name__} {where} cannot be read: {error.strerror}.") from None


def _said(text: str, made: Lifted) -> str:
    """Put the values that a function closes over where the head of the function around it stood."""
    if not made.values:
        return text
    rows = text.splitlines()
    if rows[made.line - 1].strip():
        raise KernelFileError(
            f"line {made.line} makes a kernel, which needs it as well; move the kernel to the top level."
        )
    rows[made.line - 1] = "; ".join(made.values.values())
    return "\n".join(rows) + "\n"


def _settled(tree: ast.Module, namespace: Mapping[str, Any]) -> ast.Module:
    """Return a module in which each choice between imports is the one that was made.

    What only decides, such as a test of versions by the package's own functions, is then not imported in the worker, which may
    take seconds.
    """
    body = [settled for entered in _entered(tree.body, namespace) for settled in _taken(entered, namespace)]
    return ast.Module(body=body, type_ignores=[])


def _entered(body: list[ast.stmt], namespace: Mapping[str, Any]) -> Iterator[ast.stmt]:
    """Yield top-level statements; of an ``if`` or ``try`` that defines functions those of the block that did so."""
    for statement in body:
        blocks = [] if not isinstance(statement, ast.If | ast.Try) else [statement.body, statement.orelse]
        blocks += [handler.body for handler in getattr(statement, "handlers", ())]
        entered = [block for block in blocks if any(_defined(inner, namespace) for inner in block)]
        if len(entered) == 1:
            yield from _entered(entered[0], namespace)
        else:
            yield statement


def _defined(statement: ast.stmt, namespace: Mapping[str, Any]) -> bool:
    """Tell whether it is the definition of a jitted function that its module has under that name."""
    if isinstance(statement, ast.If | ast.Try):
        return any(
            _defined(inner, namespace) for inner in ast.iter_child_nodes(statement) if isinstance(inner, ast.stmt)
        )
    made = plain(namespace.get(getattr(statement, "name", "")))
    return made is not None and defines(statement, made.__code__)


def _taken(statement: ast.stmt, namespace: Mapping[str, Any]) -> list[ast.stmt]:
    """Return the imports of an `if` or `try` that are in force; the statement itself where it does anything else."""
    if not isinstance(statement, ast.If | ast.Try):
        return [statement]
    leaves = list(_leaves(statement))
    imports = [leaf for leaf in leaves if isinstance(leaf, ast.ImportFrom) and not leaf.level]
    wanted = set(_bound(statement))
    taken: list[ast.stmt] = []
    for node in imports:
        names = [a for a in node.names if (a.asname or a.name) in wanted and _in_force(node, a, namespace)]
        wanted -= {alias.asname or alias.name for alias in names}
        if names:
            taken.append(_Import(module=node.module, names=names, level=0, lineno=node.lineno, end_lineno=node.lineno))
    plain = all(isinstance(leaf, ast.ImportFrom | ast.Pass | ast.Raise) for leaf in leaves)
    return taken if taken and plain and not wanted else [statement]


class _Import(ast.ImportFrom):
    """An import that stood inside of another statement."""


def _leaves(statement: ast.stmt) -> Iterator[ast.stmt]:
    """Yield the statements inside of nested `if` and `try`."""
    if not isinstance(statement, ast.If | ast.Try):
        yield statement
        return
    blocks = [statement.body, statement.orelse]
    if isinstance(statement, ast.Try):
        blocks += [statement.finalbody, *(handler.body for handler in statement.handlers)]
    for inner in chain.from_iterable(blocks):
        yield from _leaves(inner)


def _in_force(node: ast.ImportFrom, alias: ast.alias, namespace: Mapping[str, Any]) -> bool:
    """Tell whether a module's name has the value that this import gives it."""
    bound = alias.asname or alias.name
    module = sys.modules.get(str(node.module))
    return bound in namespace and getattr(module, alias.name, _NOTHING) is namespace[bound]


def _needed(tree: ast.Module, names: list[str], defined: set[str]) -> list[ast.stmt]:
    """Return the top-level statements that some names need, in their order; others are known without them."""
    binding: dict[str, list[ast.stmt]] = {}
    for statement in tree.body:
        for bound in _bound(statement):
            binding.setdefault(bound, []).append(statement)
    wanted, chosen = names, set[ast.stmt]()
    missing: set[str] = set()
    seen = set(defined)
    while wanted:
        asked = wanted.pop()
        if asked in seen:
            continue
        seen.add(asked)
        missing |= set() if asked in binding or hasattr(builtins, asked) else {asked}
        for statement in binding.get(asked, ()):
            if statement not in chosen:
                chosen.add(statement)
                wanted += [node.id for node in ast.walk(statement) if isinstance(node, ast.Name)]
    chosen |= {s for s in tree.body if _future(s) or (missing and _starred(s))}
    return [statement for statement in tree.body if statement in chosen]


def _bound(statement: ast.stmt) -> Iterator[str]:
    """Yield the names that a top-level statement gives a value, nested blocks included, bodies of functions not."""
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            yield from ((alias.asname or alias.name.partition(".")[0]) for alias in names)
        case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
            yield from (n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
        case _:
            for child in ast.iter_child_nodes(statement):
                if isinstance(child, ast.stmt):
                    yield from _bound(child)
                elif isinstance(child, ast.ExceptHandler):
                    yield from (name for inner in child.body for name in _bound(inner))


def _future(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"


def _starred(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and any(alias.name == "*" for alias in statement.names)


def _relative(chosen: Iterable[ast.stmt]) -> bool:
    return any(isinstance(s, ast.ImportFrom) and s.level for s in chosen)


def _blanked(text: str, chosen: Iterable[ast.stmt], namespace: Mapping[str, Any]) -> str:
    rows = text.splitlines()
    kept = [""] * len(rows)
    for statement in chosen:
        if isinstance(statement, _Import):
            kept[statement.lineno - 1] = ast.unparse(
                ast.ImportFrom(statement.module, statement.names, level=0)
            ) + "".join(_plainly(statement, namespace))
            continue
        decorators = getattr(statement, "decorator_list", [])
        first = min([statement.lineno, *(d.lineno for d in decorators)])
        last = statement.end_lineno or statement.lineno
        margin = " " * statement.col_offset
        kept[first - 1 : last] = [row.removeprefix(margin) for row in rows[first - 1 : last]]
        if plainly := "".join(_plainly(statement, namespace)):
            kept[last - 1] = kept[last - 1].partition("#")[0].rstrip() + plainly  # a comment would swallow it
    return "\n".join(kept).rstrip() + "\n"


def _plainly(statement: ast.stmt, namespace: Mapping[str, Any]) -> Iterator[str]:
    """Yield the plain import of Triton's language behind one that has it from a module of the project: rewrites look for it by that name."""
    if isinstance(statement, ast.ImportFrom) and statement.module != "triton" and (own := sys.modules.get(_LANGUAGE)):
        bound = {alias.asname or alias.name for alias in statement.names}
        names = [name for name, value in namespace.items() if value is own and (name in bound or "*" in bound)]
        yield from (f"; import {_LANGUAGE} as {name}" for name in names)


def _own_modules(chosen: Iterable[ast.stmt], namespace: Mapping[str, Any]) -> dict[str, Path]:
    """Return the user's own modules that the statements import: neither installed nor of the standard library."""
    modules: dict[str, Path] = {}
    for statement in chosen:
        for node in ast.walk(statement):
            if isinstance(node, ast.Import | ast.ImportFrom):
                for module in _imported(node, namespace):
                    path = _file(module)
                    if path is not None and not str(path).startswith(_INSTALLED) and "site-packages" not in path.parts:
                        modules[module.__name__] = path
    return modules


def _imported(node: ast.Import | ast.ImportFrom, namespace: Mapping[str, Any]) -> Iterator[ModuleType]:
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    else:
        package = str(namespace.get("__package__") or "")
        base = ".".join(package.split(".")[: len(package.split(".")) - node.level + 1]) if node.level else ""
        qualified = ".".join(part for part in (base, node.module or "") if part)
        names = [qualified, *(f"{qualified}.{alias.name}" for alias in node.names)]
    yield from (sys.modules[name] for name in names if name in sys.modules)


def _file(module: ModuleType) -> Path | None:
    name = getattr(module, "__file__", None)
    return Path(name).resolve() if name and name.endswith(".py") else None


def _search(modules: Mapping[str, Path], file: Path, package: str) -> tuple[str, ...]:
    """Return the folders from which the modules are imported by their names."""
    places = [_root(name, path) for name, path in modules.items()]
    if package:
        places.append(file.resolve().parents[len(package.split("."))])
    return tuple(dict.fromkeys(map(str, places)))


def _root(name: str, path: Path) -> Path:
    folder = path.parent.parent if path.name == "__init__.py" else path.parent
    for _ in range(name.count(".")):
        folder = folder.parent
    return folder


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]
