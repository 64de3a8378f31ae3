"""Which expanders and popovers are open in tests: a page draws what is in them once they are."""

from collections.abc import Callable
from typing import Any

import pytest
from streamlit.elements.lib.mutable_expander_container import ExpanderContainer
from streamlit.elements.lib.mutable_popover_container import PopoverContainer


def every(_place: Any) -> bool:
    """All are open."""
    return True


def none(_place: Any) -> bool:
    """None is open."""
    return False


def that_can_tell(place: Any) -> bool:
    """Those are open that run the page when they are opened."""
    return place._open is not None


def as_visited(place: Any) -> bool | None:
    """Those are open that a visitor has opened."""
    return place._open


def set_open(patch: pytest.MonkeyPatch, is_open: Callable[[Any], bool | None]) -> None:
    """Let pages find those open of which a function says so."""
    for container in (ExpanderContainer, PopoverContainer):
        patch.setattr(container, "open", property(is_open, container.open.fset))
