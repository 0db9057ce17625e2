"""Launches through OpenCL's own functions in a C or C++ source: found by the kernel that they are given, and changed in place.

A launch names no kernel, but a variable. It is changed only where that variable is made of this kernel, and of no other, in the same source.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from hotloop.captures.hosts.sizes import Sizes, UnclearError, fewer

C, CPP = (".c",), (".cc", ".cpp", ".cxx")
_LAUNCH = "clEnqueueNDRangeKernel"

_SEVERAL = (
    "clEnqueueTask",
    "enqueueNDRangeKernel",
    "clCreateKernelsInProgram",
    "clCloneKernel",
    "EnqueueArgs",
    "make_kernel",
)
"""Ways to launch, or to come by a kernel, that are not followed."""
_BLANK = re.compile(
    r"""//(?:\\\n|[^\n])*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|(?<![0-9A-Za-z_])'(?:\\.|[^'\\\n])+'""", re.DOTALL
)
_MADE = re.compile(r"([A-Za-z_][\w.\[\]]*(?:->[\w.\[\]]+)*)\s*=\s*(?:\([^()]*\)\s*)?$")
_NOTHING = ("NULL", "0", "nullptr", "(size_t*)0", "(void*)0")
_PLACES = {"kernel": 1, "dimensions": 2, "offset": 3, "sizes": 4, "group": 5}
_ARGUMENTS = 9
_HEADER = "#include <initializer_list>"


@dataclass(frozen=True, slots=True)
class Called:
    """A call in a source: where it is, and where each of its arguments begins and ends."""

    start: int
    spans: tuple[tuple[int, int], ...]


def launches(source: str, entry: str) -> list[Called]:
    """Return every launch of a kernel; none where the source makes no such kernel.

    Raises:
        UnclearError: a launch may be of this kernel or another one, or the kernel comes from elsewhere.
    """
    code = _blanked(source)
    made = _kernels(source, code)
    calls = _calls(code, _LAUNCH)
    own = {name for name, entries in made.items() if entry in entries}
    if not own:
        if calls and re.search(rf'"{re.escape(entry)}"', source):
            raise UnclearError(f"{entry} is made in a way that is not followed")
        return []
    if other := next((one for one in _SEVERAL if re.search(rf"\b{one}\b", code)), ""):
        raise UnclearError(f"it also uses {other}")
    if any(made[name] != {entry} for name in own):
        raise UnclearError("one variable holds several kernels")
    if other := next((name for name in sorted(own) if _elsewhere(code, name)), ""):
        raise UnclearError(
            f"{other} may be another kernel somewhere: it is a parameter, is given another value, or its place is handed on"
        )
    if any(_argument(source, call, "kernel") not in made for call in calls):
        raise UnclearError("a launch's kernel comes from elsewhere")
    return [call for call in calls if _argument(source, call, "kernel") in own]


def _elsewhere(code: str, name: str) -> bool:
    """Tell whether a kernel's variable may hold another one: scopes are not told apart."""
    leaf = re.escape(re.split(r"\.|->", name)[-1])
    given = re.findall(rf"\b{leaf}\s*=(?!=)", code)
    made = re.findall(rf"\b{leaf}\s*=\s*(?:\([^()]*\)\s*)?clCreateKernel\b", code)
    handed = rf"\bcl_kernel\s*(?:const\b)?\s*[*&]?\s*{leaf}\s*[,)]|&\s*{leaf}\b|\*\s*{leaf}\s*=|\b{leaf}\s*\["
    return "[" in name or len(made) != 1 or len(given) != len(made) or re.search(handed, code) is not None


def changed(source: str, sizes: Sizes, path: Path) -> str:
    """Return a source with every launch of a kernel changed. Raises UnclearError."""
    made, code = source, _blanked(source)
    for call in reversed(launches(source, sizes.entry)):
        _sound(source, code, call, sizes)
        whole, group = (call.spans[_PLACES[name]] for name in ("sizes", "group"))
        made = made[: group[0]] + _group(sizes, path) + made[group[1] :]
        made = made[: whole[0]] + _whole(source[slice(*whole)], sizes, path) + made[whole[1] :]
    if made != source and path.suffix in CPP and _HEADER not in source:
        at = re.search(r"^[ \t]*#[ \t]*include\b", made, re.MULTILINE)
        start = at.start() if at else 0
        made = f"{made[:start]}{_HEADER}\n{made[start:]}"
    return made


