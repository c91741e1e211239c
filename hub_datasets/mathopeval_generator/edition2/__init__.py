"""The second edition of the set: whole scripts as options, codes and pictures of the wild, values from statements."""
