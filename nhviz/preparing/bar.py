"""A progress bar on the terminal for what is compiled, with names; one line where standard error is no terminal."""

import contextlib
import sys
from collections.abc import Callable, Iterator

from tqdm import tqdm

from nhviz.kernels.compile import Kernel, observers
from nhviz.preparing.plan import Part, of_kernel

FORMAT = "{desc} {bar:30} {remaining} left{postfix}"


class Bar:
    """A bar over parts, each as long as it takes; gone when all are done. What failed is told in a line each."""

    def __init__(self, parts: list[Part]) -> None:
        self.done, self.count = 0, len(parts)
        weight = sum(part.weight for part in parts)
        self.bar = tqdm(total=weight, desc="Compiling", bar_format=FORMAT, file=sys.stderr, leave=False, disable=None)
        if self.bar.disable and parts:
            print(f"Compiling {self.count} parts of nhviz; this is done once.", file=sys.stderr, flush=True)

    def __enter__(self) -> "Bar":
        return self

    def __exit__(self, *_: object) -> None:
        self.bar.close()

    def expect(self, more: list[Part]) -> None:
        """There is more to do."""
        self.count += len(more)
        self.bar.total += sum(part.weight for part in more)
        self.bar.refresh()

    def step(self, part: Part, reason: str = "") -> None:
        """One more part is done, or has failed."""
        self.done += 1
        self.bar.set_postfix_str(f"{self.done} of {self.count}: {part.title}", refresh=False)
        self.bar.update(part.weight)
        if reason:
            self.bar.write(f"{part.title} could not be compiled: {reason}", file=sys.stderr)

    def watch(self, left: list[Part]) -> list[Part]:
        """Take steps for what another process has done; returns what is left."""
        for part in left:
            if part.done:
                self.step(part)
        return [part for part in left if not part.done]


@contextlib.contextmanager
def shown() -> Iterator[None]:
    """Show a bar for what this process itself compiles on the way."""
    bars: list[Bar] = []

    def watch(kernels: list[Kernel]) -> Callable[[Kernel], object]:
        parts = [of_kernel(kernel) for kernel in kernels]
        if bars:
            bars[0].expect(parts)
        else:
            bars.append(Bar(parts))
        return lambda kernel: bars[0].step(of_kernel(kernel))

    observers.append(watch)
    try:
        yield
    finally:
        observers.remove(watch)
        for bar in bars:
            bar.bar.close()


@contextlib.contextmanager
def counting(total: int, what: str) -> Iterator[Callable[[int, int], object]]:
    """A bar for things that are counted, told by the function (done, in all); nothing where there is no terminal."""
    with tqdm(total=total, desc=what, file=sys.stderr, leave=False, disable=None, unit_scale=True) as bar:
        yield lambda done, _: bar.update(done - bar.n)
