"""Bodies that a page could send, to be broken, and what a refusal is."""

import json
import random

from benchmarks import malformed
from benchmarks.dashboard import address


def body(callback, lab="suslov"):
    """A good body for a lab; a click is one that needs mathematics."""
    found = malformed.body(random.Random(1), callback, lab)
    if callback == malformed.START:
        malformed.asked_of(found).update(view="locus", place=[41.0, -99.0, 5.0])
    return found


def post(client, data):
    """Send a body to where the page would: questions and files say so."""
    content = data if isinstance(data, bytes) else json.dumps(data).encode()
    path = address(data) if isinstance(data, dict) else malformed.UPDATE
    return client.post(path, data=content, content_type="application/json")


def refused(answer):
    """Whether an answer is one plain sentence with status 400."""
    text = answer.get_data(as_text=True)
    return answer.status_code == 400 and answer.mimetype == "text/plain" and text.count("\n") == 1 and len(text) < 120


def errors(answer):
    """The sentences beside controls in an answer; nothing else of the page may change then."""
    assert answer.status_code == 200
    found = answer.get_json()
    assert not found["texts"]
    told = found["answer"]
    assert told.keys() == {"errors", "preview", "number"}
    return told["errors"]
