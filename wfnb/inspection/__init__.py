"""files and repositories -> what there is to see, as values of `wfnb/core/inspection_facts.py`."""
