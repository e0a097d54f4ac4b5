"""a tool's name and its parameters -> the fields of its result: what a workflow may call.

tool.py, signature.py     a function -> a tool, its schema, its parameters read
registry.py               a name -> a tool; `@wfnb.tool`
tool_execution.py         a tool and its parameters -> fields, stopped when it is cancelled
call_context.py           what a tool may know of its call
result_fields.py,         what it returned -> fields
failure_fields.py         what it raised -> fields
child_program.py,         a program, or a process of its own for a function
subprocess_call.py
process_cleanup.py,       how all that a process started is ended
watchdog_process.py
shell.py, python.py, …    the built-in ones; terminal/ has seven of them
"""
