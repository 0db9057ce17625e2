"""Winners of several runs for one program as one patch: kernels of one file have a patch of the same file each."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from hotloop.app.run.kept.change import Change, plain, rows_of
from hotloop.app.run.kept.patch import Patch
from hotloop.errors import UsageError

Edit = tuple[int, int, tuple[str, ...]]
"""Lines of a file, from the first to the one behind the last, and what comes in their place."""


def joined(patches: Sequence[Patch]) -> Patch:
    """Return one patch that does what several do; a file that has some of their changes already counts as what was optimized.

    Raises:
        UsageError: two of them change the same lines, or were made of different states of a file.
    """
    if len(patches) == 1:
        return patches[0]
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
