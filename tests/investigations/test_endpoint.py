"""A model behind a URL: what it replies, or why it does not, told by a real server."""

import asyncio
import socket

import pytest

from tests.investigations.server import KEY, Server
from wfnb.errors import BadValue
from wfnb.investigations.advisers import consultation
from wfnb.investigations.advisers.adviser import Request
from wfnb.investigations.advisers.chat import Endpoint, NoReply, ask
from wfnb.investigations.advisers.endpoint import check_endpoint, endpoint

REQUEST = Request(prompt="Warn at 695 cm?", system="Weigh it.")


def of(server: Server, model: str, **says: object) -> Endpoint:
    given = {"name": model, "url": server.url, "model": model, "key": "TEST_KEY", **says}
    return check_endpoint(given)


def asked(one: Endpoint) -> tuple[str, list[float]]:
    """The reply or why there is none, and the waits before it was asked again."""
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    try:
        return asyncio.run(ask(one, REQUEST, sleep)).text, waits
    except NoReply as failed:
        return str(failed), waits


def test_a_question_is_a_model_two_messages_and_the_key_in_a_header(server: Server):
    text, waits = asked(of(server, "good", temperature=0.2))

    body, headers = server.asked[0]
    assert (text, waits) == ("You say: Warn at 695 cm?\n\nVerdict: for", [])
    assert body == {
        "model": "good",
        "messages": [
            {"role": "system", "content": "Weigh it."},
            {"role": "user", "content": "Warn at 695 cm?"},
        ],
        "temperature": 0.2,
    }
    assert headers["Authorization"] == f"Bearer {KEY}"


def test_an_endpoint_without_a_key_sends_none(server: Server):
    asked(of(server, "good", key=None))

    assert "Authorization" not in server.asked[0][1]


FAILS = {
    "busy-once": ("You say: Warn at 695 cm?\n\nVerdict: for", [3.0]),
    "busy-long": ("it answered 429: slow down; it may be asked again in 3600 s", []),
    "broken": ("it answered 500: upstream said ••• is bad; asked 3 times", [0.5, 1.0]),
    "unkind": ("it does not take the key in TEST_KEY (401)", []),
    "nowhere": ("it answered 404: no such model\x1b[31m", []),
    "elsewhere": ("it sends elsewhere (302), where the key does not go: mend the URL", []),
    "huge": ("its reply is longer than 1,000,000 bytes", []),
    "endless": ("its reply is longer than 1,000,000 bytes", []),
    "no-json": ("its reply is no JSON", []),
    "no-choices": ("its reply has no choices[0].message.content", []),
    "tool-call": ("its reply has no text", []),
}


@pytest.mark.parametrize("model", FAILS)
def test_what_a_server_does_wrong_is_said_in_one_line(server: Server, model: str):
    assert asked(of(server, model)) == FAILS[model]


def test_a_server_that_hangs_up_is_asked_again(server: Server):
    said, waits = asked(of(server, "drop", retries=1))

    assert said.startswith("it cannot be reached (")
    assert said.endswith("; asked 2 times")
    assert (waits, server.models()) == ([0.5], ["drop", "drop"])


def test_a_server_that_is_not_there_is_asked_again():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"

        said, waits = asked(check_endpoint({"name": "a", "url": url, "model": "m", "key": None}))

    assert said.startswith("it cannot be reached (")
    assert waits == [0.5, 1.0]


@pytest.mark.parametrize("model", ["hang", "trickle"])
def test_a_reply_that_takes_too_long_is_given_up_and_its_socket_closed(server: Server, model: str):
    for timeout in (0.3, 3, 30):  # the first has to load the client, too, before the server hears
        one = of(server, model, timeout=timeout).adviser
        (advice,) = consultation.ask([(model, REQUEST)], lambda name, one=one: one)
        assert advice.error == f"no reply in {timeout:g} s"
        if server.asked:
            break

    assert server.left.acquire(timeout=30), "the server still writes to it"


def test_what_is_registered_can_be_asked(server: Server):
    made = endpoint("keeper", server.url + "/chat/completions", "good", key="TEST_KEY")

    assert (made.url, made.adviser.says) == (server.url, "good at 127.0.0.1")


WRONG = {
    "a key itself": ({"key": KEY}, "key is '•••'. It needs the name of an environment variable"),
    "a user in the url": ({"url": "https://u:p4ss@h/v1"}, "url is 'https://•••'. It needs https"),
    "a key in the url": ({"url": "https://h/v1?key=p4ss"}, "url is 'https://•••'. It needs https"),
    "http to elsewhere": ({"url": "http://example.org/v1"}, "url is 'http://example.org/v1'."),
    "no url": ({"url": 3}, "url is '3'. It needs https"),
    "a port that is none": ({"url": "https://h:99999/"}, "url is '•••'. It needs https"),
    "a line break": ({"url": "https://h/\nv1"}, "url is 'https://h"),
    "no time": ({"timeout": 0}, "timeout is '0'. It needs seconds"),
    "many retries": ({"retries": 11}, "retries is '11'. It needs a whole number from 0 to 10"),
    "a name with a colon": ({"name": "a:b"}, "adviser is 'a:b'. It needs up to 80 letters"),
    "an unknown word": ({"api_key": KEY}, "endpoint is 'api_key'. It needs no other words than"),
    "no model": ({"model": " "}, "model is "),
}


@pytest.mark.parametrize("name", WRONG)
def test_an_endpoint_that_cannot_be_is_refused_and_shows_no_key(name: str):
    says, begins = WRONG[name]

    with pytest.raises(BadValue) as refused:
        check_endpoint({"name": "a", "url": "https://h/v1", "model": "m", **says})

    assert str(refused.value).startswith(begins)
    assert KEY not in str(refused.value)
    assert "p4ss" not in str(refused.value)
