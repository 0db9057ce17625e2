"""What of a program launches a text that must be launched otherwise, changed with it where that is understood."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from hotloop.app.run.kept.adoption import Adoption
from hotloop.app.run.kept.change import Change
from hotloop.captures import home
from hotloop.captures.hosts import find
from hotloop.captures.hosts.sizes import Sizes, UnclearError
from hotloop.captures.nouns import Captured

_BY_HAND = "change the program by hand, for {why}"
_DONE = "{sentence}; this diff changes its launch in {places}"
_GROUPED = re.compile(
    r"(?:\b|__)local\b|\bget_(?:local_|enqueued_local_|group_|num_groups|num_sub|sub_group|max_sub)|\b(?:work_group|sub_group)_\w|\bbarrier\b"
)
"""What a text does with its group: then arrays and numbers that the host gives it may hang on the group, too."""
_GROUP = "its text works with its group, so that what the program gives it may hang on the group's size"


@dataclass(frozen=True, slots=True)
class Launches:
    """Files with changed launches, and what is to be said of them."""

    own: str
    """The text's own file, whose launches are changed where it has them."""
    others: tuple[Change, ...]
    said: tuple[str, ...]
    done: bool
    """False where the program must be changed by hand; the reason is said."""


def changed(
    captured: Captured, adopted: Adoption | None, text: Change, said: tuple[str, ...], *, pinned: bool
) -> Launches | None:
    """Return a program's launches changed with a kernel's text; None where that cannot make them right.

    Args:
        captured: the kernel.
        adopted: how its winner is launched.
        text: the file of its text, before and after.
        said: what the host must do.
        pinned: the text is right for the work-items of the measured launch only, so no launch is changed.
    """
    if adopted is None or adopted.sizes or pinned or home.captured_at(Path(text.path)) is not None:
        return None
    sizes = Sizes(adopted.entry, adopted.steps, adopted.group, adopted.rounds)
    try:
        if adopted.group != adopted.own_group and _GROUPED.search(adopted.before):
            raise UnclearError(_GROUP)
        made = find.changed(captured, sizes, {text.path: text.after})
    except UnclearError as reason:
        return Launches(text.after, (), (*said, _BY_HAND.format(why=reason)), done=False)
    places = ", ".join(f"{Path(one.path).name}:{line}" for one in made for line in find.lines(one, sizes.entry))
    own = next((one for one in made if one.path == text.path), None)
    others = tuple(Change(path=one.path, before=one.before, after=one.after) for one in made if one is not own)
    told = tuple(_DONE.format(sentence=sentence, places=places) for sentence in said)
    return Launches(own.after if own else text.after, others, told, done=True)
