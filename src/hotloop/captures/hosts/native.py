"""Launches through OpenCL's own functions in a C or C++ source: found by the kernel that they are given, and changed in place.

A launch names no kernel, but a variable. It is changed only where every use of that variable is one that leaves no doubt: it is declared,
made of this kernel, given arguments, launched, released. Whatever else is done with it may make it another kernel, or launch it elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from hotloop.captures.hosts.sizes import Sizes, UnclearError, fewer
from hotloop.captures.hosts.tokens import Token, braces, conditions, line, tokens, words

C, CPP = (".c",), (".cc", ".cpp", ".cxx")
HEADERS = (".h", ".hh", ".hpp", ".hxx", ".inl")
_LAUNCH, _MAKE = "clEnqueueNDRangeKernel", "clCreateKernel"
_SEVERAL = (
    "clEnqueueTask",
    "enqueueNDRangeKernel",
    "clCreateKernelsInProgram",
    "clCloneKernel",
    "EnqueueArgs",
    "make_kernel",
    "KernelFunctor",
)
"""Ways to launch, or to come by a kernel, that are not followed."""
_HARMLESS = (
    "clSetKernelArg",
    "clSetKernelArgSVMPointer",
    "clSetKernelExecInfo",
    "clReleaseKernel",
    "clGetKernelInfo",
    "clGetKernelArgInfo",
    "clGetKernelWorkGroupInfo",
    "clGetKernelSubGroupInfo",
)
"""Functions that neither launch their first argument nor keep it."""
_BEGINNINGS = (";", "{", "}", ")", ":", "cl_kernel", "auto", "else", "do")
"""What stands before an assignment that is a statement, or a declaration."""
_NOTHING = ("NULL", "0", "nullptr", "(size_t*)0", "(void*)0")
_PLACES = {"kernel": 1, "dimensions": 2, "offset": 3, "sizes": 4, "group": 5}
_ARGUMENTS = 9
_HEADER = "#include <initializer_list>"
_ONLY_CPP = frozenset(("std", "template", "namespace", "class", "nullptr", "constexpr", "iostream", "using", "try"))


@dataclass(frozen=True, slots=True)
class Called:
    """A call in a source: where it is, and the tokens of each of its arguments."""

    start: int
    at: int
    arguments: tuple[tuple[Token, ...], ...]

    def text(self, name: str) -> str:
        """Return an argument of a launch without blanks and comments."""
        return _joined(self.arguments[_PLACES[name]])

    def span(self, name: str) -> tuple[int, int]:
        """Return where an argument of a launch begins and ends."""
        own = self.arguments[_PLACES[name]]
        return own[0].start, own[-1].end


class Host:
    """A source as far as it makes and launches kernels."""

    def __init__(self, source: str) -> None:
        """Read a source. Raises UnclearError where it makes or launches kernels in a way that is not followed."""
        self.source, self.tokens = source, tokens(source)
        self.code = tuple(one for one in self.tokens if not one.directive)
        own = words(self.tokens)
        if other := next((one for one in _SEVERAL if one in own), ""):
            raise UnclearError(f"it also uses {other}")
        if macro := next((one for one in self.tokens if one.directive and one.value in (_LAUNCH, _MAKE)), None):
            raise UnclearError(f"line {line(source, macro.start)} has {macro.value} in a macro")
        self.launches = [*self._calls(_LAUNCH)]
        if short := next((call for call in self.launches if len(call.arguments) != _ARGUMENTS), None):
            raise UnclearError(f"{self._place(short.at)} launches with other than nine arguments")
        self.made = {self._target(call): self._name(call) for call in self._calls(_MAKE)}

    def names(self, entry: str) -> bool:
        """Tell whether a text in the source is a kernel's name."""
        return any(one.kind == "text" and one.value == f'"{entry}"' for one in self.tokens)

    def variables(self, entry: str) -> set[str]:
        """Return the variables that hold a kernel. Raises UnclearError where one may hold another one, too, or its name is used otherwise."""
        places = [at for at, name in self.made.items() if name == entry]
        own = {self.code[at].value for at in places}
        if any(self._start(at) != at or not self._local(at) for at in places):
            self.of(self._kernels())  # a whole structure may be made of other kernels
        if other := next((at for at, name in self.made.items() if name != entry and self.code[at].value in own), 0):
            raise UnclearError(f"{self._place(other)} makes another kernel in the same variable")
        uses = sum(one.kind == "text" and one.value == f'"{entry}"' for one in self.tokens)
        by_macro = {_joined(call.arguments[1]) for call in self._calls(_MAKE)} - {f'"{entry}"'}
        direct = sum(_joined(call.arguments[1]) == f'"{entry}"' for call in self._calls(_MAKE))
        if uses != direct + sum(_macros(self.tokens).get(name) == entry for name in by_macro):
            raise UnclearError(f"{entry} is named where no {_MAKE} is, so that it may be made or launched there, too")
        return own

    def of(self, names: set[str]) -> list[Called]:
        """Return the launches of kernels that variables hold. Raises UnclearError where they may hold another one, or be launched otherwise."""
        launched = {call.arguments[1][-1].start for call in self.launches if _path(call.arguments[1])}
        if doubt := next((call for call in self.launches if not _path(call.arguments[1])), None):
            raise UnclearError(
                f"the kernel of the launch in line {line(self.source, doubt.start)} comes from elsewhere"
            )
        for one in self.tokens:
            if one.directive and one.value in names:
                raise UnclearError(f"line {line(self.source, one.start)} has {one.value} in a macro")
        for at, one in enumerate(self.code):
            if one.value in names and one.start not in launched and at not in self.made and not self._plain(at):
                raise UnclearError(f"{self._place(at)} uses {one.value} in a way that is not followed")
        return [call for call in self.launches if call.arguments[1][-1].value in names]

    def _local(self, at: int) -> bool:
        """Tell whether a variable is seen to be declared, and nowhere as a member of something."""
        alike = [place for place, one in enumerate(self.code) if one.value == self.code[at].value]
        return self.own(self.code[at].value) and all(self._start(place) == place for place in alike)

    def _kernels(self) -> set[str]:
        """Return the variables that hold kernels, parameters among them."""
        named = {after.value for one, after in pairwise(self.code) if one.value == "cl_kernel" and after.kind == "word"}
        return named | {self.code[at].value for at in self.made}

    def own(self, name: str) -> bool:
        """Tell whether no other source can see a variable: it is declared within functions, or `static`."""
        declared = [at for at, one in enumerate(self.code) if one.value == name and self._declared(at)]
        return bool(declared) and all(self._hidden(at) for at in declared)

    def _hidden(self, at: int) -> bool:
        """Tell whether a declaration is one within a function, or one of this source alone."""
        opened: list[int] = []
        for place, one in enumerate(self.code[:at]):
            if one.value == "{":
                opened.append(place)
            elif one.value == "}" and opened:
                opened.pop()
        said = {one.value for one in self.code[self._statement(at) : at]}
        return "extern" not in said and (("static" in said and not opened) or any(map(self._function, opened)))

    def _function(self, brace: int) -> bool:
        """Tell whether a brace opens a function's body, or a block in one."""
        start = self._statement(brace)
        said = {one.value for one in self.code[start:brace]}
        return self.code[max(0, brace - 1)].value == ")" and not said & {
            "struct",
            "class",
            "union",
            "namespace",
            "extern",
        }

    def _statement(self, at: int) -> int:
        """Return where a statement begins."""
        while at and self.code[at - 1].value not in (";", "{", "}", ":"):
            at -= 1
        return at

    def _declared(self, at: int) -> bool:
        """Tell whether a statement of its own declares a variable, alone or beside others."""
        values = [one.value for one in self.code[self._statement(at) : at]]
        head, _, others = " ".join(values).partition("cl_kernel")
        plain = re.fullmatch(r"(?: \w+(?: = (?:NULL|0|nullptr))? ,)* ?", others) is not None
        kinds = set(head.split()) <= {"static", "const", "volatile", "extern"}
        return "cl_kernel" in values and kinds and plain and self.code[at + 1].value in (";", ",", "=")

    def _plain(self, at: int) -> bool:
        """Tell whether a use of a kernel's variable neither changes it nor hands it on."""
        start = self._start(at)
        called, mark = (["", "", *(one.value for one in self.code[:start])])[-2:]
        after, value, end = [*(one.value for one in self.code[at + 1 : at + 4]), "", "", ""][:3]
        if mark in ("*", "&"):
            return False
        if after in ("=", "==", "!="):
            return value in ("NULL", "0", "nullptr") and end in (";", ",", ")", "&", "|")
        if self._declared(at) or mark == "!":
            return True
        given = mark == "(" and called in _HARMLESS and after in (",", ")")
        return given or (mark == "(" and called in ("if", "while") and after == ")")

    def _start(self, at: int) -> int:
        """Return where a member's whole name begins."""
        while at > 1 and self.code[at - 1].value in (".", "->") and self.code[at - 2].kind == "word":
            at -= 2
        return at

    def _target(self, call: Called) -> int:
        """Return the place of the variable that a kernel is made in."""
        before = self.code[max(0, call.at - 5) : call.at]
        values = [one.value for one in before]
        cast = 3 if values[-3:] == ["(", "cl_kernel", ")"] else 0
        at = call.at - cast - 2
        held = at >= 0 and self.code[at + 1].value == "=" and self.code[at].kind == "word"
        if not held or not self._ended(self._start(at)) or len(call.arguments) != len(("program", "name", "error")):
            raise UnclearError(f"{self._place(call.at)} makes a kernel that no plain variable holds")
        return at

    def _ended(self, start: int) -> bool:
        """Tell whether nothing but a condition uses the value of an assignment, so that no other variable gets it."""
        before, last = ["", ";", *(one.value for one in self.code[:start])][-2:]
        return last in _BEGINNINGS or (last == "(" and before in ("(", "!", "if", "while"))

    def _name(self, call: Called) -> str:
        """Return of which kernel one is made."""
        text = _joined(call.arguments[1])
        name = text[1:-1] if re.fullmatch(r'"\w+"', text) else _macros(self.tokens).get(text, "")
        if not name:
            raise UnclearError(f"{self._place(call.at)} makes a kernel whose name is not written there")
        return name

    def _place(self, at: int) -> str:
        return f"line {line(self.source, self.code[at].start)}"

    def _calls(self, name: str) -> Iterator[Called]:
        """Yield every call of a function."""
        for at, one in enumerate(self.code):
            if one.value != name:
                continue
            if [each.value for each in self.code[at + 1 : at + 3]][:1] != ["("] or at + 2 == len(self.code):
                raise UnclearError(f"{self._place(at)} uses {name} otherwise than by calling it")
            yield Called(one.start, at, self._arguments(at + 2))

    def _arguments(self, first: int) -> tuple[tuple[Token, ...], ...]:
        depth, found = 0, list[list[Token]]([[]])
        for one in self.code[first:]:
            if depth == 0 and one.value == ")":
                break
            depth += (one.value in "([{") - (one.value in ")]}") if one.kind == "sign" else 0
            if depth == 0 and one.value == ",":
                found.append([])
            else:
                found[-1].append(one)
        start, end = self.code[first].start, one.start
        if not all(found) or depth or any(one.directive and start < one.start < end for one in self.tokens):
            raise UnclearError(f"{self._place(first)} has a call that is not followed")
        return tuple(map(tuple, found))


