"""Loops with several counters in their heads as loops with one: what else begins there stands before the loop, what else goes on at its end."""

from __future__ import annotations

from dataclasses import replace

from hotloop.rewrite import tree as t


def beginning(parts: list[t.Node], asked: set[str], line: int) -> tuple[t.Node | None, t.Body] | None:
    """Return how a loop's own number begins, which its condition asks for, and what else does; None where that is not to be told apart."""
    if len(parts) == 1 and isinstance(declare := parts[0], t.Declare) and len(declare.names) > 1:
        own = [variable for variable in declare.names if variable.name in asked]
        values = [variable.value for variable in declare.names if variable.value is not None]
        if len(own) != 1 or t.names_in(*values) & t.declared_in(declare):
            return declare, ()
        rest = tuple(variable for variable in declare.names if variable is not own[0])
        return replace(declare, names=(own[0],)), (replace(declare, names=rest),)
    if len(parts) < 2:
        return parts[0] if parts else None, ()
    own_parts = [part for part in parts if t.written_in(part) & asked]
    values = [part.value for part in parts if isinstance(part, t.Assign)]
    if len(own_parts) != 1 or len(values) < len(parts) or t.names_in(*values) & t.written_in(*parts):
        return None
    return own_parts[0], tuple(t.Do(part, line) for part in parts if part is not own_parts[0])


def steps(parts: list[t.Node], asked: set[str]) -> tuple[t.Node | None, list[t.Node]]:
    """Return how a loop's own number goes on, and what else does at the end of each round."""
    own = [part for part in parts if t.written_in(part) & asked]
    rest = [part for part in parts if own and part is not own[0]]
    if len(own) == 1 and not t.names_in(*rest) & t.written_in(own[0]) and not t.names_in(own[0]) & t.written_in(*rest):
        return own[0], rest
    return (parts[-1], parts[:-1]) if parts else (None, [])
