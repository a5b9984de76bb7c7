// Chance that can be repeated: a generator by seed, the seed printed, so that a failure can be run
// again with TEST_SEED=<seed>.

export interface Random {
  /** 0 to 1, 1 excluded. */
  next(): number;
  /** An integer, both ends included. */
  between(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  shuffled<Item>(items: readonly Item[]): readonly Item[];
}

/** A source for the test `title`, seeded by TEST_SEED or by the clock. */
export function printedRandom(title: string): Random {
  const seed = Number(process.env.TEST_SEED ?? Date.now() % 2 ** 31);
  console.log(`${title}: TEST_SEED=${seed}`);
  return seededRandom(seed);
}

/** The source of one seed: mulberry32. */
export function seededRandom(seed: number): Random {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick: (items) => items[between(0, items.length - 1)],
    shuffled(items) {
      const order = [...items];
      for (let last = order.length - 1; last > 0; last -= 1) {
        const other = between(0, last);
        [order[last], order[other]] = [order[other], order[last]];
      }
      return order;
    },
  };
}
