"""What a table seems to hold: roles, forms and choices that stay open."""
