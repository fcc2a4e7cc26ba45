"""After warm() nothing is compiled any more, whatever a page shows: a request never waits for a compiler."""

import subprocess
import sys
from pathlib import Path

SHOW_EVERYTHING = """
import app
import nhviz

nhviz.warm()
from benchmarks.dashboard import opening
from benchmarks.load import labs
from callbacks.lab import launch, render
from layouts import ids
from numba.core.dispatcher import Dispatcher

late, compile_now = [], Dispatcher.compile

def noted(self, signature):
    late.append(f"{self.py_func.__module__}.{self.py_func.__name__}")
    return compile_now(self, signature)

Dispatcher.compile = noted
shown = 0
for lab in labs():
    state, methods = opening(lab), list(nhviz.describe(lab.system)["methods"])
    for chosen in [methods, *([method] for method in methods)]:
        for tab in lab.tabs:
            result = render(state | {"methods": chosen}, tab, "light", [], {*lab.views, ids.DETAIL})
            assert result["figures"], (lab.system, chosen, tab, result)
            shown += 1
    for view in (*lab.views, *lab.tabs):
        for place in ({"x": 0.3, "y": 0.4}, {"x": 0.3, "y": 0.4, "z": 0.5}):
            launch(state, view, {"points": [place]})
print(shown, *late)
"""


def test_pages_compile_nothing():
    command = [sys.executable, "-c", SHOW_EVERYTHING]
    root = Path(__file__).parent.parent
    answer = subprocess.run(command, capture_output=True, text=True, timeout=600, cwd=root, check=False)
    assert answer.returncode == 0, answer.stderr
    shown, *late = answer.stdout.split()
    assert int(shown) > 100
    assert not late
