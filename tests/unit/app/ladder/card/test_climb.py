"""Ladders on NVIDIA cards: their data, the walk up one, and reading what Nsight Compute counted."""

import json
from importlib import import_module
from typing import ClassVar

import pytest

from hotloop.app.events import Silent
from hotloop.app.ladder import data as ladder_data
from hotloop.app.ladder.card import climb as ladder_card
from hotloop.app.ladder.card import code as ladder_card_code
from hotloop.app.ladder.card import counts as ladder_card_counts
from hotloop.app.ladder.card import worker as ladder_card_worker
from hotloop.app.session import Options
from hotloop.errors import NoDeviceError, UnknownNameError, UsageError
from hotloop.model.ladder import DOWN, UP, Bounds
from hotloop.model.verdict import Verdict
from hotloop.report.ladder.cardview import FACTS
from hotloop.stats.paired import PairedTest
from hotloop.techniques import methods

FAMILIES = ("gemm", "attention", "conv3d", "reduction")
LADDERS = [ladder_data.card_ladder(family, "sm_90") for family in FAMILIES]
RUNGS = [(ladder, rung) for ladder in LADDERS for rung in ladder.rungs]
each_ladder = pytest.mark.parametrize("ladder", LADDERS, ids=FAMILIES)
each_rung = pytest.mark.parametrize(("ladder", "rung"), RUNGS, ids=[f"{la.family}-{r.name}" for la, r in RUNGS])


# -- data -------------------------------------------------------------------------------------------------------------


@each_ladder
def test_rungs_stand_on_earlier_ones(ladder):
    names = [rung.name for rung in ladder.rungs]
    assert len(set(names)) == len(names) > 8
    for place, rung in enumerate(ladder.rungs):
        assert rung.after in ("", *names[:place])
        assert rung.implementation or rung.after
    assert not ladder.rungs[0].after


@each_rung
def test_every_step_names_its_cause_beforehand(ladder, rung):
    assert all(fact in FACTS and way in (UP, DOWN) for fact, way in rung.moves)
    assert rung.moves or not rung.after
    assert None not in (rung.bounds.registers, rung.bounds.spilled_bytes, rung.bounds.shared_bytes)
    if rung.technique:
        import_module(f"{methods.__name__}.{rung.technique.replace('-', '_')}")


@each_rung
def test_a_rung_differs_from_the_one_below(ladder, rung):
    if rung.after:
        below = ladder.rung(rung.after)
        assert (ladder.implementation(rung), ladder.changes(rung)) != (
            ladder.implementation(below),
            ladder.changes(below),
        )


@pytest.mark.parametrize(("ladder", "rung"), [(la, r) for la, r in RUNGS if ladder_card_code.in_cuda(la)])
def test_cuda_rungs_take_the_timed_and_the_ragged_sizes(ladder, rung):
    module = import_module(ladder_data.card_module(ladder))
    for sizes in (ladder.varied(rung), *({**ladder.varied(rung), **ragged} for ragged in ladder.ragged)):
        unit = module.unit(ladder.implementation(rung), ladder.changes(rung), sizes)
        assert unit.entry in unit.text
        assert 0 < unit.threads <= 1024
        assert unit.shared_bytes <= rung.bounds.shared_bytes


@each_ladder
def test_the_card_module_says_what_a_ladder_needs(ladder):
    module = import_module(ladder_data.card_module(ladder))
    for sizes in (dict(ladder.problem), *({**ladder.problem, **ragged} for ragged in ladder.ragged)):
        shapes = module.shapes(sizes)
        moved_bytes = sum(2 * _product(shape) for shape, _ in shapes)
        assert module.work(sizes).bytes == pytest.approx(moved_bytes, rel=0.01)
        assert module.work(sizes).flops > 0
    assert module.PEERS


def _product(shape):
    total = 1
    for extent in shape:
        total *= extent
    return total


def test_constants_are_inherited_within_a_kernel_and_sizes_always():
    ladder = LADDERS[0]
    stages, tall = ladder.rung("stages"), ladder.rung("tall-meet")
    assert ladder.changes(stages) | {"BM": 128, "BN": 128, "BK": 64, "num_stages": 3} == ladder.changes(stages)
    assert ladder.varied(tall) == {"m": 512, "n": 512, "k": 16384}
    assert "PATH" not in ladder.changes(tall)


