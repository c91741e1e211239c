"""Scoring, pure: text and numbers in, verdicts out; no input or output, no harness."""