def launches(source: str, entry: str) -> list[Called]:
    """Return every launch of a kernel; none where the source does not name it.

    Raises:
        UnclearError: a launch may be of this kernel or another one, or the kernel comes from elsewhere.
    """
    if f'"{entry}"' not in source:
        return []
    host = Host(source)
    names = host.variables(entry)
    return host.of(names) if names else []


def apart(source: str, entry: str, names: set[str]) -> None:
    """Raise UnclearError where another source may make or launch a kernel, or what variables hold that it can see."""
    relevant = (_LAUNCH, _MAKE, *_SEVERAL, f'"{entry}"', *names)
    if not any(one in source for one in relevant):
        return
    host = Host(source)
    if host.names(entry):
        raise UnclearError(f"it names {entry}, too")
    used = host.of(names) if names & words(host.tokens) else []
    if used or any(host.code[at].value in names for at in host.made):
        raise UnclearError("it has a variable of the same name, which may be the same one")


def changed(source: str, sizes: Sizes, path: Path) -> str:
    """Return a source with every launch of a kernel changed. Raises UnclearError."""
    found, made = launches(source, sizes.entry), source
    if not found:
        raise UnclearError(f"no launch of it was found in {path.name}")
    for call in reversed(found):
        _sound(source, call, sizes)
        whole, group = call.span("sizes"), call.span("group")
        made = made[: group[0]] + _group(sizes, path) + made[group[1] :]
        made = made[: whole[0]] + _whole(source, source[slice(*whole)], sizes, path) + made[whole[1] :]
    if made != source and path.suffix in C and (word := next(iter(_ONLY_CPP & words(tokens(source))), "")):
        raise UnclearError(f"{path.name} has {word}, so that it may be C++")
    return _headed(made, found[0].start) if made != source and path.suffix in CPP else made


