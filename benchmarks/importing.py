"""What `import autograder` costs, as whole processes.

Baseline: a process of the same Python that imports nothing, in turns with the other.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from pathlib import Path

ROUNDS = 20
ROOT = Path(__file__).parents[1]


def seconds(code: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
    return time.perf_counter() - start


def main() -> None:
    pairs = [(seconds("pass"), seconds("import autograder")) for _ in range(ROUNDS)]
    nothing = statistics.median(pair[0] for pair in pairs)
    package = statistics.median(pair[1] for pair in pairs)
    print(f"baseline: a process that imports nothing: {nothing * 1000:.1f} ms (median of {ROUNDS})")
    print(f"with `import autograder`: {package * 1000:.1f} ms = {package / nothing:.2f} x baseline")
    print(f"difference: {(package - nothing) * 1000:.1f} ms")


if __name__ == "__main__":
    main()
