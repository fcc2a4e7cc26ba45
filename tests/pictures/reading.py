"""Read numbers back from pictures, as a browser has them.

Numbers in a figure are 32-bit floats: each is off by half of ROUNDED at most, relative to itself. What a test computes
from several of them is off by as many times more.
"""

import base64
import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

import nhviz
from nhviz.figures.arrays import resolved
from nhviz.frame import find, said, shown, state
from nhviz.views import numbers as numbers_below
from nhviz.views import sentences

ROUNDED = float(np.finfo(np.float32).eps)
LETTERS = {"θ": "theta", "ω": "omega", "γ": "gamma", "ψ": "psi", "φ": "phi", "Π": "Pi"}


NUMBER = re.compile(r"(−?\d+(?:\.\d+)?)(?: · 10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))?")
SUPERSCRIPTS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


def told(text):
    """The numbers in a text for people."""
    return [
        float(f"{number.replace('−', '-')}e{power.translate(SUPERSCRIPTS) or 0}")
        for number, power in NUMBER.findall(text)
    ]


@dataclass(frozen=True)
class Page:
    """A lab in a state, and its pictures."""

    state: state.State
    panels: dict
    query: str

    @property
    def panel(self):
        """Its only panel."""
        return next(iter(self.panels.values()))

    def view(self, name):
        """A picture."""
        return drawn(self.state.lab.id, self.query, self.panel.theme_name, name)

    @property
    def readout(self):
        """The numbers below the pictures, by their labels."""
        return {one.label: one.text for one in numbers_below.statistics(self.panel)}

    @property
    def sentence(self):
        """What the page says."""
        return said.spoken(sentences.said(self.panel))

    def alone(self, method):
        """A run of the system by itself, with the numbers of this page, past everything that makes pictures."""
        values, model = self.panel.values, self.panel.system
        declared = {group: {p.name for p in getattr(model, group)} for group in ("parameters", "initial")}
        params = {name: values[name] for name in values if name in declared["parameters"]}
        used = {p.name for p in model.initial if p.needs is None or params[p.needs[0]] >= p.needs[1]}
        initial = {name: values[name] for name in values if name in used}
        way = self.panel.panel.ways.get(method)
        # A scheme that is a method with options of its own.
        options = dict(self.panel.problems[method].options) if way and way.options else {}
        name = way.method if options else method
        return nhviz.simulate(model.id, name, params, initial, values["step"], values["duration"], **options)


@lru_cache(maxsize=64)
def page(lab, query="", theme="light"):
    """A lab with the numbers of a link; nothing in the link may be wrong."""
    found, complaints = state.State.from_query(find.lab(lab), query)
    assert not complaints
    return Page(found, shown.panels(found, theme), query)


@lru_cache(maxsize=256)
def drawn(lab, query, theme, view):
    """A picture of a page, made once."""
    here = page(lab, query, theme)
    declared = here.state.scene.all_views[view]
    return Drawn(declared.show(shown.of_view(here.panels, declared)))


@dataclass(frozen=True)
class Drawn:
    """A picture with its traces and what moves in it."""

    picture: object

    @cached_property
    def traces(self):
        """All traces, with the arrays that they share in each."""
        return resolved(self.picture.figure["data"])

    @property
    def layout(self):
        """The layout."""
        return self.picture.figure["layout"]

    @cached_property
    def frames(self):
        """What moves, as it is sent to the browser."""
        return self.picture.frames()

    def named(self, name):
        """All traces of a name."""
        return [trace for trace in self.traces if trace.get("name") == name]

    def one(self, name):
        """The only trace of a name."""
        (found,) = self.named(name)
        return found

    def runs(self):
        """The traces of runs by the key of their variant, without what else belongs to them; one for each."""
        found = [(trace["meta"]["track"], trace) for trace in self.traces if "stride" in trace.get("meta", {})]
        assert len(dict(found)) == len(found)
        return dict(found)

    def words(self, name=None):
        """The words in a flat picture, or those of a name."""
        return [note for note in self.layout["annotations"] if name in (None, note.get("name"))]

    def titles(self):
        """What the axes are called: those of space at the axes, those of the plane inside."""
        if "scene" in self.layout:
            axes = [self.layout["scene"][name] for name in ("xaxis", "yaxis", "zaxis")]
            return [axis["title"]["text"] for axis in axes if axis.get("visible", True)]
        return [note["text"] for way in ("across", "upwards") for note in self.words(way)]

    def panels(self):
        """The traces of each panel of a flat picture, by the name of its axes: none for the first, then 2, 3, ..."""
        names = [name.removeprefix("xaxis") for name in self.layout if name.startswith("xaxis")]
        found = {name: [t for t in self.traces if t.get("xaxis", "x") == f"x{name}"] for name in names}
        for name, traces in found.items():
            assert all(trace.get("yaxis", "y") == f"y{name}" for trace in traces)
        return found

    def moved(self, trace):
        """Places (instants, points, axes) of a trace that moves, by the rule of the player; the key of its clock."""
        (cursor,) = [one for one in self.frames if self.traces[one["trace"]] is trace]
        return played(cursor, self.frames), cursor["track"]

    def trail(self):
        """The curve (axes, n) that is drawn up to the clock, how much of it at each instant, and its trace."""
        (cursor,) = [one for one in self.frames if "counts" in one]
        curve = np.stack([numbers(values) for values in cursor["positions"]])
        return curve, whole_numbers(cursor["counts"]), self.traces[cursor["trace"]]

    def bodies(self):
        """What moves as a whole: all that the player places but the trail."""
        return [one for one in self.frames if "counts" not in one]

    def lift(self, times=1.0):
        """How far runs are drawn above their surface: 0.8 percent of the height of the scene."""
        low, high = self.layout["scene"]["zaxis"]["range"]
        return times * 0.008 * (high - low)

    def markers(self):
        """Places (instants, axes) of the single points that move, by the key of their run, each with its trace."""
        found = {}
        for cursor in self.frames:
            if cursor.get("points") == 1 and "note" not in cursor:
                assert cursor["track"] not in found
                found[cursor["track"]] = (played(cursor, self.frames)[:, 0], self.traces[cursor["trace"]])
        return found