def _headed(source: str, before: int) -> str:
    """Return a C++ source with the header that its arrays of sizes need before a place, where no condition and no brace is around it."""
    found = tokens(source)
    outside = [
        (one, found[at + 1 : at + 5])
        for at, (one, depth, group) in enumerate(zip(found, braces(found), conditions(found), strict=False))
        if one.directive
        and depth == group == 0
        and one.start < before
        and source[source.rfind("\n", 0, one.start) + 1 : one.end].strip() == "#"
    ]
    names = ["".join(each.value for each in after) for _, after in outside]
    if "include<initializer_list>" in names:
        return source
    includes = [one.start for (one, _), name in zip(outside, names, strict=True) if name.startswith("include")]
    conditional = [one.start for (one, _), name in zip(outside, names, strict=True) if name.startswith("if")]
    start = (includes or conditional or [0])[0]
    start = source.rfind("\n", 0, start) + 1
    return f"{source[:start]}{_HEADER}\n{source[start:]}"


def _sound(source: str, call: Called, sizes: Sizes) -> None:
    """Raise UnclearError where a launch cannot be changed alone."""
    here = f"the launch in line {line(source, call.start)}"
    if re.search(r"\w\(|=|\+\+|--|\bvoid\b", call.text("sizes")):
        raise UnclearError(f"the sizes of {here} are calculated in place")
    if call.text("offset") not in _NOTHING:
        raise UnclearError(f"{here} has an offset")
    if call.text("dimensions") != str(len(sizes.steps)):
        raise UnclearError(f"{here} has other dimensions than the one that was optimized")


