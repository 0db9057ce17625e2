import pytest

from hotloop.app import spec as specs
from hotloop.app import userfile
from hotloop.app.session import Options
from hotloop.errors import StoreError, UnknownNameError, UsageError
from hotloop.model.device import Device
from hotloop.model.space import Config
from hotloop.store import Store, Winner

DEVICE = Device(name="D", kind="cpu", backend="opencl", runtime="r", runtime_key="r")


@pytest.mark.parametrize(
    ("text", "changes", "best", "implementation"),
    [
        ("gemm", (), False, ""),
        ("gemm@best", (), True, ""),
        ("gemm@VW=8,MWI=6", (("VW", 8), ("MWI", 6)), False, ""),
        ("gemm@opencl", (), False, "opencl"),
        ("gemm@opencl,VW=4", (("VW", 4),), False, "opencl"),
        ("gemm@A=0.5,B=text", (("A", 0.5), ("B", "text")), False, ""),
    ],
)
def test_targets_are_a_kernel_and_a_wish(text, changes, best, implementation):
    spec = specs.parse(text)
    assert (spec.text, spec.kernel.family) == (text, "gemm")
    assert (spec.changes, spec.best, spec.implementation) == (changes, best, implementation)


@pytest.mark.parametrize("text", ["gemm@VW=8,MWI", "gemm@a,b", "gemm@VW=1,opencl"])
def test_wishes_that_are_not_understood(text):
    with pytest.raises(UsageError, match="is not NAME=VALUE; write"):
        specs.parse(text)


def test_a_parameter_has_one_value():
    with pytest.raises(UsageError, match=r"'gemm@VW=8,KWG=2,VW=4' gives VW twice; give each parameter one value"):
        specs.parse("gemm@VW=8,KWG=2,VW=4")


def test_what_comes_after_the_at_sign_must_exist():
    with pytest.raises(UsageError, match="'gemm@' names nothing after @; write"):
        specs.parse("gemm@")
    with pytest.raises(UnknownNameError, match=r"unknown implementation 'bset'; known: best, .*; did you mean best\?"):
        specs.parse("gemm@bset")


def test_the_best_known_variant_needs_a_store_that_knows_one():
    spec = specs.parse("gemm@best")
    with pytest.raises(UsageError, match=r"nothing is known yet about gemm.* on D; run: hotloop optimize gemm"):
        spec.variant(spec.kernel.problem, DEVICE, None)
    other = spec.kernel.problem.replace(m=64, n=32, k=16, op="nt")
    with pytest.raises(UsageError, match=r"run: hotloop optimize gemm --shape 64x32x16,op=nt\."):
        spec.variant(other, DEVICE, None)


def test_the_command_that_finds_the_best_variant_takes_the_device_and_the_store_that_were_given():
    spec = specs.parse("gemm@best")
    options = Options(device="my D", store="folder/of runs.sqlite")
    with pytest.raises(
        UsageError, match=r"run: hotloop optimize --device 'my D' --store 'folder/of runs\.sqlite' gemm\."
    ):
        spec.variant(spec.kernel.problem, DEVICE, None, options)


def test_the_store_is_opened_for_the_best_only_and_may_be_absent(tmp_path):
    options = Options(store=str(tmp_path / "none.sqlite"))
    for text in ("gemm", "gemm@best"):
        with specs.opened(options, specs.parse(text)) as store:
            assert store is None
    with Store.open(options.store) as made:
        made.add_winner(won(specs.parse("gemm@best"), Config(VW=2)))
    with specs.opened(options, specs.parse("gemm")) as store:
        assert store is None
    with specs.opened(options, specs.parse("gemm@best")) as store:
        assert [known.winner.config for known in store.all_best()] == [Config(VW=2)]
    (tmp_path / "bad.sqlite").write_bytes(b"no database" * 100)
    with (
        pytest.raises(StoreError, match="corrupt"),
        specs.opened(Options(store=str(tmp_path / "bad.sqlite")), specs.parse("gemm@best")),
    ):
        pass


def test_the_implementation_meant_decides_the_language():
    assert specs.parse("gemm").chosen.language == "opencl"
    with pytest.raises(UnknownNameError, match="unknown implementation 'cuda'"):
        _ = specs.parse("gemm@cuda").chosen


KERNEL_FILE = """
import hotloop as hl

@hl.kernel(problem=dict(n=4), work=lambda p: hl.Work(flops=1, bytes=1))
class kernel:
    def inputs(p, rng): return dict(y=hl.empty(p.n))
    def reference(p, y): return dict(y=y)
    opencl = hl.OpenCL("\\n", entry="k", params=dict(VW={values}), global_size=lambda p, c: (1,))
"""


def won(spec, config):
    problem = spec.kernel.problem
    return Winner(
        family=userfile.kept_as(spec.kernel),
        problem=problem.key,
        sizes=Config(problem.sizes),
        device=DEVICE.key,
        device_fingerprint=DEVICE.fingerprint,
        implementation="opencl",
        config=config,
        call_ns=1.0,
    )


def test_a_file_of_the_same_name_in_another_folder_is_another_kernel_and_is_found_again(tmp_path, monkeypatch):
    families = []
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        monkeypatch.chdir(tmp_path / folder)
        (tmp_path / folder / "mine.py").write_text(KERNEL_FILE.format(values=[1, 2]))
        families.append(userfile.kept_as(specs.parse("mine.py").kernel))
    assert families[0] != families[1]
    monkeypatch.chdir(tmp_path)
    assert [userfile.kept_as(userfile.find(userfile.spelled(family))) for family in families] == families


@pytest.mark.parametrize("path", ["blur.cl", "program.capture/blur.py"])
def test_what_the_options_of_a_run_make_whole_is_not_found_again_without_them(tmp_path, path):
    (tmp_path / "program.capture" / "values").mkdir(parents=True)
    with pytest.raises(UsageError, match="with the options of its run only"):
        userfile.spelled(f"blur of {tmp_path / path}")


def test_kernels_of_one_name_in_two_files_do_not_share_their_best(tmp_path):
    found = []
    for name in ("one", "two"):
        (tmp_path / f"{name}.py").write_text(KERNEL_FILE.format(values=[1, 2]))
        found.append(specs.parse(f"{tmp_path / name}.py@best"))
    with Store.open(tmp_path / "store.sqlite") as store:
        store.add_winner(won(found[0], Config(VW=2)))
        assert found[0].variant(found[0].kernel.problem, DEVICE, store).config == Config(VW=2)
        with pytest.raises(
            UsageError, match=r"nothing is known yet about kernel\[n=4\] on D; run: hotloop optimize .*two\.py\."
        ):
            found[1].variant(found[1].kernel.problem, DEVICE, store)


def test_a_best_that_the_file_no_longer_has_is_told(tmp_path):
    (tmp_path / "one.py").write_text(KERNEL_FILE.format(values=[1, 2]))
    spec = specs.parse(f"{tmp_path / 'one.py'}@best")
    with Store.open(tmp_path / "store.sqlite") as store:
        store.add_winner(won(spec, Config(VW=8)))
        with pytest.raises(
            UsageError, match=r"no longer one of kernel: VW=8 is not one of \[1, 2\]; run: hotloop optimize"
        ):
            spec.variant(spec.kernel.problem, DEVICE, store)
