"""What happens in every lab: state to pictures in one request, clicks to starts, downloads."""

import zlib
from types import ModuleType
from typing import Any

import orjson
from dash import ALL, Dash, Input, Output, State, ctx, dcc, html, no_update

from callbacks import guard, plain, sleigh, suslov, views
from callbacks.session import Session
from callbacks.state import check_shown
from layouts import ids, shell
from nhviz import export
from nhviz.figures.style import Picture, typed
from nhviz.parameters import ParameterError
from nhviz.problem import Trajectory
from server import limits, readiness, service

LABS: dict[str, ModuleType] = {"suslov": suslov, "sleigh": sleigh}
IN_SPACE = ("locus",)


def lab_of(state: dict[str, Any]) -> ModuleType:
    """The lab of a state's system, or the plain one."""
    return LABS.get(state["system"], plain)


def render(state: dict[str, Any], tab: str, theme: str, names: list[str], only: set[str]) -> dict[str, Any]:
    """Everything a change of state shows: figures by view, frames, messages by control, numbers, text.

    `only` names the views to paint. A bad value paints nothing: its message is all that changes.
    """
    lab = lab_of(state)
    messages = {name: state["errors"].get(name, "") for name in names}
    try:
        session = opened(state, theme)
        # The runs come first: making them checks every value before a view computes with it.
        clock = typed(session.lead.t[session.points(session.lead)])
        pictures = {view: paint(session, lab, view, tab) for view in sorted(only)}
        return {
            "figures": {view: picture.figure for view, picture in pictures.items() if picture},
            "frames": {"t": clock, "views": moving(pictures)},
            "messages": messages,
            "notice": state["errors"].get("click", ""),
            "readout": numbers(lab.readout(session)),
            "largest": bounds(views.largest_steps(session), session.step),
            "remarks": " ".join(session.remarks),
            "text": lab.TEXTS[tab](session) if tab in lab.TEXTS else "",
        }
    except ParameterError as error:
        if error.name in messages:
            return {"messages": messages | {error.name: messages[error.name] or str(error)}}
        return {"messages": messages, "notice": str(error)}


def opened(state: dict[str, Any], theme: str) -> Session:
    """The session of a state; one sentence for a page that was open before the server started anew."""
    if not readiness.is_open(state["system"]):
        progress = readiness.waiting(state["system"])
        raise ParameterError(f"This lab is being prepared. {shell.sentence(progress)}", "system")
    return Session(state, theme)


def paint(session: Session, lab: ModuleType, view: str, tab: str) -> Picture | None:
    """The picture of a view; the view with tabs shows its tab, which may be text."""
    function = lab.VIEWS.get(tab if view == ids.DETAIL else view)
    return function(session) if function else None


def moving(pictures: dict[str, Picture | None]) -> dict[str, Any]:
    """For every painted view what moves in it, for the player."""
    return {view: picture.frames() for view, picture in pictures.items() if picture}


def numbers(facts: dict[str, str]) -> str:
    """Name and value, side by side."""
    return "   ·   ".join(f"{name} {text}" for name, text in facts.items())


def bounds(largest: dict[str, float | None], step: float) -> list[Any]:
    """The largest admissible step of each chosen map; one that is exceeded says so."""
    lines: list[Any] = []
    for name, bound in largest.items():
        exceeded = bound is not None and step > bound
        text = f"largest step of {name}: {'no bound' if bound is None else f'{bound:.5g}'}"
        lines.append(html.Div(f"{text}, exceeded", className="exceeded") if exceeded else f"{text}. ")
    return lines


def plain_json(data: dict[str, Any]) -> bytes:
    """Plain data as JSON. As an orjson.Fragment Dash passes it on instead of walking through every number of it."""
    return orjson.dumps(data, option=orjson.OPT_SERIALIZE_NUMPY)


def changed(figures: dict[str, Any], sent: dict[str, int]) -> tuple[dict[str, Any], dict[str, int]]:
    """The figures that differ from what the browser has, as finished JSON, and the checksums of what it then has."""
    texts = {view: plain_json(figure) for view, figure in figures.items()}
    sums = {view: zlib.crc32(text) for view, text in texts.items()}
    news = {view: orjson.Fragment(text) for view, text in texts.items() if sent.get(view) != sums[view]}
    return news, sent | sums


