"""Small faults in the code of a module, which `plant_faults.py` plants one at a time.

A fault replaces a part of an expression or statement inside a function: it changes a comparison by
equality, omits a term, changes a number by one, makes a condition false, or omits a call. Parts
that decide no answer are not changed: annotations, messages, and limits of time and size.
"""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

COMPARISONS = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.In: "not in", ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is",
}  # fmt: skip
HALVES = {
    ast.Eq: ("<=", ">="),
    ast.NotEq: ("<", ">"),
}  # what is checked of results in one direction
SIGNS = {ast.Add: "-", ast.Sub: "+", ast.BitAnd: "|", ast.BitOr: "&", ast.BitXor: "|"}
CALLS = {"min": "max", "max": "min", "any": "all", "all": "any", "floor": "ceil", "ceil": "floor"}
COSMETIC = re.compile(
    r"\b(msg|time_limit|deadline|progress|clock|monotonic|perf_counter|seconds|cached?|memory"
    r"|check_size|_?MAX_\w+|\w*_LIMIT|TYPE_CHECKING|raise|assert|import|__all__)\b"
)
DESCRIBING = re.compile(r"__repr__|__str__|__hash__|\w*(text|describe|wording|name|title|json)\w*")


@dataclass(frozen=True, slots=True)
class Fault:
    """A part of a file and its replacement; ``begin`` and ``end`` are byte offsets.

    ``lines`` are the first and last line of the statement; only tests that run one of them can
    detect the fault.
    """

    file: str
    line: int
    original: str
    replacement: str
    begin: int
    end: int
    lines: tuple[int, int]
    function: str

    @property
    def key(self) -> tuple[str, int, str]:
        """A text that identifies the fault in a tree."""
        return self.file, self.begin, self.replacement

    @property
    def wording(self) -> str:
        """A description of the fault on one line."""
        place = f"{self.file}:{self.line} {self.function}"
        return f"{place}: {self.original} -> {self.replacement}"

    def plant(self, code: bytes) -> bytes:
        """Return the code of the file with the fault in it."""
        return code[: self.begin] + self.replacement.encode() + code[self.end :]


