"""A program takes several rows instead of one.

What it changes: ``tl.program_id(0)`` becomes the numbers of several rows, one below the other; blocks get a dimension for rows in front,
reductions go along the other one, and loads and stores leave rows alone that there are not. The host launches fewer programs and says how
many there were.
When it applies: what depends on the program's number is addresses, masks and elements; nothing is decided or counted by it, and no two
programs write to one place. A row may be laid out in two dimensions for a while, as groups with a scale and packed codes are.
What it costs: registers for every row. Narrow rows leave most threads of a program idle; wide ones need no company.
"""

from __future__ import annotations

from functools import partial

from hotloop.rewrite.jitted import together
from hotloop.rewrite.jitted.form import Keeps, Rewrite
from hotloop.rewrite.jitted.scene import Relaunch

REWRITE = Rewrite(
    name="rows-per-program",
    text=__doc__,
    technique="work-per-item",
    keeps=Keeps.ROUNDING,
    values=(0, 4, 2, 8, 16),
    apply=partial(together.apply, axis=0),
    gain=(0.9, 1.3),
    expects=partial(together.expects, axis=0),
    relaunch=lambda script, value: Relaunch(argument=together.names(script)[2], by=int(value)),
    order=8,
)
