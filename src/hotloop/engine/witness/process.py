"""The witness's process: keeps arrays on the device, computes with them what it is asked, compares results with them.

It runs no code but hotloop's own and PyTorch's, has a folder of its own, and knows nothing of candidates: results come to it as
the copies that the judging process made. `far` says what it can be asked.
"""

# ruff: noqa: ANN401 - messages are JSON, and tensors whatever computes here takes for them

from __future__ import annotations

import socket
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from hotloop.host.process import die_with_parent, receive, send

TYPED = frozenset({"full", "where"})
"""Operations whose type their arguments do not tell."""
BULK = "bulk"
"""File through which arrays come and go."""
Answer = dict[str, Any]


class Tensors(Protocol):
    """The library that computes references in this process; `torched` is the one for PyTorch."""

    table: Mapping[str, Any]

    @property
    def version(self) -> str: ...  # noqa: D102
    def load(self, payload: NDArray[np.uint8], dtype: str, shape: list[int]) -> Any: ...  # noqa: D102
    def cast(self, x: Any, dtype: str) -> Any: ...  # noqa: D102
    def kind(self, dtype: str) -> Any: ...  # noqa: D102
    def bytes(self, x: Any) -> NDArray[np.uint8]: ...  # noqa: D102
    def told(self, x: Any) -> tuple[str, list[int]]: ...  # noqa: D102
    def tidy(self) -> None: ...  # noqa: D102
    def within(self, actual: Any, reference: Any, magnitude: Any, bound: list[float]) -> list[float] | None: ...  # noqa: D102
    def pin(self, array: NDArray[np.uint8]) -> None: ...  # noqa: D102
    def unpin(self, array: NDArray[np.uint8]) -> None: ...  # noqa: D102


class Scale:
    """Answers requests; what cannot be done is a value, and the host does it instead."""

    def __init__(self, folder: Path, tensors: Tensors) -> None:
        self._bulk = folder / BULK
        self._tensors = tensors
        self._kept: dict[int, Any] = {}
        self._mapped: NDArray[np.uint8] = np.zeros(0, np.uint8)
        """The file through which arrays come, as large as it was when last looked at."""

    def handle(self, message: Mapping[str, Any]) -> Answer:
        """Answer one request, after the operations that come with it."""
        refused = next((a for a in map(self._done, message.get("first", ())) if "refused" in a), None)
        if refused is not None:
            for freed in (*message["first"], message):
                self._free(freed)
        return refused or self._done(message)

    def _done(self, message: Mapping[str, Any]) -> Answer:
        self._free(message)
        operations = {
            "load": self._load, "call": self._call, "item": self._item, "fetch": self._fetch, "within": self._within,
            "tidy": self._tidy, "wait": self._wait,
        }  # fmt: skip
        try:
            return operations[message["op"]](message)
        except Exception as error:  # noqa: BLE001 - whatever cannot be done here is done by the host
            return {"refused": f"{type(error).__name__}: {error}"[:500]}

    def _free(self, message: Mapping[str, Any]) -> None:
        for number in message.get("free", ()):
            self._kept.pop(number, None)

    def _keep(self, message: Mapping[str, Any], made: Any) -> Answer:
        """Keep a result. Raises TypeError where it has another form than whoever asked counts on."""
        dtype, shape = self._tensors.told(made)
        if (form := message.get("form")) is not None and form != {"dtype": dtype, "shape": list(shape)}:
            if list(shape) != form["shape"]:
                raise TypeError(f"a result of shape {shape} instead of {form['shape']}")
            made = self._tensors.cast(made, form["dtype"])
        self._kept[message["number"]] = made
        return {"dtype": dtype, "shape": shape}

    def _payload(self, message: Mapping[str, Any]) -> NDArray[np.uint8]:
        if not message["bytes"]:
            return np.zeros(0, np.uint8)
        if self._mapped.size != self._bulk.stat().st_size:
            if self._mapped.size:
                self._tensors.unpin(self._mapped)
            self._mapped = np.memmap(self._bulk, np.uint8, "r+")
            self._tensors.pin(self._mapped)
        return self._mapped[: message["bytes"]]

    def _load(self, message: Mapping[str, Any]) -> Answer:
        return self._keep(message, self._tensors.load(self._payload(message), message["dtype"], message["shape"]))

    def _call(self, message: Mapping[str, Any]) -> Answer:
        name, cast = message["name"], message["cast"]
        arguments = [self._argument(argument, cast) for argument in message["arguments"]]
        if name in TYPED:
            return self._keep(message, self._tensors.table[name](*arguments, dtype=self._tensors.kind(cast)))
        return self._keep(message, self._tensors.table[name](*arguments))

    def _argument(self, sent: Any, cast: str) -> Any:
        """Return an argument; arrays in the type in which is to be computed."""
        if not isinstance(sent, dict):
            return sent
        ((kind, value),) = sent.items()
        if kind == "far":
            array = self._kept[value]
            return self._tensors.cast(array, cast) if cast else array
        if kind == "mask":  # an array that says where, in its own type
            return self._kept[value]
        if kind == "slice":
            return slice(*value)
        if kind == "list":
            return [self._argument(item, cast) for item in value]
        if kind == "tuple":
            return tuple(self._argument(item, cast) for item in value)
        return {"none": None, "dots": ...}[kind]

    def _item(self, message: Mapping[str, Any]) -> Answer:
        return {"value": self._kept[message["number"]].item()}

    def _fetch(self, message: Mapping[str, Any]) -> Answer:
        payload = self._tensors.bytes(self._kept[message["number"]])
        with self._bulk.open("r+b" if self._bulk.exists() else "wb") as file:  # in place: its pages are there already
            file.write(payload.data)
        return {"bytes": payload.size}

    def _within(self, message: Mapping[str, Any]) -> Answer:
        reference, scale = self._kept[message["reference"]], message["magnitude"]
        dtype, shape = message["dtype"], list(self._tensors.told(reference)[1])
        actual = self._tensors.load(self._payload(message), dtype, shape)
        magnitude = None if scale is None else self._kept[scale]
        return {"measures": self._tensors.within(actual, reference, magnitude, message["bound"])}

    def _wait(self, _: Mapping[str, Any]) -> Answer:
        return {}

    def _tidy(self, _: Mapping[str, Any]) -> Answer:
        self._tensors.tidy()
        return {}


def serve(make: Any) -> None:
    """Serve requests until the parent closes the socket."""
    die_with_parent()
    channel = socket.socket(fileno=int(sys.argv[1]))
    channel.set_inheritable(False)
    hello = receive(channel)
    try:
        scale = Scale(Path(hello["folder"]), made := make(hello["device"]))
    except Exception as error:  # noqa: BLE001 - without PyTorch, or a device that answers, there is no witness
        send(channel, {"refused": f"{type(error).__name__}: {error}"[:500]})
        return
    send(channel, {"version": made.version})
    while True:
        try:
            message = receive(channel)
        except EOFError:
            return
        send(channel, scale.handle(message))


def main() -> None:
    """Serve with PyTorch, which is imported before somebody asks for anything."""
    from hotloop.engine.witness.torched import Torched, preload

    preload()
    serve(Torched)


if __name__ == "__main__":
    main()
