"""How steadily the studio's server runs: one horse, eight viewers, real sockets, the server in a process of its own.

`benchmarks/run.py` shows these rows among its others. Gaps are measured where they count, at the viewers.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import numpy as np
from websockets.asyncio.client import ClientConnection, connect

VIEWERS = 8
SECONDS = 10.0
GAP_GOAL, CPU_GOAL, LATENCY_GOAL, READY_GOAL = 25.0, 60.0, 1.0, 3.0
TOLD_SPEED = 32 + 32 + 7 * 4
"""Where in a frame of one actor the commanded speed stands."""
POSE = 32 + 32 + 4 * (16 + 48 + 16)
"""Where the joints of a horse begin."""


BARE = """
import time
gaps, start = [], time.perf_counter()
last = start
for k in range(1, round(60 * {seconds})):
    time.sleep(max(0.0, start + k / 60 - time.perf_counter()))
    now = time.perf_counter()
    gaps.append(now - last)
    last = now
print(sorted(gaps)[int(0.99 * len(gaps))])
"""
"""A loop that only sleeps: how steadily this machine lets anything run, at the same time."""


class Figure(NamedTuple):
    """What was measured, how much of what, how much is allowed, and what this machine can do at best."""

    what: str
    value: float
    unit: str
    goal: float
    best: float = 0.0

    @property
    def met(self) -> bool:
        """A machine that is too busy even to sleep in time is not held against the studio."""
        return self.value <= max(self.goal, 1.5 * self.best)


def studio(seconds: float = SECONDS) -> list[Figure]:
    """All rows about the studio."""
    start = time.perf_counter()
    with server() as (child, address):
        ready = asyncio.run(_moves(address)) - start
        return [
            Figure("from start to a moving horse", ready, "s", READY_GOAL),
            *asyncio.run(_watch(child, address, seconds)),
        ]


@contextmanager
def server() -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A studio of its own process, and the address of its socket."""
    command = [sys.executable, "-P", "-m", "canter", "studio", "--no-browser", "--port", "8765"]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout is not None
        for line in child.stdout:
            if found := re.search(r"http://(\S+)/", line):
                yield child, f"ws://{found[1]}/ws"
                break
    finally:
        child.terminate()
        child.wait()


async def _moves(address: str) -> float:
    """When the first horse has gone a step."""
    async with connect(address, compression=None) as page:
        await page.send(json.dumps({"type": "command", "speed": 1.5, "heading": 0.0}))
        while True:
            message = await page.recv()
            if isinstance(message, bytes):
                if struct.unpack_from("<f", message, 32 + 32 + 8)[0] > 0.01:
                    return time.perf_counter()
                await page.send(json.dumps({"type": "command", "speed": 1.5, "heading": 0.0}))


async def _watch(child: subprocess.Popen[str], address: str, seconds: float) -> list[Figure]:
    first = await connect(address, compression=None)
    hello = json.loads(await first.recv())
    while not isinstance(await first.recv(), bytes):
        pass
    joined = f"{address}?stage={hello['stage']}"
    pages = [first, *[await connect(joined, compression=None) for _ in range(VIEWERS - 1)]]
    await first.send(json.dumps({"type": "command", "speed": 3.0, "heading": 0.2}))
    bare = subprocess.Popen([sys.executable, "-c", BARE.format(seconds=seconds)], stdout=subprocess.PIPE, text=True)
    used, start = _cpu(child.pid), time.perf_counter()
    came = await asyncio.gather(*(_times(page, seconds) for page in pages))
    share = 100 * (_cpu(child.pid) - used) / (time.perf_counter() - start)
    gaps = np.concatenate([np.diff(times) for times in came])
    best = 1000 * float(bare.communicate()[0])
    latency = await _latency(first)
    for page in pages:
        page.transport.abort()
    gap = 1000 * float(np.percentile(gaps, 99))
    return [
        Figure(f"frames to {VIEWERS} viewers, 99 of 100 gaps", gap, "ms", GAP_GOAL, best),
        Figure("share of a core for it", share, "%", CPU_GOAL),
        Figure("from a command to its pose", latency, "frames", LATENCY_GOAL),
    ]


async def _times(page: ClientConnection, seconds: float) -> list[float]:
    """When frames came."""
    times: list[float] = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        if isinstance(await page.recv(), bytes):
            times.append(time.perf_counter())
    return times[30:]


async def _latency(page: ClientConnection) -> float:
    """Frames of a stage that goes step by step until a command shows; the most of several."""
    await page.send(json.dumps({"type": "pause", "on": True}))
    before = await _frame(page, lambda frame: struct.unpack_from("<I", frame, 24)[0] & 1 == 1)
    most = 0
    for k in range(10):
        await page.send(json.dumps({"type": "command", "speed": 1.0 + k}))
        for count in range(1, 5):
            await page.send(json.dumps({"type": "step"}))
            number = struct.unpack_from("<I", before, 8)[0]
            now = await _frame(page, lambda frame, number=number: struct.unpack_from("<I", frame, 8)[0] > number)
            shows = struct.unpack_from("<f", now, TOLD_SPEED)[0] == 1.0 + k and now[POSE:] != before[POSE:]
            before = now
            if shows:
                most = max(most, count)
                break
        else:
            return float("inf")
    return float(most)


async def _frame(page: ClientConnection, fits: Callable[[bytes], bool]) -> bytes:
    """The next frame that is as it should be."""
    while True:
        message = await asyncio.wait_for(page.recv(), 10)
        if isinstance(message, bytes) and fits(message):
            return message


def _cpu(process: int) -> float:
    """Seconds of processor time that a process has used; NaN where the system does not say."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return float("nan")
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    for row in studio():
        print(f"{row.what}: {row.value:.3g} {row.unit}, goal {row.goal:g} {row.unit}, {'met' if row.met else 'missed'}")
