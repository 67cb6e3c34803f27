"""Programs nobody has tried yet: `python -m tests.fuzzing FIRST COUNT [MINUTES]`.

The bar `programs` begins at 0 each time, so what it says of its numbers is known; this tries any others, for
at most so many minutes of the processor. Failures are made small, shown, and counted in the exit code.
"""

from __future__ import annotations

import gc
import sys
import time
from collections import Counter

from tests.fuzzing.trying import REFUSED
from tests.promises.keeping import Broken
from tests.promises.programs import attempt


def main(arguments: list[str]) -> int:
    first, count = int(arguments[0]), int(arguments[1])
    limit = 60 * float(arguments[2]) if len(arguments) > 2 else float("inf")
    words: Counter[str] = Counter()
    failed = 0
    begun = time.process_time()
    for number in range(first, first + count):
        if number == first + 1:  # by now everything is imported, and is here for good
            gc.collect()
            gc.freeze()
        try:
            words[attempt(number)] += 1
        except Broken as broken:
            failed += 1
            print(f"program {number}: {broken}", flush=True)
        used = time.process_time() - begun
        if used > limit:
            break
        if number % 100 == 0:
            print(f"... {number}, {used / 60:.1f} min of processor", file=sys.stderr, flush=True)
    done = sum(words.values()) + failed
    accepted = done - words[REFUSED]
    said = ", ".join(f"{many} {word}" for word, many in sorted(words.items()))
    print(
        f"{first} to {first + done - 1}: {accepted} accepted, {failed} failed ({said}); {used / 60:.1f} min"
    )
    return min(failed, 99)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
