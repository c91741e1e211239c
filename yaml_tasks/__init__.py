"""Task descriptions for lm-evaluation-harness: YAML only."""

if __name__ != "mmmath_tasks.yaml_tasks":  # found beside the package by a path that shows the checkout
    raise ImportError("this is mmmath_tasks.yaml_tasks", name=__name__)