def test_rungs_are_chosen_with_those_below():
    names = [rung.name for rung in LADDERS[3].chosen(("held",))]
    assert names == ["tree", "shuffles", "vectors", "held"]
    with pytest.raises(UnknownNameError):
        LADDERS[3].chosen(("hold",))


def test_other_targets_are_refused():
    with pytest.raises(UsageError, match="no ladder that is measured on sm_80"):
        ladder_data.card_ladder("gemm", "sm_80")


def test_the_other_ladders_do_not_see_the_data_file():
    assert all("sm_90" not in ladder.targets for family in FAMILIES for ladder in ladder_data.ladders(family))


def test_shape_changes_known_sizes_only():
    ladder = ladder_card._sized(LADDERS[1], "length=1024,causal=0")
    assert (ladder.problem["length"], ladder.problem["causal"], ladder.problem["heads"]) == (1024, False, 32)
    for wrong in ("rows=3", "length", "length=-4"):
        with pytest.raises(UsageError, match="is not understood"):
            ladder_card._sized(LADDERS[1], wrong)


# -- verdicts ---------------------------------------------------------------------------------------------------------


def rounds(time_ms, noise=0.002):
    """Two samples a round, drifting as a card that gets hot."""
    return [time_ms * (1 + 0.001 * at + noise * (at % 3 - 1)) for at in range(50)]


@pytest.mark.parametrize(
    ("first", "second", "verdict"),
    [(1.0, 0.9, Verdict.FASTER), (1.0, 1.1, Verdict.SLOWER), (1.0, 1.002, Verdict.SAME), (1.0, 1.5, Verdict.SLOWER)],
)
def test_pairs_are_judged_by_rounds(first, second, verdict):
    found = ladder_card.paired(rounds(first), rounds(second), PairedTest())
    assert found.verdict is verdict
    assert found.rounds == 25
    assert found.low <= found.speedup <= found.high
    assert found.speedup == pytest.approx(first / second, rel=0.01)


# -- the walk ---------------------------------------------------------------------------------------------------------


NVIDIA = {
    "name": "NVIDIA H200", "target": "sm_90", "multiprocessors": 132, "triton": "3.6.0", "driver": "CUDA 13.0",
}  # fmt: skip


class Card:
    """Answers as the process on a card would: every rung takes a time, some die, some are wrong."""

    dies: ClassVar[set[tuple[str, int, int]]] = set()
    """Kernel, LANES and VEC."""
    wrong: ClassVar[set[tuple[str, int, int]]] = set()
    device = NVIDIA

    def __init__(self, module, environment):
        assert environment["TRITON_DEFAULT_FP_FUSION"] == "1"

    def kill(self):
        pass

    def ask(self, message, limit_s):
        if message["ask"] == "device":
            return self.device
        if message["ask"] == "verify":
            return self.verify(message)
        slow, fast = rounds(1.2), rounds(1.0)
        return {"times_ms": [slow, fast], "calls": [3, 3], "errors": [0.5, None]}

    def verify(self, message):
        from hotloop.host.process import ChildDiedError

        name = (message["kernel"], message["config"]["LANES"], message["config"].get("VEC", 1))
        if name in self.dies:
            raise ChildDiedError(-11, "")
        errors = [0.5, 7.0 if name in self.wrong else 0.25]
        return {"errors": errors, "code": [], "entries": ["softmax"]}


@pytest.fixture
def card(monkeypatch):
    monkeypatch.setattr(ladder_card_worker, "Child", Card)
    monkeypatch.setattr(ladder_card.toolchain, "package", lambda name: name)
    monkeypatch.setattr(ladder_card_counts, "program", lambda: None)
    known = {"facts": {"registers": 40.0}, "compiler": "nvcc"}
    launch = {"path": "x", "entry": "e", "grid": [1, 1, 1], "threads": 32, "shared_bytes": 0}
    monkeypatch.setattr(ladder_card_code, "binary", lambda *_: (ladder_card_code.Code(**known), launch))
    Card.dies, Card.wrong = set(), set()
    return Card


