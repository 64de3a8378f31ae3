"""Predictions and the reasons for them, as plain data that interfaces draw."""
