"""Choices among options, or rows of a table, that follow from data, method or case."""

from collections.abc import Callable, Sequence
from typing import Any

from pages.ui import compute, session
from pages.ui.render import assistants

# What a widget calls the option that is chosen to begin with.
_DEFAULT_NAMES = {
    "selectbox": "index",
    "radio": "index",
    "select_slider": "value",
    "segmented_control": "default",
    "pills": "default",
    "multiselect": "default",
}
_FIRST = object()


def table_key(name: str, *rows: Any) -> str:
    """Return the key of a table in which one ticks rows: other rows make another table.

    A tick is a position in the table, which the browser keeps for the key.
    """
    return f"{name}-{compute.digest(name, *rows)[:8]}"


def choose(
    widget: Callable[..., Any],
    label: str,
    options: Sequence[Any],
    default: Any = _FIRST,
    *,
    key: str,
    format_func: Callable[[Any], str] = str,
    follows_default: bool = True,
    help: str | Callable[[Any], str] | None = None,
    **settings: Any,
) -> Any:
    """Draw a widget whose options may differ in the next run, and return the choice.

    Streamlit knows a widget by its key alone: when only its options change, the browser keeps the
    text of an option that may be gone, or that means another one by now.
    `widget` is a function such as `st.selectbox`; without a default the first option is chosen.
    A choice that was never changed follows a new default, or stays as long as it is offered.
    `help` may be a function of what is chosen.
    """
    options = tuple(options)
    if default is _FIRST:
        default = options[0] if options else None
    offer = session.Offer(options, tuple(map(format_func, options)), default)
    session.update_choice(key, offer, follows_default=follows_default)
    if callable(help):
        # Where a link chooses, the browser learns of its choice from the widget.
        help = help(session.get_state(key, default))
    if assistants.is_reading():
        # The reference has them: a page of an assistant is short.
        help = None
    name = _DEFAULT_NAMES[widget.__name__]
    start = options.index(default) if name == "index" and default is not None else default
    settings |= {name: start, "help": help}
    return widget(label, options, format_func=format_func, key=key, **settings)
