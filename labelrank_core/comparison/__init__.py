"""Methods compared over data sets: significance tests, leaderboards, printed tables."""
