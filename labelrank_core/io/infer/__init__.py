"""The likely contents of a table: roles, forms and choices that stay open."""
