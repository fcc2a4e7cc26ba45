"""Run them all, or one of them with its error in full: `python -m benchmarks.malformed --seed S --only N`."""

import argparse

from benchmarks import malformed


def main() -> None:
    """Print a row for each kind, or what came of one case."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.malformed", description=malformed.__doc__)
    parser.add_argument("--seed", type=int, default=malformed.SEED)
    parser.add_argument("--count", type=int, default=malformed.COUNT, help="of malformed cases, and of good ones")
    parser.add_argument("--only", type=int, help=f"the number of one case; good ones count from {malformed.VALID} on")
    options = parser.parse_args()
    if options.only is None:
        for row in malformed.rows(1, options.seed, min(options.count, malformed.VALID)):
            print(" | ".join(row.cells()))
        return
    case = malformed.make(options.seed, options.only)
    print(case.kind, case.about)
    print(malformed.attempt(malformed.client_of_app(), case))


if __name__ == "__main__":
    main()
