"""Command lines that hotloop prints for users to paste."""

from __future__ import annotations

import shlex
import sys

from hotloop.report.plain import discreet


def command(verb: str, *words: str, device: str = "", store: str = "", shape: str = "") -> str:
    """Return a command line, quoted for the shell, with the device and the store that the user gave, and a shape.

    Device and store come first, because the command often ends a sentence: a full stop that is copied with it must not become
    part of the store's name. The password of a store's URL is not printed.

    >>> command("optimize", "gemm", store="my runs/a.sqlite", shape="64x32x16")
    "hotloop optimize --store 'my runs/a.sqlite' gemm --shape 64x32x16"
    """
    before = ("--device", device) * bool(device) + ("--store", discreet(store)) * bool(store)
    after = ("--shape", shape) * bool(shape)
    return shlex.join(["hotloop", verb, *before, *words, *after])


def again() -> str:
    """Return the command line of this process, for a record that others read: without the password of a store's URL."""
    return shlex.join(["hotloop", *map(discreet, sys.argv[1:])])
