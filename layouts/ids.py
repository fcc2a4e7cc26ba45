"""The names of everything on the page that callbacks talk to. One scene of one lab is mounted at a time.

Texts are called by their place. Controls, pictures and words are the browser's own: its scripts find them by the words,
places and variants that they carry (`data-word`, `data-place`, `data-variant`).
"""

URL, PAGE, THEME = "url", "page", "theme"
ASKED, FACTS, ANSWER, SENT = "asked", "facts", "answer", "sent"
CLICKED, START, NOTHING, STARTED = "clicked", "start", "nothing", "started"
TOLD, HEARD = "told", "heard"
PINNED, GHOSTS, HAUNTED = "pinned", "ghosts", "haunted"
VIEWS, NOTICE, INSIGHT, VERDICT = "views", "notice", "insight", "verdict"
PLAY, CLOCK, SPEED, TIME, READOUT = "play", "clock", "speed", "time", "readout"
CSV, LINK = "csv", "link"
SAVE_PNG, SAVE_SVG, PYTHON = "save-png", "save-svg", "python"
PRESENT, THEME_BUTTON, PROVIDER = "present", "theme-button", "provider"
SEARCH, DIALOG, FOUND, HERE, NAMES = "search", "search-dialog", "found", "here", "names"
STAGE, LABS, WATCH, PREPARING, KNOWN = "stage", "labs", "watch", "preparing", "known"
SWEEP_FACTS, SWEPT, SWEEP_THIS = "sweep-facts", "swept", "sweep-this"
GALLERY, HUNG, CLAIM = "gallery-facts", "hung", "claim"
WAIT, DONE, SENTENCE = "wait", "done", "sentence"


def family(name: object) -> dict[str, object]:
    """The link or menu of a kind of system."""
    return {"kind": "family", "name": name}


def graph(place: object) -> dict[str, object]:
    """The picture of a place."""
    return {"kind": "graph", "place": place}


def text(place: object) -> dict[str, object]:
    """The text of a place."""
    return {"kind": "text", "place": place}


def message(word: object) -> dict[str, object]:
    """The line below a control that says what is wrong."""
    return {"kind": "message", "name": word}
