"""nhviz serve: start the dashboard, from any folder.

Its files are inside the package where nhviz was installed, and beside it in a checkout. gunicorn takes the place of
this process, so that signals reach it. Nothing of the dashboard is imported here.
"""

import errno
import os
import re
import socket
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

from nhviz.parameters import ParameterError, shown

USUAL = ("127.0.0.1", "8050")
NEEDED = {
    "cryptography": "cryptography",
    "dash": "dash",
    "dash_mantine_components": "dash-mantine-components",
    "dask": "dask",
    "distributed": "distributed",
    "flask_caching": "flask-caching",
    "gunicorn": "gunicorn",
    "orjson": "orjson",
    "plotly": "plotly",
    "pybase64": "pybase64",
    "redis": "redis",
}
"""The packages that only the dashboard needs: what Python calls them, and pip."""

PAIR = re.compile(r"(?!unix:)(\[[^]]+\]|[^][:/,]+):(\d+)")
"""One host and port, such as 0.0.0.0:80 or [::1]:80."""


def serve(host: str | None, port: str | None) -> NoReturn:
    """Become the server of the dashboard. What is None is left to NHVIZ_BIND."""
    folder = dashboard(Path(__file__).parent)
    check_packages(folder)
    place = listening_place(host, port, os.environ.get("NHVIZ_BIND", ""))
    if place is not None:
        check_free(*place)
        address = "[{}]:{}".format(*place) if ":" in place[0] else "{}:{}".format(*place)
        os.environ["NHVIZ_BIND"] = address
        print(f"Starting the dashboard on http://{address}{os.environ.get('NHVIZ_PREFIX', '')}", flush=True)
    # -P: Python itself would look for gunicorn in the current folder first.
    command = [sys.executable, "-P", "-m", "gunicorn", "-c", str(folder / "gunicorn.conf.py")]
    os.execv(command[0], command)


def dashboard(package: Path) -> Path:
    """The folder with the dashboard's files, of the nhviz in that folder."""
    for folder in (package / "dashboard", package.parent):
        if (folder / "app.py").is_file() and (folder / "gunicorn.conf.py").is_file():
            return folder
    raise ParameterError(f"The dashboard's files (app.py, gunicorn.conf.py) are neither in {package} nor beside it.")


def check_packages(folder: Path) -> None:
    """Complain about packages that the dashboard in that folder needs and that are not installed."""
    missing = [package for module, package in NEEDED.items() if find_spec(module) is None]
    if missing:
        what = "'nhviz[server]'" if folder.name == "dashboard" else f"-r {folder / 'requirements.txt'}"
        raise ParameterError(f"The dashboard needs more packages ({', '.join(missing)}): pip install {what}.")


def listening_place(host: str | None, port: str | None, bind: str) -> tuple[str, int] | None:
    """Host and port to listen on; None if NHVIZ_BIND decides and is of another kind, which is left to gunicorn."""
    found = PAIR.fullmatch(bind) if bind else None
    if bind and found is None and host is None and port is None:
        return None
    usual_host, usual_port = found.groups() if found else USUAL
    name = (usual_host if host is None else host).strip("[]")
    number = usual_port if port is None else port
    if not name:
        raise ParameterError("The host must not be empty; 0.0.0.0 stands for all addresses of this machine.", "host")
    if not (number.isdecimal() and 1 <= int(number) <= 65535):
        raise ParameterError(f"The port must be a whole number from 1 to 65535, not {shown(number)}.", "port")
    return name, int(number)


def check_free(host: str, port: int) -> None:
    """Complain if nothing can listen there; gunicorn would load everything first, and then try five times."""
    try:
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
    # UnicodeError: what cannot be the name of a computer.
    except (OSError, UnicodeError) as error:
        if getattr(error, "errno", None) == errno.EADDRINUSE:
            raise ParameterError(f"Port {port} is in use: choose another one with --port.", "port") from None
        why = getattr(error, "strerror", None) or "it is not an address"
        raise ParameterError(f"Nothing can listen on port {port} of {shown(host)}: {why}.", "host") from None
