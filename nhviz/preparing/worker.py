"""A process of a crew: `python -m nhviz.preparing.worker` reads parts, does them, and answers with one line each.

A line is the kind and the key of a part; the answer is empty, or says in one line why it could not be done.
"""

import os
import sys
from importlib import import_module

from nhviz import registry
from nhviz.kernels import cache
from nhviz.preparing import plan
from nhviz.warm import exercise


def do(kind: str, key: str) -> None:
    """Do one part, and note that it is on the disk."""
    if kind == "kernel":
        module, _, name = key.partition(":")
        getattr(import_module(module), name).compile()
    else:
        exercise(registry.find(key))
        cache.mark(plan.parts(key)[-1].marker)


def main() -> None:
    """Do what the lines of standard input ask for, until there are no more."""
    # Answers have a channel of their own: whatever a system prints goes to standard error.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", buffering=1)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    for line in sys.stdin:
        reason = ""
        try:
            do(*line.split())
        # One part that fails must not take the others with it; its reason is told.
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
        print(" ".join(reason.split()), file=answers)


if __name__ == "__main__":
    main()
