"""Whether anybody can learn a secret: `twins` by the thousand, `clubs` in a sample, and leaks that are planted to be found."""
from __future__ import annotations

import asyncio
import os
import sys
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import repeat

from tqdm import tqdm

from engine import catalog
from engine.components import edition_of
from engine.kernel import GameSpec
from engine.refusals import Faulty
from tests.checks import leak_clubs, leak_pairs
from tests.checks.findings import Found, listening
from tests.checks.predictor import predicted, seeded_from_what_all_know
from tests.checks.secrets import SECRETS
from tests.checks.seeded_leaks import CLUBS, LEAKS, Leak

SHARE = 100                 # pairs that a process compares at a time
ON_DISCORD = 20             # of so many pairs one is compared on a simulated Discord
SOUGHT = 1500               # pairs in which a planted leak must show
STEP = 25                   # pairs after which it is seen whether it has
FORETOLD = 200              # pairs in which whims that all can work out must show
TOLD = 5                    # differences that are told in full


def measure(game: str, pairs: int = 10_000, seed: int = 0, edition: str = "") -> dict[str, int]:
    """Compare what others see of games that differ in one secret, and find the leaks that are planted."""
    spec = catalog.find(game)
    if spec.key not in SECRETS:
        raise Faulty("Nobody has said yet what is secret in {game}.", game=spec.name)
    if edition:
        edition_of(spec, edition)                       # raises what is wrong with it
    found, on_discord = Found(), pairs // ON_DISCORD
    work = [(spec.key, edition, kind, min(SHARE, left), seed * 100_000 + number) for kind, whole in (
        (CLUBS, on_discord), ("twins", pairs - on_discord)) for number, left in enumerate(range(whole, 0, -SHARE))]
    sought = [number for number, leak in enumerate(LEAKS) if leak.spec is spec]
    with ProcessPoolExecutor(os.cpu_count()) as processes:
        with tqdm(total=pairs, desc="pairs", file=sys.stderr) as bar:
            for done in as_completed([processes.submit(_share, *one) for one in work]):
                found.add(done.result())
                bar.update(done.result().pairs)
        caught = list(tqdm(processes.map(_caught, sought, repeat(seed)), desc="planted", file=sys.stderr))
    missed = [LEAKS[number].name for number, shows in zip(sought, caught) if not shows]
    foretold = predicted(spec, pairs, seed)
    with seeded_from_what_all_know():
        missed += [] if predicted(spec, FORETOLD, seed).better_than_chance else ["whims that all can work out"]
    for told in (*found.differences[:TOLD], *(f"not found: {name}" for name in missed)):
        print(told, file=sys.stderr)
    return {"pairs": found.pairs, "outputs": found.outputs, "painted": found.painted, "on_discord": on_discord,
            "differences": len(found.differences), "named": max(foretold.named.values()), "foretold": int(
                foretold.better_than_chance), "planted": len(sought) + 1, "planted_found": len(sought) + 1 - len(missed),
            "planted_missed": len(missed)}


def _share(game: str, edition: str, kind: str, pairs: int, seed: int) -> Found:
    """A part of the pairs, in a process of its own."""
    return search(catalog.find(game), kind, pairs, seed, edition=edition)


def _caught(number: int, seed: int) -> bool:
    """Whether one of the planted leaks shows, in a process of its own."""
    return caught_out(LEAKS[number], seed)


def search(spec: GameSpec, kind: str, pairs: int, seed: int, *, edition: str = "",
           kinds: tuple[leak_clubs.Kind, ...] = leak_clubs.KINDS, any_will_do: bool = False) -> Found:
    """So many pairs of one sort, or only until something differs, if any difference will do; of the first edition, if none is
    named."""
    with listening() as ear:
        if kind == CLUBS:
            return asyncio.run(leak_clubs.search(spec, SECRETS[spec.key], pairs, seed, ear, edition=edition, kinds=kinds,
                                                 any_will_do=any_will_do))
        return asyncio.run(leak_pairs.search(spec, SECRETS[spec.key], pairs, seed, ear, edition=edition, any_will_do=any_will_do))


def caught_out(leak: Leak, seed: int = 0) -> bool:
    """Whether a planted leak shows."""
    with leak.plant():
        return any(search(leak.spec, leak.where, leak.pairs or STEP, seed * SOUGHT + number, edition=leak.edition,
                          kinds=leak.kinds, any_will_do=True).differences
                   for number in range(SOUGHT // STEP))
