"""What the first edition does in its own way."""
