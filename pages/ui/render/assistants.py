"""Who reads a page: a person in a browser, or an assistant by Streamlit's agent access."""

from streamlit.elements.lib import agent_spec


def is_reading() -> bool:
    """Tell whether an assistant reads the page: it gets the text of drawings, not their markup."""
    return agent_spec.is_recording()
