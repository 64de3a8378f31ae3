"""The picture of a step: it turns into the next one, and its options can be tapped."""

from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from pages.learn.story import Pick
from pages.ui import session

_watch = st.components.v2.component(
    "labelrank_motion",
    js=Path(__file__).with_suffix(".js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


def watch(key: str) -> None:
    """Let the picture of the stage turn into the next one."""
    _mount(key, {"question": None, "options": [], "chosen": [], "several": True, "taps": 0})


def tappable(key: str, pick: Pick, answers: str) -> None:
    """Let the options be tapped in the picture as well, and kept as the answers."""
    data = {
        "question": answers,
        "options": list(pick.options),
        "chosen": _listed(session.get_state(answers)),
        "several": pick.several,
        "taps": session.get_state(f"{answers}-taps", 0),
    }
    _mount(key, data, on_tapped_change=partial(store_taps, key, pick, answers))


def _mount(key: str, data: dict[str, Any], **callbacks: Any) -> None:
    with st.container(key="lesson_motion"):
        _watch(key=key, data=data, **({"on_tapped_change": _ignore} | callbacks))


def _ignore() -> None:
    """Nothing is asked for."""


def _listed(picked: Any) -> list[int]:
    """Return picks as a list: a single one is the option itself, or None."""
    return [picked] if isinstance(picked, int) else list(picked or [])


def store_taps(key: str, pick: Pick, answers: str) -> None:
    """Store the tapped options, unless the browser sent something else."""
    match session.get_state(key, {}).get("tapped"):
        case {"chosen": [*options], "taps": int(taps)}:
            options = [option for option in range(len(pick.options)) if option in options]
            session.set_state(answers, options if pick.several else next(iter(options), None))
            session.set_state(f"{answers}-taps", taps)
