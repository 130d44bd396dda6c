"""The options for processes that work on one question."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from ccsim.budget import MOST_JOBS, MOST_SAMPLE, StoppedWarning, Workers
from ccsim.cli.output import show_cubes
from ccsim.cli.parameters import OUTPUT, Integer

_OPTIONS = (
    click.option("--jobs", type=Integer(1, MOST_JOBS), default=1, show_default=True, metavar="N",
                 help="Number of processes that share a long search."),
    click.option("--scheduler", metavar="ADDRESS",
                 help="Use a Dask cluster at tcp://HOST:PORT instead."),
    click.option("--store", type=OUTPUT, metavar="FILE.db",
                 help="Database of results of parts; resumed if it exists."),
    click.option("--sample", type=Integer(1, MOST_SAMPLE), metavar="N",
                 help="Estimate the time of a search from N random parts."),
)  # fmt: skip


def workers_options(command: Callable[..., int | None]) -> Callable[..., int | None]:
    """Add ``--jobs``, ``--scheduler``, ``--store`` and ``--sample``, given as one `Workers`."""

    @wraps(command)
    def run(
        *,
        jobs: int,
        scheduler: str | None,
        store: str | None,
        sample: int | None,
        **given: Any,  # noqa: ANN401
    ) -> int | None:
        workers = Workers(jobs, scheduler, store, sample, show_cubes)
        with warnings.catch_warnings():
            warnings.simplefilter("always", StoppedWarning)
            warnings.showwarning = _show
            if sample is None:
                return command(workers=workers, **given)
            from ccsim.parallel.cubes import CubesSampledError

            try:
                return command(workers=workers, **given)
            except CubesSampledError as found:
                shown = {"cubes": found.cubes, "seconds": list(found.seconds)}
                click.echo(json.dumps(shown) if given.get("as_json") else str(found))
                return 0

    for option in reversed(_OPTIONS):
        run = option(run)
    return run


def _show(message: Warning | str, *_: object, **__: object) -> None:
    click.echo(f"ccsim: {message}; the bounds so far follow", err=True)
