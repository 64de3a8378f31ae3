"""Lessons: a method on a few rows, one picture and one sentence at a time."""

import streamlit as st

from pages.learn import lesson, lessons, playground
from pages.ui import parts

PLAYGROUND = "Aggregation playground"

parts.for_a_projector()
st.title("Learn", anchor=False)
names = [each.name for each in lessons.LESSONS]
chosen = st.segmented_control(
    "Lesson",
    [*names, PLAYGROUND],
    default=names[0],
    required=True,
    key="lesson",
    bind="query-params",
    label_visibility="collapsed",
)
if chosen == PLAYGROUND:
    playground.draw()
else:
    lesson.draw(lessons.LESSONS[names.index(chosen)])
