"""Results of other tools into the store and out of it, on the command line."""

import json
from pathlib import Path

from click.testing import CliRunner

from hotloop.cli.main import hotloop
from hotloop.model.outcome import CompileFailed, Conditions, Measured, Sample
from hotloop.model.space import Config
from hotloop.model.trial import Trial
from hotloop.store import Store

KERNEL = Path(__file__).with_name("null_kernel.py")


def command(*arguments):
    return CliRunner().invoke(hotloop, [str(one) for one in arguments], standalone_mode=False, catch_exceptions=True)


def trial(config, outcome):
    return Trial(
        family="k", problem="k[n=1]", sizes=Config(n=1), implementation="opencl", config=Config(config), fingerprint="f",
        device="some:cpu", device_fingerprint="f", outcome=outcome, created="2030-01-01T00:00:00+00:00",
    )  # fmt: skip


def timed(ns):
    return Measured(
        samples=(Sample(wall_ns=2 * ns, calls=2), Sample(wall_ns=3 * ns, calls=2)), conditions=Conditions("f")
    )


def test_a_run_goes_to_kernel_tuner_and_comes_back_as_t4(tmp_path):
    store = tmp_path / "store.sqlite"
    with Store.open(store) as opened, opened.begin_run("tune", "{}", "k") as run:
        run.trial(trial({"WG": 64}, timed(2e6)))
        run.trial(trial({"WG": 128}, CompileFailed("no")))
        name = run.id[:8]
    cache = tmp_path / "cache.json"
    assert command("export", name, "--to", "kernel-tuner", "-o", cache, "--store", store).return_value == 0
    written = json.loads(cache.read_text())
    assert written["tune_params"] == {"WG": [64, 128]}
    assert written["cache"]["64"]["times"] == [2.0, 3.0]
    assert written["cache"]["128"]["__error__"] == "CompilationFailedConfig"
    again = json.loads(command("export", cache, "--to", "t4").output)
    assert [row["invalidity"] for row in again["results"]] == ["correct", "compile"]


def test_a_file_is_not_written_over_itself(tmp_path):
    cache = tmp_path / "cache.json"
    text = '{"tune_params_keys": ["x"], "cache": {"1": {"x": 1, "time": 2.0}}}'
    cache.write_text(f"\ufeff{text}")  # as Windows writes it
    refused = command("export", cache, "--to", "clblast", "-o", cache)
    assert "is a file that this command reads" in str(refused.exception)
    assert json.loads(command("export", cache, "--to", "t4").output)["results"][0]["configuration"] == {"x": 1}


def space():
    from hotloop.app import userfile

    kernel = userfile.find(str(KERNEL))
    return kernel, kernel.implementation(None)


def test_what_another_tool_measured_is_kept_for_a_kernel_and_told_to_its_searches(tmp_path):
    kernel, implementation = space()
    names = [each.name for each in implementation.space.parameters]
    values = [each.values for each in implementation.space.parameters]
    rows = {}
    for index in range(2):
        config = {name: each[index % len(each)] for name, each in zip(names, values, strict=True)}
        rows[str(index)] = {**config, "time": 0.5 + index}
    rows["odd"] = {**config, names[0]: "no such value", "time": 0.1}
    cache = tmp_path / "cache.json"
    parameters = {name: list(each) for name, each in zip(names, values, strict=True)}
    head = {"device_name": "other GPU", "kernel_name": "k", "problem_size": 1, "tune_params_keys": names}
    cache.write_text(json.dumps({**head, "tune_params": parameters, "cache": rows}))
    store = tmp_path / "store.sqlite"
    told = command("import", cache, "--kernel", KERNEL, "--store", store, "--json")
    (seen,) = json.loads(told.output)
    assert (seen["kept"], seen["unknown"], seen["configurations"]) == (2, 1, 3)
    from hotloop.app import userfile

    with Store.open(store, read_only=True) as opened:
        timings = opened.timings(userfile.kept_as(kernel), implementation.name, 10)
        assert [row.call_ns for row in timings] == [5e5, 1.5e6]
        assert {row.device for row in timings} == {"other GPU"}
        assert opened.all_best() == ()  # no verdict rests on them


def test_a_file_is_shown_without_a_store(tmp_path):
    file = tmp_path / "E=8,N=14336.json"
    file.write_text('{"1": {"BLOCK_SIZE_M": 16, "num_warps": 4}, "64": {"BLOCK_SIZE_M": 64, "num_warps": 8}}')
    told = command("import", file, "--store", tmp_path / "none.sqlite")
    assert "fused-moe" in " ".join(told.output.split())
    assert not (tmp_path / "none.sqlite").exists()


def test_what_cannot_be_read_is_one_sentence(tmp_path):
    (tmp_path / "x.json").write_bytes(b"\xff\xfe")
    assert "cannot be read" in str(command("import", tmp_path / "x.json").exception)
    assert f"there is no file {tmp_path / 'y.json'}; give" in str(command("import", tmp_path / "y.json").exception)
    assert f"{tmp_path} is a folder" in str(command("import", tmp_path).exception)
    assert "there is no file y.json; give one, or a run" in str(command("export", "y.json", "--to", "t4").exception)
    assert "has no format" in str(command("import", KERNEL).exception)
    assert "no format 'odd'" in str(command("export", KERNEL, "--to", "odd").exception)
