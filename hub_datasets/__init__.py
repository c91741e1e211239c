"""The data sets: upstream's files to rows, rows to problems and prompts, rows to parquet and card, card to the Hub."""

if __name__ != "mmmath_tasks.hub_datasets":  # found beside the package by a path that shows the checkout
    raise ImportError("this is mmmath_tasks.hub_datasets", name=__name__)
