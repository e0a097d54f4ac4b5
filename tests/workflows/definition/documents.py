"""Random workflow documents: mostly right, then bent somewhere."""

from hypothesis import strategies as st

NAMES = st.text("abz_-9", min_size=1, max_size=4)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5000) | st.floats(-1, 8000) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)
PATTERNS = st.sampled_from(["a", "^x$", "(?P<port>[0-9]+)", "b|c"])
CONDITIONS = st.recursive(
    st.fixed_dictionaries(
        {},
        optional={
            "success": st.booleans(),
            "pattern_match": PATTERNS,
            "pattern_not_match": PATTERNS,
            "field_equals": st.dictionaries(NAMES, JSON, min_size=1, max_size=2),
            "field_contains": st.dictionaries(NAMES, JSON, min_size=1, max_size=2),
            "timeout_occurred": st.booleans(),
        },
    ).filter(bool),
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            "any": st.lists(inner, min_size=1, max_size=2),
            "all": st.lists(inner, min_size=1, max_size=2),
            "not": inner,
        },
    ),
    max_leaves=3,
).filter(bool)
REPEATS = st.fixed_dictionaries(
    {"until": CONDITIONS | st.just("size > 3")},
    optional={"wait": st.floats(0, 200), "at_most": st.integers(1, 10_000)},
)
RETRIES = st.integers(0, 3) | st.fixed_dictionaries(
    {"attempts": st.integers(0, 100) | st.just(2.0)},
    optional={
        "wait": st.floats(0, 200),
        "backoff": st.sampled_from(["constant", "linear", "exponential"]),
        "factor": st.floats(1, 10),
        "jitter": st.integers(0, 9) | st.just([1, 2.5]),
        "max_wait": st.floats(200, 3600),
        "max_total": st.integers(0, 7200),
        "when": CONDITIONS,
        "unless": CONDITIONS,
    },
)
PARAMS = st.dictionaries(NAMES, JSON, min_size=1, max_size=2)
CALLS = {"tool": st.sampled_from(["shell", "a.b-c"])}
COMPENSATIONS = st.sampled_from(["params", "args"]).flatmap(
    lambda name: st.fixed_dictionaries(
        CALLS, optional={name: PARAMS, "retry": RETRIES, "timeout": st.just(5)}
    )
)
ITEMS = st.lists(JSON, max_size=3) | st.sampled_from(["lines(x)", "rows[0].names"])
EACH = ITEMS | st.fixed_dictionaries(
    {"items": ITEMS | st.dictionaries(NAMES, JSON, max_size=2)},
    optional={
        "max_parallel": st.integers(1, 256),
        "tolerate": st.integers(0, 9) | st.sampled_from(["0%", "10%", "99.5%"]),
    },
)
FALLBACKS = st.fixed_dictionaries(
    CALLS, optional={"args": PARAMS, "when": CONDITIONS, "compensation": COMPENSATIONS}
) | st.fixed_dictionaries({"result": st.dictionaries(NAMES, JSON, max_size=2)})
WORK = {
    "description": st.text(max_size=5),
    "when": st.sampled_from(["a == 1", "item.size > 3"]),
    "for_each": EACH,
    "repeat": REPEATS,
    "on_error": st.lists(FALLBACKS, max_size=2),
    "retry": RETRIES,
    "timeout": st.floats(0.1, 300),
    "idle_timeout": st.just(0.1),
    "compensation": COMPENSATIONS,
    "compensate_on_failure": st.booleans(),
    "idempotent": st.booleans(),
    "capture": st.just("(?P<a>b)") | st.just(["(?P<a>b)", "(?P<c>d)"]),
    "cache": st.booleans(),
    "always": st.just(False),
}
VARIABLES = st.dictionaries(
    st.sampled_from(["a", "b_1", "c-d"]),
    st.text(max_size=3)
    | st.integers()
    | st.none()
    | st.lists(st.integers(), max_size=2)
    | st.fixed_dictionaries(
        {},
        optional={
            "default": JSON,
            "secret": st.booleans(),
            "description": st.text(max_size=3),
            "choices": st.lists(JSON, min_size=1, max_size=2),
            "type": st.sampled_from(["string", "integer", "object"]),
        },
    ),
    max_size=2,
)
WHOLE = {
    "$schema": st.just("urn:wfnb:workflow:1"),
    "description": st.text(max_size=5),
    "version": st.just("1.0") | st.just(2.5),
    "variables": VARIABLES,
    "rollback": st.booleans(),
    "rollback_on_cancel": st.booleans(),
    "max_states": st.integers(1, 1000),
    "timeout": st.floats(1, 7200),
}


