"""A data set as a folder and as a repo of the Hub: built from upstream's files, checked, published, compared."""
