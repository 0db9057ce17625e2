"""What a program can use of a run while it runs, without a change of its files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hotloop.model.record import Scalar
from hotloop.rewrite.jitted.scene import Divided, Relaunch


@dataclass(frozen=True, slots=True, kw_only=True)
class Adoption:
    """What a program can use of a run without a change of its files, and what must be as it was for that."""

    language: str
    entry: str
    before: str
    after: str
    device: str
    versions: str
    own: str = ""
    steps: tuple[int, ...] = ()
    """Factor by which each dimension of an OpenCL launch shrinks."""
    rounds: tuple[bool, ...] = ()
    """Dimensions of an OpenCL launch that may have more work-items than are needed, for whole groups: its text is known to have a bound there."""
    group: tuple[int, ...] | None = None
    own_group: tuple[int, ...] | None = None
    sizes: tuple[int, ...] = ()
    """Work-items by dimension of an OpenCL launch that has other dimensions than the program's; empty: it has as many."""
    own_sizes: tuple[int, ...] = ()
    """Work-items of the program's launch for which these are."""
    numbers: Mapping[str, str] = field(default_factory=dict)
    """Bytes of numbers that the program's launch was given, by place among its arguments, where `sizes` are for these only."""
    start: Mapping[str, Scalar] = field(default_factory=dict)
    """Constants and options of a Triton launch as the program has them."""
    config: Mapping[str, Scalar] = field(default_factory=dict)
    """The same with the winner's values."""
    search: tuple[str, ...] = ()
    package: str = ""
    guards: tuple[str, ...] = ()
    """Conditions on the parameters of a Triton launch under which the winner's text is right."""
    fewer: tuple[Relaunch, ...] = ()
    divided: tuple[Divided, ...] = ()
    """Parts of a grid computed by the host that follow from the constants."""
    native: bool = False
    """True where the program is no Python program: nothing in it can adopt."""
    units: int = 1
    """Compute units of the device on which it won."""
