"""The part of some Python modules that a few functions need, as one text: definitions in order, imports of others on top.

Modules of hotloop that a kernel imports are taken along, definition by definition, with their comments. Two definitions of one
name in different modules are told apart by a number.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field

from hotloop.kernels import _jit

OWN = "hotloop."


@dataclass(frozen=True, slots=True)
class _Module:
    """What a module defines and imports, at its top level."""

    definitions: dict[str, str]
    """Text by name."""
    needs: dict[str, frozenset[str]]
    """Names that each definition refers to."""
    own: dict[str, tuple[str, str]]
    """(module, name) of what is imported from hotloop."""
    foreign: dict[str, str]
    """Import statement of each other name."""


@dataclass(slots=True)
class Closure:
    """What was taken along, in the order in which it must stand."""

    texts: list[str] = field(default_factory=list)
    imports: dict[str, None] = field(default_factory=dict)
    _modules: dict[str, _Module] = field(default_factory=dict)
    _placed: dict[tuple[str, str], str] = field(default_factory=dict)
    _taken: set[str] = field(default_factory=set)

    def add(self, module: str, name: str, source: str = "") -> str:
        """Take a definition along with all that it needs, and return what it is called here; `source` is the module's text."""
        if module not in self._modules:
            self._modules[module] = _read(source or _jit.text(module))
        return self._place(module, name)

    def _place(self, module: str, name: str) -> str:
        held = self._modules.setdefault(module, _Module({}, {}, {}, {}))
        if name in held.own:
            there, original = held.own[name]
            return self.add(there, original)
        if name in held.foreign:
            self.imports[held.foreign[name]] = None
            return name
        if name not in held.definitions:
            return name
        key = (module, name)
        if key in self._placed:
            return self._placed[key]
        called = self._free(name)
        self._placed[key] = called
        others = {other: self._place(module, other) for other in sorted(held.needs[name]) if other != name}
        self.texts.append(_renamed(held.definitions[name], {name: called, **others}))
        return called

    def _free(self, name: str) -> str:
        called, number = name, 2
        while called in self._taken:
            called, number = f"{name}_{number}", number + 1
        self._taken.add(called)
        return called


def _renamed(text: str, names: dict[str, str]) -> str:
    """Return a definition with other names; those that follow a dot are attributes and stay."""
    changed = {old: new for old, new in names.items() if old != new}
    if not changed:
        return text
    pattern = re.compile(r"(?<![\w.])(" + "|".join(map(re.escape, changed)) + r")(?!\w)")
    return pattern.sub(lambda match: changed[match[1]], text)


def _read(source: str) -> _Module:
    """Return the parts of a module's text."""
    tree, lines = ast.parse(source), source.splitlines()
    module = _Module({}, {}, {}, {})
    for node in tree.body:
        match node:
            case ast.Import():
                for alias in node.names:
                    imported = alias.name + (f" as {alias.asname}" if alias.asname else "")
                    module.foreign[alias.asname or alias.name.partition(".")[0]] = f"import {imported}"
            case ast.ImportFrom(module=str(place)):
                _imported(module, node, place)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
                _defined(module, name, node, lines[first - 1 : node.end_lineno])
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                _defined(module, name, node, lines[node.lineno - 1 : node.end_lineno])
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                for target, value in zip(targets, values, strict=False):  # A, B = 1, 2: each is a definition of its own
                    if isinstance(target, ast.Name):
                        _defined(module, target.id, value, [f"{target.id} = {ast.unparse(value)}"])
            case _:
                pass
    return module


def _imported(module: _Module, node: ast.ImportFrom, place: str) -> None:
    for alias in node.names:
        name = alias.asname or alias.name
        if f"{place}.".startswith(OWN):
            module.own[name] = (place, alias.name)
        elif place != "__future__":
            module.foreign[name] = f"from {place} import {alias.name}" + (f" as {alias.asname}" if alias.asname else "")


def _defined(module: _Module, name: str, node: ast.AST, lines: list[str]) -> None:
    module.definitions[name] = "\n".join(lines)
    module.needs[name] = frozenset(used.id for used in ast.walk(node) if isinstance(used, ast.Name))
