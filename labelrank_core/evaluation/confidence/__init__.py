"""How reliable a method's confidence is, and the gain of rejecting doubtful cases."""
