"""What a link says that cannot be shown: kept from the widgets, and told."""

import math
from collections.abc import Iterable
from contextlib import suppress
from functools import partial

import streamlit as st

from pages.ui import params, state, text

_LONGEST = 40


def settle() -> None:
    """Take numbers beyond all bounds out of the address, before a widget reads them."""
    state.link(dict(st.query_params))
    endless = [name for name, word in st.query_params.items() if _is_endless(word)]
    if endless:
        for name in endless:
            del st.query_params[name]
        st.rerun()


def tell(page: str) -> None:
    """Name what a link asked for and did not get, as long as the page shows the other value."""
    shown = _shown()
    asked = state.link().items()
    replaced = {
        key: (word, shown[key][1])
        for key, word in asked
        if key in shown and not _same(word, shown[key][1])
    }
    kept = state.replaced(page, replaced)
    words = [
        f"{text.markdown(shown[key][0])} {text.markdown(text.shorten(word, _LONGEST))} "
        f"({text.markdown(instead)} is shown)"
        for key, (word, instead) in kept.items()
        if key in shown and shown[key][1] == instead
    ]
    if words:
        st.info(
            f"The link asks for what is not possible here: {', '.join(words)}.",
            icon=":material/link_off:",
        )


def mend(is_new: bool) -> None:
    """Put back into the address what a click into the menu has lost.

    The browser keeps only what stands in widgets that it has drawn already.
    """
    before, now = state.address(dict(st.query_params)), st.query_params
    lost = [key for key in (state.DATA, *_shown()) if key in before and key not in now]
    if is_new and lost:
        state.run_again(partial(_set_again, lost))


def _set_again(keys: Iterable[str]) -> None:
    for key in keys:
        state.put(key, state.get(key))


def _is_endless(word: str) -> bool:
    with suppress(ValueError):
        return math.isinf(float(word))
    return False


def _same(word: str, shown: str) -> bool:
    if word.strip().lower() == shown.lower():
        return True
    with suppress(ValueError):
        return float(word) == float(shown)
    return False


def _shown() -> dict[str, tuple[str, str]]:
    """List what the sidebar shows by its name in a link: what it is called, and its value."""
    choice, split = state.choice(), state.split()
    shown = {
        state.METHOD: ("Method", choice.algorithm.title),
        state.ROW: ("Case", str(state.row() + 1)),
        state.SCALED: ("Scaling", str(choice.scaled)),
        state.SPLIT_KIND: ("Test set", split.kind),
    }
    if state.dataset().has_word_counts:
        shown[state.TFIDF] = ("TF-IDF", str(choice.tfidf))
    if split.kind == "random":
        shown[state.SEED] = ("Seed", str(split.seed))
        shown[state.TEST_SHARE] = ("Share of test rows (%)", f"{100 * split.test_share:.0f}")
    for knob in choice.algorithm.knobs:
        if knob.name in choice.values and knob.matters(choice.values):
            value = params.value_text(knob, choice.values[knob.name])
            shown[f"{choice.key}_{knob.name}"] = (knob.label, value)
    return shown
