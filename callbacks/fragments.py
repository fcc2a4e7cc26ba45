"""Plain data as finished JSON, and JSON that Dash passes on instead of walking through every number of it.

Dash makes its JSON fit to stand in a page: in the whole text of an answer it looks for <, > and / and replaces them,
which takes longer than making the text, and several times as long if one letter of it is not ASCII. Here all of them
are escaped already.
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


def plain(data: Any) -> bytes:
    """Plain data as JSON."""
    return orjson.dumps(data, option=orjson.OPT_SERIALIZE_NUMPY)


def in_page(text: bytes) -> bytes:
    """JSON in ASCII that may stand in a page."""
    if not text.isascii():
        text = text.decode().encode("ascii", "nhviz.json")
    for letter, code in HTML:
        text = text.replace(letter, code)
    return text


def fragment(data: Any) -> orjson.Fragment:
    """Plain data as a part of an answer of Dash that is finished already."""
    return orjson.Fragment(in_page(plain(data)))
