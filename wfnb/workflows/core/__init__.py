"""what is asked of a run -> what has happened in it -> the run, and what is to be done next."""
