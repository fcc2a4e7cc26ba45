"""Command lines that nobody would type, and how they end."""

import contextlib
import io
import os
import random
import tempfile
from collections.abc import Callable
from typing import Any

import nhviz
from benchmarks.dashboard import opening
from benchmarks.malformed.material import NUMBERS, TEXTS, Case
from nhviz.__main__ import main as command_line
from nhviz.frame import find


def broken_words(chance: random.Random) -> Case:
    """A command line."""
    system = chance.choice((*nhviz.systems(), *nhviz.systems(), chance.choice(TEXTS)))
    words = [chance.choice(("simulate", "simulate", "simulate", "describe", "list", chance.choice(TEXTS))), system]
    for _ in range(chance.choice((0, 1, 2, 4))):
        words += chance.choice(FLAGS)(chance, system)
    if chance.random() < 0.1:
        chance.shuffle(words)
    return Case("command", " ".join(words)[:120], words=tuple(words))


def setting(chance: random.Random, system: str) -> list[str]:
    """--set with a name and a value that may both be wrong."""
    known = opening(find.lab(system))["numbers"] if system in find.labs() else {"I11": 1}
    name = chance.choice((*known, chance.choice(TEXTS)))
    word = f"{name}={chance.choice((chance.choice(NUMBERS), chance.choice(TEXTS)))}"
    return ["--set", chance.choice((word, word, word, name))]


def number(chance: random.Random, system: str) -> list[str]:
    """A step or so that no run can have; long runs that can be had are not malformed."""
    flag = chance.choice(("--step", "--duration", "--every"))
    return [flag, chance.choice((*TEXTS, "0", "-1", "1e-320", "1e300", "nan", "inf", "-inf", "1e12", "0x10", "1,5"))]


def target(chance: random.Random, system: str) -> list[str]:
    """A file that cannot be written."""
    names = (
        "nowhere/x.csv", "/proc/x.csv", "/dev/null/x.json", "a\0b.csv", "\0/x.npz", "x" * 300 + ".csv",
        "y" * 5000 + "/x.csv", "\ud800/x.csv", ".csv", "/", "..", "x.xls", "folder.csv", "<script>.exe", "x.csv/",
        "/sys/x.csv", "-",
    )  # fmt: skip
    return ["--out", chance.choice(names)]


FLAGS: tuple[Callable[[random.Random, str], list[str]], ...] = (
    setting,
    setting,
    number,
    target,
    lambda chance, system: ["--method", chance.choice(TEXTS)],
    lambda chance, system: [chance.choice(("--fast", "-x", "--set", "--", "--help", "--out", "--st", "@file", "-1"))],
    lambda chance, system: [chance.choice(TEXTS)],
)


def say(words: tuple[str, ...]) -> tuple[int, str]:
    """Exit status of a command line, and what is wrong with it."""
    out, err, before = io.StringIO(), io.StringIO(), os.getcwd()
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        os.chdir(folder)
        os.mkdir("folder.csv")
        try:
            status: Any = command_line(list(words))
        except SystemExit as left:
            status = left.code or 0
        except BaseException as error:
            return 1, f"{type(error).__name__}: {error}"[:200]
        finally:
            os.chdir(before)
    complaint = err.getvalue()
    if status == 2 and (complaint.count("\n") != 1 or out.getvalue() or len(complaint) > 600):
        return status, f"not one line: {complaint[:100]!r}"
    return status, "" if status in (0, 2) and (
        status == 2 or not complaint
    ) else f"status {status}: {complaint[:100]!r}"
