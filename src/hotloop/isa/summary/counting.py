"""What a loop's instructions do, in the words of a report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from hotloop.isa.instruction import MULTIPLY_ADD, READS, Instruction, InstructionKind, MemorySpace, Traits
from hotloop.isa.summary.model import Count, Width
from hotloop.isa.tally import tally
from hotloop.targets.target import Target

K, S = InstructionKind, MemorySpace
_SPACES = {S.GLOBAL: "global", S.SCRATCH: "scratch", S.CONSTANT: "constant"}
_WORDS = {
    K.MATRIX: "matrix", K.FMA: "multiply-add", K.MULADD: "multiply or add", K.ARITHMETIC: "other floating point",
    K.CONVERSION: "conversion", K.INTEGER: "integer", K.ADDRESS: "address", K.SCALAR: "scalar", K.ATOMIC: "atomic",
    K.STACK: "scratch access", K.BARRIER: "barrier", K.WAIT: "wait", K.BRANCH: "branch",
    K.CALL: "call", K.RETURN: "return", K.NOP: "nop", K.CONTROL: "sequencer", K.CACHE: "cache", K.MOVE: "move",
    K.SHUFFLE: "lane exchange", K.OTHER: "unknown",
}  # fmt: skip


def described(traits: Traits, local: str = "LDS") -> str:
    """Return what an instruction does in one or two words; loads and stores name their memory, `local` is local memory."""
    if traits.kind is K.COPY:
        return f"copy to {local}"
    if traits.kind in _WORDS:
        return _WORDS[traits.kind]
    memory = _SPACES.get(traits.space, local) if traits.space else "memory"
    inside = traits.space is S.LOCAL
    return f"{memory} {('read' if inside else 'load') if traits.kind in READS else ('write' if inside else 'store')}"


def unit(code: Sequence[Instruction]) -> tuple[str, int]:
    """Return what counts are related to, and how many there are: matrix instructions, else multiply-adds, else nothing."""
    matrices = [i for i in code if i.kind is K.MATRIX]
    if matrices:
        return matrix_word(matrices[0].mnemonic), len(matrices)
    fused = sum((i.kind in MULTIPLY_ADD) + (i.traits.paired in MULTIPLY_ADD) for i in code)
    return ("FMA", fused) if fused else ("", 0)


def matrix_word(mnemonic: str) -> str:
    """Return what people call a matrix instruction.

    >>> matrix_word("v_mfma_f32_32x32x8_f16"), matrix_word("HGMMA.64x128x16.F32"), matrix_word("wgmma.mma_async.sync")
    ('MFMA', 'HGMMA', 'WGMMA')
    """
    return mnemonic.removeprefix("v_").partition("_")[0].partition(".")[0].upper()


def local_word(target: str) -> str:
    """Return what people call local memory on a processor."""
    return Target.of(target).words.local


def counts(code: Sequence[Instruction], units: int, local: str = "LDS") -> tuple[Count, ...]:
    """Return the operations of a loop by what they do, most frequent first; a pair that issues as one instruction is two."""
    counter: Counter[str] = Counter()
    for traits, number in tally(code):
        counter[described(traits, local)] += number
        if traits.paired is not None:
            counter[_WORDS.get(traits.paired, _WORDS[K.OTHER])] += number
    total = counter.total() or 1
    return tuple(Count(what, n, n / total, n / units if units else None) for what, n in counter.most_common())


def widths(code: Sequence[Instruction], local: str = "LDS") -> tuple[Width, ...]:
    """Return the memory instructions of a loop by kind and width, widest first within a kind."""
    counter: Counter[tuple[str, int]] = Counter()
    for traits, number in tally(code):
        if traits.space is not None and traits.kind not in (K.CACHE, K.MATRIX):
            counter[described(traits, local), traits.memory_bits] += number
    return tuple(
        Width(what, bits, n) for (what, bits), n in sorted(counter.items(), key=lambda row: (row[0][0], -row[0][1]))
    )
