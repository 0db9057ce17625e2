"""Calls by the compiled launcher with stand-ins for tensors and driver, in a process that may die of it: ``python trial.py LIBRARY``.

It imports nothing of hotloop's and no PyTorch. Results, addresses, stream, errors and what is refused are compared with what must
come, and after thousands of calls no object may have gained or lost references. At its end it prints ``passed``.
"""

from __future__ import annotations

import ctypes
import gc
import shutil
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    Made = Callable[[object], Any]

STREAM, DEVICE, CALLS = 0x7F00_1234_5678, 1, 2000
LEEWAY = 8
"""References by which a count may differ: those of this file's own names."""
MAP = b"a map's bytes"
DRIVER = ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_void_p] * 4)


class Tensor:
    """Stands in for a tensor: it has an address."""

    is_nested = False

    def __init__(self, address: int) -> None:
        self.address = address

    def data_ptr(self) -> int:
        """Return it."""
        return self.address


class Trial:
    """The library's functions, and what calls have met."""

    def __init__(self, path: str) -> None:
        library = ctypes.PyDLL(path)
        self.form, self.known = library.hotloop_form, library.hotloop_known
        for function in (self.form, self.known):
            function.argtypes, function.restype = (ctypes.py_object,), ctypes.py_object
        self.met: list[tuple[object, ...]] = []
        self.status, self.current, self.fit = 0, DEVICE, True
        self.number = ctypes.c_int32(-9)
        self.driver = DRIVER(self._driven)
        self.runtime = SimpleNamespace(launch_enter_hook=None, launch_exit_hook=None)

    def _driven(self, config: int, handle: int, given: int, _extra: int) -> int:
        words = (ctypes.c_uint32 * 7).from_address(config)
        stream, attributes = (ctypes.c_uint64.from_address(config + place).value for place in (32, 40))
        count = ctypes.c_uint32.from_address(config + 48).value
        places = (ctypes.c_void_p * 4).from_address(given)
        x, y = (ctypes.c_uint64.from_address(places[i] or 0).value for i in (0, 2))
        number, text = ctypes.c_int32.from_address(places[1] or 0).value, ctypes.string_at(places[3] or 0, len(MAP))
        self.met.append((tuple(words), stream, handle, x, number, y, attributes, count, text))
        return self.status

    def formed(self, *, below: bool) -> Made:
        """Return a form of calls with one result and scratch, launched by the driver or by a function `below` Triton's."""
        made = (lambda: Tensor(0x1000)), ()
        area = (lambda _device: Tensor(0x2000)), (None,)
        kept: dict[int, object] = {}
        step: tuple[object, ...] = (
            (ctypes.cast(self.driver, ctypes.c_void_p).value, 0xABCD, self.driver), (5, 6, 7, 64, 2, 1, 1 << 16, 0xFACE, 1),
            (0, ctypes.addressof(self.number), 0, 0), ((0, 1), (2, 0)), ((3, 1, kept, lambda _x: MAP[:4] + MAP[4:]),), None,
        )  # fmt: skip
        if below:
            launch = lambda *given: self.met.append(given)  # noqa: E731
            step = launch, ("kept", None, None, 0, None), 3, ((1, 1), (2, 2)), ((4, 0, kept, lambda y: ("map", y)),)
        listened = self.runtime if below else None
        current, streamed = (lambda: self.current), (lambda index: STREAM + index)
        made_of: Made = self.form(
            (((*made, 0),), ((1, 1),), ((*area, 2),), current, streamed, DEVICE, listened, (step,), 1)
        )  # fmt: skip
        return made_of

    def whole(self, run: object, *, spread: int) -> Made:
        """Return what tells whether calls of (text, operand, operand) are of a form, and runs them."""
        forward, asked = SimpleNamespace(level=-1), (lambda: False)
        recognizer: Made = self.known(
            (3, lambda *_operands: self.fit, ((1, 0),), ((2, 1),), ((0, "text"),), ((asked, False),), forward, "level", run, spread)
        )  # fmt: skip
        return recognizer


