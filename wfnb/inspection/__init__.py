"""files and repositories -> what there is to see in them, as the values of `wfnb/core/seen.py`."""
