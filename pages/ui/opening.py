"""What a page draws only once somebody opens it: every run is shorter for all who do not."""

from typing import Any


def is_open(place: Any) -> bool:
    """Tell whether an expander or a popover that runs the page when it is opened is open."""
    return bool(place.open)
