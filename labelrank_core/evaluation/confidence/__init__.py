"""How far a method's confidence can be trusted, and what rejecting doubtful cases gains."""
