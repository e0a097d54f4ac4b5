"""who is asked -> what they say: advisers, models, planners, reviewers."""
