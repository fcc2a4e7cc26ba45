"""Plain data as finished JSON, which Dash passes on instead of walking through every number of it.

Dash makes its JSON fit to stand in a page: in the whole text of an answer it looks for <, > and / and replaces them,
which takes longer than making the text, and several times as long if one letter of it is not ASCII. Here all of them
are escaped already, where they are few.
"""

import codecs
from functools import lru_cache
from typing import Any

import orjson

HTML = ((b"<", b"\\u003c"), (b">", b"\\u003e"), (b"/", b"\\u002f"))


@lru_cache(maxsize=4096)
def codes(letters: str) -> str:
    """Letters as JSON writes them in ASCII: in 16-bit units."""
    units = letters.encode("utf-16-be")
    return "".join(f"\\u{units[i] << 8 | units[i + 1]:04x}" for i in range(0, len(units), 2))


def escaped(error: UnicodeError) -> tuple[str, int]:
    """What stands for letters that are not ASCII."""
    assert isinstance(error, UnicodeEncodeError)
    return codes(error.object[error.start : error.end]), error.end


codecs.register_error("nhviz.json", escaped)


def finished(data: Any) -> bytes:
    """Plain data as JSON in ASCII that may stand in a page."""
    text = orjson.dumps(data, option=orjson.OPT_SERIALIZE_NUMPY)
    if not text.isascii():
        text = text.decode().encode("ascii", "nhviz.json")
    for letter, code in HTML:
        text = text.replace(letter, code)
    return text


def figure(data: dict[str, Any]) -> bytes:
    """A figure, trace by trace: most letters are in arrays, of which few have a trace with other than ASCII."""
    return orjson.dumps({"data": [fragment(trace) for trace in data["data"]], "layout": fragment(data["layout"])})


def fragment(data: Any) -> orjson.Fragment:
    """Plain data as a part of a larger one that is finished already."""
    return orjson.Fragment(finished(data))
