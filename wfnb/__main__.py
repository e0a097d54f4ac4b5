"""`python -m wfnb …` -> what the command `wfnb` does."""

from wfnb.cli import main

if __name__ == "__main__":
    main()