def numbers(values):
    """A typed array, or a list, as an array of its shape."""
    if "outer" in values:
        return np.outer(*map(numbers, values["outer"]))
    if not isinstance(values, dict):
        return np.array([np.nan if value is None else value for value in values], dtype=float)
    assert values["dtype"] in ("f4", "u2")
    letters = base64.b64decode(values["letters"], altchars=b"+_", validate=True)
    flat = np.frombuffer(letters, f"<{values['dtype']}").astype(float)
    return flat.reshape(values["shape"]) if "shape" in values else flat


def whole_numbers(values):
    """An array of indices."""
    assert values["dtype"] == "u2"
    return np.frombuffer(base64.b64decode(values["letters"], altchars=b"+_", validate=True), "<u2").astype(int)


def points(trace):
    """The coordinates (axes, ...) of a trace."""
    return np.stack([numbers(trace[axis]) for axis in "xyz" if axis in trace])


def pieces(curve):
    """The parts of a curve (axes, n) between NaN."""
    parts = np.split(curve, np.flatnonzero(np.isnan(curve[0])), axis=1)
    return [part[:, ~np.isnan(part[0])] for part in parts if np.isfinite(part).any()]


def played(cursor, cursors):
    """Every place that a moving trace takes, (instants, points, axes)."""
    if "words" in cursor:
        return led(cursor, cursors)
    if "counts" in cursor:
        # A path that is drawn up to the clock takes all of its places in the end.
        return np.stack([numbers(values) for values in cursor["positions"]], axis=-1)[None]
    first = cursors[cursor["like"]] if "like" in cursor else cursor
    if "positions" in first:
        return np.stack([numbers(values).reshape(-1, cursor["points"]) for values in first["positions"]], axis=-1)
    dimension, columns = first["dimension"], first["columns"]
    shape = numbers(cursor["shape"]).reshape(-1, columns)
    rotations = numbers(first["rotations"]).reshape(-1, dimension, columns)
    translations = numbers(first["translations"]).reshape(-1, 1, dimension)
    return np.einsum("tdc,pc->tpd", rotations, shape) + translations


def lead_of(cursor, cursors):
    """The angles of a map and how far it is from the flow, at each instant, and the rest of a lead."""
    lead = cursor["arc"] if "arc" in cursor else cursors[cursor["like"]]["arc"]
    return numbers(lead["at"]), numbers(lead["turn"]), lead


def led(cursor, cursors):
    """The places (instants, points, axes) of an arc of a lead, or of its words, 4/5 along it and a little outside."""
    at, turn, lead = lead_of(cursor, cursors)
    shares = np.array([0.8]) if cursor["words"] else np.linspace(0.0, 1.0, lead["points"])
    angles = at[:, None] - turn[:, None] * (1.0 - shares)
    unit = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    return (1.05 if cursor["words"] else 1.0) * unit @ np.reshape(lead["outside"], (2, 2)).T


def component(title, here):
    """The name and the unit of the component of a page that an axis title names: p with index θ is p_theta."""
    symbol, _, unit = title.partition(" (")
    plain = re.sub(r"</?(?:i|sub)>", "", symbol)
    for letter, word in LETTERS.items():
        plain = plain.replace(letter, word)
    (name,) = [name for name in here.panel.components if name.replace("_", "") == plain]
    return name, unit.split(")")[0].replace("²", "^2")


def close(found, expected, times=1.0, also=0.0):
    """Whether numbers of a figure are what they should be: `times` 32-bit roundings of the greatest, and `also`."""
    found, expected = np.asarray(found, dtype=float), np.asarray(expected, dtype=float)
    assert found.shape == expected.shape, (found.shape, expected.shape)
    assert np.isfinite(found).all()
    return bool(np.abs(found - expected).max() <= times * ROUNDED * np.abs(expected).max() + also)
