"""The margin of a text that stands indented in its file, given to the lines of a rewritten one, which are written without."""

from __future__ import annotations

from collections.abc import Sequence


def kept(before: str, after: str) -> str:
    r"""Return a rewritten text whose new lines stand as far right as those in whose place they are.

    The lines between the first and the last that differ are moved, but for those in front of them that are the old ones: a function's head.

    >>> print(kept("  void f(\n    int n)\n  {\n    g();\n  }\n", "  kernel void f(\n    int n)\n{\n  h();\n}\n"), end="")
      kernel void f(
        int n)
      {
        h();
      }
    """
    old, new = before.split("\n"), after.split("\n")
    most = min(len(old), len(new))
    first = next((at for at in range(most) if old[at] != new[at]), most)
    last = next((at for at in range(most - first) if old[-1 - at] != new[-1 - at]), most - first)
    was, has = old[first : len(old) - last], new[first : len(new) - last]
    due, head = _margin(was), _head(was, has)
    own = _margin(has[head:])
    if not due.startswith(own) or due == own:
        return after
    moved = [due[len(own) :] + line if line.strip() else line for line in has[head:]]
    return "\n".join([*new[:first], *has[:head], *moved, *new[len(new) - last :]])


def _head(was: Sequence[str], has: Sequence[str]) -> int:
    """Return how many lines from the first on have the margin already: that one if it does, and what follows it unchanged."""
    if not was or not has or _margin(was[:1]) != _margin(has[:1]):
        return 0
    pairs = list(zip(was, has, strict=False))
    return next((at for at in range(1, len(pairs)) if pairs[at][0] != pairs[at][1]), len(pairs))


def _margin(lines: Sequence[str]) -> str:
    """Return the space that all lines begin with that are not blank."""
    spaces = [line[: len(line) - len(line.lstrip(" \t"))] for line in lines if line.strip()]
    common = next(
        (at for at, marks in enumerate(zip(*spaces, strict=False)) if len(set(marks)) > 1),
        min(map(len, spaces), default=0),
    )
    return spaces[0][:common] if spaces else ""
