"""Values of every type, by the names that placeholders have for them."""

SCOPE = {
    "n": 3,
    "x": 2.5,
    "yes": True,
    "no": False,
    "nothing": None,
    "text": "two words",
    "tricky": "{n} {{n}} {steps.a.out!q}",
    "items": [1, {"b": [None, "é"]}],
    "a.b": "whole name",
    "steps": {"a": {"out": "it's"}, "b-2": {"code": 0}, "检查": {"stdout": "好"}},
    "größe": 3,
    "state": {"field": "value"},
}
