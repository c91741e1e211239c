"""The generator behind the MathOPEval reconstruction: figures, edits and questions from a seed."""
