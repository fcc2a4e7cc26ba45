"""Processes that prepare parts side by side, and the queue from which they take them."""

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from nhviz.cores import available_cores
from nhviz.preparing import plan
from nhviz.preparing.plan import Part

ROOT = Path(__file__).parent.parent.parent
LARGEST_CREW = 16
ATTEMPTS = 2
"""How often a part is tried: a process that was killed is replaced once."""


class Queue:
    """The parts that are left, taken in the order of their systems; a system is run when its kernels are there."""

    def __init__(self, order: Callable[[], list[str]]) -> None:
        self.order = order
        self.taken: set[Part] = set()
        self.finished: dict[Part, str] = {}
        self.changed = threading.Condition()

    def take(self) -> Part | None:
        """The next part; waits while the only ones left need others that are under way. None at the end."""
        with self.changed:
            while True:
                left = [part for part in plan.missing(self.order()) if part not in self.finished]
                free = [part for part in left if part not in self.taken and self.is_possible(part)]
                if free:
                    self.taken.add(free[0])
                    return free[0]
                if not left:
                    return None
                self.changed.wait(1.0)

    def is_possible(self, part: Part) -> bool:
        """Whether all that a part needs is there, or cannot be had."""
        needed = plan.parts(part.key)[:-1] if part.kind == "system" else ()
        return all(other.done or other in self.finished for other in needed)

    def finish(self, part: Part, reason: str) -> None:
        """Note that a part is done, or why it is not."""
        with self.changed:
            self.finished[part] = reason
            self.changed.notify_all()


class Worker:
    """One process; started when it is first needed, and again after it has died."""

    process: subprocess.Popen[str] | None = None

    def start(self) -> subprocess.Popen[str]:
        """A process that does parts."""
        return subprocess.Popen(
            command("nhviz.preparing.worker"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment(),
        )

    def do(self, part: Part) -> str:
        """Have a part done; an empty answer, or the reason why it could not be."""
        for _ in range(ATTEMPTS):
            self.process = self.process or self.start()
            answer = self.ask(self.process, part)
            if answer is not None:
                return answer
            status = self.stop()
        return f"the process that compiled it ended with status {status}"

    def ask(self, process: subprocess.Popen[str], part: Part) -> str | None:
        """The answer of a process; None if it has died."""
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(f"{part.kind} {part.key}\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except OSError:
            return None
        return line.strip() if line.endswith("\n") else None

    def stop(self) -> int:
        """End the process, if there is one that has not ended; returns its status."""
        process, self.process = self.process, None
        if process is None:
            return 0
        process.terminate()
        # Closes both pipes, which may be broken.
        with contextlib.suppress(OSError):
            process.communicate()
        return process.wait()


def command(module: str) -> list[str]:
    """The command that runs a module of this nhviz; -P: Python would look for it in the current folder first."""
    return [sys.executable, "-P", "-m", module]


def environment() -> dict[str, str]:
    """The variables of a process that is to find this nhviz."""
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    return {**os.environ, "PYTHONPATH": path, "OPENBLAS_NUM_THREADS": "1"}


def size() -> int:
    """As many processes as there are cores for this one."""
    return min(available_cores(), LARGEST_CREW)


def work(queue: Queue, tell: Callable[[Part, str], object]) -> None:
    """Do all parts of a queue on every core; `tell` hears of each as it is finished, with the reason of a failure."""
    workers = [Worker() for _ in range(size())]
    telling = threading.Lock()

    def serve(worker: Worker) -> None:
        while (part := queue.take()) is not None:
            reason = worker.do(part)
            queue.finish(part, reason)
            with telling:
                tell(part, reason)

    threads = [threading.Thread(target=serve, args=(worker,), daemon=True) for worker in workers]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        for worker in workers:
            worker.stop()
