"""messages of an agent on stdin -> what is done in a session, and answers on stdout (MCP).

A host as the notebook and the shell are: it spells tools, and decides nothing.

    connection.py           the sessions that an agent works in, and what it may do
    tool_declaration.py     a function -> a tool: what it takes, what it gives, what it changes
    changes_by_others.py    what others did since the last answer -> sentences
    agent_step_numbers.py   numbers that an agent gives its steps -> the steps
    tools/                  the tools, a module for each area
    resources.py            what can be read by its address
    subscriptions.py,       who is told when what is there changes
    legacy_client_subscriptions.py
    prompts.py              what a person may choose to say
    hints_as_tool_calls.py  hints -> calls of these tools
    jupyter_tools.py        the tools as functions, which Jupyter's own MCP server finds
    protocol_answers.py     a request -> its answer, in the types of the SDK
    stdio_server.py         all of that -> the server of the SDK, which greets before the rest loads
"""
