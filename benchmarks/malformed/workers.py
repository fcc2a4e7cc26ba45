"""Processes that try cases, and can be given up: nothing in Python can interrupt a compiled loop."""

import multiprocessing
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from multiprocessing.connection import Connection

from benchmarks.malformed.attempts import attempt, client_of_app
from benchmarks.malformed.bodies import callback_names
from benchmarks.malformed.cases import make
from benchmarks.malformed.material import Outcome
from nhviz.cores import available_cores

DIED = "the process died"


def serve(pipe: Connection, seed: int) -> None:
    """A process that tries the cases it is told to."""
    client = client_of_app()
    callback_names()
    pipe.send("ready")
    while (index := pipe.recv()) is not None:
        pipe.send(attempt(client, make(seed, index)))


class Worker:
    """A process that tries one case after another."""

    def __init__(self, seed: int) -> None:
        self.pipe, theirs = multiprocessing.Pipe()
        context = multiprocessing.get_context("spawn")
        self.process = context.Process(target=serve, args=(theirs, seed), daemon=True)
        self.process.start()
        # Of this end of the pipe only the process itself may be left, or its death would not be noticed.
        theirs.close()
        self.pipe.recv()

    def outcome(self, seed: int, index: int, seconds: float) -> Outcome | None:
        """The outcome of a case, or None if there was none in time."""
        self.pipe.send(index)
        try:
            return self.pipe.recv() if self.pipe.poll(seconds) else None
        except EOFError:
            return Outcome(make(seed, index).kind, 0, 0.0, DIED)

    def end(self) -> None:
        """Stop the process, whatever it does."""
        self.process.kill()
        self.process.join()


def outcomes(seed: int, indices: Sequence[int], seconds: float) -> Iterator[tuple[int, Outcome]]:
    """The outcomes of cases one after another; one that takes too long costs a process."""
    worker = Worker(seed)
    for index in indices:
        found = worker.outcome(seed, index, seconds)
        if found is None or found.wrong == DIED:
            worker.end()
            worker = Worker(seed)
        found = found or Outcome(make(seed, index).kind, 0, seconds, "no answer in time")
        yield index, replace(found, wrong=found.wrong or ("too slow" if found.seconds > seconds else ""))
    worker.end()


def all_outcomes(seed: int, indices: Sequence[int], seconds: float) -> dict[int, Outcome]:
    """The outcomes of all cases, by a process for each core."""
    count = available_cores()
    with ThreadPoolExecutor(count) as pool:
        parts = pool.map(lambda part: dict(outcomes(seed, indices[part::count], seconds)), range(count))
        return dict(sorted(item for part in parts for item in part.items()))
