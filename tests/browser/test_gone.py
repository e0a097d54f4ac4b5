"""What a page leaves in the kernel: nothing; and how one that was let go comes back."""

from playwright.sync_api import expect

from .lab import Lab

OWNED = """\
import comm
from wfnb.jupyter.panel.comms import channel_of
_manager = getattr(getattr(get_ipython().kernel, "shell_channel_thread", None), "manager", None)
print([len([each for each in comm.get_comm_manager().comms.values()
            if each.target_name in ("wfnb.state", "wfnb.control")]),
       len([] if _manager is None else _manager.list_subshell()),
       len(channel_of(get_ipython()).publisher._listeners)])
"""


def printed(lab: Lab, code: str) -> str:
    """What code prints that is run in the kernel and in no cell."""
    return str(
        lab.run(
            """
            const {kernel} = app.shell.currentWidget.sessionContext.session;
            const future = kernel.requestExecute({code: values[0], store_history: false});
            let text = '';
            future.onIOPub = ({content}) => { text += content.text ?? ''; };
            await future.done;
            return text;
            """,
            code,
        )
    )


def live(lab: Lab) -> None:
    """Until the panel is connected: the journal shows the steps before that."""
    expect(lab.rows).to_have_count(3)
    expect(lab.panel.get_by_role("button", name="undo")).to_be_enabled()


def owned(lab: Lab, wanted: str) -> str:
    """What front ends have in the kernel: comms, threads, listeners; as soon as it is so."""
    found = ""
    for _ in range(300):
        found = printed(lab, OWNED)
        if found == wanted:
            break
        lab.page.wait_for_timeout(100)
    return found


def test_a_notebook_that_is_closed_and_opened_again_and_a_page_that_is_reloaded_leave_nothing(
    steps: Lab,
):
    before = printed(steps, OWNED)
    assert before.startswith("[2, ")

    steps.command("docmanager:save")
    for _ in range(5):
        steps.run(
            """
            const panel = app.shell.currentWidget;
            panel.context.model.dirty = false; // it was saved
            panel.close();
            """
        )
        steps.open("steps.ipynb")
        live(steps)
    closed = owned(steps, before)
    for _ in range(3):
        steps.again()
        live(steps)
    reloaded = owned(steps, before)

    assert (closed, reloaded) == (before, before)


def test_a_panel_that_the_kernel_let_go_unheard_comes_back_by_itself(steps: Lab):
    before = printed(steps, OWNED)
    printed(
        steps,
        "channel = channel_of(get_ipython())\nfor name in channel._fronts.all: channel._drop(name)",
    )

    steps.cell("%%step After that\n0")

    expect(steps.rows).to_have_count(4)
    assert owned(steps, before) == before


def test_a_panel_that_made_room_for_others_comes_back_when_it_is_looked_at(steps: Lab):
    printed(steps, OWNED)
    printed(
        steps,
        "import wfnb.jupyter.panel.publisher as publisher\n"
        "publisher.MAX_FRONT_ENDS = 1\n"
        "channel_of(get_ipython()).publisher.join('another', lambda told: None)",
    )
    expect(steps.panel.get_by_text("The history as it was saved")).to_be_visible()
    expect(steps.rows).to_have_count(3)

    steps.page.evaluate("() => window.dispatchEvent(new Event('focus'))")

    live(steps)