def _sound(source: str, code: str, call: Called, sizes: Sizes) -> None:
    """Raise UnclearError where a launch cannot be changed alone."""
    line = source.count("\n", 0, call.start) + 1
    if re.search(r"\w\(|=|\+\+|--", _argument(source, call, "sizes")):
        raise UnclearError(f"the sizes of the launch in line {line} are calculated in place")
    row = code.rfind("\n", 0, call.start) + 1
    if "#" in code[row : call.start] or code[:row].endswith("\\\n"):
        raise UnclearError(f"the launch in line {line} is a macro's")
    if _argument(source, call, "offset") not in _NOTHING:
        raise UnclearError(f"the launch in line {line} has an offset")
    dimensions = _argument(source, call, "dimensions")
    if dimensions != str(len(sizes.steps)):
        raise UnclearError(f"the launch in line {line} has other dimensions than the one that was optimized")


def _whole(text: str, sizes: Sizes, path: Path) -> str:
    own = text if re.fullmatch(r"\w+", text) else f"({text})"
    parts = [fewer(f"{own}[{at}]", *pair, "/") for at, pair in enumerate(sizes.pairs())]
    return text if all(pair == (1, 1) for pair in sizes.pairs()) else _array(parts, path)


def _group(sizes: Sizes, path: Path) -> str:
    return "NULL" if sizes.group is None else _array([str(one) for one in sizes.group], path)


def _array(parts: list[str], path: Path) -> str:
    """Return an array of sizes that lives as long as the call, in the words of the language."""
    inner = ", ".join(parts)
    return f"(const size_t[]){{{inner}}}" if path.suffix in C else f"std::initializer_list<size_t>{{{inner}}}.begin()"


def _kernels(source: str, code: str) -> dict[str, set[str]]:
    """Return of which kernels each variable is made; a name that is no text in the source counts as unknown, an empty name."""
    macros = dict(re.findall(r'^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+"(\w+)"[ \t]*$', source, re.MULTILINE))
    made: dict[str, set[str]] = {}
    for call in _calls(code, "clCreateKernel"):
        name = _MADE.search(code[max(0, call.start - 200) : call.start])
        if name is None or len(call.spans) < 2:
            raise UnclearError("a kernel is made where no variable holds it")
        text = source[slice(*call.spans[1])]
        known = text[1:-1] if re.fullmatch(r'"\w+"', text) else macros.get(text, "")
        made.setdefault(name[1], set()).add(known)
    return made


def _argument(source: str, call: Called, name: str) -> str:
    if len(call.spans) != _ARGUMENTS:
        raise UnclearError("a launch has not nine arguments")
    return re.sub(r"\s+", "", source[slice(*call.spans[_PLACES[name]])])


def _blanked(source: str) -> str:
    """Return the code alone: comments are blank, and so are texts between their marks; every character stays in its place."""

    def blank(found: re.Match[str]) -> str:
        empty = re.sub(r"[^\n]", " ", found[0])
        return empty if found[0].startswith("/") else f"{found[0][0]}{empty[1:-1]}{found[0][-1]}"

    return _BLANK.sub(blank, source)


def _calls(code: str, name: str) -> list[Called]:
    """Return every call of a function."""
    found = []
    for match in re.finditer(rf"\b{name}\s*\(", code):
        depth, start, spans = 0, match.end(), []
        for at in range(match.end(), len(code)):
            mark = code[at]
            if mark in ",)" and depth == 0:
                spans.append(_trimmed(code, start, at))
                start = at + 1
                if mark == ")":
                    found.append(Called(match.start(), tuple(spans)))
                    break
            depth += (mark in "([{") - (mark in ")]}")
    return found


def _trimmed(code: str, start: int, end: int) -> tuple[int, int]:
    """Return a span without the line ends and blanks around it."""
    inner = code[start:end].strip()
    if not inner:
        return start, end
    first = start + code[start:end].index(inner)
    return first, first + len(inner)
