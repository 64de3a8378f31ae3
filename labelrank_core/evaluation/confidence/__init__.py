"""The reliability of a method's confidence, and the gain of rejecting doubtful cases."""
