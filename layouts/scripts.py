"""The scripts of the page as one file: a browser has that sooner than forty small ones, also from its cache."""

import hashlib
from pathlib import Path

from dash import Dash
from flask import Response

NAME = "scripts.js"
FIRST = ("theme.js", "ahead.js")
"""The document's head asks for these, before anything is painted."""
FOR_GOOD = "public, max-age=31536000, immutable"


def register(app: Dash) -> str:
    """Serve the scripts; returns the file with its version, so that browsers keep it."""
    text = joined(Path(app.config.assets_folder))

    def scripts() -> Response:
        return Response(text, content_type="text/javascript; charset=utf-8", headers={"Cache-Control": FOR_GOOD})

    app.server.add_url_rule(app.config.routes_pathname_prefix + NAME, NAME.partition(".")[0], scripts)
    return f"{NAME}?m={hashlib.sha256(text).hexdigest()[:12]}"


def joined(folder: Path) -> bytes:
    """All scripts below a folder: those of a folder before those of the folders in it, each after its name."""
    found = sorted(folder.rglob("*.js"), key=lambda file: (str(file.parent), file.name))
    parts = [(file.relative_to(folder), file.read_bytes()) for file in found if file.name not in FIRST]
    return b"".join(b"/* %s */\n%s\n" % (str(name).encode(), text) for name, text in parts)
