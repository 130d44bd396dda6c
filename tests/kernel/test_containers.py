"""No set, dict or counter of the kernel has integers from a file as keys.

Python hashes an integer by its remainder, and a tuple or a fraction by the hashes of its parts, so
a file could contain thousands of keys with the same hash. Hashes of texts are randomised by a
secret. For each container, the table gives the reason why its keys are safe; a new container needs
an entry.
"""

# ruff: noqa: E501 - a table

import ast
from pathlib import Path

import pytest

from ccsim import kernel
from ccsim.kernel.reader import different

FILES = sorted(Path(kernel.__file__).parent.glob("*.py"))
NAMES = {"set", "frozenset", "dict", "Counter", "defaultdict", "OrderedDict", "WeakSet", "orbit"}
CACHES = {"lru_cache", "cache"}
LITERALS = (ast.Set, ast.SetComp, ast.Dict, ast.DictComp)

# What keys are, and of each container the file, the function, and how its source begins.
TABLE = {
    "texts, whose hashes have a secret": """
mistakes OfflineMistakes.extreme | dict[str, list[Vector]]()
mistakes OfflineMistakes.extreme.after | {hex(side): i for i, side in enumerate(large)}
mistakes OfflineMistakes.extreme.after | {str(v): v for v in made}
mistakes OfflineMistakes.extreme.attained | dict[str, Vector]()
__init__ _parse.distinct | Counter((key for key, _ in pairs)).most_common(1)
__init__ _parse.distinct | dict(pairs)
communication Protocol.read | {hex(weight): Fraction(weight, total) for weight in differen
compositions distinct_pairs | dict[str, Pair]()
compositions distinct_pairs | {text: i for i, text in reversed([*enumerate(texts)])}
dimensions Pairs.__init__ | lru_cache(1 << 14)(self._total)
dimensions VCDimension.counting | {t: i for i, t in reversed([*enumerate(C.texts)])}
packings exclude | dict[str, int]()
piecewise gathered | {}
partitions  | dict[str, Sequence[int]]
partitions joined_costs | {hex(0): 0}
partitions joined_costs | dict[str, int]()
partitions least_cost | dict[str, tuple[int, int, int]]()
partitions least_cost | orbit(hex(S), moves, 40)
partitions least_cost | {T: (int(T, 16), c, t) for T in moved}
partitions saves | dict[str, int]()
powers Powers.__init__ | dict[str, Value]()
enclosures pairs | set[str]()
privacy Privacy.all_neighbours | set[str]()
private_failure PrivateFailure.flows | dict[str, Counter[int]]()
reader Matrix.read | set(texts)
reader different | {hex(value): value for value in values}
reader digest | {key: part for key, part in value.items() if key != 'name'}
chirotopes Chirotope.image | {line.translate(FLIP) for line in moved}
chirotopes Chirotope.image | {*map(''.join, zip(*t, strict=True))}
reader labels | {naming(label) for label in entries(value) if type(label) is
matrix_powers Types.factors | orbit(key, moves, 20 + 10 * len(each_of))
matrix_powers Types.factors | set[str]()
matrix_powers Types.factors | {hex(S): [divmod(i, self.shape[1]) for i in members(S)] for
rectangles Rectangles.every | dict[str, int]()
squares of_sizes | dict[str, list[int]]()
rectangles Rectangles.maximal | {hex(S): S for S in [S & ~bars for S in closed.values()]}
rectangles Rectangles.maximal | {hex(full): full}
representations Covering.branching.split | dict(zip(map(hex, map(opened.__and__, masks)), met, strict=T
representations Covering.branching.split | orbit(mask, group, 5 + 3 * number)
representations Covering.branching.split | {*map(move, left)}
representations Covering.branching.split | {t: S for t, S in left.items() if parts[t] >= largest - numb
rules Quantity.proved | set(known)
rules Quantity.proved | set(proof)
rules Quantity.proved | {*forms, *files}
rules Quantity.proved | {}
multiclass Labelled.read | set(found.texts)
pseudo_cubes peeled | Counter([row[:t] + row[t + 1:] for row in kept])
pseudo_cubes peeled | set()
pseudo_cubes peeled | set(rows)
pseudo_cubes peeled | {row for row in kept if alike[row[:t] + row[t + 1:]] > 1}
teaching NoClashTeachingDimension.cases | {}
teaching repeated | {'': 0}
thresholds ThresholdDimension.tails | dict[str, bool]()
""",
    "names, types, addresses and truth values of the program, not of the file": """
queries  | {'membership': ('point',), 'proper equivalence': ('concept',
__init__ check | {}
__init__  | set(b'[]{},')
__init__  | set(range(256))
__init__  | {kind: path.stem for path in sorted(Path(__file__).parent.gl
communication CommunicationComplexity.protocol | {'messages': tables.messages}
communication MinimaxError | dict.fromkeys(('boxes', 'conflicts', 'dependencies', 'radon'
communication MinimaxError.hard_distribution | {'distribution': distribution}
noise_programs  | {'draw': ('draw', 'next'), 'compare': ('compare', 'next'), '
packings ApproximateSampleComplexity.least_failure | {key: getattr(self, key) for key in ('instance', 'accuracy',
packings Examples.least_failure | {key: getattr(self, key) for key in ('instance', 'accuracy',
powers Powers.__init__ | {'root': 1, 'base': None, 'bits': 0}
matrix_powers symmetry | {'rows': rows, 'columns': columns, 'flips': '0' * F.width}
neighbours  | {'mechanism': (('records', 'size', 'symmetric', 'public', 'g
neighbours  | {'replace one': 'neighbours differ in one record', 'add or r
private_failure PrivateFailure.learner | {'laws': laws}
reader digest | {key: len(value[key]) for key in _LABELS if key in value}
reader indices | set(map(type, found))
reader indices | {int}
reader show | dict
reader show | {dict: 'an object', list: 'a list', type(None): 'null'}
rules  | {}
rules Quantity | {}
rules Quantity.__init_subclass__ | {'lower': {}, 'upper': {}}
rules Quantity.__init_subclass__ | {}
rules Quantity._apply | {k: inside(k, read, v, self) for (k, read), v in values}
partial_classes sides | {48: '1', 49: '0'}
rules Symmetry.read | {48: '1', 49: '0'}
rules _readers | {key: hint.__metadata__[0] for key, hint in hints if get_ori
chirotopes Chirotope.split | {*self.terms(of, case)}
chirotopes Chirotope.image | {self.negative(case, [order[i] for i in of]) ^ sign ^ sum((t
sign_ranks SignRank | dict.fromkeys(('chirotope', 'final_polynomials'), 'chirotope
""",
    "indices: at most as large as the number of things in the file that they count": """
clauses refute.derive | set(clause)
heavy_products exceeds | {name: i for i, name in enumerate(map(tuple, order))}
matrix_powers Types.counts | dict[int, int]
matrix_powers Types.counts | {*mine}
matrix_powers Types.factors | {cell[i] for cell in each_of}
matrix_powers Types.counts | {*theirs}
matrix_powers Types.counts | {x: int.from_bytes(codes.tobytes(), byteorder) for x, codes
chirotopes Chirotope.__init__ | {each_one: i for i, each_one in bases}
communication DistributionalError.choices | {y for _, y in self.distribution}
communication DistributionalError.partitions | {x for x, _ in weights}
inputs distribution | {x for (x, _), _ in listed}
inputs distribution | {y for (_, y), _ in listed}
least_trees Trees.__init__ | {}
littlestone subsets | orbit(x, [move.__getitem__ for move in moves], 10 + (len(mov
multiclass Labelled.sides | {}
multiclass MulticlassLittlestone.refutation.prove | dict[int, int]()
pseudo_cubes NatarajanDimension.extension.grow | {y: rows for y, rows in side.items() if all(((rows & cell).b
pseudo_cubes NatarajanDimension.extension.grow | dict[int, int]
noise_programs laws | set(roots)
noise_programs laws | {root: integral(law[0], powers) for root, law in found.items
noise_programs laws | {root: program.law(root) for root in sorted(set(roots))}
partitions related | {d: len(case[2 * d]) * len(case[2 * d + 1]) for *_, used, _
partitions  | dict[int, list[Numbers]]
partitions related | {d: [*zip(*(map(sub, *two) for two in both), strict=True)] f
partitions related | {z for d in used for z in range(n) if any(of[d][z])}
inputs signed | {cell[i] for cell in weights}
answers Choices.apart | orbit(q, [move.__getitem__ for move in moves])
divergences _Chords.__init__ | {0: Fraction(0)}
enclosures pairs | {number[i] for i in block}
trade_offs GaussianPrivacy.test | set(outcomes)
answers Choices.apart | set(orbit(q, [move.__getitem__ for move in moves]))
neighbours _rests | {group[r] for r in D}
privacy Privacy.all_neighbours | {i: _sum(law) for law, i in known.items()}
privacy Privacy.all_neighbours | {number[i] for i in block}
private_coins leaf | {}
private_coins simplices | {*inputs}
private_coins simplices | {*t.values()}
private_coins simplices | {i: g.rows[x] for i, x in enumerate(inputs)}
private_failure EffectiveDomain.representatives | set(points)
private_failure PrivateFailure.flows | Counter()
private_failure PrivateFailure.flows | Counter(S)
private_failure PrivateFailure.flows | Counter(T)
private_failure PrivateFailure.flows | Counter[int]
programs join_rows | dict.fromkeys(first + second, first + second)
programs join_rows | {x: [x] for x, _ in weights}
squares of_sizes | {*indices(groups, len(rows), len(rows))}
representations ProbabilisticRepresentation.branching.split | {i for i in undecided for g in sets[i] if not (g ^ f) & ~(fa
representations ProbabilisticRepresentation.branching.split | {undecided[0]}
partial_teaching PartialStarNumber.extension.extend | dict.fromkeys((x for x, *_ in fit))
partial_teaching PartialStarNumber.extension.extend | {x: i + 1 for i, x in enumerate(columns[:len(columns) - more
teaching StarNumber.extension.extend | dict.fromkeys((x for _, x, _ in sorted(fit, reverse=True)))
teaching StarNumber.extension.extend | {x: i + 1 for i, x in enumerate(order[:max(0, len(order) - m
""",
    "pairs of indices, among cells for each of which ten steps are counted": """
fooling_sets FoolingNumber.colours | {x * width + y: others for (x, y), others in crossed.items()
fooling_sets FoolingNumber.crossed | {}
fooling_sets FoolingNumber.inputs | {*inside('inputs', each, self.instance.cell, inputs)}
rectangles  | dict[tuple[int, int], int]
rectangles Rectangles.by_cases.split | {*map(F.cell, entries(node))}
rectangles weighted | dict(listed)
matrix_powers Types.counts | {*product({*mine}, {*theirs})}
matrix_powers Types.read | dict.fromkeys(found, (k + 1) ** len(sizes))
matrix_powers Types.read | dict[Cell, int]()
matrix_powers Types.read | orbit(cell, moves)
rectangle_bounds PartitionBound.weights | set[tuple[int, int]]()
inputs  | dict[Cell, int]
communication Protocol.read | dict[Cell, Fraction]()
inputs averaged | dict.fromkeys(cells, added(map(errors.__getitem__, cells)) /
inputs averaged | dict[Cell, Any]()
inputs averaged | orbit(cell, moves)
inputs distribution | dict(listed)
interactive Interactive.of_mixture | dict[Cell, int]()
interactive Interactive.of_mixture | {(x, y): sums[y] for y in members(held)}
communication Protocol.read | {(x, y): shares[hex(wrong[y])] for y in members(F.defined[x]
programs join_rows | dict(weights)
""",
    "a set of at most 12 columns with a subset of it: no two have the same hash": """
compression CompressionSize.keys | dict.fromkeys((self.key(D, s) for D, s in few))
compression CompressionSize.keys | {key: i for i, key in enumerate(dict.fromkeys((self.key(D, s
compression CompressionSize.samples | {row & D for row in rows}
compression CompressionSize.scheme | dict[Sample, int]()
compression Formula.__init__ | dict[Sample, int]()
""",
    "codes of types, which are at most 2^64, so that at most nine of them have the same hash": """
matrix_powers FractionalPartitionOfPower.rectangles | Counter[int]()
matrix_powers Types.alike | {code, image}
matrix_powers Types.counts | Counter[int]()
matrix_powers FractionalPartitionOfPower.weights | dict.fromkeys(known.alike(code), w)
matrix_powers FractionalPartitionOfPower.weights | dict[int, int]()
matrix_powers Types.read | dict.fromkeys(codes.values())
matrix_powers transposed | dict[int, int]()
""",
    "lengths of lists in the file, of which few can differ": """
ranks Rank.factors | {*map(len, left), *map(len, right)}
ranks Rank.factors | {0}
communication Protocol.read | {len(b) for *_, b in parts}
dimensions VCDimension.signs | {len(vector) for vector in (*columns, *rows, positive or [0]
dimensions VCDimension.signs | {size}
programs Payoff.read | set(map(len, rows))
programs Program.read | {*map(len, ends)}
programs Program.read | {len(form)}
squares of_sizes | {*map(groups.count, groups)}
sign_ranks SignRank.vectors | {*map(len, rows), *map(len, columns)}
sign_ranks SignRank.vectors | {0}
""",
    "all that there are of a kind, of which the file says only the sizes": """
dimensions Pairs.__init__ | dict[tuple[int, ...], int]()
neighbours _databases | {D: i for i, D in zip(range(count + 1), every(range(n), m),
neighbours _sizes | {D: i for i, D in zip(range(count + 1), ordered, strict=Fals
neighbours _sizes | {}
neighbours _rests | set[tuple[int, int, Database]]()
private_coins simplices.starts | orbit(case, moves, 10 + 5 * k)
private_coins simplices.starts | set[tuple[int, ...]]()
private_failure  | dict[Sample, Weights]
private_failure LearnerFailure.failure | {points: sum((self.laws[tuple((2 * x + (f >> x & 1) for x in
private_failure LearnerFailure.failure | {rest: sum((p * chances[tuple(sorted((*rest, x)))] for x, p
private_failure Learning.drawn | Counter(points).values()
private_failure Learning.read_laws | dict(zip(samples, laws, strict=True))
private_failure PrivateFailure.flows | {S: [0] * (1 << self.instance.width) for S in samples}
""",
    "objects, told apart by where they are in memory": """
communication MinimaxError.protocol | {id(error): error for error in tables.errors.values()}
enclosures  | dict[tuple[Value, Value], int]
divergences Losses.turned | {(y, x): times for (x, y), times in self.groups.items()}
enclosures grouped | Counter(((x, y) for x, y in zip(p, q, strict=True) if x.high
enclosures pairs | {}
privacy Privacy.all_neighbours | {}
rules Work | dict
""",
    "what `orbit` is given, of which each use stands in this table": """
rules orbit | {start}
""",
}


