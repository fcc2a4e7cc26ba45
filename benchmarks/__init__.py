"""How fast nhviz is, as ratios against peers measured in the same run: `python -m benchmarks`."""
