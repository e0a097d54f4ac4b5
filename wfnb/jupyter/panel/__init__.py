"""the session, live: what a front end is told, and what it may ask of this kernel.

    followed_session.py, followed_runs.py -> publisher.py -> comm `wfnb.state`
                                                              (a snapshot, then changes)
    comm `wfnb.control` -> control_comm.py -> request_models.py -> request_actions.py: as magics

`labextension/src/protocol.ts` says what these messages are. Nothing here is imported before a front
end connects or a widget is shown, but `comms.py`, which waits for that.
"""
