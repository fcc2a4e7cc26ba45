"""Addresses below the prefix of the application that answers.

`dash.get_relative_path` knows one prefix for a process, that of the application made last.
"""

from server import service


def address(name: str = "") -> str:
    """The address of a page or a file, or of the start page."""
    return f"{service.current().settings.prefix}/{name}"


def named(path: str | None) -> str:
    """What an address names; nothing for the start page."""
    prefix = service.current().settings.prefix
    below = path or "/"
    return (below.removeprefix(prefix) if f"{below}/".startswith(f"{prefix}/") else below).strip("/")
