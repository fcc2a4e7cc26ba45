"""Telling each thing once: what is wrong with a cache is wrong at every request, and a log is read by people."""

import logging
import threading

MOST = 1000


class Told:
    """Warnings by what they are about: none is repeated until that is forgotten."""

    def __init__(self, log: logging.Logger) -> None:
        self.log, self.about, self.guard = log, set[str](), threading.Lock()

    def once(self, about: str, sentence: str) -> None:
        """Say it, unless something about the same was said."""
        with self.guard:
            if about in self.about:
                return
            if len(self.about) >= MOST:
                self.about.clear()
            self.about.add(about)
        self.log.warning(sentence)

    def forget(self, about: str) -> None:
        """It is good again: the next time is news."""
        self.about.discard(about)
