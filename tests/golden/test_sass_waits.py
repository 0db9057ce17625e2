"""Scoreboards of real compiler output: no alarm as it stands, and every needed wait that is taken out is found.

Whether a wait is needed is decided here by walking single paths, not by the data flow that is tested: from every holder
of the scoreboard, past the instruction whose bit is taken out, to a use of its registers, with no other wait in between.
"""

from dataclasses import replace
from pathlib import Path

import pytest

from hotloop.isa.instruction import InstructionKind as K
from hotloop.isa.nvidia.registers import effects
from hotloop.isa.nvidia.scheduled import read
from hotloop.isa.nvidia.scoreboards import HazardKind, Scoreboards

FILES = sorted((Path(__file__).parent / "sass").glob("*.sass"))
QUEUED = {K.LOAD, K.STORE, K.ATOMIC, K.STACK, K.COPY, K.SCALAR_LOAD, K.SHUFFLE}
IN_ORDER = (
    {"LDS", "LDSM", "SHFL", "ATOMS"},
    {"TEX", "TLD", "SULD"},
    {"MUFU", "F2F", "F2I", "I2F", "FRND", "POPC", "FLO", "BREV"},
)


def waits_for(found, index, barrier):
    instruction = found.function.instructions[index]
    named = f"SB{barrier}," in instruction.operands or str(barrier) in instruction.operands.partition("{")[2]
    return found.controls[index].wait_mask >> barrier & 1 or (instruction.mnemonic.startswith("DEPBAR") and named)


def together(one, two):
    roots = {one.mnemonic.partition(".")[0], two.mnemonic.partition(".")[0]}
    return any(roots <= queue for queue in IN_ORDER)


def needed(found, at, barrier):
    return any(
        reaches_a_use(found, at, barrier, holder, result)
        for holder, control in enumerate(found.controls)
        for result in (True, False)
        if (control.write_barrier if result else control.read_barrier) == barrier
    )


def reaches_a_use(found, at, barrier, holder, result):
    code = found.function.instructions
    producer = effects(code[holder])
    if result:
        wanted, other = producer.writes, None
    else:
        files = ("R", "UR") if code[holder].mnemonic.startswith("U") else ("R",)
        wanted = {name for name in producer.reads if name.startswith(files)}
        other = found.controls[holder].write_barrier
    seen, todo = set(), [(index, False, True) for index in found.successors[holder]]
    while todo:
        index, passed, same = todo.pop()
        if (index, passed, same) in seen or (other is not None and waits_for(found, index, other)):
            continue
        seen.add((index, passed, same))
        passed = passed or index == at
        if index != at and waits_for(found, index, barrier):
            continue
        apart = same and excluded(code[holder], code[index])
        if passed and not apart and used(found, index, holder, wanted, result):
            return True
        same = same and guard(code[holder]) not in effects(code[index]).writes
        if code[index].kind not in (K.CALL, K.RETURN):
            todo += [(following, passed, same) for following in found.successors[index]]
    return False


def guard(instruction):
    """Return the name of an instruction's predicate, empty without one."""
    text = instruction.operands
    return text.split()[0].lstrip("@!") if text.startswith("@") else ""


def excluded(one, two):
    """Tell whether two instructions stand under opposite senses of one predicate."""
    negated = [instruction.operands.startswith("@!") for instruction in (one, two)]
    return guard(one) == guard(two) != "" and negated[0] != negated[1]


def used(found, index, holder, wanted, result):
    instruction = found.function.instructions[index]
    mine = effects(instruction)
    if instruction.kind is K.CALL:
        return bool(wanted)
    if result:
        return bool(wanted & mine.reads) or bool(
            wanted & mine.writes and not together(instruction, found.function.instructions[holder])
        )
    queued = instruction.kind in QUEUED or found.controls[index].write_barrier is not None
    return bool(wanted & mine.writes) and not queued


def without(found, at, barrier):
    controls = list(found.controls)
    controls[at] = replace(controls[at], wait_mask=controls[at].wait_mask & ~(1 << barrier))
    return replace(found, controls=tuple(controls))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_compiler_output_raises_no_alarm(file):
    for found in read(file.read_text()):
        assert Scoreboards(found).hazards == ()


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_needed_wait_that_is_taken_out_is_found(file):
    tried = 0
    for found in read(file.read_text()):
        for at, control in enumerate(found.controls):
            for barrier in control.waits:
                if needed(found, at, barrier):
                    tried += 1
                    where = (
                        f"{found.function.name} at {found.function.instructions[at].address:#x}, scoreboard {barrier}"
                    )
                    assert Scoreboards(without(found, at, barrier)).hazards, where
    assert tried > (1 if file.stem.startswith("opposite") else 10)


@pytest.mark.parametrize("name", ["matmul_sm80", "plain_sm90"])
def test_a_write_barrier_that_is_taken_out_is_found(name):
    """A load from device memory whose result is used must hold a scoreboard."""
    tried = 0
    for found in read((Path(__file__).parent / "sass" / f"{name}.sass").read_text()):
        for at, (instruction, control) in enumerate(zip(found.function.instructions, found.controls, strict=True)):
            if instruction.mnemonic.startswith("LDG") and not instruction.mnemonic.startswith(("LDGSTS", "LDGDEPBAR")):
                controls = list(found.controls)
                controls[at] = replace(control, write_barrier=None)
                tried += 1
                hazards = Scoreboards(replace(found, controls=tuple(controls))).hazards
                assert any(h.producer.address == instruction.address and h.barrier is None for h in hazards)
    assert tried or name == "matmul_sm80"


def test_loads_into_one_register_under_opposite_predicates_need_no_wait_between_them():
    """As bitsandbytes' kEstimateQuantiles has them on sm_86; made here from a PTX of 20 lines by ptxas 12.9.86 and nvdisasm -c -hex."""
    (found,) = read((Path(__file__).parent / "sass" / "opposite_sm86.sass").read_text())
    assert Scoreboards(found).hazards == ()
    code = list(found.function.instructions)
    second = next(at for at, instruction in enumerate(code) if instruction.mnemonic.startswith("LDG"))
    code[second] = code[second]._replace(operands=code[second].operands.replace("@!P0", "@P0"))
    both = replace(found, function=replace(found.function, instructions=tuple(code)))
    assert [hazard.kind for hazard in Scoreboards(both).hazards] == [HazardKind.WRITE]
