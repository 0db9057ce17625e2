"""Sources and datasets that a worker was told once."""

import json
from dataclasses import replace

import pytest

from hotloop.engine import wire
from hotloop.engine.wire import Receiver, Sender, heard, told
from hotloop.model.outcome import Sample
from hotloop.model.program import Array, Launch, Null, Program, Tiled, Value
from hotloop.ports import Dataset, Round, Slot, Timed

PROGRAM = Program("opencl", "kernel void f() {}", ("-DX=1",), (Launch("f", (Array("x"),), (64,), (8,)),))
DATASET = Dataset("set0", (Slot("x", "float32", (4,), "set0.0.in", output=False, input=True),))


class Line:
    """A sender and a receiver with JSON between them."""

    def __init__(self):
        self.sender, self.receiver = Sender(), Receiver()

    def pass_on(self, program, dataset):
        """Return what arrives, and the length of the message."""
        self.sender.begin()
        message = {"program": self.sender.program(program), "dataset": self.sender.dataset(dataset)}
        text = json.dumps({**message, **self.sender.news()})
        arrived = json.loads(text)
        self.receiver.learn(arrived)
        return (self.receiver.program(arrived["program"]), self.receiver.dataset(arrived["dataset"])), len(text)


@pytest.fixture
def line():
    return Line()


def test_what_arrives_is_what_was_sent_and_the_second_message_is_shorter(line):
    first, long = line.pass_on(PROGRAM, DATASET)
    again, short = line.pass_on(PROGRAM, DATASET)
    assert first == again == (PROGRAM, DATASET)
    assert short < long - len(PROGRAM.source)


def test_a_matrix_as_the_copy_engine_sees_it_and_an_early_launch_arrive(line):
    arguments = (Tiled("x", "float16", (4, 8), 8, (4, 8)), Array("x"), Null())
    program = replace(PROGRAM, language="cuda", launches=(Launch("f", arguments, (64,), (8,), early=True),))
    (arrived, _), _ = line.pass_on(program, DATASET)
    assert arrived == program
    assert arrived.fingerprint == program.fingerprint
    assert program.fingerprint != replace(program, launches=(replace(program.launches[0], early=False),)).fingerprint


def test_equal_arguments_are_told_once_whatever_tuple_holds_them(line):
    """Keys follow the arguments' values; that a tuple was met before is only the quick way to them."""
    for arguments in ((Array("x"),), (Array("x"),), (Array("y"),), (Array("x"),)):
        program = replace(PROGRAM, launches=(replace(PROGRAM.launches[0], arguments=arguments),))
        (arrived, _), _ = line.pass_on(program, DATASET)
        assert arrived == program
    line.sender.begin()
    assert (
        line.sender.program(PROGRAM)["launches"][0]["arguments"]
        == line.sender.program(PROGRAM)["launches"][0]["arguments"]
    )
    assert line.sender.news()["news"] == {}, "all of it is known by now"


def test_another_dataset_of_the_same_name_is_not_taken_for_the_first(line):
    line.pass_on(PROGRAM, DATASET)
    other = Dataset("set0", (Slot("x", "float32", (4,), "fresh.0.in", output=False, input=True),))
    (_, arrived), _ = line.pass_on(PROGRAM, other)
    assert arrived == other
    (_, back), _ = line.pass_on(PROGRAM, DATASET)
    assert back == DATASET


def test_a_rotation_is_one_key_until_one_of_its_datasets_changes(line):
    rotation = (DATASET, Dataset("set1", ()))
    for datasets in (rotation, rotation, (Dataset("set0", ()), rotation[1])):
        line.sender.begin()
        message = json.loads(json.dumps({"datasets": line.sender.datasets(datasets), **line.sender.news()}))
        line.receiver.learn(message)
        assert line.receiver.datasets(message["datasets"]) == datasets


def test_both_sides_forget_together(line, monkeypatch):
    monkeypatch.setattr(wire, "_MOST", 3)
    for index in range(20):
        program = Program("opencl", f"kernel void f{index}() {{}}")
        assert line.pass_on(program, DATASET)[0] == (program, DATASET)
    assert len(line.receiver._known) <= 5


TIMED = Timed(
    (
        Round(
            ((0, Sample(wall_ns=3.5, calls=7)), (1, Sample(wall_ns=4.0, calls=2, device_ns=1.5, cpu_ns=0.0, dataset=3)))
        ),
    ),
    (7, 2),
    ({"main": 1.5}, {}),
)


def test_times_arrive_as_they_were_told():
    assert heard(json.loads(json.dumps(told(TIMED)))) == TIMED


@pytest.mark.parametrize(
    "damage",
    [
        {"rounds": None},
        {"rounds": [[[0, 1.0]]]},
        {"rounds": [[[0, "fast", 1, None, None, 0]]]},
        {"rounds": [[[0, 1.0, None, None, None, 0]]]},
        {"calls": [[]]},
        {"phases": [3]},
        {"waited": "long"},
    ],
)
def test_times_that_are_none_are_refused(damage):
    with pytest.raises((LookupError, TypeError, ValueError, AttributeError)):
        heard({**told(TIMED), **damage})


@pytest.mark.parametrize("number", [1, 1.0, 2**60 + 1, True, 0.1])
def test_a_number_keeps_its_type_and_a_program_its_fingerprint(number):
    launch = Launch("k", (Value(number, "int64"),), (1,), (1,))
    sent = Program("opencl", "text", launches=(launch,))
    sender, receiver = Sender(), Receiver()
    sender.begin()
    data = sender.program(sent)
    receiver.learn(json.loads(json.dumps(sender.news())))
    heard = receiver.program(json.loads(json.dumps(data)))
    assert repr(heard.launches) == repr(sent.launches)
    assert heard.fingerprint == sent.fingerprint