def launch(state: dict[str, Any], view: str, click: dict[str, Any]) -> dict[str, Any] | None:
    """Initial values for an orbit that starts where a view was clicked."""
    place = click_place(click)
    function = lab_of(state).LAUNCH.get(view)
    if function is None or place is None:
        return None
    try:
        values = function(opened(state, "light"), *place)
        if not values:
            return None
        # Six digits are finer than a pixel and keep the link short.
        return {"values": {name: float(f"{value:.6g}") for name, value in values.items()}}
    except ParameterError as error:
        return {"values": {}, "problem": str(error)}


def click_place(click: dict[str, Any] | None) -> tuple[float, ...] | None:
    """Coordinates of a click, on a point or on empty area: two, or three in space."""
    if not click:
        return None
    # In the plane the place of the click itself is known; in space only the point that was hit.
    if click.get("xvals") and click.get("yvals"):
        return click["xvals"][0], click["yvals"][0]
    point = next(iter(click.get("points") or []), {})
    return tuple(point[axis] for axis in "xyz" if axis in point) if "x" in point and "y" in point else None


def show(state: dict[str, Any], tab: str, theme: str, notice: str, sent: dict[str, int]) -> tuple[Any, ...]:
    """Paint what changed: everything for a new state, one view for a new tab, nothing in space while dragging."""
    mounted = [output["id"]["view"] for output in ctx.outputs_list[0]]
    names = [output["id"]["name"] for output in ctx.outputs_list[2]]
    check_shown(state["system"], tab, mounted)
    only = {ids.DETAIL} if ctx.triggered_id == ids.TAB else set(mounted)
    result = render(state, tab, theme, names, only - set(IN_SPACE) if state["preview"] else only)
    figures, sent = changed(result.get("figures", {}), sent)
    # A link's complaints, already on the page, stay until something changes.
    first = not ctx.triggered_id
    return (
        [figures.get(view, no_update) for view in mounted],
        orjson.Fragment(plain_json(result["frames"])) if "frames" in result else no_update,
        [result["messages"][name] for name in names],
        notice if first and not result.get("notice") else result.get("notice", no_update),
        result.get("readout", no_update),
        result.get("largest", no_update),
        result.get("remarks", no_update),
        result.get("text", no_update),
        sent,
    )


def start_orbit(clicks: list[Any], state: dict[str, Any], tab: str) -> Any:
    """A click in a view becomes a start."""
    if not ctx.triggered_id:
        return no_update
    view = ctx.triggered_id["view"]
    check_shown(state["system"], tab, [view])
    found = launch(state, tab if view == ids.DETAIL else view, ctx.triggered[0]["value"])
    return no_update if found is None else found


def save_csv(clicks: int, state: dict[str, Any]) -> Any:
    """The run that moves, as csv."""
    try:
        orbit = for_file(opened(state, "light").lead)
    except ParameterError:
        # What is wrong stands beside its control already.
        return no_update
    return dcc.send_bytes(export.to_csv(orbit), f"{orbit.problem.system}-{orbit.problem.method}.csv")


def for_file(shown: Trajectory) -> Trajectory:
    """A run with more samples than a page shows, if it has them and the server has time for it; else the one shown."""
    try:
        return service.run(limits.for_file(shown.problem))
    except ParameterError:
        return shown


def register(app: Dash) -> None:
    """Connect the functions above to the page, behind a guard against what the page cannot have sent."""
    guard.register(app)
    app.callback(
        Output(ids.graph(ALL), "figure"),
        Output(ids.FRAMES, "data"),
        Output(ids.message(ALL), "children"),
        Output(ids.NOTICE, "children"),
        Output(ids.READOUT, "children"),
        Output(ids.LARGEST, "children"),
        Output(ids.REMARKS, "children"),
        Output(ids.TEXT, "children"),
        Output(ids.SENT, "data"),
        Input(ids.STATE, "data"),
        Input(ids.TAB, "value"),
        Input(ids.THEME, "value"),
        State(ids.NOTICE, "children"),
        State(ids.SENT, "data"),
    )(show)
    app.callback(
        Output(ids.LAUNCH, "data"),
        Input(ids.graph(ALL), "clickData"),
        State(ids.STATE, "data"),
        State(ids.TAB, "value"),
        prevent_initial_call=True,
    )(start_orbit)
    app.callback(
        Output(ids.DOWNLOAD, "data"), Input(ids.CSV, "n_clicks"), State(ids.STATE, "data"), prevent_initial_call=True
    )(save_csv)
