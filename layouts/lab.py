"""The frame of every lab: controls on the left, four linked views on the right, one play bar below."""

from dataclasses import dataclass, field
from typing import Any

from dash import dcc, html

import nhviz
from layouts import controls, ids, link
from nhviz.figures.style import method_slot

GRAPH_CONFIG = {"displaylogo": False, "scrollZoom": True, "modeBarButtonsToRemove": ["select2d", "lasso2d", "toImage"]}
SPEEDS = (0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0)


@dataclass(frozen=True)
class Lab:
    """What distinguishes a lab: its words, its views, its tabs, its methods at the start."""

    system: str
    try_first: str
    views: dict[str, str]
    tabs: dict[str, str]
    methods: tuple[str, ...]
    choices: dict[str, dict[str, Any]] = field(default_factory=dict)


def page(lab: Lab, search: str | None) -> html.Div:
    """A lab with the state that its link describes."""
    facts = nhviz.describe(lab.system)
    options = {n: o for m in facts["methods"].values() for n, o in m["options"].items() if "choices" in o}
    choices = {name: str(facts["default"]) for name, facts in (options | lab.choices).items()}
    allowed = {name: [str(item) for item in facts["choices"]] for name, facts in (options | lab.choices).items()}
    state, complaints = link.read(link.default_state(lab.system, list(lab.methods), choices), search, allowed)
    return html.Div(
        [
            dcc.Store(ids.STATE, data=state),
            dcc.Store(
                ids.FACTS,
                data=facts
                | {"gains": link.gains(facts), "opens": link.default_state(lab.system, list(lab.methods), choices)},
            ),
            dcc.Store(ids.FRAMES),
            dcc.Store(ids.SENT, data={}),
            dcc.Store(ids.LAUNCH),
            dcc.Store(ids.NOTHING),
            dcc.Download(ids.DOWNLOAD),
            html.Aside(sidebar(lab, facts, state, options, complaints), className="sidebar"),
            html.Section(views(lab), className="views"),
            play_bar(state["values"]["duration"]),
        ],
        className="lab",
    )


def sidebar(
    lab: Lab, facts: dict[str, Any], state: dict[str, Any], options: dict[str, Any], complaints: list[str]
) -> list[Any]:
    """Words, experiments, and the controls in groups."""
    now, gains = state["values"], link.gains(facts)
    largest = html.Div(id=ids.LARGEST, className="largest")
    return [
        html.H1(facts["title"]),
        html.P([facts["summary"], " ", html.Strong("Try first: "), lab.try_first]),
        html.Div([experiment(i, e) for i, e in enumerate(facts["experiments"])], className="experiments"),
        html.Div(" ".join(complaints), id=ids.NOTICE, className="notice", role="alert"),
        controls.group("Body", controls.values(facts["parameters"], now)) if facts["parameters"] else None,
        html.Div(id=ids.REMARKS, className="remarks", role="status"),
        controls.group("Start", controls.values(facts["initial"], now)),
        controls.group(
            "Step",
            [
                controls.value("step", facts["step"], now["step"], largest),
                controls.value("duration", facts["duration"], now["duration"]),
            ],
        ),
        controls.group("Methods", [method_list(facts, state)]),
        controls.group("Gains", controls.values(gains, now)) if gains else None,
        controls.group(
            "Show",
            [controls.choice(n, f, state["choices"][n]) for n, f in (options | lab.choices).items()],
        )
        if options or lab.choices
        else None,
    ]


def experiment(number: int, facts: dict[str, Any]) -> html.Button:
    """A suggested experiment as a button."""
    return html.Button(facts["title"], id=ids.preset(number), title=facts["look"], n_clicks=0)


def method_list(facts: dict[str, Any], state: dict[str, Any]) -> html.Div:
    """Which methods to compare; the first checked one moves in the play bar."""
    entries = [
        {"label": html.Span([swatch(name), m["title"]]), "value": name, "title": m["remark"]}
        for name, m in facts["methods"].items()
    ]
    return html.Div(
        [
            dcc.Checklist(entries, state["methods"], id=ids.METHODS, className="choices"),
            html.Div(id=ids.message("methods"), className="message", role="alert"),
        ]
    )


def swatch(method: str) -> html.Span:
    """The colour of a method in every picture."""
    return html.Span("●", className=f"swatch swatch-{method_slot(method)}")


def views(lab: Lab) -> list[html.Figure]:
    """Three fixed views and one with tabs."""
    fixed = [view(name, html.Span(title)) for name, title in lab.views.items()]
    tabs = dcc.RadioItems(lab.tabs, next(iter(lab.tabs)), id=ids.TAB, inline=True, className="tabs")
    return [*fixed, view(ids.DETAIL, tabs, html.Div(id=ids.TEXT, className="text"))]


def view(name: str, title: Any, more: Any = None) -> html.Figure:
    """One view: its title, buttons that save it, its graph."""
    buttons = [
        html.Button(ending.upper(), id=ids.picture(name, ending), title=f"save as {ending.upper()}", n_clicks=0)
        for ending in ("png", "svg")
    ]
    return html.Figure(
        [
            html.Figcaption([title, html.Span(buttons, className="save")]),
            dcc.Graph(
                id=ids.graph(name), config=GRAPH_CONFIG, responsive=True, className="graph", clear_on_unhover=False
            ),
            more,
        ],
        className=f"view view-{name}",
    )


def play_bar(duration: float) -> html.Div:
    """One clock for all views, and the numbers of the run."""
    speed = min(SPEEDS, key=lambda s: abs(s - duration / 8.0))
    return html.Div(
        [
            html.Button("▶ play", id=ids.PLAY, n_clicks=0, title="play or pause (all views)"),
            dcc.Input(id=ids.CLOCK, type="range", min=0, max=1000, step=1, value=0, className="clock", name="instant"),
            html.Output("t = 0", id=ids.TIME, className="time"),
            html.Label(["speed ", dcc.Dropdown(
                [{"label": f"{s:g}x", "value": s} for s in SPEEDS], speed, id=ids.SPEED, clearable=False,
                searchable=False, className="speed",
            )]),
            html.Div(id=ids.READOUT, className="readout"),
            html.Button("CSV", id=ids.CSV, n_clicks=0, title="save the run of the first method"),
            html.Button("copy link", id=ids.LINK, n_clicks=0, title="the address holds the whole state"),
        ],
        className="play-bar",
    )  # fmt: skip
