"""Everything that can be configured, from environment variables only. README.md lists them with their meanings."""

import os
import re
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from nhviz.cores import available_cores

PREFIX = re.compile(r"(/[A-Za-z0-9._~-]+)*")
ANCESTORS = re.compile(r"('self'|'none'|https?://[A-Za-z0-9.*:-]+)( https?://[A-Za-z0-9.*:-]+)*")


class SettingsError(ValueError):
    """A variable that cannot be used: one sentence with its name, what is allowed and what was given."""


@dataclass(frozen=True)
class Settings:
    """One value of each variable, checked."""

    prefix: str
    redis_url: str
    cache_dir: Path
    cache_entries: int
    cache_seconds: float
    frame_ancestors: str
    max_steps: int
    max_body: int
    max_seconds: float
    cores: int
    workers: int
    threads: int
    timeout: int

    @classmethod
    def read(cls, environment: Mapping[str, str] | None = None) -> "Settings":
        """The settings of an environment, by default that of the process."""
        given = os.environ if environment is None else environment
        cores = available_cores()
        usual = Path(tempfile.gettempdir()) / f"nhviz-cache-{os.getuid()}"
        return cls(
            prefix=matching(given, "NHVIZ_PREFIX", "", PREFIX, "a path such as /lab").rstrip("/"),
            redis_url=given.get("REDIS_URL", ""),
            cache_dir=Path(given.get("NHVIZ_CACHE_DIR", "") or usual),
            cache_entries=int(number(given, "NHVIZ_CACHE_ENTRIES", 1000, 0, 1_000_000)),
            cache_seconds=number(given, "NHVIZ_CACHE_SECONDS", 0.02, 0.0, 60.0),
            frame_ancestors=matching(
                given, "NHVIZ_FRAME_ANCESTORS", "'self'", ANCESTORS, "'self', 'none' or addresses such as https://a.edu"
            ),
            max_steps=int(number(given, "NHVIZ_MAX_STEPS", 2_000_000, 1_000, 1_000_000_000)),
            max_body=int(number(given, "NHVIZ_MAX_BODY", 256_000, 10_000, 100_000_000)),
            max_seconds=number(given, "NHVIZ_MAX_SECONDS", 10.0, 0.1, 3600.0),
            cores=cores,
            workers=int(number(given, "NHVIZ_WORKERS", min(16, 2 * cores), 1, 64)),
            threads=int(number(given, "NHVIZ_THREADS", 16, 1, 64)),
            timeout=int(number(given, "NHVIZ_TIMEOUT", 120, 10, 3600)),
        )


def number(given: Mapping[str, str], name: str, default: float, low: float, high: float) -> float:
    """A variable as a number within its range."""
    text = given.get(name, "")
    try:
        value = float(text) if text else default
    except ValueError:
        value = float("nan")
    if not low <= value <= high:
        raise SettingsError(f"{name} must be a number between {low:g} and {high:g}, not {text[:40]!r}.")
    return value


def matching(given: Mapping[str, str], name: str, default: str, pattern: re.Pattern[str], allowed: str) -> str:
    """A variable as text of a certain form."""
    text = given.get(name, "") or default
    if not pattern.fullmatch(text.rstrip("/") if name == "NHVIZ_PREFIX" else text):
        raise SettingsError(f"{name} must be {allowed}, not {text[:40]!r}.")
    return text


def read_or_exit() -> Settings:
    """The settings of the process; one that cannot be used ends the start with a sentence instead of a traceback."""
    try:
        return Settings.read()
    except SettingsError as error:
        sys.exit(f"nhviz does not start: {error}")
