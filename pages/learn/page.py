"""Lessons: a method on a few rows, one picture and one question at a time."""

from functools import partial

import streamlit as st

from pages.learn import exercises_page, handout, lesson, playground, presenting
from pages.learn.lessons import LESSONS
from pages.ui import choices, drawing, widgets

PLAYGROUND = "Aggregation playground"

drawing.for_a_projector()
widgets.title("Learn", "Guess first, then see how a method finds its answer.", uses_bar=False)
names = [each.name for each in LESSONS]
with st.container(key="lesson_choice"):
    chosen = choices.choose(
        st.segmented_control,
        "Lesson",
        [*names, PLAYGROUND],
        required=True,
        key="lesson",
        bind="query-params",
        label_visibility="collapsed",
    )
taught = None if chosen == PLAYGROUND else LESSONS[names.index(chosen)]
presenting.look()
if taught is None:
    playground.play()
    exercises_page.offer("Consensus rules")
else:
    with st.container(key="lesson_idea"):
        end = "" if taught.title.endswith("?") else "."
        st.markdown(f"**{taught.title}{end}** {taught.idea}")
    told = lesson.teach(taught)
    with st.container(key="lesson_exercises"):
        exercises_page.offer(taught.name, partial(handout.offer, taught, *told) if told else None)
