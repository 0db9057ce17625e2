"""Compression of requests: sources, arguments and datasets are sent to a worker once and afterwards named by a key.

A search sends the same source a hundred times with other options, and the same input sets with every candidate.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from operator import attrgetter
from typing import Any

from hotloop.model.codec import decode, encode
from hotloop.model.outcome import Sample
from hotloop.model.program import Argument, Launch, Program, Scratch
from hotloop.ports import Dataset, Round, Timed

Data = dict[str, Any]
_MOST = 4096
"""Number of sent values after which both sides forget all of them, so that sources of many candidates do not accumulate."""

_AREA = tuple(f.name for f in fields(Scratch))
_APART = "source", "launches", "scratch"
_PLAIN_OF_PROGRAM = tuple(f.name for f in fields(Program) if f.init and f.name not in _APART)
_PLAIN_OF_LAUNCH = tuple(f.name for f in fields(Launch) if f.name != "arguments")
_plain_of_program, _plain_of_launch = attrgetter(*_PLAIN_OF_PROGRAM), attrgetter(*_PLAIN_OF_LAUNCH)
_plain_of_area = attrgetter(*_AREA)


def told(timed: Timed) -> Data:
    """Return the answer to a timing request as nested lists without field names, which would take most of the space."""
    rounds = [
        [
            [i, s.wall_ns, s.calls, s.device_ns, s.cpu_ns, s.dataset, s.energy_j, s.energy_error_j]
            for i, s in timed_round.samples
        ]
        for timed_round in timed.rounds
    ]
    return {
        "rounds": rounds,
        "calls": list(timed.calls),
        "phases": [dict(phases) for phases in timed.phases],
        "waited": timed.waited,
    }


def heard(data: Mapping[str, Any]) -> Timed:
    """Return the answer from the output of `told`.

    Raises:
        LookupError, TypeError, ValueError, AttributeError: the data is no such answer.
    """
    return Timed(
        tuple([Round(tuple([_sample(*row) for row in round_row])) for round_row in data["rounds"]]),
        tuple(map(int, data["calls"])),
        tuple({str(name): float(spent_ns) for name, spent_ns in phases.items()} for phases in data["phases"]),
        None if data["waited"] is None else float(data["waited"]),
    )


def _sample(
    index: int, wall_ns: float, calls: int, device_ns: float | None, cpu_ns: float | None, dataset: int,
    energy_j: float | None, energy_error_j: float | None,
) -> tuple[int, Sample]:  # fmt: skip
    return int(index), Sample(
        wall_ns=float(wall_ns),
        calls=int(calls),
        device_ns=None if device_ns is None else float(device_ns),
        cpu_ns=None if cpu_ns is None else float(cpu_ns),
        dataset=int(dataset),
        energy_j=None if energy_j is None else float(energy_j),
        energy_error_j=None if energy_error_j is None else float(energy_error_j),
    )


class Sender:
    """The parent's side, for one worker."""

    def __init__(self) -> None:
        self._sources: dict[str, str] = {}
        self._arguments: dict[tuple[Argument, ...], str] = {}
        self._met: dict[int, tuple[tuple[Argument, ...], str]] = {}
        self._datasets: dict[str, tuple[Dataset, str]] = {}
        self._rotation: tuple[tuple[Dataset, ...], str] = ((), "")
        self._news: Data = {}
        self._told = 0
        self._forget = False

    def begin(self) -> None:
        """Start a message."""
        self._forget = self._told > _MOST
        if self._forget:
            self._sources.clear()
            self._arguments.clear()
            self._met.clear()
            self._datasets.clear()
            self._rotation = ((), "")
            self._told = 0

    def program(self, program: Program) -> Data:
        """Return a program as data, with keys for its source and for the arguments of its launches."""
        source = self._sources.get(program.source)
        if source is None:
            source = self._sources[program.source] = self._tell(program.source)
        return {
            **dict(zip(_PLAIN_OF_PROGRAM, _plain_of_program(program), strict=True)),
            "source": source,
            "launches": [self._launch(launch) for launch in program.launches],
            "scratch": list(map(_plain_of_area, program.scratch)),
        }

    def _launch(self, launch: Launch) -> Data:
        met, arguments = self._met.get(id(launch.arguments), (None, ""))
        if met is not launch.arguments:  # comparing arguments would cost more than everything else
            arguments = self._argued(launch.arguments)
        plain = dict(zip(_PLAIN_OF_LAUNCH, _plain_of_launch(launch), strict=True))
        return {**plain, "arguments": arguments}

    def _argued(self, arguments: tuple[Argument, ...]) -> str:
        key = self._arguments.get(arguments)
        if key is None:
            key = self._arguments[arguments] = self._tell([encode(argument, Argument) for argument in arguments])
        if len(self._met) >= _MOST:
            self._met.clear()
        self._met[id(arguments)] = arguments, key
        return key

    def dataset(self, dataset: Dataset) -> str:
        """Return the key of a dataset; a dataset of the same name with other arrays gets another key."""
        sent, key = self._datasets.get(dataset.name, (None, ""))
        if sent is not dataset:
            key = self._tell(encode(dataset))
            self._datasets[dataset.name] = dataset, key
        return key

    def datasets(self, datasets: tuple[Dataset, ...]) -> str:
        """Return one key for a sequence of datasets, since a rotation is the same for every candidate."""
        if self._rotation[0] is not datasets:
            self._rotation = datasets, self._tell([self.dataset(dataset) for dataset in datasets])
        return self._rotation[1]

    def news(self) -> Data:
        """Return the values by key that the worker does not know yet and that the message must contain."""
        news, self._news = self._news, {}
        return {"news": news, "forget": self._forget}

    def _tell(self, value: object) -> str:
        self._told += 1
        key = f"k{self._told}"
        self._news[key] = value
        return key


class Receiver:
    """The worker's end of the connection."""

    def __init__(self) -> None:
        self._known: Data = {}
        self._datasets: dict[str, Dataset] = {}

    def learn(self, message: Mapping[str, Any]) -> None:
        """Store the new values that a message contains."""
        if message.get("forget"):
            self._known.clear()
            self._datasets.clear()
        self._known |= message.get("news", {})

    def program(self, data: Mapping[str, Any]) -> Program:
        """Return the program that was sent."""
        launches = [{**launch, "arguments": self._known[launch["arguments"]]} for launch in data["launches"]]
        scratch = [dict(zip(_AREA, row, strict=True)) for row in data["scratch"]]
        message = {**data, "source": self._known[data["source"]], "launches": launches, "scratch": scratch}
        return decode(message, Program)

    def dataset(self, key: str) -> Dataset:
        """Return the dataset that a key names."""
        if key not in self._datasets:
            self._datasets[key] = decode(self._known[key], Dataset)
        return self._datasets[key]

    def datasets(self, key: str) -> tuple[Dataset, ...]:
        """Return the sequence of datasets that a key names."""
        return tuple(self.dataset(sent) for sent in self._known[key])
