"""Winners of several runs for one program as one patch: kernels of one file have a patch of the same file each."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, pairwise

from hotloop.app.run.kept.change import Change, plain, rows_of
from hotloop.app.run.kept.patch import Patch
from hotloop.errors import UsageError

Edit = tuple[int, int, tuple[str, ...]]
"""Lines of a file, from the first to the one behind the last, and what comes in their place."""


def joined(patches: Sequence[Patch]) -> Patch:
    """Return one patch that does what several do; a file that has some of their changes already counts as what was optimized.

    Raises:
        UsageError: two of them change the same lines or the same kernel, or were made of different states of a file.
    """
    if len(patches) == 1:
        return patches[0]
    for pair in combinations(patches, 2):
        _apart(*pair)
    by_path: dict[str, list[Change]] = {}
    for patch in patches:
        for one in (patch, *patch.host):
            if one.before != one.after:
                by_path.setdefault(one.path, []).append(one)
    made = [_merged(path, changes) for path, changes in by_path.items()]
    first = made[0] if made else patches[0]
    return Patch(
        path=first.path,
        before=first.before,
        after=first.after,
        launches=tuple(sentence for patch in patches for sentence in patch.launches),
        speedup="; ".join(patch.speedup for patch in patches),
        asks=any(patch.asks for patch in patches),
        host=tuple(made[1:]),
    )


_HEAD = re.compile(
    r"(?:\b(\w+)\s*\((?:[^(){};]|\((?:[^()]|\([^()]*\))*\))*\)\s*\{)|^(?:@.*\n)*def\s+(\w+)", re.MULTILINE
)
"""Beginning of a function's body in C, and of a function in Python; of several within each other the first counts."""


def _apart(one: Patch, other: Patch) -> None:
    """Raise UsageError where a text with the changes of both runs is another one than each of them verified."""
    (own, made), (theirs, other_made) = (_text(patch) for patch in (one, other))
    if one.path != other.path or own != theirs or made == other_made or own in (made, other_made):
        return
    parts, (first, second) = _functions(own), (_touched(own, text) for text in (made, other_made))
    calls = any(
        re.search(rf"\b{re.escape(name)}\b", parts.get(user, ""))
        for names, users in ((first, second), (second, first))
        for name in names
        for user in users
    )
    if "" in first | second or first & second or calls:
        names = ", ".join(sorted(name for name in (first & second) - {""})) or "what their kernels share"
        raise UsageError(
            f"these runs both change {names} in {one.path}, and nobody verified that together: apply one, capture the program again, and optimize the others."
        )


def _text(patch: Patch) -> tuple[str, str]:
    """Return the text that was built, before and after; a host around it is left out."""
    adopted = patch.adoption
    before, after = (adopted.before, adopted.after) if adopted else (patch.before, patch.after)
    return plain(before), plain(after)


def _functions(text: str) -> dict[str, str]:
    """Return the functions of a text from their names on, each up to the next one."""
    return {name: "".join(rows_of(text)[first:last]) for first, last, name in _spans(text)}


def _spans(text: str) -> list[tuple[int, int, str]]:
    """Return the rows of each function that stands in no other one, and its name."""
    found: list[tuple[int, int, str]] = []
    for head in _HEAD.finditer(text):
        first, last = text.count("\n", 0, head.start()), text.count("\n", 0, _end(text, head)) + 1
        if not found or first >= found[-1][1]:
            found.append((first, last, head[1] or head[2]))
    return found


def _end(text: str, head: re.Match[str]) -> int:
    """Return where a function ends: in C at its last brace, in Python at the next line without a margin."""
    if head[1] is None:
        after = re.compile(r"^(?![ \t\n#)\]])", re.MULTILINE).search(text, text.find("\n", head.end()) + 1)
        return after.start() - 1 if after else len(text)
    depth = 1
    for at in range(head.end(), len(text)):
        depth += (text[at] == "{") - (text[at] == "}")
        if depth == 0:
            return at
    return len(text)


def _touched(before: str, after: str) -> set[str]:
    """Return the functions in which a text changes; an empty name where it does outside of them."""
    spans, names = _spans(before), set[str]()
    for first, last, made in _edits(rows_of(before), rows_of(after)):
        inside = next(((low, high, name) for low, high, name in spans if low <= first and last <= high), None)
        between = inside is None or (first == last and first in inside[:2] and any("#" in row for row in made))
        names.add("" if inside is None or between else inside[2])
    return names


def _merged(path: str, changes: Sequence[Change]) -> Change:
    """Return the changes of one file as one. Raises UsageError."""
    before = plain(changes[0].before)
    if any(plain(one.before) != before for one in changes):
        raise UsageError(
            f"{path} was not the same in these runs: apply one, capture the program again, and optimize the others."
        )
    rows = rows_of(before)
    edits = sorted({edit for one in changes for edit in _edits(rows, rows_of(plain(one.after)))})
    for (_, last, _), (first, _, _) in pairwise(edits):
        if first <= last:
            raise UsageError(
                f"these runs change the same lines of {path} ({first + 1}): apply one, capture the program again, and optimize the others."
            )
    for first, last, text in reversed(edits):
        rows[first:last] = text
    whole = Change(path=path, before=before, after="".join(rows))
    written = next((one for one in changes if one.as_after), None)
    return whole if written is None else replace(whole, before=plain(written.after))


def _edits(before: list[str], after: list[str]) -> list[Edit]:
    codes = difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return [(first, last, tuple(after[low:high])) for tag, first, last, low, high in codes if tag != "equal"]
