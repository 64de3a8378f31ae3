"""The picture of a step: it turns into the next one, and what is asked for is tapped in it."""

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
    _show(key, {"question": None, "options": [], "chosen": [], "several": True, "taps": 0})


def tappable(key: str, asked: Pick, answers: str) -> None:
    """Let what is asked for be tapped in the picture as well, and kept as the answers."""
    data = {
        "question": answers,
        "options": list(asked.options),
        "chosen": _listed(session.get(answers)),
        "several": asked.several,
        "taps": session.get(f"{answers}-taps", 0),
    }
    _show(key, data, on_tapped_change=partial(take, key, asked, answers))


def _show(key: str, data: dict[str, Any], **callbacks: Any) -> None:
    with st.container(key="lesson_motion"):
        _watch(key=key, data=data, **({"on_tapped_change": _ignore} | callbacks))


def _ignore() -> None:
    """Nothing is asked for."""


def _listed(picked: Any) -> list[int]:
    """Return what is picked as a list: of one thing it is the thing itself, or None."""
    return [picked] if isinstance(picked, int) else list(picked or [])


def take(key: str, asked: Pick, answers: str) -> None:
    """Keep what was tapped, unless the browser sent something else."""
    match session.get(key, {}).get("tapped"):
        case {"chosen": [*chosen], "taps": int(taps)}:
            chosen = [place for place in range(len(asked.options)) if place in chosen]
            session.put(answers, chosen if asked.several else next(iter(chosen), None))
            session.put(f"{answers}-taps", taps)
