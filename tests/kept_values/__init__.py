"""Kept values: what was kept comes back, or is named with the reason."""