def expect(fact: bool, what: str) -> None:  # noqa: FBT001 - it reads as a sentence
    """End with a message unless something is so."""
    if not fact:
        sys.exit(f"wrong: {what}")


def right(trial: Trial) -> None:
    """Compare what calls do with what they must do."""
    x, nowhere = Tensor(0x3000), Tensor(0)
    wanted = ((5, 6, 7, 64, 2, 1, 1 << 16), STREAM + DEVICE, 0xABCD, 0x3000, -9, 0x1000, 0xFACE, 1, MAP)
    below = ("kept", 0x3000, 0x2000, STREAM + DEVICE, ("map", 0x1000))
    for launched, form in ((wanted, trial.formed(below=False)), (below, trial.formed(below=True))):
        expect(form(("text", x, x)).data_ptr() == 0x1000, "a result of the first call")
        expect(trial.met.pop() == launched, "the first launch")
        again = trial.whole(form, spread=0)
        expect(again(("text", x, x)).data_ptr() == 0x1000, "a result")
        expect(trial.met.pop() == launched, "a launch")
        for other in (
            ("other", x, x),
            ("text", x, Tensor(0x3000)),
            ("text", x),
            ("text", Tensor(0x3008), x),
            ("text", nowhere, nowhere),
            (),
            None,
        ):
            expect(again(other) is None and not trial.met, "another call is refused")
        trial.current = 0
        expect(again(("text", x, x)) is None, "another device is refused")
        trial.current, trial.fit = DEVICE, False
        expect(again(("text", x, x)) is None, "what the guard refuses is refused")
        trial.fit = True
    trial.status = 1
    expect(trial.whole(trial.formed(below=False), spread=0)(("text", x, x)) is None, "a refusal of the driver's")
    trial.status = 0
    trial.runtime.launch_enter_hook = print
    expect(trial.whole(trial.formed(below=True), spread=0)(("text", x, x)) is None, "listeners are told")
    trial.runtime.launch_enter_hook = None
    expect(trial.whole(lambda *given: given, spread=1)(("text", x, x)) == ("text", x, x), "arguments one by one")
    for spec in ((), (1,), tuple([()] * 9), tuple([None] * 10), tuple(range(10))):
        for make in (trial.form, trial.known):
            try:
                make(spec)
            except (ValueError, TypeError, IndexError, OverflowError, SystemError):
                continue
            sys.exit("wrong: a spec of another form is taken")


def kept(trial: Trial) -> None:
    """Make many calls, and look whether objects have gained or lost references, with forms that come and go."""
    x, text = Tensor(0x3000), "text"
    objects = (x, text, trial.runtime, trial.driver, None.__class__)
    forms = [trial.formed(below=below) for below in (False, True)]
    wholes = [trial.whole(form, spread=0) for form in forms]
    before = [sys.getrefcount(one) for one in (*objects, *forms)]
    for number in range(CALLS):
        for whole in wholes:
            whole((text, x, x))
            whole((text, x, Tensor(1)))
        trial.met.clear()
        if number % 100 == 0:
            trial.whole(trial.formed(below=True), spread=0)((text, x, x))
            gc.collect()
    trial.met.clear()
    gc.collect()
    after = [sys.getrefcount(one) for one in (*objects, *forms)]
    expect(all(abs(x - y) <= LEEWAY for x, y in zip(before, after, strict=True)), f"references: {before}, then {after}")


def alone(trial: Trial) -> None:
    """Tell forms of calls apart before anything else of the library was called."""
    x = Tensor(0x3000)
    expect(trial.whole(lambda *given: given, spread=1)(("text", x, x)) == ("text", x, x), "the first form of a call")


if __name__ == "__main__":
    asked = Trial(sys.argv[1])
    right(asked)
    kept(asked)
    library = Path(sys.argv[1])
    with tempfile.TemporaryDirectory(dir=library.parent, prefix="hotloop-") as folder:  # where libraries may be opened
        untouched = Trial(shutil.copy(library, folder))  # nothing of it was called yet
    alone(untouched)
    sys.stdout.write("passed")
