"""Text of the pseudocode to trees.

Statements: assignments (chained, compound, to slices, bits and concatenations), if, for, declare, break, return, functions as
``NAME = lambda(x, y) (...)``. Line ends mean nothing; semicolons separate. Trees are tuples whose first item names them.
"""

from __future__ import annotations

import re
from typing import Any

Tree = tuple[Any, ...]

_TOKEN = re.compile(
    r"""
    (?P<space>\s+|//[^\n]*)
  | (?P<type>\d+'(?:BF|[UIFB])\b)
  | (?P<sized>\d+'-?(?:0x[0-9a-fA-F]+|\d+\.\d+|\d+)[A-Z]*)
  | (?P<number>0x[0-9a-fA-F]+[UL]*|\d+\.\d+F?|\d+[ULF]*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<sign><<=|<>|>>=|\*\*|\|\||&&|==|!=|<=|>=|<<|>>|\+=|-=|\*=|\|=|&=|\^=|[-+*/%<>=!~&|^?:.,;(){}\[\]])
    """,
    re.VERBOSE,
)
_LEVELS = (
    ("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!=", "<>"), ("<", "<=", ">", ">="), ("<<", ">>"), ("+", "-"), ("*", "/", "%"), ("**",),
)  # fmt: skip
_ASSIGNING = ("=", "+=", "-=", "*=", "|=", "&=", "^=", "<<=", ">>=")
_ENDS = ("endif", "elsif", "else", "endfor", ")", "")


class UnreadableError(Exception):
    """Text that is prose, or has what the grammar lacks."""


def parse(text: str) -> list[Tree]:
    """Return the statements of an instruction. Raises UnreadableError."""
    reader = _Reader(text)
    tree = reader.block()
    if reader.word:
        raise UnreadableError(f"unexpected {reader.word!r}")
    return tree


class _Reader:
    def __init__(self, text: str) -> None:
        self.tokens: list[tuple[str, str]] = []
        at = 0
        while at < len(text):
            token = _TOKEN.match(text, at)
            if token is None:
                raise UnreadableError(f"no token at {text[at : at + 12]!r}")
            if token.lastgroup != "space":
                self.tokens.append((str(token.lastgroup), token[0]))
            at = token.end()
        self.tokens.append(("end", ""))
        self.at = 0

    @property
    def word(self) -> str:
        return self.tokens[self.at][1]

    @property
    def kind(self) -> str:
        return self.tokens[self.at][0]

    def take(self) -> str:
        if not self.word:
            raise UnreadableError("the text ends too early")
        self.at += 1
        return self.tokens[self.at - 1][1]

    def expect(self, word: str) -> None:
        if self.take() != word:
            raise UnreadableError(f"{word!r} expected before {self.word!r}")

    def accept(self, word: str) -> bool:
        if self.word != word or self.kind in ("sized", "number"):
            return False
        self.at += 1
        return True

    # -- statements -------------------------------------------------------------------------------------------------

    def block(self) -> list[Tree]:
        statements = []
        while True:
            while self.accept(";"):
                pass
            if self.word in _ENDS:
                return statements
            statements.append(self.statement())

    def statement(self) -> Tree:
        word = self.word
        if word == "if":
            return self.branches()
        if word == "for":
            return self.loop()
        if word == "declare":
            return self.declaration()
        if word == "break":
            self.take()
            return ("break",)
        if word == "return":
            self.take()
            return ("return", self.expression())
        target = self.expression()
        if self.word in _ASSIGNING:
            return self.assignment(target)
        raise UnreadableError(f"no statement at {self.word!r}")

    def assignment(self, target: Tree) -> Tree:
        sign = self.take()
        if sign == "=" and self.accept("lambda"):
            return self.function(target)
        value = self.expression()
        if sign == "=" and self.word == "=":
            inner = self.assignment(value)
            return ("both", inner, ("assign", target, value))
        return ("assign", target, value if sign == "=" else ("binary", sign[:-1], target, value))

    def function(self, target: Tree) -> Tree:
        self.expect("(")
        names = []
        while not self.accept(")"):
            names.append(self.take())
            self.accept(",")
        self.expect("(")
        start = self.at
        try:
            body = [("return", self.expression())]
            self.accept(";")
            self.expect(")")
        except UnreadableError:
            self.at = start
            body = self.block()
            self.expect(")")
        return ("function", target[1], names, body)

    def branches(self) -> Tree:
        self.take()
        arms = []
        condition = self.expression()
        self.expect("then")
        arms.append((condition, self.block()))
        otherwise: list[Tree] = []
        while True:
            word = self.take()
            if word == "elsif":
                condition = self.expression()
                self.expect("then")
                arms.append((condition, self.block()))
            elif word == "else":
                otherwise = self.block()
            elif word == "endif":
                return ("if", arms, otherwise)
            else:
                raise UnreadableError(f"unexpected {word!r} in an if")

    def loop(self) -> Tree:
        self.take()
        name = self.take()
        self.expect("in")
        first = self.expression()
        self.expect(":")
        last = self.expression()
        self.expect("do")
        body = self.block()
        self.expect("endfor")
        return ("for", name, first, last, body)

    def declaration(self) -> Tree:
        self.take()
        name = self.take()
        self.expect(":")
        kind = self.take()
        count = 0
        if self.accept("["):
            count = int(self.take())
            self.expect("]")
        return ("declare", name, kind, count)

    # -- expressions ------------------------------------------------------------------------------------------------

    def expression(self) -> Tree:
        condition = self.binary(0)
        if self.word != "?":
            return condition
        self.take()
        yes = self.expression()
        self.expect(":")
        return ("choose", condition, yes, self.expression())

    def binary(self, level: int) -> Tree:
        if level == len(_LEVELS):
            return self.unary()
        left = self.binary(level + 1)
        while self.kind == "sign" and self.word in _LEVELS[level]:
            sign = self.take()
            left = ("binary", sign, left, self.binary(level + 1))
        return left

    def unary(self) -> Tree:
        if self.kind == "sign" and self.word in ("-", "+", "!", "~"):
            return ("unary", self.take(), self.unary())
        return self.postfix(self.primary())

    def postfix(self, tree: Tree) -> Tree:
        while True:
            if self.accept("."):
                tree = ("field", tree, self.take())
            elif self.accept("["):
                first = self.expression()
                if self.accept(":"):
                    last = self.expression()
                    tree = ("slice", tree, first, last)
                else:
                    tree = ("item", tree, first)
                self.expect("]")
            else:
                return tree

    def primary(self) -> Tree:
        kind, word = self.kind, self.take()
        if kind == "type":
            self.expect("(")
            inner = self.expression()
            self.expect(")")
            return ("cast", word, inner)
        if kind in ("sized", "number"):
            return ("literal", word)
        if kind == "name":
            return ("call", word, self.arguments()) if self.word == "(" else ("name", word)
        if word == "(":
            inner = self.expression()
            self.expect(")")
            return inner
        if word == "{":
            parts = [self.expression()]
            while self.accept(","):
                parts.append(self.expression())
            self.expect("}")
            return ("join", parts)
        raise UnreadableError(f"unexpected {word!r}")

    def arguments(self) -> list[Tree]:
        self.expect("(")
        trees: list[Tree] = []
        while not self.accept(")"):
            trees.append(self.expression())
            self.accept(",")
        return trees
