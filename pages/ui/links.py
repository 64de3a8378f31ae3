"""The parts of a link that no widget holds, and messages on those that cannot be shown."""

import json
import math
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any
from urllib.parse import parse_qsl, urlencode

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.scriptrunner import get_script_run_ctx

from labelrank_core import list_samples
from pages.ui import address, kept, opening, params, state, text, uploads

_LONGEST = 40
# Whoever is sent a copied link is no teacher by it.
TEACHER = "teacher"
_CHANGED, _PINS, _CASES = "changed", "pins", "cases"
_WORDS = {_CHANGED: "values changed by hand", _PINS: "pins", _CASES: "cases of other data"}
# Together, as they stand in the address; some programs cut an address after 2000 characters.
_MOST_CHARACTERS = 1500
_MOST_TOLD = 5
# The key to the data that this browser brought.
_COOKIE = """((name, key) => {
  const safe = window.location.protocol === "https:" ? "; Secure" : ""
  document.cookie = `${name}=${key}; path=/; max-age=86400; SameSite=Strict${safe}`
})"""
# What the address says of a widget may be that of the run before, if it was moved twice at once.
_REPLACE = """((names, words, now) => {
  const same = (word, own) =>
    word.toLowerCase() === own.toLowerCase() || Number(word) === Number(own)
  const kept = window.location.search.slice(1).split("&").filter(Boolean).flatMap((each) => {
    const [name, word] = [...new URLSearchParams(each)][0]
    if (names.includes(name)) return []
    return [name in now && !same(word, now[name])
      ? new URLSearchParams([[name, now[name]]]).toString() : each]
  })
  const search = [...kept, ...(words ? [words] : [])].join("&")
  if (search !== window.location.search.slice(1))
    window.history.replaceState({}, "", window.location.pathname + (search && "?" + search))
})"""


def bring_back() -> None:
    """At the start of a session, restore the data that this browser brought before."""
    if state.get("_asked_back"):
        return
    state.put("_asked_back", True)
    key = st.context.cookies.get(uploads.COOKIE)
    found = uploads.UPLOADS.find(key)
    if found is not None:
        state.take_own(found.data, found.how_read, str(key))


def settle() -> None:
    """Remove infinite numbers from the address, before a widget reads them."""
    state.link(dict(st.query_params))
    # Widgets remove what they cannot show.
    state.put("_said", st.query_params.to_dict())
    if _goes_back() and not st.query_params:
        # Going back to an address without parameters keeps the choices in use.
        in_use = {key: state.get(key) for key in (state.DATA, *_shown())}
        state.run_again(partial(_put_all, in_use))
    endless = [name for name, word in st.query_params.items() if _is_endless(word)]
    if endless:
        for name in endless:
            del st.query_params[name]
        st.rerun()


def take(page: str) -> None:
    """At the start of a session, take over the parts of the address that no widget holds."""
    opened = state.get("_taken")
    if opened is not None:
        if opened != page:
            state.put("_problems", [])
        return
    said: dict[str, str] = state.get("_said")
    problems: list[str] = []
    if _CASES in said:
        known = {sample.name: sample for sample in list_samples()}
        rows, wrong = address.read_rows(said[_CASES], known)
        problems += wrong
        for name, row in rows.items():
            if name != state.get(state.DATA):
                kept.set_row(name, row)
    if state.DATA in said and said[state.DATA] != state.get(state.DATA):
        problems += _not_for_these([each for each in (_CHANGED, _PINS) if each in said])
    else:
        problems += _take_changes(said.get(_CHANGED), said.get(state.ROW))
        if _PINS in said:
            pins, wrong = address.read_pins(said[_PINS], state.dataset())
            kept.set_pins(state.dataset(), tuple(pins))
            problems += wrong
    state.put("_taken", page)
    state.put("_problems", list(dict.fromkeys(problems)))


