"""Whatever bytes are given, the answer is a report or one sentence."""

from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hotloop.app.code.compiled import Request
from hotloop.app.code.source import read
from hotloop.errors import HotloopError

GOLDEN = Path(__file__).parents[1] / "golden"
WHOLE = [
    (GOLDEN / name).read_bytes()
    for name in ("amdgcn/clang_window_gfx1012.s", "amdgcn/triton_scale_gfx90a.hsaco", "sass/matmul_sm90.sass")
]
QUICK = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def judged(folder, content):
    file = folder / "input"
    file.write_bytes(content)
    found, said = (), "."
    try:
        found = read(Request(text=str(file)))
    except HotloopError as error:
        said = str(error)
    assert said.endswith(".")
    assert "\n" not in said
    assert all(item.function.instructions for item in found)


@QUICK
@given(st.binary(max_size=400))
def test_any_bytes(tmp_path, content):
    judged(tmp_path, content)


@QUICK
@given(st.sampled_from(WHOLE), st.floats(0, 1))
def test_any_beginning_of_a_real_file(tmp_path, whole, share):
    judged(tmp_path, whole[: int(len(whole) * share)])


@QUICK
@given(st.sampled_from(WHOLE), st.floats(0, 1), st.binary(min_size=1, max_size=20))
def test_any_damage_in_a_real_file(tmp_path, whole, share, patch):
    place = int(len(whole) * share)
    judged(tmp_path, whole[:place] + patch + whole[place + len(patch) :])
