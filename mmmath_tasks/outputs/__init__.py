"""Reading saved responses: files as harnesses and authors write them, whatever they are called."""
