"""How good a method is, how sure, and how its settings matter."""
