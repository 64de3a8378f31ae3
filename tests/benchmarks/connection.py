"""A session as a browser has it, by its connection alone."""

from time import perf_counter

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import connect


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

    async def run(self, *states):
        """Run the page with states of widgets; return the seconds until the last of it has come."""
        message = BackMsg()
        message.rerun_script.query_string = self.query
        message.rerun_script.page_name = self.page
        message.rerun_script.widget_states.widgets.extend(states)
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
            self.hear(element)
        return (
            kind == "script_finished"
            and message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY
        )

    def hear(self, element):
        """Take in an element that the page draws."""
