"""`python3 -m autograder VERB`: the same program as `course VERB`, on a machine where nothing is installed yet."""

import sys

from autograder.bootstrap import gate

if __name__ == "__main__":
    gate(sys.argv[1:])

    from autograder.cli import main

    sys.exit(main())
