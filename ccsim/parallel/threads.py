"""Threads for long calls of the engine and of numpy, which release Python's interpreter lock."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sized
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from typing import TypeVar

from threadpoolctl import ThreadpoolController

T = TypeVar("T")
R = TypeVar("R")


@contextmanager
def one_thread() -> Iterator[None]:
    """Return a context in which numpy multiplies matrices in one thread.

    Threads for small matrices wait for each other in loops, which can take several times the
    processor time, and rounding errors would depend on their number.
    """
    with _controller().limit(limits=1, user_api="blas"):
        yield


@cache
def _controller() -> ThreadpoolController:
    import numpy as np  # noqa: F401 - its library must be loaded to be found

    return ThreadpoolController()


def in_threads(
    function: Callable[[T], R], parts: Iterable[T], threads: int
) -> Generator[tuple[T, R], None, None]:
    """Yield parts and their results, in the order of the parts."""
    if threads == 1 or (isinstance(parts, Sized) and len(parts) == 1):
        for part in parts:
            yield part, function(part)
        return
    with ThreadPoolExecutor(threads) as pool:
        waiting: deque[tuple[T, Future[R]]] = deque()
        try:
            for part in parts:
                waiting.append((part, pool.submit(function, part)))
                if len(waiting) > 2 * threads:
                    done, task = waiting.popleft()
                    yield done, task.result()
            for done, task in waiting:
                yield done, task.result()
        finally:  # after an interrupt nobody asks for the rest
            pool.shutdown(cancel_futures=True)
