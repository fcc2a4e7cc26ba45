"""Send a case to the dashboard, or say it on a command line, and judge what comes back."""

import time
from typing import Any

from benchmarks.malformed import valid
from benchmarks.malformed.commands import say
from benchmarks.malformed.material import Case, Outcome
from callbacks import trouble

GOOD_STATUSES = {200, 204, 308, 400, 404, 405, 413, 422}
LONGEST_REFUSAL = 200


def attempt(client: Any, case: Case) -> Outcome:
    """Send a case, and judge what came back."""
    start = time.perf_counter()
    status, wrong = say(case.words) if case.words else send(client, case)
    return Outcome(case.kind, status, time.perf_counter() - start, wrong)


def send(client: Any, case: Case) -> tuple[int, str]:
    """Status of a request, and what is wrong with the answer."""
    if case.kind == "address":
        answer = client.get(case.path)
    else:
        answer = client.post(case.path, data=case.content, content_type=case.content_type)
    text = answer.get_data(as_text=True)
    wrong = wrong_answer(answer.status_code, answer.mimetype, text)
    if case.store and not wrong:
        wrong = valid.wrong_answer(case.store, answer.status_code, text)
    return answer.status_code, wrong


def wrong_answer(status: int, mimetype: str, text: str) -> str:
    """What is wrong with an answer: its status, a callback that failed, a refusal that is not one plain sentence."""
    if status not in GOOD_STATUSES:
        return f"status {status}"
    if trouble.SENTENCE in text:
        return "a callback failed"
    if "Traceback" in text:
        return "a traceback"
    if status in (400, 422) and (mimetype != "text/plain" or len(text) > LONGEST_REFUSAL or text.count("\n") != 1):
        return "not one plain sentence"
    return "markup of the sender" if mimetype == "text/html" and "alert(1)" in text else ""


def client_of_app() -> Any:
    """A client of the dashboard in this process."""
    from app import create_app

    return create_app().server.test_client()
