"""The hot loops of the rungs that share lanes, as compiled for AMD, executed in NumPy: one wave, all its lanes, instruction by instruction.

What the instructions do is AMD's RDNA ISA references': ``row_share:n`` gives every lane of a row of 16 the value of the row's
lane n, ``v_readlane_b32`` gives the scalar unit the value of one lane. Where lanes read is `accesses.scheduled`'s, so the test
binds three things: the index arithmetic that the conflict table uses, the compiler's code, and the product that must come out.
"""

from __future__ import annotations

import re

import numpy as np
import pytest

from hotloop.app.ladder import data as ladder_data
from hotloop.app.ladder.compiled import compile_rung
from hotloop.compilers.offer import Compiled
from hotloop.host import toolchain
from hotloop.isa.dialects.amdgcn import DIALECT
from hotloop.isa.hot import hot_loop
from hotloop.kernels.gemm.ladders.accesses import scheduled
from hotloop.targets.target import Target

pytestmark = pytest.mark.skipif(toolchain.package("ziglang") is None, reason="the package ziglang is not installed")
(LADDER,) = (found for found in ladder_data.ladders("gemm") if found.name == "rdna")
WAVE, DEPTH, ROWS, COLUMNS = 32, 16, 16, 4
_REGISTERS = re.compile(r"^([vs])(?:(\d+)|\[(\d+):(\d+)\])$")


