"""Everything that can be configured, from environment variables only. README.md lists them with their meanings."""

import os
import re
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_network
from pathlib import Path

from nhviz.cores import available_cores
from server.clients import Network

PREFIX = re.compile(r"(/(?!\.{1,2}(/|$))[A-Za-z0-9._~-]+)*")
"""Without the names . and .., which browsers and proxies take out of a path."""
HOSTS = re.compile(r"\.?[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*(,\.?[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*)*")
ANCESTORS = re.compile(r"('self'|'none'|https?://[A-Za-z0-9.*:-]+)( https?://[A-Za-z0-9.*:-]+)*")

SCHEDULER = re.compile(r"((tcp|tls)://[A-Za-z0-9._:\[\]-]+)?")


class SettingsError(ValueError):
    """A variable that cannot be used: one sentence with its name, what is allowed and what was given."""


@dataclass(frozen=True)
class Settings:
    """One value of each variable, checked."""

    prefix: str
    redis_url: str = field(repr=False)
    cache_dir: Path
    cache_bytes: int
    cache_seconds: float
    hosts: tuple[str, ...]
    frame_ancestors: str
    max_steps: int
    max_body: int
    max_seconds: float
    cores: int
    workers: int
    threads: int
    timeout: int
    connections: int
    connections_each: int
    read_seconds: float
    write_seconds: float
    idle_seconds: float
    proxies: tuple[Network, ...]
    scheduler: str
    sweep_cells: int
    sweep_seconds: float
    sweeps: int
    sweeps_each: int

    @classmethod
    def read(cls, environment: Mapping[str, str] | None = None) -> "Settings":
        """The settings of an environment, by default that of the process."""
        given = os.environ if environment is None else environment
        cores = available_cores()
        usual = Path(tempfile.gettempdir()) / f"nhviz-cache-{os.getuid()}"
        return cls(
            prefix=matching(given, "NHVIZ_PREFIX", "", PREFIX, "a path such as /lab").rstrip("/"),
            redis_url=given.get("REDIS_URL", ""),
            hosts=host_names(given),
            cache_dir=Path(given.get("NHVIZ_CACHE_DIR", "") or usual),
            cache_bytes=int(number(given, "NHVIZ_CACHE_BYTES", 256e6, 0, 1e12)),
            cache_seconds=number(given, "NHVIZ_CACHE_SECONDS", 0.02, 0.0, 60.0),
            frame_ancestors=matching(
                given, "NHVIZ_FRAME_ANCESTORS", "'self'", ANCESTORS, "'self', 'none' or addresses such as https://a.edu"
            ),
            max_steps=int(number(given, "NHVIZ_MAX_STEPS", 2_000_000, 1_000, 1_000_000_000)),
            max_body=int(number(given, "NHVIZ_MAX_BODY", 256_000, 10_000, 100_000_000)),
            max_seconds=number(given, "NHVIZ_MAX_SECONDS", 10.0, 0.1, 3600.0),
            cores=cores,
            workers=int(number(given, "NHVIZ_WORKERS", min(16, max(2, cores)), 1, 64)),
            threads=int(number(given, "NHVIZ_THREADS", 32, 1, 64)),
            timeout=int(number(given, "NHVIZ_TIMEOUT", 120, 10, 3600)),
            connections=int(number(given, "NHVIZ_CONNECTIONS", 512, 8, 100_000)),
            connections_each=int(number(given, "NHVIZ_CONNECTIONS_EACH", 150, 4, 100_000)),
            read_seconds=number(given, "NHVIZ_READ_SECONDS", 15.0, 0.1, 3600.0),
            write_seconds=number(given, "NHVIZ_WRITE_SECONDS", 10.0, 0.1, 3600.0),
            idle_seconds=number(given, "NHVIZ_IDLE_SECONDS", 75.0, 0.1, 3600.0),
            proxies=networks(given, "NHVIZ_PROXIES"),
            scheduler=matching(
                given, "DASK_SCHEDULER_ADDRESS", "", SCHEDULER, "an address such as tcp://scheduler:8786"
            ),
            sweep_cells=int(number(given, "NHVIZ_SWEEP_CELLS", 1_000_000, 100, 1_000_000)),
            sweep_seconds=number(given, "NHVIZ_SWEEP_SECONDS", 600.0, 0.1, 1e6),
            sweeps=int(number(given, "NHVIZ_SWEEPS", 16, 1, 1000)),
            sweeps_each=int(number(given, "NHVIZ_SWEEPS_EACH", 4, 1, 1000)),
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


def host_names(given: Mapping[str, str]) -> tuple[str, ...]:
    """The names by which the server may be asked for, in small letters; none stands for any."""
    text = given.get("NHVIZ_HOSTS", "").replace(" ", "").lower()
    if not text:
        return ()
    return tuple(matching({"NHVIZ_HOSTS": text}, "NHVIZ_HOSTS", "", HOSTS, "names such as lab.a.edu,.b.edu").split(","))


def networks(given: Mapping[str, str], name: str) -> tuple[Network, ...]:
    """A variable as addresses and networks, separated by commas."""
    text = given.get(name, "")
    try:
        return tuple(ip_network(part.strip()) for part in text.split(",") if part.strip())
    except ValueError:
        allowed = "addresses or networks such as 10.0.0.5, 10.1.0.0/16, separated by commas"
        raise SettingsError(f"{name} must be {allowed}, not {text[:40]!r}.") from None


def read_or_exit() -> Settings:
    """The settings of the process; one that cannot be used ends the start with a sentence instead of a traceback."""
    try:
        return Settings.read()
    except SettingsError as error:
        sys.exit(f"nhviz does not start: {error}")
