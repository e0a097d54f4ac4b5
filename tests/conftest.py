"""How Hypothesis looks for counter-examples: the same ones every time, and never by the clock.

`pytest --hypothesis-profile=explore` looks for new ones.
"""

from hypothesis import settings

settings.register_profile("same", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("explore", deadline=None, max_examples=1_000, print_blob=True)
settings.load_profile("same")
