// The leaves proven by a ship's signed heads: those of the trees that were rebuilt here. A
// statement in none of them isn't the ship's, whoever delivered it, unless a head that waits for
// further leaves has room for it. Numbers rise one by one aboard, so a missing number below the
// newest was removed here.

import { leafRuns, type PlacedLeaf, type TreeState } from "./ledger-tree.ts";

type Counts = Readonly<Record<string, number>>;

/** A head, as far as its tree is known. */
export interface CoveringHead {
  readonly key: string;
  /** The key of the head from which its tree grew. */
  readonly after: string | null;
  /** The kinds of the leaves since then; null if unknown. */
  readonly leaves: string | null;
}

export interface CoverResult {
  /** The heads in order of arrival. */
  readonly heads: readonly CoveringHead[];
  /** The trees of the proven heads, by their keys. */
  readonly proven: ReadonlyMap<string, readonly TreeState[]>;
  /** Keys of the heads that wait for leaves and are signed with a key of the ledger. */
  readonly waiting: ReadonlySet<string>;
}

export interface Cover {
  /**
   * True if a proven tree has the leaf; `isCurrent`: if the tree of the newest proven head has it.
   */
  has(leaf: string): boolean;
  isCurrent(leaf: string): boolean;
  /** The reason why a statement isn't the ship's; null if a waiting head may have it. */
  fault(leaf: string): string | null;
}

/** Kinds of statements that ships before 0.3.0 send ahead of their heads. */
const SENT_AHEAD: ReadonlySet<string> = new Set(["head", "given"]);

export function coverOf({ heads, proven, waiting }: CoverResult): Cover {
  const newest = heads.findLast(({ key }) => proven.has(key))?.key ?? "";
  const current = textsOf(proven.get(newest) ?? []);
  const all = textsOf([...proven.values()].flat());
  const last = new Map<string, number>();
  for (const { counts } of [...proven.values()].flat())
    for (const [kind, count] of Object.entries(counts))
      last.set(kind, Math.max(count, last.get(kind) ?? 0));
  const awaited = awaitedRanges({ heads, proven, waiting });
  return {
    has: (leaf) => all.has(leaf),
    isCurrent: (leaf) => current.has(leaf),
    fault(leaf) {
      const [kind, digits] = leaf.split(" ");
      const number = Number(digits);
      const isAwaited = awaited.some(
        ({ from, upto }) => number > (from[kind] ?? 0) && number <= (upto[kind] ?? 0),
      );
      if (isAwaited) return null;
      const isNext = number > (last.get(kind) ?? 0);
      if (isNext && SENT_AHEAD.has(kind)) return null;
      const hash = leaf.slice(-64).slice(0, 8);
      return `${kind} ${number} (${hash}): is in no tree that a signed head has`;
    },
  };
}

function textsOf(states: readonly TreeState[]): ReadonlySet<string> {
  const texts = new Set<string>();
  const seen = new Set<PlacedLeaf>();
  for (const { newest } of states)
    for (let at = newest; at !== null && !seen.has(at); at = at.before) {
      seen.add(at);
      texts.add(at.text);
    }
  return texts;
}

/** For each waiting head, the range of numbers of each kind among its further leaves. */
function awaitedRanges({ heads, proven, waiting }: CoverResult) {
  const byKey = new Map(heads.map((head) => [head.key, head]));
  const ends = new Map<string, Counts | null>();
  const endOf = (key: string | null): Counts | null => {
    if (key === null) return {};
    const [state] = proven.get(key) ?? [];
    if (state !== undefined) return state.counts;
    const known = ends.get(key);
    if (known !== undefined) return known;
    // Set first, so that heads which name each other don't loop.
    ends.set(key, null);
    const head = byKey.get(key);
    const from = head === undefined ? null : endOf(head.after);
    const end = from === null || head?.leaves == null ? null : withRuns(from, head.leaves);
    ends.set(key, end);
    return end;
  };
  return heads
    .filter(({ key }) => waiting.has(key))
    .flatMap(({ key, after }) => {
      const [from, upto] = [endOf(after), endOf(key)];
      return from === null || upto === null ? [] : [{ from, upto }];
    });
}

function withRuns(from: Counts, order: string): Counts {
  const counts: Record<string, number> = { ...from };
  for (const { kind, count } of leafRuns(order)) counts[kind] = (counts[kind] ?? 0) + count;
  return counts;
}

/** The first missing numbers below the newest of a series; `numbers` may be in any order. */
export function missingNumbers(name: string, numbers: Iterable<number>): readonly string[] {
  const known = [...new Set(numbers)].sort((one, other) => one - other);
  const newest = known.at(-1) ?? 0;
  return known.flatMap((number, place) => {
    const before = known[place - 1] ?? 0;
    if (number <= before + 1) return [];
    const [first, last] = [before + 1, number - 1];
    const which = first === last ? `${first} isn't` : `${first} to ${last} aren't`;
    return [`${name} ${which} here, ${newest} is`];
  });
}
