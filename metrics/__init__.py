"""Scoring, pure: text and numbers in, verdicts out; no input or output, no harness."""

if __name__ != "mmmath_tasks.metrics":  # found beside the package by a path that shows the checkout
    raise ImportError("this is mmmath_tasks.metrics", name=__name__)
