"""Trainings in several processes, as `torchrun` starts them: each takes its share of every batch."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from torch import distributed


@contextmanager
def joined() -> Iterator[int]:
    """Joins the processes that `torchrun` started, if it did; the number of this one."""
    if int(os.environ.get("WORLD_SIZE", "1")) < 2 or distributed.is_initialized():
        yield 0
        return
    distributed.init_process_group("gloo")
    try:
        yield distributed.get_rank()
    finally:
        distributed.destroy_process_group()


@contextmanager
def first_alone() -> Iterator[None]:
    """The first process goes through alone, then the others: what it has put on disk they find there."""
    several = distributed.is_available() and distributed.is_initialized()
    if several and distributed.get_rank() > 0:
        distributed.barrier()
    yield
    if several and distributed.get_rank() == 0:
        distributed.barrier()
