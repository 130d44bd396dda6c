"""Fuzz the kernel's reader and checks, guided by coverage: no file may crash or stall it.

For every file, the kernel must return its verdict quickly: proved, rejected or unreadable.
libFuzzer, through Atheris, searches for files that cause another exception, more than half a minute
of work (on a machine that may be busy), or more than two gigabytes of memory. The limit of steps is
low, so that work that is not counted is noticed. The fuzzer starts from the certificates of the
corpus and from new certificates. It alters them as JSON, also by numbers as long as the limits
allow, and sometimes as bytes.

    pip install -e '.[fuzz]'
    python tests/fuzz_kernel.py -max_total_time=600

Other flags of libFuzzer may follow. A failing file is left in the working directory; after the
fault is repaired, it becomes a test.
"""

import json
import random
import sys
import tempfile
from importlib import import_module
from itertools import islice
from pathlib import Path

CORPUS = Path(__file__).parent / "certificate_corpus" / "format_2"
LONG = "9" * 4000
VALUES = (
    None, True, -1, 0, 1, 2, 7, 64, 1000, 2**53 - 1, 10**30, str(10**30), f"-{10**30}", int(LONG),
    -int(LONG), 0.5, "", "0", "1", "-1", "1/2", "1/3", "2/7", LONG, f"-{LONG}", f"1/{LONG}",
    f"{LONG}/{LONG[:-1]}8", "*", "01", "infinity", [], {}, [[]], [0, 1], ["0", "1"], [1] * 1000,
    [0] * 1000, [LONG] * 9, "01" * 500, ["1"] * 300, {"trivial": {}}, {"over": [0], "under": [1]},
)  # fmt: skip
FLAGS = ("-timeout=30", "-rss_limit_mb=2048", "-max_len=30000", "-print_final_stats=1")
STEPS = 1 << 22


def places(value):
    """Return every list and object inside a value, with each of its keys or indices."""
    stack = [value]
    while stack:
        part = stack.pop()
        if isinstance(part, dict | list):
            for key in list(part) if isinstance(part, dict) else range(len(part)):
                yield part, key
                stack.append(part[key])


def alter(value, rng):
    """Return a JSON value altered in a few places."""
    for _ in range(rng.randint(1, 4)):
        spots = list(islice(places(value), 5000))
        if not spots:
            return
        (part, key), (other, place) = rng.choice(spots), rng.choice(spots)
        old = part[key]
        change = rng.randrange(6)
        if change == 0 or (change == 1 and not isinstance(part, list)):
            del part[key]
        elif change == 1:
            part.insert(key, json.loads(json.dumps(old)))
        elif change == 2:
            part[key] = json.loads(json.dumps(other[place]))
        elif change == 3 and type(old) is int:
            part[key] = old + rng.choice((-2, -1, 1, 2))
        elif change == 3 and isinstance(old, str) and old:
            i = rng.randrange(len(old))
            part[key] = old[:i] + rng.choice("01*/-29") + old[i + rng.randrange(2) :]
        else:
            part[key] = rng.choice(VALUES)


def mutate(atheris, data, max_size, seed):
    """Return a file altered as JSON if it is JSON and the result is not too long, else as bytes."""
    rng = random.Random(seed)  # noqa: S311 - not a secret
    if rng.random() < 0.9:
        try:
            value = json.loads(data)
            alter(value, rng)
            made = json.dumps(value).encode()
        except (ValueError, RecursionError):
            made = b""
        if 0 < len(made) <= max_size:
            return made
    return atheris.Mutate(data, max_size)


def main():
    """Run libFuzzer with the flags of the command line."""
    import atheris

    with atheris.instrument_imports(include=["ccsim.kernel"]):
        from ccsim import kernel

        for path in Path(kernel.__file__).parent.glob("[a-z]*.py"):
            import_module(f"{kernel.__name__}.{path.stem}")
    from ccsim.kernel.rules import Work
    from tests.kernel.fresh import fresh
    from tests.kernel.made import representation

    kernel.Work = lambda tell=None: Work(STEPS, tell)
    folder = Path(tempfile.mkdtemp(prefix="fuzz-kernel-"))
    seeds = folder / "seeds"
    seeds.mkdir()
    known = {f"{path.parent.name}-{path.stem}": kernel.read(path) for path in CORPUS.glob("*/*")}
    for name, document in (known | fresh(1) | {"hand": representation()}).items():
        (seeds / f"{name}.json").write_text(json.dumps(document), encoding="utf-8")
    file = folder / "certificate.json"

    def one_file(data):
        file.write_bytes(data)
        try:
            kernel.check(kernel.read(file))
        except (kernel.Rejected, kernel.Unreadable):
            return

    def mutator(data, max_size, seed):
        return mutate(atheris, data, max_size, seed)

    arguments = [sys.argv[0], *FLAGS, *sys.argv[1:], str(seeds)]
    atheris.Setup(arguments, one_file, custom_mutator=mutator)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
