"""What belongs to one application: its settings, its patience, its runs. And which application it is that answers.

Outside of an application, in a test or a tool, everything is as the environment says, and nothing is shared.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from flask import Flask, current_app, has_app_context

from nhviz.problem import Problem, Trajectory
from server import folders, locks
from server.cache import Runs
from server.desk.ask import Desk
from server.patience import Patience
from server.settings import Settings
from server.shared import SharedCache, connected
from server.tables import Tables

NAME = "nhviz"
"""What the service of a flask application is called among its extensions."""

log = logging.getLogger("nhviz.service")


@dataclass(frozen=True)
class Service:
    """The parts of an application."""

    settings: Settings
    patience: Patience
    runs: Runs
    tables: Tables
    desk: Desk


def current() -> Service:
    """The service of the application that answers."""
    found: Service | None = current_app.extensions.get(NAME) if has_app_context() else None
    return found or usual()


@cache
def usual() -> Service:
    """The service outside of an application."""
    return assembled(Settings.read(), None, None)


def run(problem: Problem) -> Trajectory:
    """The run of a problem, from wherever it is quickest to have."""
    return current().runs.run(problem)


def table(problems: Mapping[str, Problem]) -> bytes:
    """The runs of some problems as a table."""
    return current().tables.table(problems)


def attach(server: Flask, settings: Settings) -> Service:
    """Give an application its service. Without a folder or a shared cache it works, too."""
    folder = private_folder(settings.cache_dir)
    found = server.extensions[NAME] = assembled(settings, folder, shared_cache(server, settings, folder))
    return found


def assembled(settings: Settings, folder: Path | None, shared: SharedCache | None) -> Service:
    """A service whose processes share a folder for locks and a cache, or nothing."""
    patience = Patience(settings.max_seconds, max(1, 3 * settings.threads // 4))
    runs = Runs(patience, shared, folder, settings.cache_seconds)
    return Service(settings, patience, runs, Tables(runs), Desk(settings, folder))


def private_folder(folder: Path) -> Path | None:
    """A folder of this user that is closed to others, made if need be; None where there is none."""
    try:
        with folders.opened(folder, make=True):
            locks.sweep(folder)
    except OSError as error:
        log.warning("There is no folder for what processes share (%s).", error)
        return None
    return folder


def shared_cache(server: Flask, settings: Settings, folder: Path | None) -> SharedCache | None:
    """The cache that processes share, if there is to be one: files in a folder, or Redis."""
    if settings.cache_bytes == 0 or (folder is None and not settings.redis_url):
        return None
    try:
        return SharedCache(connected(server, settings))
    except ValueError as error:
        # Its words may hold a part of the password.
        log.warning("There is no shared cache: REDIS_URL is no address of a Redis (%s).", type(error).__name__)
        return None
