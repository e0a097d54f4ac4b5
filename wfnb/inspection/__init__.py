"""files and repositories -> what there is to see, as values of `result_types.py`."""
