"""What is written is read back, apart from what the format is said to lose."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings

from labelrank_core import read_dataset
from labelrank_core.readers import formats
from labelrank_core.writers import FORMATS, writable_formats, write_dataset
from tests.written import content, datasets, without

KEYS = [form.key for form in FORMATS]


@pytest.fixture(scope="module", autouse=True)
def in_this_program():
    """Slow parsers read in this program: hundreds of child programs would take minutes."""
    with pytest.MonkeyPatch.context() as patch:
        here = tuple(replace(form, in_child=False) for form in formats.FORMATS)
        patch.setattr(formats, "FORMATS", here)
        yield


@pytest.mark.parametrize("key", KEYS)
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(datasets())
def test_only_what_is_stated_is_lost(key, data):
    losses = {form.key: losses for form, losses in writable_formats(data)}
    if key not in losses:
        return
    again = read_dataset(write_dataset(data, key))
    assert content(again) == without(data, losses[key])
