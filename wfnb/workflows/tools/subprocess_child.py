"""a pickled function with its arguments -> its fields as JSON: what runs in a process apart."""

from __future__ import annotations

import json
import os
import pickle
import sys


def answer_task(task: int, answer: int) -> None:
    """Do the task in one open file, write the answer to the other."""
    sys.argv[1:] = []
    with open(task, "rb") as there, open(answer, "wb") as back:
        try:
            function, *args = pickle.load(there)
            answered = function(*args)
        except BaseException as error:  # it could not be read here
            from wfnb.workflows.tools.result_fields import outcome_of  # noqa: PLC0415  only where it is wanted

            answered = {"fields": outcome_of(error)}
        back.write(json.dumps(answered).encode())
        back.flush()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)  # what the task left behind (threads, exit functions) is not waited for