@st.composite
def states(draw):
    names = draw(st.lists(st.sampled_from(["a", "b", "_c1"]), min_size=1, unique=True))
    target = st.sampled_from(names)
    transition = st.fixed_dictionaries({"condition": CONDITIONS, "next_state": target})
    call = st.fixed_dictionaries(CALLS, optional={"params": PARAMS})
    state = st.fixed_dictionaries(
        {"action": call},
        optional={**WORK, "transitions": st.lists(transition, max_size=2), "on_timeout": target},
    )
    ways = {"transitions": st.lists(transition, max_size=2), "when": WORK["when"]}
    kinds = {
        name: state | groups(name, ways | {"description": WORK["description"]}) for name in names
    }
    return draw(
        st.fixed_dictionaries(
            {
                "name": st.sampled_from(["w", "My-flow_2"]),
                "initial_state": target,
                "states": st.fixed_dictionaries(kinds),
            },
            optional=WHOLE,
        )
    )


@st.composite
def groups(draw, name, optional):
    ids = [f"{name}-{n}" for n in range(draw(st.integers(1, 2)))]
    optional = optional | {
        "mode": st.sampled_from(["sequence", "parallel"]),
        "max_parallel": st.integers(1, 256),
    }
    return draw(st.fixed_dictionaries({"steps": listed(ids)}, optional=optional))


@st.composite
def steps(draw):
    ids = draw(st.lists(st.sampled_from(["a", "b-1", "c"]), min_size=1, unique=True))
    optional = {
        **WHOLE,
        "name": st.just("w"),
        "mode": st.sampled_from(["sequence", "parallel"]),
        "max_parallel": st.integers(1, 256),
    }
    return draw(st.fixed_dictionaries({"steps": listed(ids)}, optional=optional))


@st.composite
def listed(draw, ids):
    made = []
    for n, step_id in enumerate(ids):
        how = st.sampled_from([{}, {"even_if": "failed"}, {"only_if": "failed"}])
        need = st.builds(
            lambda id, more: {"id": id, **more} if more else id,
            st.sampled_from(ids[:n] or [""]),
            how,
        )
        needs = st.lists(
            need, max_size=2, unique_by=lambda need: need if isinstance(need, str) else need["id"]
        )
        step = st.fixed_dictionaries(
            {"id": st.just(step_id), **CALLS},
            optional={
                **WORK,
                "args": PARAMS,
                "needs": needs if n else st.just([]),
                "on_failure": st.sampled_from(["stop", "continue"]),
            },
        )
        made.append(draw(step))
    return made


def places(value, path=()):
    """Every place in a document, the whole one first."""
    yield path
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from places(value[key], (*path, key))


def bent(value, path, how):
    """The document with something else at one place; `how` None: with nothing there."""
    if not path:
        return how
    head, *rest = path
    copy = value.copy()
    if rest or how is not None:
        copy[head] = bent(copy[head], rest, how)
    else:
        del copy[head]
    return copy


@st.composite
def documents(draw):
    """A document that is right, or is wrong at one or two places."""
    document = draw(states() | steps())
    for _ in range(draw(st.integers(0, 2))):
        path = draw(st.sampled_from(list(places(document))))
        how = draw(JSON | st.just({"colour": 1}) | st.sampled_from([None, 0.05, 301, 1001, "1"]))
        document = bent(document, path, how)
        if not isinstance(document, dict):
            break
    return document
