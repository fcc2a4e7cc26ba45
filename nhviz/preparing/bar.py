"""A progress bar on the terminal for what is compiled, with names; one line where standard error is no terminal."""

import contextlib
import sys
from collections.abc import Callable, Iterator

from tqdm import tqdm

from nhviz.kernels.compile import Kernel, observers
from nhviz.preparing.plan import Part

FORMAT = "{desc} {bar:30} {n_fmt} of {total_fmt}, {remaining} left{postfix}"


class Bar:
    """A bar over parts; it is gone when all are done, and what failed is told in a line each."""

    def __init__(self, total: int) -> None:
        self.bar = tqdm(
            total=total, desc="Compiling", bar_format=FORMAT, file=sys.stderr, leave=False, disable=None, smoothing=0.1
        )
        if self.bar.disable and total:
            print(f"Compiling {total} parts of nhviz; this is done once.", file=sys.stderr, flush=True)

    def __enter__(self) -> "Bar":
        return self

    def __exit__(self, *_: object) -> None:
        self.bar.close()

    def expect(self, more: int) -> None:
        """There is more to do."""
        self.bar.total += more
        self.bar.refresh()

    def step(self, title: str, reason: str = "") -> None:
        """One more part is done, or has failed."""
        self.bar.set_postfix_str(title, refresh=False)
        self.bar.update()
        if reason:
            self.bar.write(f"{title} could not be compiled: {reason}", file=sys.stderr)

    def watch(self, left: list[Part]) -> list[Part]:
        """Take steps for what another process has done; returns what is left."""
        for part in left:
            if part.done:
                self.step(part.title)
        return [part for part in left if not part.done]


@contextlib.contextmanager
def shown() -> Iterator[None]:
    """Show a bar for what this process itself compiles on the way."""
    bars: list[Bar] = []

    def watch(kernels: list[Kernel]) -> Callable[[Kernel], object]:
        if bars:
            bars[0].expect(len(kernels))
        else:
            bars.append(Bar(len(kernels)))
        return lambda kernel: bars[0].step(kernel.name)

    observers.append(watch)
    try:
        yield
    finally:
        observers.remove(watch)
        for bar in bars:
            bar.bar.close()
