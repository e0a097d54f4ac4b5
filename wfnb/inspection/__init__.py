"""files and repositories -> what there is to see, as values of `facts.py`."""
