"""Play games on engine and oracle side by side: `python tools/compare_with_oracle.py --games 1000`.

It needs `PYTHONPATH=tests`. Every decision's player, kind and legal actions are compared;
everything visible at every `--every`-th decision and at the end. With `--alone` the engine plays
random games without an oracle: no exception, no piece that appears or vanishes. Each disagreement
is printed; the exit code is 1 if there was any.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import sys
import time

from support.oracle.comparison import alone, compare

from carc.errors import BadRules


def _job(job: tuple[str, int, int, int, bool, str, bool, bool]) -> tuple[int, str]:
    try:
        spec, players, seed, every, hasty, bot, tidy, by_itself = job
        if by_itself:
            return alone(spec, players, seed), ""
        return compare(spec, players, seed, every, hasty=hasty, bot=bot, tidy=tidy), ""
    except AssertionError as error:
        return 0, str(error)
    except BadRules:  # expansions that exclude each other
        return 0, ""
    except StopIteration:
        return 0, f"{spec}, {players} players, seed {seed}: the oracle's game ended earlier"


def some(names: str, seed: int, share: float = 0.5) -> list[str]:
    """Return some of these names, at random: each with this probability, one of its forms."""
    rng = random.Random(f"some {seed}")
    chosen = [name for name in names.split(",") if name and rng.random() < share]
    return sorted(rng.choice(name.split("/")).replace("&", ",") for name in chosen)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rules", default="base")
    parser.add_argument(
        "--among",
        default="",
        help="beside it in each game any of these, by commas; forms of one by slashes, as"
        " traders/traders(herds=off&tiles=off)",
    )
    parser.add_argument("--share", type=float, default=0.5, help="how likely is each of them")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--every", type=int, default=10)
    parser.add_argument("--hasty", type=int, default=0, help="of so many games all but one hastily")
    parser.add_argument("--bot", default="", help="plays all seats in place of chance")
    parser.add_argument(
        "--tidy", action="store_true", help="in every other game players complete more"
    )
    parser.add_argument("--alone", action="store_true", help="without an oracle")
    parser.add_argument("--each", type=int, default=1, help="games of each set of --among")
    return parser.parse_args()


def main() -> None:
    """Play and compare as the command line asks."""
    given = _arguments()
    low, high = (1, 5) if given.rules.startswith("mists") else (2, 5)
    jobs = [
        (
            "+".join([given.rules, *some(given.among, given.seed + n // given.each, given.share)]),
            low + n % (high - low + 1),
            given.seed + n,
            given.every,
            bool(given.hasty and n % given.hasty),
            given.bot,
            bool(given.tidy and n % 2),
            given.alone,
        )
        for n in range(given.games)
    ]
    start = time.time()
    decisions = disagreements = 0
    with multiprocessing.Pool(given.jobs) as pool:
        for number, (compared, wrong) in enumerate(pool.imap_unordered(_job, jobs, 20), start=1):
            if wrong:
                print(wrong[:3000], flush=True)
                disagreements += 1
            decisions += compared
            if number % 1000 == 0:
                print(
                    f"{number} games, {decisions} decisions, {time.time() - start:.0f} s",
                    flush=True,
                )
    each = (time.time() - start) / given.games
    print(
        f"{given.rules}: {given.games} games, {decisions} decisions, {disagreements} disagreements,"
        f" {each:.3f} s a game"
    )
    sys.exit(bool(disagreements))


if __name__ == "__main__":
    main()
