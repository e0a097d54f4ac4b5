import pytest

from wfnb.render.text.text_width import clusters, columns, cut, pixels, wrap


@pytest.mark.parametrize(
    ("text", "wide"),
    [("", 0), ("ab", 2), ("残差", 4), ("e\u0301", 1), ("👩\u200d🔬", 2), ("🇫🇷", 2), ("ﾊ", 1)],
)
def test_a_text_takes_the_columns_of_a_terminal(text, wide):
    assert columns(text) == wide


@pytest.mark.parametrize("text", ["👩\u200d🔬" * 9, "e\u0301" * 30, "🇫🇷" * 9, "👍🏽" * 9])
@pytest.mark.parametrize("room", range(1, 20))
def test_a_cut_never_splits_what_is_seen_as_one_sign(text, room):
    whole = set(clusters(text)) | {"…"}

    short = cut(text, room)

    assert set(clusters(short)) <= whole
    assert columns(short) <= room


def test_a_wrapped_text_fits_and_loses_nothing_that_fits():
    text = "Are the residuals of the robust model drifting with time?"

    lines = wrap(text, 20, 9)

    assert " ".join(lines) == text
    assert max(map(columns, lines)) <= 20


def test_pixels_grow_with_the_size_and_the_width_of_signs():
    assert pixels("il") < pixels("ab") < pixels("MW") == pixels("残差")
    assert pixels("ab", 24) == 2 * pixels("ab", 12)