def climbed(**options):
    view = ladder_card.climb("reduction", "", Options(), Silent(), **options)
    return view, {row.rung.name: row for row in view.rungs}


def test_every_rung_is_compared_with_the_one_below(card):
    kept = []
    view, rows = climbed(keep=kept.append)
    assert {name: row.over for name, row in rows.items()} == {r.name: r.after for r in LADDERS[3].rungs}
    assert all(row.comparison.verdict is Verdict.FASTER for row in rows.values() if row.over)
    assert rows["tree"].call_ns == pytest.approx(1.2e6, rel=0.1)
    assert view.no_counters == "Nsight Compute is not installed"
    assert [peer.name for peer in view.peers] == ["PyTorch", "copy"]
    assert kept[0].best.rung.name == view.best.rung.name
    assert json.loads(json.dumps([*rows["held"].samples_ms])) == [rounds(1.2), rounds(1.0)]


def test_a_rung_that_dies_is_refused_and_the_next_one_stands_on_what_is_below(card):
    card.dies = {("rows", 256, 1)}
    view, rows = climbed(counters=False)
    assert "died (-11)" in rows["shuffles"].failure
    assert rows["shuffles"].comparison is None
    assert rows["vectors"].over == "tree"
    assert not view.sound


def test_a_wrong_rung_is_never_timed(card):
    card.wrong = {("online", 256, 8)}
    _, rows = climbed(counters=False)
    assert rows["online"].failure == "wrong result: error 7 times its bound"
    assert rows["online"].call_ns is None
    assert rows["held"].over == "vectors"


def test_another_card_is_refused(card, monkeypatch):
    monkeypatch.setattr(card, "device", {**card.device, "target": "sm_80", "name": "NVIDIA A100"})
    with pytest.raises(NoDeviceError, match=r"no ladder for NVIDIA A100 \(sm_80\)"):
        climbed()


# -- code and counters ------------------------------------------------------------------------------------------------


def test_bounds_are_broken_by_more_than_they_allow():
    code = ladder_card_code.Code({"registers": 168.0, "spilled_bytes": 16.0, "shared_bytes": 1024.0})
    assert ladder_card_code.violations(code, Bounds(168, 16, 1024)) == ()
    assert ladder_card_code.violations(code, Bounds(160, 0)) == (
        "168 registers of a thread, the limit is 160",
        "16 bytes of local memory of a thread, the limit is 0",
    )


def page(*launches):
    """A page as Nsight Compute writes it: messages, names, units, then a row for each launch."""
    metrics = ladder_card_counts.METRICS
    head = ["ID", "Kernel Name", *metrics.values()]
    lines = ["==PROF== Connected to process 42", ",".join(f'"{name}"' for name in head), ",".join('""' for _ in head)]
    for number, (name, values) in enumerate(launches):
        cells = [str(number), name, *(values.get(fact, "0") for fact in metrics)]
        lines.append(",".join(f'"{cell}"' for cell in cells))
    return "\n".join(lines)


def test_launches_are_given_to_the_rungs_in_order():
    text = page(
        ("tile(bf16 *, int)", {"counted_ns": "1,000", "dram_read_bytes": "300", "dram_write_bytes": "50", "occupancy": "40"}),
        ("vectorized_elementwise_kernel", {"counted_ns": "5"}),
        ("tile", {"counted_ns": "3,000", "l2_sectors": "10", "occupancy": "20"}),
        ("add_slices", {"counted_ns": "1,000", "l2_sectors": "4", "occupancy": "60"}),
    )  # fmt: skip
    found = ladder_card_counts.facts([("plain", ("tile",)), ("split", ("tile", "add_slices"))], text)
    assert found["plain"]["dram_bytes"] == 350
    assert found["split"]["l2_bytes"] == 32 * 14
    assert found["split"]["occupancy"] == pytest.approx((3000 * 20 + 1000 * 60) / 4000)


def test_a_rung_whose_launches_are_missing_has_no_facts():
    found = ladder_card_counts.facts([("one", ("tile",)), ("two", ("hopper",))], page(("tile", {"counted_ns": "1"})))
    assert set(found) == {"one"}
    assert ladder_card_counts.facts([("one", ("tile",))], "==ERROR== no permission") == {}
