"""After warm() nothing is compiled any more, whatever a page shows: a request never waits for a compiler."""

import subprocess
import sys
from pathlib import Path

SHOW_EVERYTHING = """
from dataclasses import replace
import app
import nhviz

nhviz.warm()
from callbacks.lab import start
from nhviz.frame import find
from numba.core.dispatcher import Dispatcher
from tests.frames import opening, painted

late, compile_now = [], Dispatcher.compile

def noted(self, signature):
    late.append(f"{self.py_func.__module__}.{self.py_func.__name__}")
    return compile_now(self, signature)

Dispatcher.compile = noted
shown = 0
for lab, scene in [(lab, scene) for lab in find.labs().values() for scene in lab.scenes]:
    state = opening(lab, scene.id)
    panels = state.vocabulary.variants
    everything = {word: tuple(panel.ways) for word, panel in panels.items()}
    sights = [{}, *({place.id: view.id} for place in scene.places.values() for view in place.views[1:])]
    for chosen in [everything, *({word: (way,)} for word, panel in panels.items() for way in panel.ways)]:
        for tabs in sights:
            now = opening(lab, scene.id, tabs=tabs)
            result = painted(replace(now, variants=tuple((dict(now.variants) | chosen).items())))
            assert result.figures, (lab.id, chosen, tabs, result)
            shown += 1
    for view in scene.all_views.values():
        place = [0.3, 0.4, 0.5] if view.kind == "space" else [0.3, 0.4]
        start({"state": state.to_dict(), "view": view.id, "place": place})
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
