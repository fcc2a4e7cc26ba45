"""A callback that fails: the person gets one sentence, the log a traceback and what was asked."""

import pytest

from benchmarks import malformed
from benchmarks.malformed.attempts import wrong_answer
from callbacks import trouble
from layouts import ids
from tests.bodies import body, post


@pytest.fixture
def client():
    return malformed.client_of_app()


def failing(*_, **__):
    raise ZeroDivisionError("the secret of the house")


def is_logged(caplog):
    """Whether the log has the traceback, and on one line what was asked."""
    asked = [record.getMessage() for record in caplog.records if "was asked: POST" in record.getMessage()]
    return "ZeroDivisionError" in caplog.text and len(asked) == 1 and "\n" not in asked[0] and "suslov" in asked[0]


def test_a_question_that_fails_is_one_plain_sentence(client, monkeypatch, caplog):
    monkeypatch.setattr("nhviz.views.sentences.said", failing)
    answer = post(client, body(malformed.RENDER))
    assert (answer.status_code, answer.mimetype) == (500, "text/plain")
    assert answer.get_data(as_text=True) == f"{trouble.SENTENCE}\n"
    assert is_logged(caplog)


@pytest.mark.parametrize("callback", [malformed.START, malformed.GHOSTS])
def test_what_else_fails_in_a_lab_is_told_as_a_click_that_starts_nothing(client, monkeypatch, caplog, callback):
    monkeypatch.setattr("callbacks.lab.opened", failing)
    answer = post(client, body(callback))
    assert answer.status_code == 200
    (told,) = answer.get_json()["sideUpdate"].items()
    assert (told[0], told[1]["data"]["sentence"]) == (ids.TOLD, trouble.SENTENCE)
    assert "secret" not in answer.get_data(as_text=True)
    assert is_logged(caplog)
    # The benchmark takes notice, though the status is good.
    assert wrong_answer(200, answer.mimetype, answer.get_data(as_text=True))


def test_a_file_that_fails_is_one_plain_sentence(client, monkeypatch, caplog):
    monkeypatch.setattr("callbacks.files.opened", failing)
    answer = post(client, body(malformed.CSV))
    assert (answer.status_code, answer.mimetype) == (500, "text/plain")
    assert answer.get_data(as_text=True) == f"{trouble.SENTENCE}\n"
    assert is_logged(caplog)


@pytest.mark.parametrize("callback", [malformed.PAGE, malformed.WAIT, malformed.WATCH])
def test_a_page_that_cannot_be_made_says_so(client, monkeypatch, caplog, callback):
    monkeypatch.setattr("callbacks.shell.target", failing)
    monkeypatch.setattr("callbacks.shell.overview", failing)
    answer = post(client, body(callback))
    assert answer.status_code == 200
    page = answer.get_json()["sideUpdate"][ids.PAGE]["children"]
    assert "The server could not make this page." in str(page)
    assert "secret" not in answer.get_data(as_text=True)
    assert is_logged(caplog)


def test_a_page_opens_though_its_pictures_fail(client, monkeypatch, caplog):
    """It asks for them and is told so; what makes them fail can be changed."""
    monkeypatch.setattr("nhviz.views.sentences.said", failing)
    answer = post(client, body(malformed.PAGE))
    assert answer.status_code == 200
    assert "M1" in answer.get_data(as_text=True)
    assert is_logged(caplog)
