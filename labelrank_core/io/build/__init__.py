"""From a table and the choices made to the arrays of a data set."""