class Module:
    """The faults of one file."""

    def __init__(self, file: str, code: bytes) -> None:
        self.file, self.code, self.tree = file, code, ast.parse(code)
        lines = code.splitlines(keepends=True)
        self.starts = [0]
        for line in lines:
            self.starts.append(self.starts[-1] + len(line))

    def span(self, node: ast.AST) -> tuple[int, int]:
        """Return the byte offsets of the start and the end of a node."""
        ends = (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)
        begin, end = (self.starts[line - 1] + column for line, column in ends)
        return begin, end

    def text(self, node: ast.AST) -> str:
        """Return the source of a node."""
        begin, end = self.span(node)
        return self.code[begin:end].decode()

    def faults(self) -> Iterator[Fault]:
        """Yield the faults of all functions, in the order of the file."""
        for function in ast.walk(self.tree):
            if isinstance(function, ast.FunctionDef) and not DESCRIBING.fullmatch(function.name):
                for statement in function.body:
                    yield from self._of_statement(statement, function.name)

    def _of_statement(self, statement: ast.stmt, function: str) -> Iterator[Fault]:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            return  # functions inside others come on their own
        parts = list(ast.iter_child_nodes(statement))
        blocks = [p for p in parts if isinstance(p, ast.stmt | ast.ExceptHandler | ast.match_case)]
        header = [
            part for part in parts if part not in (*blocks, getattr(statement, "annotation", 0))
        ]
        last = min((self._place(b).lineno for b in blocks), default=statement.end_lineno + 1) - 1
        begin, _ = self.span(statement)
        cut = self.span(self._place(blocks[0]))[0] if blocks else self.span(statement)[1]
        if not COSMETIC.search(self.code[begin:cut].decode()):
            lines = statement.lineno, max(last, statement.lineno)
            for node, text in self._replacements(statement, header, function):
                first, after = self.span(node)
                yield Fault(
                    self.file, node.lineno, self.text(node), text, first, after, lines, function
                )
        for block in blocks:
            inner = [block] if isinstance(block, ast.stmt) else block.body
            for part in inner:
                yield from self._of_statement(part, function)

    @staticmethod
    def _place(block: ast.AST) -> ast.AST:
        return block.pattern if isinstance(block, ast.match_case) else block

    def _replacements(
        self, statement: ast.stmt, header: list[ast.AST], function: str
    ) -> Iterator[tuple[ast.AST, str]]:
        match statement:
            case ast.If(test=test) | ast.While(test=test):
                yield test, f"False and ({self.text(test)})"
            case ast.Continue():
                yield statement, "break"
            case ast.Break() | ast.Expr(value=ast.Call()) | ast.AugAssign():
                yield statement, "pass"
        for part in header:
            for node in self._expressions(part):
                for text in self._of_expression(node, function):
                    yield node, text
                for loop in getattr(node, "generators", ()):
                    yield from ((condition, "True") for condition in loop.ifs)

    def _expressions(self, node: ast.AST) -> Iterator[ast.AST]:
        match node:  # texts, default values, types
            case ast.JoinedStr() | ast.arguments() | ast.Call(func=ast.Name(id="isinstance")):
                return
        if hasattr(node, "end_lineno"):
            yield node
        for name, value in ast.iter_fields(node):
            if name not in {"annotation", "returns"}:
                for part in value if isinstance(value, list) else [value]:
                    if isinstance(part, ast.AST):
                        yield from self._expressions(part)

    def _of_expression(self, node: ast.AST, function: str) -> Iterator[str]:
        match node:
            case ast.Compare():
                yield from self._of_comparison(node, function)
            case ast.BoolOp(values=values):
                word = " and " if isinstance(node.op, ast.And) else " or "
                texts = [f"({self.text(value)})" for value in values]
                for i in range(len(texts)):
                    yield f"({word.join(texts[:i] + texts[i + 1 :])})"
            case ast.BinOp(left=left, right=right):
                a, b = f"({self.text(left)})", f"({self.text(right)})"
                sign = SIGNS.get(type(node.op))
                yield from (a, b, f"({a} {sign} {b})") if sign else (a,)
            case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
                yield f"({self.text(operand)})"
            case ast.IfExp(body=body, orelse=orelse):
                yield f"({self.text(body)})"
                yield f"({self.text(orelse)})"
            case ast.Constant(value=bool(value)):
                yield str(not value)
            case ast.Constant(value=int(value)):
                yield from (str(value + 1), f"({value - 1})")
            case ast.Name(id=name) if name in CALLS:
                yield CALLS[name]

    def _of_comparison(self, node: ast.Compare, function: str) -> Iterator[str]:
        operands = [node.left, *node.comparators]
        for place, op in enumerate(node.ops):
            end, begin = self.span(operands[place])[1], self.span(operands[place + 1])[0]
            middle = self.code[end:begin].decode()
            first, last = self.span(node)
            before, after = self.code[first:end].decode(), self.code[begin:last].decode()
            old = re.search(r"not\s+in|is\s+not|in|is|[<>=!]+", middle)
            halves = HALVES.get(type(op), ()) if "check" in function else ()
            for new in (COMPARISONS[type(op)], *halves):
                yield before + middle.replace(old.group(), new, 1) + after


def choose(root: Path, packages: list[str], seed: int, only: str = "") -> list[Fault]:
    """Return all faults in the order in which they are planted.

    The order within a package is random. Packages alternate, larger packages more often, in
    proportion to the square root of their number of faults. So any initial part of the list is a
    sample of all faults.
    """
    rng, turns = random.Random(seed), []  # noqa: S311 - not a secret
    for package in packages:
        faults = [
            fault
            for path in sorted((root / package).rglob("*.py"))
            for fault in Module(path.relative_to(root).as_posix(), path.read_bytes()).faults()
            if only in fault.file
        ]
        rng.shuffle(faults)
        turns += [(i / len(faults) ** 0.5, package, fault) for i, fault in enumerate(faults)]
    return [fault for *_, fault in sorted(turns, key=lambda turn: turn[:2])]
