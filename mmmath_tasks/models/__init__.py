"""Baselines: problems in, responses out. mmmath_tasks.harnesses.lm_eval_models makes lm-eval models of them."""
