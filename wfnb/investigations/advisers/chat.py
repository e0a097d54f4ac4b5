"""a request -> the reply of a server that speaks OpenAI's protocol of chat completions.

The key is read when it is asked, goes into one header, and is in nothing that comes back: no
reply, no error, no log.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from functools import partial
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, urlsplit

from wfnb.frozen_record import record

from .adviser import REPLY_TIMEOUT, Adviser, Reply, Request, hide_key, secret

if TYPE_CHECKING:
    import httpx

MAX_REPLY_BYTES = 1_000_000
CONNECT = 10.0
"""Seconds in which a server has to take the connection."""
MAX_WAIT = 20.0
"""Seconds: a server that asks for more is not waited for."""
_AGAIN = {408, 409, 429}
_PARTS = ("connection", "http11", "http2", "proxy", "socks")
_LOGGERS = ("httpx", *(f"httpcore.{part}" for part in _PARTS))
_ASKING: ContextVar[bool] = ContextVar("wfnb_asking", default=False)


class NoReply(Exception):
    """Why there is none. `again`: the seconds after which it may be asked again; None: never."""

    def __init__(self, why: str, again: float | None = None) -> None:
        super().__init__(why)
        self.again = again


@record
class Endpoint:
    """A model behind `url` (to which `/chat/completions` is added). `key` names the environment
    variable of its key (None: it needs none); `timeout` in seconds is for a reply with all that it
    takes; `retries`: how often it is asked again where that may help."""

    name: str
    url: str
    model: str
    key: str | None = "OPENAI_API_KEY"
    timeout: float = REPLY_TIMEOUT
    retries: int = 2
    temperature: float | None = None

    @property
    def adviser(self) -> Adviser:
        return Adviser(
            name=self.name,
            ask=partial(ask, self),
            timeout=self.timeout,
            key=self.key,
            says=f"{self.model} at {urlsplit(self.url).hostname}",
        )


def is_here(parts: SplitResult) -> bool:
    """Whether a URL is one of this machine."""
    try:
        return parts.hostname == "localhost" or ip_address(parts.hostname or "").is_loopback
    except ValueError:
        return False


async def ask(
    endpoint: Endpoint,
    request: Request,
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
) -> Reply:
    """The reply; NoReply says why there is none. A server that is busy, fails, or cannot be
    reached is asked again, each time after twice as long, or when it says. Raises AdviserKey."""
    import httpx  # noqa: PLC0415  heavy: only for a question

    _hush()
    _ASKING.set(True)
    key = secret(endpoint.adviser)
    headers = {"Accept-Encoding": "identity"}  # a reply that unpacks to more than it is long
    if key is not None:
        headers["Authorization"] = f"Bearer {key}"
    async with httpx.AsyncClient(
        headers=headers,
        timeout=httpx.Timeout(None, connect=CONNECT),
        follow_redirects=False,  # the key is for nobody else
        # A proxy of the environment cannot reach this machine, and would see what is asked.
        trust_env=not is_here(urlsplit(endpoint.url)),
    ) as client:
        for attempt in range(endpoint.retries + 1):
            try:
                return await _send_once(client, endpoint, request, key)
            except NoReply as failed:
                if failed.again is None or attempt == endpoint.retries:
                    times = f"; asked {attempt + 1} times" if attempt else ""
                    raise NoReply(f"{failed}{times}") from None
                # Twice as long each time, or many notebooks would come back to a busy server at
                # once.
                await sleep(max(0.5 * 2**attempt, failed.again))
    raise AssertionError("it is asked once at least")


async def _send_once(
    client: httpx.AsyncClient, endpoint: Endpoint, request: Request, key: str | None
) -> Reply:
    import httpx  # noqa: PLC0415  (as above)

    said = [("system", request.system), ("user", request.prompt)]
    body: dict[str, Any] = {
        "model": endpoint.model,
        "messages": [{"role": role, "content": text} for role, text in said if text],
    }
    if endpoint.temperature is not None:
        body["temperature"] = endpoint.temperature
    read = bytearray()
    try:
        async with client.stream("POST", f"{endpoint.url}/chat/completions", json=body) as response:
            # Raw and in parts: what a server sends without end must not fill the memory.
            async for part in response.aiter_raw():
                read += part
                if len(read) > MAX_REPLY_BYTES:
                    raise NoReply(f"its reply is longer than {MAX_REPLY_BYTES:,} bytes")
    except (httpx.NetworkError, httpx.RemoteProtocolError, httpx.ConnectTimeout) as error:
        raise NoReply(f"it cannot be reached ({hide_key(_words(error), key)})", again=0) from None
    except httpx.HTTPError as error:
        raise NoReply(f"it cannot be asked ({hide_key(_words(error), key)})") from None
    if response.is_success:
        return Reply(text=_text(bytes(read)))
    raise _no(response, bytes(read), endpoint, key)


def _no(response: httpx.Response, body: bytes, endpoint: Endpoint, key: str | None) -> NoReply:
    status = response.status_code
    if status in (401, 403):  # such an answer likes to repeat the key
        which = "it wants a key" if key is None else f"it does not take the key in {endpoint.key}"
        return NoReply(f"{which} ({status})")
    if response.is_redirect:
        return NoReply(f"it sends elsewhere ({status}), where the key does not go: mend the URL")
    why = f"it answered {status}"
    says = hide_key(_error_message(body), key)
    why = f"{why}: {says[:200]}" if says else why
    if status in _AGAIN or status >= 500:
        wait = _seconds(response.headers.get("Retry-After", ""))
        if wait > MAX_WAIT:
            return NoReply(f"{why}; it may be asked again in {wait:g} s")
        return NoReply(why, again=wait)
    return NoReply(why)


def _text(body: bytes) -> str:
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        raise NoReply("its reply is no JSON") from None
    try:
        content = data["choices"][0]["message"]["content"]
    except (LookupError, TypeError):
        raise NoReply("its reply has no choices[0].message.content") from None
    if not isinstance(content, str):
        raise NoReply("its reply has no text")
    return content


def _error_message(body: bytes) -> str:
    """What `{"error": {"message": …}}` says, on one line."""
    try:
        message = json.loads(body)["error"]["message"]
    except (ValueError, RecursionError, LookupError, TypeError):
        return ""
    return " ".join(message.split()) if isinstance(message, str) else ""


def _seconds(header: str) -> float:
    """`Retry-After` in seconds. A date is not waited for: the clocks may differ."""
    digits = header.strip()
    return float(digits) if digits.isascii() and digits.isdigit() and len(digits) < 9 else 0.0


def _words(error: Exception) -> str:
    return str(error) or type(error).__name__


def _hush() -> None:
    """What the libraries would log of our questions has headers in it, of replies too."""
    for name in _LOGGERS:
        logging.getLogger(name).addFilter(_is_not_asking)


def _is_not_asking(record: logging.LogRecord) -> bool:
    return not _ASKING.get()
