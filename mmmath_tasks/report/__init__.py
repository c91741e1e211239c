"""The HTML report: scorecards and their responses on one page that works from disk."""
