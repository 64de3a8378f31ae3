"""Lessons: a method on a few rows, one picture and one sentence at a time."""

import streamlit as st

from pages.learn import exercises_page, lesson, lessons, playground
from pages.ui import drawing, widgets

PLAYGROUND = "Aggregation playground"

drawing.for_a_projector()
drawing.without_choices()
widgets.title("Learn", "How does a method find its answer?")
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
    playground.play()
    exercises_page.offer("Consensus rules")
else:
    lesson.teach(lessons.LESSONS[names.index(chosen)])
    exercises_page.offer(chosen)
