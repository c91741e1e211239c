"""The plots: each takes numbers and labels and returns SVG text. Values are fractions; axes are in percent."""
