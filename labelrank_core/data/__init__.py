"""Data sets: what they hold, what was found in them, samples, splits and profiles."""
