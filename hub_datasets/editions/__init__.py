"""One module a benchmark: the configurations, statistics and known oddities of its repo on the Hub, as `EDITION`."""
