"""Task descriptions for lm-evaluation-harness: YAML only."""
