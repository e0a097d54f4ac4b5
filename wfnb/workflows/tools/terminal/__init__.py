"""A program in a terminal: started, typed to, waited for, read as a person would see it, ended."""