def _goes_back() -> bool:
    """Tell whether Back or Forward in the browser caused this run."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def _take_changes(words: str | None, row: str | None) -> list[str]:
    if words is None:
        return []
    if row is not None and not _same(row, str(state.row() + 1)):
        return _not_for_these([_CHANGED])
    changed, problems = address.read_changes(words, state.dataset(), state.row())
    kept.set_changes(state.dataset(), state.row(), changed)
    return problems


def _not_for_these(kinds: Iterable[str]) -> list[str]:
    return [
        f"The link asks for {_WORDS[kind]}, which are of another case; they are left out."
        for kind in kinds
    ]


def keep() -> None:
    """Write into the address what no widget holds, so that a reload finds it again.

    In the browser, because this side may not know yet what widgets have just written there; and
    anew in every run, because widgets that the program changes write the address as it was.
    """
    fits, _ = _words()
    cookie = f"{_COOKIE}('{uploads.COOKIE}', '{state.upload_key()}')" if state.own_data() else ""
    state.put("_written", state.get("_written", 0) + 1)
    now = json.dumps({key: word for key, (_, word) in _shown().items()})
    # Outside the main part, which has no scripts; the words are letters, digits and ._~+%-.
    with st.sidebar:
        st.html(
            f"<script>/* {state.get('_written')} */{_REPLACE}"
            f"({json.dumps(list(_WORDS))}, '{urlencode(fits)}', {now});{cookie}</script>",
            unsafe_allow_javascript=True,
        )


def _words() -> tuple[dict[str, str], list[str]]:
    """Write what no widget holds as far as it fits, and name what does not."""
    dataset, own = state.dataset(), state.own_data()
    words = {}
    if state.get(state.DATA) not in own:
        words[_CHANGED] = address.write_changes(dataset, kept.changes(dataset, state.row()))
        words[_PINS] = address.write_pins(kept.pins(dataset))
    others = {
        name: row
        for name, row in kept.rows().items()
        if name not in own and name != state.get(state.DATA)
    }
    words[_CASES] = address.write_rows(others)
    fits, left_out, left = dict[str, str](), [], _MOST_CHARACTERS
    for kind, word in words.items():
        length = len(urlencode({kind: word}))
        if word and length > left:
            left_out.append(_WORDS[kind])
        elif word:
            fits[kind] = word
            left -= length
    return fits, left_out


def whole() -> tuple[str, list[str]]:
    """Return the address of what is shown, and what does not fit into it."""
    fits, left_out = _words()
    return f"{st.context.url}?{urlencode({**_of_widgets(), **fits})}", left_out


def with_values(link: str, values: Mapping[str, Any]) -> str:
    """Return a link with other values of some widgets."""
    address, _, words = link.partition("?")
    return f"{address}?{urlencode({**dict(parse_qsl(words)), **values})}" if values else link


def offer(place: DeltaGenerator) -> None:
    """Offer the address of what is shown, to copy."""
    popover = place.popover(
        "Copy link", icon=":material/link:", type="tertiary", key="copy_link", on_change="rerun"
    )
    # Written when it is opened: a part of the page that runs alone changes the address, too.
    if not opening.is_open(popover):
        return
    found, left_out = whole()
    with popover:
        st.text_input(
            "Opens this page with these data, method and case, your changed values and pins", found
        )
        if left_out:
            st.caption(f"Left out, because the link would be too long: {', '.join(left_out)}.")
        if state.get(state.DATA) in state.own_data():
            st.caption(
                "Your own data are not in the link, nor are changed values and pins: others see a "
                "sample instead."
            )


def _of_widgets() -> dict[str, str]:
    """Write what widgets hold: of every page as it is now, of this page as in the address."""
    shown, usual = _shown(), _usual()
    said = st.query_params.to_dict().items()
    left_out = (*_WORDS, *shown, state.DATA, TEACHER)
    own = {key: word for key, word in said if key not in left_out}
    now = {key: word for key, (_, word) in shown.items() if usual.get(key) != word}
    return {state.DATA: state.get(state.DATA), **now, **own}


def _usual() -> dict[str, str]:
    """Return what need not stand in a link, because it is so without."""
    dataset, choice, n_cases = state.dataset(), state.choice(), len(state.split().train) - 1
    values = address.usual(choice.algorithm, n_cases)
    knobs = {knob.name: knob for knob in choice.algorithm.knobs}
    return {
        state.SCALED: "True",
        state.TFIDF: "True",
        state.SPLIT_KIND: "random" if dataset.split is None else "published",
        state.SEED: "0",
        state.TEST_SHARE: str(address.USUAL_SHARE),
        **{
            f"{choice.key}_{name}": params.value_text(knobs[name], value)
            for name, value in values.items()
        },
    }


def tell(page: str) -> bool:
    """Name what a link asked for and did not get, as long as the page shows the other value.

    Return whether there was any.
    """
    shown = _shown()
    asked = state.link().items()
    replaced = {
        key: (word, shown[key][1])
        for key, word in asked
        if key in shown and not _same(word, shown[key][1])
    }
    first = state.replaced(page, replaced)
    words = [
        f"{text.markdown(shown[key][0])} {text.markdown(text.shorten(word, _LONGEST))} "
        f"({text.markdown(instead)} is shown)"
        for key, (word, instead) in first.items()
        if key in shown and shown[key][1] == instead
    ]
    problems: list[str] = state.get("_problems")
    if problems:
        more = len(problems) - _MOST_TOLD
        told = [*problems[:_MOST_TOLD], *([f"And {more} more."] if more > 0 else [])]
        st.info("\n\n".join(told), icon=":material/link_off:")
    if words:
        st.info(
            f"The link asks for what is not possible here: {', '.join(words)}.",
            icon=":material/link_off:",
        )
    return bool(problems or words)


def follow(is_whole: bool) -> None:
    """Keep what a page changes that is drawn again alone, in a place of the whole run."""
    if is_whole:
        with st.sidebar:
            st.empty()
        return
    state.set_address(dict(st.query_params))
    keep()


def mend(is_new: bool) -> None:
    """Put back into the address what a click into the menu has lost.

    The browser keeps only what stands in widgets that it has drawn already.
    """
    before, now = state.address(), st.query_params
    state.set_address(dict(now))
    lost = [key for key in (state.DATA, *_shown()) if key in before and key not in now]
    if is_new and lost:
        state.run_again(partial(_set_again, lost))


def _set_again(keys: Iterable[str]) -> None:
    for key in keys:
        state.put(key, state.get(key))


def _put_all(values: Mapping[str, Any]) -> None:
    for key, value in values.items():
        if value is not None:
            state.put(key, value)


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
