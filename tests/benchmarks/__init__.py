"""What wfnb costs: `python -m tests.benchmarks` measures it and writes RESULTS.md."""
