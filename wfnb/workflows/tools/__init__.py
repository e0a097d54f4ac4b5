"""a tool's name and its parameters -> the fields of its result: what a workflow may call.

tool.py, signature.py     a function -> a tool, its schema, its parameters read
registry.py               a name -> a tool; `@wfnb.tool`
perform.py                a tool and its parameters -> fields, stopped when it is cancelled
context.py                what a tool may know of its call
outcome.py                what it returned or raised -> fields
threads.py, command.py,   where it runs: a thread, a program, an interpreter of its own
apart.py, children.py     ... and how all of that is ended
shell.py, python.py, …    the built-in ones; terminal/ has seven of them
"""
