"""Ask the dashboard on this machine whether it is well: `python -m server.health`, exit status 0 or 1, one line.

The page is {NHVIZ_PREFIX}/health on the port of NHVIZ_BIND. Its body is compared, not only its status: a Dash
application answers 200 with its index page to any address that it does not know. Only the standard library is used,
so that a check costs little.
"""

import http.client
import json
import os
import sys
import urllib.error
import urllib.request
from collections.abc import Mapping

PATIENCE = 5.0


def address(environment: Mapping[str, str]) -> str:
    """Where the health page of a server with this environment is."""
    host, _, port = (environment.get("NHVIZ_BIND") or "127.0.0.1:8050").rpartition(":")
    # A server that listens everywhere is asked at home.
    host = "127.0.0.1" if host in ("", "0.0.0.0", "[::]") else host
    return f"http://{host}:{port}{environment.get('NHVIZ_PREFIX', '').rstrip('/')}/health"


def problem(status: int, body: bytes) -> str | None:
    """What is wrong with an answer, or None."""
    try:
        told = json.loads(body)
    except ValueError:
        return "its answer is no JSON" if status == 200 else f"it answers {status}"
    if status == 503 and isinstance(told, dict) and told.get("status") == "starting":
        return f"it is starting: {told.get('done')} of {told.get('of')} parts are compiled"
    if status != 200:
        return f"it answers {status}"
    if not isinstance(told, dict) or told.get("status") != "ok":
        return "it does not say that it is well"
    systems = told.get("systems")
    if isinstance(systems, bool) or not isinstance(systems, int) or systems <= 0:
        return "it has no systems"
    return None


def main() -> int:
    """Ask, print one line, and return the exit status."""
    url = address(os.environ)
    # Without a proxy, whatever the environment says: the server is on this machine.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(url, timeout=PATIENCE) as answer:
            status, body = answer.status, answer.read(10_000)
        wrong = problem(status, body)
    except urllib.error.HTTPError as error:
        wrong = problem(error.code, error.read(10_000))
    except (OSError, ValueError, http.client.HTTPException) as error:
        wrong = f"no answer ({error})"
    print(f"{url}: {wrong or 'well'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
