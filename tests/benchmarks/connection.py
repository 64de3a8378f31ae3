"""A session as a browser has it, by its connection alone."""

from time import perf_counter

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.Slider_pb2 import Slider
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import connect

# The whole script has run, or the part of it that a widget runs.
_ENDS = (
    ForwardMsg.FINISHED_SUCCESSFULLY,
    ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY,
)


def connected(server, cookies=None):
    """Connect to a server's app; a context that gives the socket."""
    said = "; ".join(f"{name}={value}" for name, value in (cookies or {}).items())
    return connect(
        f"ws://{server.url.removeprefix('http://')}/_stcore/stream",
        origin=server.url,
        subprotocols=["streamlit"],
        additional_headers={"Cookie": said} if said else None,
        max_size=None,
        open_timeout=120,
    )


class Connection:
    """One session on a page; subclasses hear what the page draws."""

    def __init__(self, socket, page, query=""):
        self.socket = socket
        self.page = page
        self.query = query
        self._states = {}

    async def run(self, *changed, fragment=""):
        """Run the page with changed widgets; return the seconds until the last of it has come.

        With a fragment only this part of it runs, as a browser lets it by the clock.
        """
        self._states |= {state.id: state for state in changed}
        message = BackMsg()
        message.rerun_script.query_string = self.query
        message.rerun_script.page_name = self.page
        message.rerun_script.fragment_id = fragment
        message.rerun_script.is_auto_rerun = bool(fragment)
        message.rerun_script.widget_states.widgets.extend(self._states.values())
        # A click is sent once.
        clicks = [state.id for state in changed if state.WhichOneof("value") == "trigger_value"]
        for clicked in clicks:
            del self._states[clicked]
        start = perf_counter()
        await self.socket.send(message.SerializeToString())
        async for received in self.socket:
            if self.has_ended(ForwardMsg.FromString(received)):
                return perf_counter() - start
        raise RuntimeError("The server has hung up.")

    def has_ended(self, message):
        """Take one message in; tell whether it is the last of its run."""
        kind = message.WhichOneof("type")
        if kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            element = message.delta.new_element
            if element.WhichOneof("type") == "exception":
                raise RuntimeError(element.exception.message)
            state = _begun(element)
            if state is not None:
                self._states.setdefault(state.id, state)
            self.hear(element)
        return kind == "script_finished" and message.script_finished in _ENDS

    def hear(self, element):
        """Take in an element that the page draws."""


def _begun(element):
    """Return the state in which a browser reports a new widget, None: it is none of the choices."""
    kind = element.WhichOneof("type")
    if kind not in {"selectbox", "slider", "number_input", "checkbox"}:
        return None
    widget = getattr(element, kind)
    state = WidgetState(id=widget.id)
    # A link or a callback has set it, or it has its default.
    value = widget.value if widget.set_value and kind != "selectbox" else widget.default
    if kind == "selectbox":
        state.string_value = widget.raw_value if widget.set_value else widget.options[value]
    elif kind == "number_input":
        state.double_value = value
    elif kind == "checkbox":
        state.bool_value = value
    elif widget.type == Slider.SELECT_SLIDER:
        state.string_array_value.data.extend(widget.options[int(i)] for i in value)
    else:
        state.double_array_value.data.extend(value)
    return state