def annotations(tree):
    """Yield the annotations in a program, which are not executed."""
    for node in ast.walk(tree):
        for part in ("annotation", "returns"):
            if (found := getattr(node, part, None)) is not None:
                yield from ast.walk(found)
        if isinstance(node, ast.Subscript) and ast.unparse(node.value) == "ClassVar":
            yield from ast.walk(node)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "isinstance":
            yield from ast.walk(node.args[1])


def containers(path):
    """Yield each container in a file of the kernel, with the function that creates it."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    typed = set(map(id, annotations(tree)))

    def walk(node, place, outer):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            place, outer = [*place, node.name], None
        is_name = isinstance(node, ast.Name) and node.id in NAMES | CACHES
        if id(node) not in typed and (is_name or isinstance(node, LITERALS)):
            shown = node if isinstance(node, LITERALS) or outer is None else outer
            yield f"{path.stem} {'.'.join(place)} | {ast.unparse(shown)[:60].rstrip()}"
        for child in ast.iter_child_nodes(node):
            # of `dict[str, int]()` or `dict.fromkeys(...)` the whole call is shown
            applied = isinstance(node, ast.Call | ast.Subscript | ast.Attribute)
            is_head = applied and child in (
                getattr(node, "func", None),
                getattr(node, "value", None),
            )
            yield from walk(child, place, (outer or node) if is_head else None)

    yield from walk(tree, [], None)


def test_every_container_is_argued():
    argued = [line for lines in TABLE.values() for line in lines.strip().split("\n")]
    made = {line for path in FILES for line in containers(path)}
    assert len(argued) == len(set(argued))
    assert made == set(argued)


@pytest.mark.parametrize(
    "text",
    [
        "set(rows)",
        "{row & 1 for row in rows}",
        "{r: 0 for r in rows}",
        "[*map(set, rows)]",
        "Counter(rows)",
        "dict[int, int]()",
        "dict.fromkeys(rows)",
        "x = {}",
        "{*rows}",
        "orbit(row, moves)",
        "lru_cache(8)(f)",
        "defaultdict(list)",
    ],
)
def test_new_containers_are_found(text, tmp_path):
    path = tmp_path / "new.py"
    path.write_text(f"def f(rows: set[int]) -> dict[int, int]:\n    {text}\n", encoding="utf-8")
    assert len([*containers(path)]) == 1


def test_integers_with_one_hash_are_told_apart():
    alike = [7 + (2**61 - 1) * i for i in range(1000)]
    assert len({*map(hash, alike)}) == 1
    assert [*different(alike + alike).values()] == alike
    assert len({*map(hash, different(alike))}) > 990
