"""Comparing the element records of figures: bars, lines, slices, curves, TikZ drawings and the texts in them.

Pure: records in (as mmmath_tasks.sandbox documents them), counts out. mathopeval_execution is the public face.
"""
