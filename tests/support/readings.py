"""A response against its gold answer by the reader alone, without a benchmark around it."""

from mmmath_tasks.metrics.answers import Expectation, equal, read


def verdict(response: str, gold: str, expectation: Expectation) -> bool:
    """Say whether what is read from a response is the gold; what is read from a choice must be one of the options."""
    reading = read(response, expectation)
    if expectation.kind == "choice" and reading.choice is None:
        return False
    return reading.text is not None and equal(reading.text, gold, expectation)
