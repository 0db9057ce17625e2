"""How every operator answers a call: it is judged, a kernel or PyTorch is chosen, and a kernel that cannot be built gives way.

`Operator` has what is the same for all; a subclass says what its operation checks, what decides, which program of the family's
implementations runs on which tensors, and what PyTorch has instead.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeAlias, TypeVar

from hotloop.dispatch import arguments, glance, guarded, launch, measured, remembered, straight, watching
from hotloop.dispatch.arguments import torch
from hotloop.dispatch.choice import Origin
from hotloop.dispatch.select import GLANCED, PEER, instead
from hotloop.dispatch.swift import straightened
from hotloop.targets.target import Target

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from hotloop.dispatch.choice import Choice
    from hotloop.dispatch.remembered import Answer
    from hotloop.model.program import Program

Call = TypeVar("Call", bound="tuple[Any, ...]")
Described = TypeVar("Described")
Made = TypeVar("Made")
MaybeSums: TypeAlias = torch.Tensor | tuple[torch.Tensor, torch.Tensor]


_NAMED: dict[str, Operator[Any, Any, Any]] = {}
_TRIED = "thousands of random calls that every kernel of hotloop has run"
"""Feature of the processors on which kernels that nobody chose may be launched beside the caller's memory."""


class Operator(ABC, Generic[Call, Described, Made]):
    """One operation; Call is the named tuple of its arguments, tensors first."""

    arguments: ClassVar[Any]
    """The named tuple."""
    operands: ClassVar[int]
    """How many of the arguments are tensors."""
    hinted: ClassVar[int | None] = None
    """The argument whose identity tells most about the form of a call: a weight; None where the last call does."""
    flagged: ClassVar[bool] = False
    """True where one of PyTorch's flags is part of the answer for float32."""
    evens: ClassVar[bool] = False
    """True where views that wide accesses cannot read are copied before anything computes the call, PyTorch's function too."""
    glanced: ClassVar[int] = GLANCED
    """Kernels beside the usual one that a first call tries."""

    def __init__(self, name: str, schema: str, asked: str = "") -> None:
        """Register ``torch.ops.hotloop.<name>``.

        Args:
            name: the operator's.
            schema: arguments and results in PyTorch's words; no defaults, because PyTorch leaves such arguments out.
            asked: what users call in `hotloop.ops`, where it has another name.
        """
        self.name = name
        self._hints = remembered.HINTS.setdefault(name, {})
        _NAMED[name] = self
        made = torch.library.custom_op(f"hotloop::{name}", self._dispatched, mutates_args=(), schema=schema)
        made.register_fake(self._fake)
        made.register_autograd(arguments.no_backward(asked or name))
        self._operator = getattr(torch.ops.hotloop, name)

    @staticmethod
    def named(name: str) -> Operator[Any, Any, Any]:
        """Return the operator of a name, of a module that was imported. Raises KeyError."""
        return _NAMED[name]

    def __call__(self, given: tuple[Any, ...]) -> Made:
        """Compute a user's call, whoever traces, records or intercepts it; its arguments may be a plain tuple."""
        if not straight.ASKED or torch.compiler.is_compiling():
            return self._judged(self.arguments._make(given))
        which = 0 if self.hinted is None else id(given[self.hinted])
        hint = self._hints.get(which)
        if hint is not None:
            result: Made | None = hint(given)
            if result is not None:
                return result
        count = self.operands
        try:
            # The shape of a nested tensor, which PyTorch's guard takes for a fault of its own, is an error.
            cheap = self, given[count:], *[x if x is None else x.shape for x in given[:count]]
            forms = remembered.FORMS.get(cheap, ())
        except (AttributeError, TypeError, RuntimeError):  # no tensor, no sizes, no hash: the check says which
            return self._judged(self.arguments._make(given))
        for form in forms:
            if form.fits(given) and form.answer is not None:
                remembered.hint(self.name, which, form.whole)
                return self._again(given, form)
        call: Call = self.arguments._make(given)
        made = self._judged(call)
        if len(forms) < guarded.MOST_FORMS:
            self._learn(cheap, call)
        return made

    def _again(self, given: tuple[Any, ...], form: remembered.Form) -> Made:
        """Compute a call of a form that has an answer."""
        if form.run is not None:
            try:
                made: Made | None = form.run(given)
                if made is not None:
                    return made
            except Exception:  # noqa: BLE001, S110 - the same by tensors tells what is wrong, or does without the kernel
                pass
        assert form.answer is not None
        return self._made(self.arguments._make(given), form.answer)

    def _judged(self, call: Call) -> Made:
        """Compute a call of which nothing is known."""
        recorded, direct = arguments.judged(call, self.operands)
        if recorded:
            return self.recorded(call)
        made: Made = self._made(call, self._answer(call)) if direct else self._operator(*call)
        return made

    def _learn(self, cheap: Hashable, call: Call) -> None:
        """Keep the form of a call that was just answered, if a look at its operands is enough to know it again."""
        if not arguments.unwatched(call, self.operands):
            return
        answer = remembered.known(self.key(call))
        if answer is not None and not answer.choice.unsure:
            if answer.choice.implementation == PEER and answer.straight is None:
                answer.straight = self.straight_peer(call)
            remembered.learn(cheap, guarded.known(call, range(self.operands), answer, flagged=self.flagged))

    def into(self, call: Call, made: torch.Tensor) -> Any:  # noqa: ANN401 - `made`
        """Compute a call into memory of the form of its result, which no operand shares; copied where others see the call."""
        recorded, direct = arguments.judged(call, self.operands)
        answer = self._answer(call) if direct and not recorded else None
        if answer is None or answer.choice.implementation == PEER:
            return made.copy_(self(call))
        done = self._made(call, answer, made)
        return made if done is made else made.copy_(done)

    def recorded(self, call: Call) -> Made:
        """Compute a call that PyTorch records, with what it can differentiate."""
        self.check(call)
        if not torch.compiler.is_compiling():
            self.choice(call, gradient=True)
        with arguments.as_given(call[0]):
            return self.own(call)

    def explain(self, call: Call) -> Choice:
        """Return what would run for a call, and why."""
        recorded, direct = arguments.judged(call, self.operands)
        if direct:
            return self._answer(call).choice
        self.check(call)
        return self.choice(call, gradient=recorded)

    @abstractmethod
    def check(self, call: Call) -> None:
        """Raise the error of `hotloop.errors` that says what is wrong with a call."""

    @abstractmethod
    def described(self, call: Call, *, gradient: bool) -> Described:
        """Return all that decides what runs, hashable; `gradient` tells that one is wanted."""

    @abstractmethod
    def choose(self, described: Described, like: torch.Tensor) -> Choice:
        """Return what runs on the device of `like`."""

    @abstractmethod
    def program(self, call: Call, choice: Choice) -> Program:
        """Return the launches of the chosen implementation and configuration: what its `plan` returns."""

    @abstractmethod
    def arrays(self, call: Call, made: Made) -> dict[str, torch.Tensor]:
        """Return the tensor, or view of one, for each array of the program except its scratch; `made` are the results."""

    @abstractmethod
    def own(self, call: Call) -> Made:
        """Return the same from PyTorch, with what it takes to compute gradients."""

    @abstractmethod
    def fake(self, call: Call) -> Made:
        """Return empty tensors of the result's form."""

    @abstractmethod
    def function(self, described: Described) -> str:
        """Name PyTorch's own function, for reasons."""

    def alternatives(self, described: Described, like: torch.Tensor) -> tuple[Choice, ...]:
        """Return what else could compute a call, and of whose speed too little is known: what `ops.warm` measures."""
        del described, like
        return ()

    def unsure(self, described: Described, like: torch.Tensor, usual: Choice) -> tuple[Choice, ...]:
        """Return the kernels that a first call of a form should compare with PyTorch's function: what runs as things are, and some that may be faster."""
        tried = self.alternatives(described, like) if Target.of(usual.device.target).has(_TRIED) else ()
        kernels = [choice for choice in (usual, *tried[: self.glanced]) if choice.implementation != PEER]
        return tuple({(choice.implementation, choice.config): choice for choice in kernels}.values())

    def chosen(self, described: Described, like: torch.Tensor) -> Choice:
        """Return what runs on the device of `like`: what was measured for this form of call, else what `choose` says."""
        usual = self.choose(described, like)
        winner = measured.find(measured.key(self.name, described, usual.device))
        if winner is None:
            return usual if usual.exact else replace(usual, unsure=self.unsure(described, like, usual))
        if winner.implementation == PEER:
            return instead(usual, self.function(described), winner.source)
        for candidate in (usual, *self.alternatives(described, like)):
            if (candidate.implementation, candidate.config) == (winner.implementation, winner.config):
                return replace(
                    candidate,
                    origin=Origin.STORE,
                    source=f"ops.warm: {winner.source}",
                    measured_on=candidate.shape,
                    distance=0.0,
                )
        return usual

    def run(self, call: Call, answer: Answer, made: Made | None = None) -> Made:
        """Make the results, unless they are given, and launch the program on them."""
        made = self.fake(call) if made is None else made
        arrays = self.arrays(call, made)
        launches = answer.launches
        if launches is None:
            launches = self._built(call, answer, arrays)
            if straight.ASKED and not answer.choice.unsure:
                answer.straight = straightened(launches, made, self.lying(call), arrays, call)
        launches(arrays)
        return made

    def prepare(self, call: Call, answer: Answer) -> None:
        """Compile an answer's program for calls of this form, and launch nothing."""
        self._built(call, answer, self.arrays(call, self.fake(call)))

    def _built(self, call: Call, answer: Answer, arrays: dict[str, torch.Tensor]) -> launch.Prepared:
        program, device = self.program(call, answer.choice), answer.choice.device
        answer.launches = made = launch.prepared(program, device, arrays)
        return made

    def lying(self, call: Call) -> dict[str, str]:
        """Return, for each array of the program that is no result, the argument of the call whose memory it is.

        Empty where `arrays` copies or computes something, so that an array is no argument's memory. The answer must be the same for
        every call with the same key.
        """
        del call
        return {}

    def peer(self, call: Call) -> Made:
        """Return `own` in the strides that `fake` promises."""
        return self.own(call)

    def straight_peer(self, call: Call) -> Callable[[tuple[Any, ...]], Made]:
        """Return what makes `peer` of calls of the form of this one from a plain tuple; overridden where that is one function of PyTorch's."""
        del call
        make = self.arguments._make
        return lambda given: self.peer(make(given))

    def key(self, call: Call) -> Hashable:
        """Return what decides how a call is answered: its tensors' types, shapes, strides and alignments, and its other arguments.

        Calls with equal keys are checked, chosen and compiled once.
        """
        count = self.operands
        return self.name, *[None if x is None else arguments.form(x) for x in call[:count]], *call[count:]

    def choice(self, call: Call, *, gradient: bool = False) -> Choice:
        """Return what runs for a checked call."""
        described = self.described(call, gradient=gradient)
        choose = partial(self.chosen, described, call[0])
        return remembered.remembered((described, call[0].device), choose).choice

    def _dispatched(self, *given: Any) -> Made:  # noqa: ANN401 - as the schema says
        call = self.arguments(*[tuple(x) if type(x) is list else x for x in given])  # lists have no hash
        with arguments.as_given(call[0]):
            return self._made(call, self._answer(call))

    def _fake(self, *given: Any) -> Made:  # noqa: ANN401
        call = self.arguments(*given)
        self.check(call)
        return self.fake(call)

    def _answer(self, call: Call) -> Answer:
        """Return what runs; a call like earlier ones is not checked and described again."""
        try:
            key = self.key(call)
            answer = remembered.known(key)
        except Exception:
            self.check(call)  # an argument that has no form is none: the check says which
            raise
        if answer is None:
            self.check(call)
            arguments.alive(call[: self.operands])
            for listener in watching.FORMS:
                listener(self, call)
            answer = remembered.remembered(key, partial(self.choice, call))
        return answer

    def _settle(self, call: Call, answer: Answer) -> None:
        """Find out what is fastest, where an answer is unsure of it and the call can be measured."""
        settled = glance.settled(self, call, answer.choice)
        if settled is None:
            return
        answer.choice, answer.launches, answer.straight = settled.choice, None, None
        if settled.measured:
            remembered.replace((self.described(call, gradient=False), call[0].device), settled.choice)

    def _made(self, call: Call, answer: Answer, made: Made | None = None) -> Made:
        if answer.choice.unsure:
            self._settle(call, answer)
        choice = answer.choice
        if choice.implementation == PEER:
            return self.peer(call)
        try:
            if made is None and answer.straight is not None:
                swift: Made | None = answer.straight(call)
                if swift is not None:
                    return swift
            return self.run(call, answer, made)
        except Exception as error:
            trouble = arguments.compile_trouble(error)
            if not trouble:
                raise
            described = self.described(call, gradient=False)
            why = f"{choice.implementation} cannot run here: {trouble}"
            peer = instead(choice, self.function(described), why, choice.notes)
            remembered.replace((described, call[0].device), peer)
            return self.peer(call)


class Summed(Operator[Call, Described, MaybeSums]):
    """An operation of which there are two operators: one returns the logarithms of its sums too."""

    def __init__(self, name: str, arguments: str, *, sums: bool) -> None:
        """Register ``<name>_lse`` if there are `sums`, else ``<name>``; `arguments` are those of the schema."""
        self.sums = sums
        super().__init__(
            f"{name}_lse" if sums else name, f"({arguments}) -> {'(Tensor, Tensor)' if sums else 'Tensor'}", name
        )  # fmt: skip

    def made(self, o: torch.Tensor, sums: torch.Tensor | None) -> MaybeSums:
        """Return the operator's results."""
        return o if sums is None else (o, sums)
