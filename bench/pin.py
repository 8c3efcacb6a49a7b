"""Write what the benchmarks of this build do into checksums.json and signature.json.

    ./dev bench pin

A change of what is pinned is a change of work: the commit says why.
"""

import signature
import works


def main() -> None:
    changed = works.write_pins()
    if signature.write():
        changed.append("kibitz bench --quick")
    print("\n".join(["changed:", *changed]) if changed else "nothing has changed")


if __name__ == "__main__":
    main()
