import resource
import tempfile

import numpy as np
import pytest

from hotloop.engine import laying, layout
from hotloop.errors import BadShapeError, MachineError
from hotloop.host.arena import Arena
from hotloop.model.kernel import Empty
from hotloop.model.program import Program, Scratch
from hotloop.ports import BAND_BYTES
from hotloop.verify.guards import overrun, payload_view

X = np.arange(12, dtype=np.float32).reshape(3, 4)
INPUTS = {"a": 2.0, "x": X, "y": Empty((5,), "float64")}


@pytest.fixture
def arena(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    made = Arena.create()
    yield made
    made.remove()


def test_arrays_lie_in_files_between_bands_and_scalars_do_not(arena):
    dataset = laying.write(arena, "set", INPUTS, ("y",))
    assert [(s.name, s.dtype, s.shape, s.output, s.input) for s in dataset.slots] == [
        ("x", "float32", (3, 4), False, True),
        ("y", "float64", (5,), True, False),
    ]
    banded = np.fromfile(arena.path / dataset.slots[0].file, np.uint8)
    assert np.array_equal(payload_view(banded, "float32", (3, 4)), X)
    assert overrun(banded) is None
    poisoned = np.fromfile(arena.path / dataset.slots[1].file, np.uint8)
    assert np.isnan(payload_view(poisoned, "float64", (5,))).all()


def test_an_output_that_the_kernel_reads_is_input_too(arena):
    (slot,) = laying.write(arena, "set", {"y": X}, ("y",)).slots
    assert slot.output
    assert slot.input


def test_removing_a_dataset_takes_its_results_along_and_nothing_else(arena):
    laying.write(arena, "set1", INPUTS, ("y",))
    laying.write(arena, "set11", INPUTS, ("y",))
    (arena.path / "set1.0.out").touch()
    layout.remove(arena, "set1")
    assert {path.name.partition(".")[0] for path in arena.path.glob("set*")} == {"set11"}


def test_results_are_read_whole_or_not_at_all(arena):
    dataset = laying.write(arena, "set", INPUTS, ("y",))
    saved = layout.results(Program("null", "", scratch=(Scratch("t", 100),)), dataset)
    file = layout.timed_file(dataset, 0)
    sizes = {"x": 48 + 2 * BAND_BYTES, "y": 40 + 2 * BAND_BYTES, "scratch:t": 2 * BAND_BYTES}
    assert {name: place.stop - place.start for name, place in saved.places.items()} == sizes
    assert all(place.start % 64 == 0 for place in saved.places.values())
    with pytest.raises(OSError, match=r"set\.t0"):
        layout.read(arena, file, [saved])
    np.arange(saved.total_bytes).astype(np.uint8).tofile(arena.path / file)
    (arrays,) = layout.read(arena, file, [saved])
    assert {name: array.size for name, array in arrays.items()} == sizes
    assert arrays["y"][0] == saved.places["y"].start % 256
    with pytest.raises(ValueError, match=r"bytes instead of"):
        layout.read(arena, file, [saved, saved])
    (arena.path / file).write_bytes(b"short")
    with pytest.raises(ValueError, match="5 bytes instead of"):
        layout.read(arena, file, [saved])


def test_runs_follow_one_another_in_a_file(arena):
    dataset = laying.write(arena, "set", INPUTS, ("y",))
    plain = layout.results(Program("null", ""), dataset)
    spare = layout.results(Program("null", "", scratch=(Scratch("t", 3),)), dataset)
    assert plain.total_bytes % 64 == spare.total_bytes % 64 == 0
    runs = np.concatenate(
        [np.full(one.total_bytes, number, np.uint8) for number, one in enumerate((plain, spare, plain))]
    )
    runs.tofile(arena.path / layout.RUNS)
    read = layout.read(arena, layout.RUNS, [plain, spare, plain])
    assert [set(one) for one in read] == [{"x", "y"}, {"x", "y", "scratch:t"}, {"x", "y"}]
    assert [{int(value) for array in one.values() for value in array} for one in read] == [{0}, {1}, {2}]


def test_arrays_that_do_not_fit_are_refused_with_their_size(arena, monkeypatch):
    inputs = {"x": Empty((1 << 20,))}
    monkeypatch.setattr(Arena, "free_bytes", 1 << 20)
    with pytest.raises(BadShapeError, match=r"take 4.01 MiB and their results as much, but .* has only 1.00 MiB free"):
        laying.write(arena, "set", inputs, ())
    monkeypatch.setattr(Arena, "free_bytes", 1 << 40)
    monkeypatch.setattr("hotloop.host.memory.available_bytes", lambda: 8 << 20)
    with pytest.raises(BadShapeError, match=r"4 times over .* only 8.00 MiB of memory"):
        laying.write(arena, "set", inputs, ())
    assert not list(arena.path.glob("set*"))


def test_a_disk_that_fills_up_meanwhile_is_one_sentence(arena):
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        with pytest.raises(MachineError, match=r"cannot write the problem's arrays to .*; free space there"):
            laying.write(arena, "set", {"x": X}, ())
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_an_array_that_is_written_again_lies_in_another_file(arena):
    (slot,) = laying.write(arena, "set", {"x": X}, ()).slots
    mapped = np.memmap(arena.path / slot.file, np.uint8, "r")
    laying.write(arena, "set", {"x": 2 * X}, ())
    assert np.array_equal(payload_view(np.array(mapped), "float32", (3, 4)), X)
