"""The names of everything on the page that callbacks talk to. One lab is mounted at a time."""

URL, PAGE, THEME = "url", "page", "theme"
STATE, FACTS, FRAMES, SENT, LAUNCH = "state", "facts", "frames", "sent", "launch"
METHODS, TAB, NOTICE, READOUT, TEXT = "methods", "tab", "notice", "readout", "text"
LARGEST, REMARKS = "largest", "remarks"
PLAY, CLOCK, SPEED, TIME = "play", "clock", "speed", "time"
CSV, DOWNLOAD, LINK, NOTHING = "csv", "download", "link", "nothing"
DETAIL = "detail"
START, WATCH, WAIT, DONE, SENTENCE = "start", "watch", "wait", "done", "sentence"


def slider(name: object) -> dict[str, object]:
    """The slider of a value."""
    return {"kind": "slider", "name": name}


def box(name: object) -> dict[str, object]:
    """The number box of a value."""
    return {"kind": "box", "name": name}


def message(name: object) -> dict[str, object]:
    """The line below a control that says what is wrong."""
    return {"kind": "message", "name": name}


def option(name: object) -> dict[str, object]:
    """The choice of a method's option or of a view."""
    return {"kind": "option", "name": name}


def preset(number: object) -> dict[str, object]:
    """The button of a suggested experiment."""
    return {"kind": "preset", "number": number}


def graph(view: object) -> dict[str, object]:
    """The graph of a view."""
    return {"kind": "graph", "view": view}


def picture(view: object, ending: object) -> dict[str, object]:
    """The button that saves a view."""
    return {"kind": "save", "view": view, "ending": ending}
