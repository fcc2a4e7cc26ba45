"""The names by which the server is asked for: only those of the settings are answered, and none is ever repeated."""

import pytest

from server import hosts
from server.settings import Settings, SettingsError
from tests.test_server import application


@pytest.fixture(scope="module")
def client():
    return application(hosts=("lab.a.edu", ".b.edu")).test_client()


@pytest.mark.parametrize("name", ["lab.a.edu", "LAB.A.EDU", "lab.a.edu:8050", "b.edu", "x.y.b.edu:443"])
def test_the_names_of_the_settings_are_answered(client, name):
    assert client.get("/suslov", headers={"Host": name}).status_code == 200


@pytest.mark.parametrize("path", ["/", "/suslov", "/_dash-layout", "/assets/lab.css", "/nothing/here"])
@pytest.mark.parametrize("name", ["evil.example", "a.edu", "xb.edu", "lab.a.edu.evil.example", "127.0.0.1:8050", "a b"])
def test_other_names_get_one_sentence(client, path, name):
    answer = client.get(path, headers={"Host": name})
    assert (answer.status_code, answer.mimetype) == (400, "text/plain")
    assert answer.get_data(as_text=True) == "There is nothing of this name here: the request is for another host.\n"


def test_a_callback_is_not_called_by_another_name(client):
    assert client.post("/_dash-update-component", json={}, headers={"Host": "evil.example"}).status_code == 400


def test_the_health_of_a_server_is_asked_by_any_name(client):
    """The check in a container asks the address of the machine."""
    assert client.get("/health", headers={"Host": "127.0.0.1:8050"}).get_json()["status"] == "ok"


def test_without_names_any_is_answered_and_a_redirect_repeats_none():
    client = application().test_client()
    assert client.get("/suslov", headers={"Host": "evil.example"}).status_code == 200
    # werkzeug redirects to the root with the name that the request gives.
    below = {"SCRIPT_NAME": "/lab", "PATH_INFO": ""}
    answer = client.get("/", headers={"Host": "evil.example"}, environ_overrides=below)
    assert (answer.status_code, answer.headers["Location"]) == (308, "/lab/")
    assert "evil" not in answer.get_data(as_text=True)


@pytest.mark.parametrize(
    ("address", "found"),
    [
        ("http://evil.example/lab/suslov?I11=4", "/lab/suslov?I11=4"),
        ("/suslov", "/suslov"),
        ("http://evil.example//other.example/x", "/other.example/x"),
        ("http://evil.example/\\other.example", "/other.example"),
        ("//other.example/x", "/x"),
        ("http://evil.example", "/"),
    ],
)
def test_a_redirect_stays_here(address, found):
    assert hosts.within(address) == found


def test_names_are_read():
    assert Settings.read({}).hosts == ()
    assert Settings.read({"NHVIZ_HOSTS": "Lab.a.edu, .b.edu"}).hosts == ("lab.a.edu", ".b.edu")


@pytest.mark.parametrize("text", ["a/b", "http://a.edu", "a.edu,", ",", "a..edu", "*", "a.edu:80", "a;b"])
def test_names_that_are_none_are_one_sentence(text):
    with pytest.raises(SettingsError, match="NHVIZ_HOSTS must be names such as"):
        Settings.read({"NHVIZ_HOSTS": text})
