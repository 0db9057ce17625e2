"""A patch whose text must be launched otherwise, with the program's own launches changed in it where they are understood."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from hotloop.app.run.kept.change import Change
from hotloop.captures import home
from hotloop.captures.hosts import find
from hotloop.captures.hosts.sizes import Sizes, UnclearError
from hotloop.captures.nouns import Captured

if TYPE_CHECKING:
    from hotloop.app.run.kept.patch import Patch

_BY_HAND = "change the program by hand, for {why}"
_DONE = "{sentence}; this diff changes its launch in {places}"


def with_host(patch: Patch, captured: Captured, *, pinned: bool) -> Patch:
    """Return a patch that changes the launches, too; with the reason where they are not understood, and the program must be changed by hand.

    `pinned`: the text is right for the work-items of the measured launch only, so no launch is changed.
    """
    adopted = patch.adoption
    if adopted is None or adopted.sizes or pinned or home.captured_at(Path(patch.path)) is not None:
        return patch
    sizes = Sizes(adopted.entry, adopted.steps, adopted.group, adopted.rounds)
    try:
        made = find.changed(captured, sizes, {patch.path: patch.after})
    except UnclearError as reason:
        return replace(patch, launches=(*patch.launches, _BY_HAND.format(why=reason)))
    places = ", ".join(f"{Path(one.path).name}:{line}" for one in made for line in find.lines(one, sizes.entry))
    told = tuple(_DONE.format(sentence=sentence, places=places) for sentence in patch.launches)
    own = next((one for one in made if one.path == patch.path), None)
    others = tuple(Change(path=one.path, before=one.before, after=one.after) for one in made if one is not own)
    return replace(patch, after=own.after if own else patch.after, host=others, launches=told, asks=False)
