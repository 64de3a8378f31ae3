"""A static site of explorables, from the same drawings and states as the app; needs no server."""
