"""words of a caller or of a file -> an endpoint, checked; no refusal shows a key."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from wfnb.core import validation
from wfnb.errors import BadValue

from .adviser import ADVISERS, HIDDEN, REPLY_TIMEOUT, checked_name, checked_time, checked_variable
from .chat import Endpoint, is_here


def endpoint(name: str, url: str, model: str, **says: Any) -> Endpoint:
    """`wfnb.endpoint("gpt", "https://api.openai.com/v1", "gpt-5")`: make a model behind a URL an
    adviser of this process. `key` is the name of the environment variable that has the key
    (default OPENAI_API_KEY; None: none is needed), `timeout` (60 seconds) is for a whole reply,
    `retries` is 2, `temperature` the server's. Raises BadValue."""
    made = check_endpoint({"name": name, "url": url, "model": model, **says})
    ADVISERS.register(made.adviser)
    return made


def check_endpoint(given: dict[str, Any]) -> Endpoint:
    """Raises BadValue, which shows no key."""
    known = Endpoint.__dataclass_fields__
    for field in given:
        if field not in known:
            raise BadValue("endpoint", str(field)[:60], f"no other words than {', '.join(known)}")
    for field in ("url", "model"):
        if field not in given:
            raise BadValue(field, "", "a value")
    # In Python the `true` of a YAML file is an int, too.
    retries = given.get("retries", 2)
    if not isinstance(retries, int) or isinstance(retries, bool) or not 0 <= retries <= 10:
        raise BadValue("retries", str(retries)[:60], "a whole number from 0 to 10")
    warmth = given.get("temperature")
    return Endpoint(
        name=checked_name(given.get("name")),
        url=_checked_url(given["url"]),
        model=validation.line("model", given["model"], 200),
        key=checked_variable(given.get("key", "OPENAI_API_KEY")),
        timeout=checked_time(given.get("timeout", REPLY_TIMEOUT)),
        retries=retries,
        temperature=None if warmth is None else validation.number("temperature", warmth),
    )


def _checked_url(url: Any) -> str:
    """What may have a password or a key in it is not shown."""
    needs = "https://HOST/PATH without a user, a query or a fragment; http for this machine only"
    try:
        parts = urlsplit(url if isinstance(url, str) else "")
        plain = parts.hostname and (parts.port is None or parts.port > 0)
    except ValueError:
        raise BadValue("url", HIDDEN, needs) from None
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise BadValue("url", f"{parts.scheme}://{HIDDEN}", needs)
    ours = parts.scheme == "https" or (parts.scheme == "http" and is_here(parts))
    if not plain or not ours or not url.isprintable() or " " in url:
        raise BadValue("url", str(url)[:100], needs)
    return str(url).rstrip("/").removesuffix("/chat/completions")
