"""The sub-commands of `mmmath`, one module each, found by discovery.

A module offers `HELP` (one line), `arguments(parser)` and `run(args) -> int` (the exit status). Its name, underscores
as hyphens, is the sub-command's. Heavy imports belong inside `run`.
"""
