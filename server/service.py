"""What belongs to one application: its settings, its patience, its runs. And which application it is that answers.

Outside of an application, in a test or a tool, everything is as the environment says, and nothing is shared.
"""

import logging
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from flask import Flask, current_app, has_app_context

from nhviz.problem import Problem, Trajectory
from server.cache import Runs, SharedCache, connected, sweep
from server.patience import Patience
from server.settings import Settings
from server.turns import Turns

NAME = "nhviz"
"""What the service of a flask application is called among its extensions."""

log = logging.getLogger("nhviz.service")


@dataclass(frozen=True)
class Service:
    """The parts of an application."""

    settings: Settings
    patience: Patience
    runs: Runs


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


def attach(server: Flask, settings: Settings) -> Service:
    """Give an application its service. Without a folder or a shared cache it works, too."""
    folder = private_folder(settings.cache_dir)
    found = server.extensions[NAME] = assembled(settings, folder, shared_cache(server, settings, folder))
    return found


def assembled(settings: Settings, folder: Path | None, shared: SharedCache | None) -> Service:
    """A service whose processes share a folder for locks and a cache, or nothing."""
    turns = Turns(max(1, settings.cores // 2), max(1, 3 * settings.threads // 4), folder)
    patience = Patience(settings.max_seconds, turns)
    return Service(settings, patience, Runs(patience, shared, folder, settings.cache_seconds))


def private_folder(folder: Path) -> Path | None:
    """A folder that is closed to others, made if need be; None where that is impossible."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.chmod(0o700)
    except OSError as error:
        log.warning("There is no folder for what processes share (%s).", error)
        return None
    return folder


def shared_cache(server: Flask, settings: Settings, folder: Path | None) -> SharedCache | None:
    """The cache that processes share, if there is to be one: files in a folder, or Redis."""
    if settings.cache_entries == 0 or (folder is None and not settings.redis_url):
        return None
    try:
        if folder is not None:
            sweep(folder)
        return SharedCache(connected(server, settings))
    # Whatever a backend raises, from a folder of somebody else to an address that is none.
    except Exception as error:
        log.warning("There is no shared cache (%s: %s).", type(error).__name__, error)
        return None
