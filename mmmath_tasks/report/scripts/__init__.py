"""The script of the page, a file a noun; nothing of it is Python."""
