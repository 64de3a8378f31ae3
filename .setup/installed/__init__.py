"""The app as a package, `labelrank_lab` in the wheel: its pages and the command that starts it."""
