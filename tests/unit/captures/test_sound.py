"""An index that cannot be a capture's is refused in a sentence before anything of it is used."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from hotloop.captures import folder as folders
from hotloop.captures.nouns import Capture, Captured, Constant, Given, Launched
from hotloop.errors import UsageError
from hotloop.model.codec import encode
from hotloop.model.record import digest

TEXT = "__kernel void scale(__global float *x, int n) {}"
X = Given(name="0", kind="array", dtype="float32", shape=(4,), strides=(1,), size=16, values="values/x.bin", whole=True)
N = Given(name="1", kind="bytes", text="04000000")
LAUNCH = Launched(grid=(4,), group=(2,), arguments=(X, N), calls=3, times_ns=(5.0, 4.0))
KERNEL = Captured(
    name="scale", entry="scale", language="opencl", source="scale.cl", seal=digest(TEXT), launches=(LAUNCH,)
)


def kept(folder: Path, kernel: Captured) -> Path:
    (folder / "values").mkdir()
    (folder / "values" / "x.bin").write_bytes(bytes(16))
    (folder / "scale.cl").write_text(TEXT)
    made = Capture(
        command=("python", "p.py"), folder="", made="", tool="", returncode=0, ended="itself", wall_s=1.0, recording_s=0.0,
        processes=1, cut=0, kernels=(kernel,),
    )  # fmt: skip
    folders.write(folder, made)
    return folder


def _constant(name: str, text: str, form: str = "value") -> dict[str, object]:
    kind = "compiler" if name.startswith("num_") else "constants"
    return dict(launches=(replace(LAUNCH, **{kind: (Constant(name=name, text=text, form=form),)}),))


def test_names_that_no_file_can_have_are_refused(tmp_path):
    path = kept(tmp_path, KERNEL) / folders.INDEX
    path.write_text(path.read_text().replace("values/x.bin", "values/\\ud800.bin"))
    with pytest.raises(UsageError, match="no index of a capture"):
        folders.read(tmp_path)


@pytest.mark.parametrize(("text", "told"), [("def other(x):\n    pass\n", "no function scale"), ("def (", "no Python")])
def test_a_text_without_its_function_is_a_sentence(text, told, tmp_path):
    from hotloop.app.captured import load

    kept(tmp_path, replace(KERNEL, language="triton", seal=""))
    (tmp_path / "scale.cl").write_text(text)
    with pytest.raises(UsageError, match=f"is damaged: .*{told}"):
        load.load(tmp_path, "scale", 1.0)


def test_a_sound_capture_is_read(tmp_path):
    capture = folders.read(kept(tmp_path, KERNEL))
    assert folders.text(tmp_path, capture.kernels[0]) == TEXT


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (dict(language="cobol"), "is in cobol"),
        (dict(source="/etc/passwd"), "outside of it"),
        (dict(source="../scale.cl"), "outside of it"),
        (dict(launches=()), "has no launch"),
        (dict(launches=(replace(LAUNCH, grid=(-4,)),)), "grid"),
        (dict(launches=(replace(LAUNCH, grid=(4, 4, 4, 4)),)), "grid"),
        (dict(launches=(replace(LAUNCH, group=(0,)),)), "group"),
        (dict(launches=(replace(LAUNCH, calls=-1),)), "negative"),
        (dict(launches=(replace(LAUNCH, times_ns=(float("nan"),)),)), "negative"),
        (_constant("num_warps", "-1"), "a constant num_warps with the value '-1'"),
        (_constant("num_stages", "1e30"), "a constant num_stages with the value '1e30'"),
        (_constant("BLOCK", "x"), "a constant BLOCK with the value 'x'"),
        (_constant("BLOCK", "[1]"), "with the value"),
        (_constant("BLOCK", "32", "odd"), "of the form 'odd'"),
        (dict(language="triton", entry="7"), "no name of a function"),
        (dict(language="triton", launches=(replace(LAUNCH, arguments=(replace(X, dtype=""),)),)), "of the type ''"),
        (dict(launches=(replace(LAUNCH, arguments=(replace(X, values="/etc/hostname"),)),)), "outside of it"),
        (dict(launches=(replace(LAUNCH, arguments=(replace(X, size=1 << 50),)),)), "1125899906842624 B"),
        (dict(launches=(replace(LAUNCH, arguments=(replace(X, size=-4),)),)), "-4 B"),
        (dict(launches=(replace(LAUNCH, arguments=(replace(X, dtype="nothing"),)),)), "of the type 'nothing'"),
        (dict(launches=(replace(LAUNCH, arguments=(X, replace(N, text="zz"))),)), "whose bytes are 'zz'"),
        (dict(launches=(replace(LAUNCH, arguments=(X, replace(N, kind="odd"))),)), "of kind 'odd'"),
        (dict(launches=(replace(LAUNCH, arguments=(replace(X, alias="7"),)),)), "the same as 7"),
    ],
)
def test_what_cannot_be_is_refused(change, told, tmp_path):
    with pytest.raises(UsageError, match=told):
        folders.read(kept(tmp_path, replace(KERNEL, **change)))


def test_a_text_that_was_changed_after_the_capture_is_refused(tmp_path):
    capture = folders.read(kept(tmp_path, KERNEL))
    (tmp_path / "scale.cl").write_text(TEXT.replace("int n", "int m"))
    with pytest.raises(UsageError, match="changed or cut off after the capture"):
        folders.text(tmp_path, capture.kernels[0])


@pytest.mark.parametrize("damage", [dict(kernels=[{}]), dict(kernels=7), dict(command=None), dict(kernels=[[]])])
def test_an_index_of_another_form_is_refused(damage, tmp_path):
    kept(tmp_path, KERNEL)
    file = tmp_path / folders.INDEX
    file.write_text(json.dumps(json.loads(file.read_text()) | damage))
    with pytest.raises(UsageError):
        folders.read(tmp_path)


def test_old_captures_have_no_seal(tmp_path):
    row = encode(replace(KERNEL, seal=""))
    assert row["seal"] == ""
    assert folders.text(kept(tmp_path, replace(KERNEL, seal="")), replace(KERNEL, seal="")) == TEXT
