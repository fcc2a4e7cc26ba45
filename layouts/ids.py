"""The names of everything on the page that callbacks talk to. One scene of one lab is mounted at a time.

Controls are called by their word, which carries the panel; graphs and texts by their place.
"""

URL, PAGE, THEME = "url", "page", "theme"
ASKED, FACTS, FRAMES, SENT, ANSWER = "asked", "facts", "frames", "sent", "answer"
CLICKED, START, ASIDE, NOTHING = "clicked", "start", "aside", "nothing"
NOTICE, READOUT, VIEWS, VERDICT = "notice", "readout", "views", "verdict"
PLAY, CLOCK, SPEED, TIME = "play", "clock", "speed", "time"
CSV, DOWNLOAD, LINK = "csv", "download", "link"
SAVE_PNG, SAVE_SVG, PYTHON = "save-png", "save-svg", "python"
PRESENT, THEME_BUTTON, PROVIDER = "present", "theme-button", "provider"
SEARCH, DIALOG, FOUND, HERE, NAMES = "search", "search-dialog", "found", "here", "names"
STAGE, LABS, WATCH, PREPARING, KNOWN = "stage", "labs", "watch", "preparing", "known"
WAIT, DONE, SENTENCE = "wait", "done", "sentence"


def family(name: object) -> dict[str, object]:
    """The link or menu of a kind of system."""
    return {"kind": "family", "name": name}


def slider(word: object) -> dict[str, object]:
    """The slider of a number."""
    return {"kind": "slider", "name": word}


def box(word: object) -> dict[str, object]:
    """The number box of a number."""
    return {"kind": "box", "name": word}


def message(word: object) -> dict[str, object]:
    """The line below a control that says what is wrong."""
    return {"kind": "message", "name": word}


def option(word: object) -> dict[str, object]:
    """The choice of an option of a method or of a view."""
    return {"kind": "option", "name": word}


def variants(word: object) -> dict[str, object]:
    """Which variants of a panel run."""
    return {"kind": "variants", "name": word}


def largest(panel: object) -> dict[str, object]:
    """The largest admissible steps of a panel."""
    return {"kind": "largest", "panel": panel}


def remarks(panel: object) -> dict[str, object]:
    """What is worth knowing about a panel."""
    return {"kind": "remarks", "panel": panel}


def experiment(number: object) -> dict[str, object]:
    """The button of a suggested experiment."""
    return {"kind": "experiment", "number": number}


def tabs(place: object) -> dict[str, object]:
    """The tabs of a place."""
    return {"kind": "tabs", "place": place}


def enlarge(place: object) -> dict[str, object]:
    """The button that shows a place alone, or all again."""
    return {"kind": "enlarge", "place": place}


def graph(place: object) -> dict[str, object]:
    """The graph of a place."""
    return {"kind": "graph", "place": place}


def text(place: object) -> dict[str, object]:
    """The text of a place."""
    return {"kind": "text", "place": place}


def picture(place: object, ending: object) -> dict[str, object]:
    """The button that saves a picture."""
    return {"kind": "save", "place": place, "ending": ending}