def _whole(source: str, text: str, sizes: Sizes, path: Path) -> str:
    # a word that is not seen as a variable may be a macro that stands for more than one word
    variable = re.fullmatch(r"\w+", text) and re.search(rf"\bsize_t\b[^;(){{}}]*\b{text}\b", source)
    own = text if variable else f"({text})"
    parts = [fewer(f"{own}[{at}]", *pair, "/") for at, pair in enumerate(sizes.pairs())]
    return text if all(pair == (1, 1) for pair in sizes.pairs()) else _array(parts, path)


def _group(sizes: Sizes, path: Path) -> str:
    return "NULL" if sizes.group is None else _array([str(one) for one in sizes.group], path)


def _array(parts: list[str], path: Path) -> str:
    """Return an array of sizes that lives as long as the call, in the words of the language."""
    inner = ", ".join(parts)
    return f"(const size_t[]){{{inner}}}" if path.suffix in C else f"std::initializer_list<size_t>{{{inner}}}.begin()"


def _macros(found: tuple[Token, ...]) -> dict[str, str]:
    """Return the macros that are one text, always: defined once, without a condition."""
    made, known = list[str](), dict[str, str]()
    for at, (one, depth) in enumerate(zip(found, conditions(found), strict=True)):
        head = [each.value for each in found[at : at + 3]]
        if not one.directive or head[:2] not in (["#", "define"], ["#", "undef"]):
            continue
        made.append(head[2])
        value, after = found[at + 3 : at + 4], found[at + 4 : at + 5]
        alone = not after or not after[0].directive or after[0].value == "#"
        if depth == 0 and value and value[0].directive and re.fullmatch(r'"\w+"', value[0].value) and alone:
            known[head[2]] = value[0].value[1:-1]
    return {name: text for name, text in known.items() if made.count(name) == 1}


def _joined(own: tuple[Token, ...]) -> str:
    """Return tokens without blanks, but between words."""
    return re.sub(r"(?<![\w$]) | (?![\w$])", "", " ".join(one.value for one in own))


def _path(own: tuple[Token, ...]) -> bool:
    """Tell whether tokens are a variable, or a member of one."""
    return re.fullmatch(r"(?:\w+(?:->|\.))*\w+", _joined(own)) is not None
