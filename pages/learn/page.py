"""Lessons: a method on a few rows, one picture and one question at a time."""

from functools import partial

import streamlit as st

from pages.learn import exercises_page, handout, lesson, path, playground, presenting
from pages.learn.classroom import teacher
from pages.learn.lessons import LESSONS
from pages.ui.render import drawing, widgets

drawing.for_a_projector()
widgets.render_title("Learn", "Guess, then see how a method decides.")
# Before the choice of a lesson, which a class may have made.
room = teacher.find_room()
lesson_name = path.choose_lesson()
taught = next((each for each in LESSONS if each.name == lesson_name), None)
presenting.apply_style()
teacher.render_notice()
if taught is None:
    if room is not None:
        teacher.show_page(room, path.PLAYGROUND)
    playground.render_playground()
    path.render_ticks(None)
    exercises_page.render_exercises("Consensus rules")
else:
    setting_and_steps = lesson.render_lesson(taught, room)
    with st.container(key="lesson_exercises"):
        exercises_page.render_exercises(
            taught.name,
            partial(handout.render_downloads, taught, *setting_and_steps)
            if setting_and_steps
            else None,
        )
