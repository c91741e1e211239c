"""The data sets: upstream's files to rows, rows to problems and prompts, rows to parquet and card, card to the Hub."""
