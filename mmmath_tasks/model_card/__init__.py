"""Scorecards on model cards: .eval_results/*.yaml and model-index, doubted, merged, checked, proposed to the Hub."""