class Wave:
    """Vector and scalar registers of one wave, and its group's local memory of floats."""

    def __init__(self, memory: np.ndarray) -> None:
        self.memory = memory
        self.vectors: dict[int, np.ndarray] = {}
        self.scalars: dict[int, float] = {}

    def run(self, mnemonic: str, operands: str) -> None:
        words = [word.strip() for word in operands.replace(" offset", ", offset").replace(" row_", ", row_").split(",")]
        options = dict(word.partition(":")[::2] for word in words if ":" in word and not word.startswith(("v[", "s[")))
        places = [registers(word) for word in words if _REGISTERS.match(word)]
        name = plain(mnemonic)
        if name.startswith("ds_read"):
            self._read(name, places, options)
        elif name == "v_add_nc_u32":
            ((_, (target,)), (_, (source,))) = places
            self.vectors[target] = self.vectors[source] + int(words[1], 0)
        elif name == "v_mov_b32_dpp":
            ((_, (target,)), (_, (source,))) = places
            self.vectors[target] = self._row(source, options)
        elif name == "v_readlane_b32":
            ((_, (target,)), (_, (source,))) = places
            self.scalars[target] = float(self.vectors[source][int(words[2])])
        elif name in ("v_fmac_f32", "v_fmac_f32_dpp"):
            ((_, (target,)), left, right) = places
            first = self._row(left[1][0], options) if "row_share" in options else self._value(left)
            self.vectors[target] = self._value(("v", (target,))) + first * self._value(right)
        elif name == "v_fma_f32":
            ((_, (target,)), left, right, before) = places
            self.vectors[target] = self._value(left) * self._value(right) + self._value(before)
        else:
            assert name.startswith("s_"), f"{mnemonic} {operands} is not modelled"

    def _read(self, name: str, places: list[tuple[str, tuple[int, ...]]], options: dict[str, str]) -> None:
        (_, targets), (_, (address,)) = places
        if name == "ds_read2_b32":
            offsets = [4 * int(options.get(f"offset{n}", 0)) for n in (0, 1)]
        else:
            assert name in ("ds_read_b32", "ds_read_b64", "ds_read_b128"), name
            offsets = [int(options.get("offset", 0)) + 4 * n for n in range(len(targets))]
        found = [self.memory[(self.vectors[address] + offset) // 4] for offset in offsets]
        for target, values in zip(targets, found, strict=True):
            self.vectors[target] = values

    def _row(self, register: int, options: dict[str, str]) -> np.ndarray:
        lanes = np.arange(WAVE) // 16 * 16 + int(options["row_share"])
        return self.vectors[register][lanes]

    def _value(self, place: tuple[str, tuple[int, ...]]) -> np.ndarray | float:
        """Return a register; sums begin at zero."""
        kind, (number,) = place
        return self.vectors.get(number, np.zeros(WAVE)) if kind == "v" else self.scalars[number]


def plain(mnemonic: str) -> str:
    """Return a mnemonic without its encoding, in the spelling of gfx10."""
    name = mnemonic.removesuffix("_e32").removesuffix("_e64")
    return name.replace("ds_load_2addr_", "ds_read2_").replace("ds_load_", "ds_read_")


def registers(text: str) -> tuple[str, tuple[int, ...]]:
    """Return kind and numbers: ``v[3:5]`` is ("v", (3, 4, 5))."""
    found = _REGISTERS.match(text)
    assert found, text
    kind, one, first, last = found.groups()
    return kind, (int(one),) if one else tuple(range(int(first), int(last) + 1))


def code(rung: str, target: str):
    made = compile_rung(LADDER, LADDER.rung(rung), Target.parse(target))
    assert isinstance(made, Compiled)
    function = next(f for f in DIALECT.parse(made.listing) if f.name == "gemm")
    return [(i.mnemonic, i.operands) for i in hot_loop(function).instructions]


def addresses(instructions, memory_of_b: int, reads) -> dict[int, np.ndarray]:
    """Return the first addresses by register: the one of the narrow reads is A's, the one of the wide reads is B's."""
    found = {}
    for mnemonic, operands in instructions:
        if plain(mnemonic).startswith("ds_read"):
            wide = plain(mnemonic) == "ds_read_b128"
            register = registers(operands.split(",")[-1].split()[0])[1][0]
            found[register] = np.array(reads["read B" if wide else "read A"]) + (memory_of_b if wide else 0)
    assert len(found) == 2
    return found


@pytest.mark.parametrize(
    ("rung", "target"),
    [("lanes-16", "gfx1012"), ("lanes-fused", "gfx1012"), ("lanes-fused", "gfx1100"), ("lanes-32", "gfx1030")],
)
def test_the_loop_adds_up_every_product_of_its_rows_and_columns_once(rung, target):
    changes = LADDER.changes(LADDER.rung(rung))
    pitch_a, pitch_b = (changes["MDIM"] * changes["MWI"] + 4, changes["NDIM"] * changes["NWI"] + 4)
    random = np.random.default_rng(7)
    a, b = random.standard_normal((DEPTH, pitch_a)), random.standard_normal((DEPTH, pitch_b))
    wave = Wave(np.concatenate((a.ravel(), b.ravel())))
    instructions = code(rung, target)
    reads = {access.what: access.addresses_bytes for access in scheduled(changes, WAVE)}
    wave.vectors.update(addresses(instructions, 4 * a.size, reads))
    for _ in range(DEPTH // changes["KUNROLL"]):
        for mnemonic, operands in instructions:
            wave.run(mnemonic, operands)

    items = np.arange(WAVE)
    row, column = items // changes["NDIM"] * ROWS, items % changes["NDIM"] * COLUMNS
    wanted = {
        (i, j): np.einsum("kl,kl->l", a[:, row + i], b[:, column + j]) for i in range(ROWS) for j in range(COLUMNS)
    }
    sums = {int(words.split(",")[0][1:]) for name, words in instructions if name.startswith("v_fma")}
    assert len(sums) == ROWS * COLUMNS
    matched = {
        place for place, value in wanted.items() for register in sums if np.allclose(wave.vectors[register], value)
    }
    assert matched == set(wanted)


def test_a_neighbour_too_far_is_noticed():
    """The same loop with one lane number changed."""
    instructions = code("lanes-fused", "gfx1012")
    changed = [(m, o.replace("row_share:7 ", "row_share:6 ")) for m, o in instructions]
    assert changed != instructions
    a, b = np.arange(DEPTH * 68.0), np.ones(DEPTH * 68)
    found = []
    for version in (instructions, changed):
        wave = Wave(np.concatenate((a, b)))
        reads = {x.what: x.addresses_bytes for x in scheduled(LADDER.changes(LADDER.rung("lanes-fused")), WAVE)}
        wave.vectors.update(addresses(version, 4 * a.size, reads))
        for mnemonic, operands in version:
            wave.run(mnemonic, operands)
        found.append({n: v for n, v in wave.vectors.items() if v.dtype == np.float64})
    assert any(not np.array_equal(found[0][n], found[1][n]) for n in found[0])
