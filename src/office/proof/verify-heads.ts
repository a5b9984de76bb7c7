// Verifies the signed heads of a ship's ledger: each signature with the key that the ledger names
// at that point, each root against the tree rebuilt from the links here, and that the heads of an
// origin belong to one tree that only grew. Every statement must be in such a tree. A head with
// missing leaves is reported but no fault: it may have arrived before them.

import { verifierKey } from "../../ledger/note.ts";
import type { Office } from "../office.ts";
import { type AshoreRow, comparedHeads, forks, headOf, rollbacks, signerOf } from "./head-trees.ts";
import { type Cover, coverOf, missingNumbers } from "./ledger-cover.ts";
import type { LeavesAshore, TreeState } from "./ledger-tree.ts";
import type { LedgerHere } from "./reported.ts";
import { type StatementsAshore, takeStatements } from "./statements.ts";
import { otherLedgers, vouchedKeys } from "./vouched-keys.ts";

/** A key that signs from its statement on. */
interface KeyVerified {
  readonly number: number;
  readonly verifier_key: string;
  /** True for a first key, and for one that the key before signed. */
  readonly is_signed_before: boolean;
  readonly reason: string;
  readonly at: string;
}

export interface HeadsResult {
  /** Number of signed heads here. */
  readonly heads: number;
  /** Number of heads with the same root as the tree rebuilt here. */
  readonly proven: number;
  /** Number of heads with a leaf that isn't here. */
  readonly waiting: number;
  /** The first leaf that these heads wait for; null if none waits. */
  readonly waits_for: string | null;
  readonly keys: readonly KeyVerified[];
  readonly faults: readonly string[];
  /** Unproven data in words. */
  readonly not_proven: readonly string[];
}

/** Marks of proven verdicts by leaf: 2 in the current tree, 1 in an earlier tree of the ship. */
export type ProvenMarks = ReadonlyMap<string, number>;

interface HeadsAsked {
  /** All links that are here, as leaves. */
  readonly leaves: LeavesAshore;
  /** Verifier keys that the office trusts; without any, the first key that arrived is trusted. */
  readonly trusted: ReadonlySet<string>;
  /** True if the marks on verdicts are written again after this. */
  readonly isRecording: boolean;
}

export async function verifyHeads(
  office: Office,
  ship: string,
  { leaves, trusted, isRecording }: HeadsAsked,
): Promise<HeadsResult & { readonly marks: ProvenMarks; readonly here: LedgerHere }> {
  const faults = new Set<string>();
  const found = (fault: string) => void faults.add(fault);
  const stated = await takeStatements(office, ship, { leaves, found });
  const { keys } = stated;
  const vouchedBy = vouchedKeys(keys, trusted);
  const rows = await office.ask<AshoreRow>("office.heads", [ship]);
  const heads = rows.flatMap((row) => headOf(row, found) ?? []);
  for (const fault of [...forks(heads), ...rollbacks(heads), ...otherLedgers(keys, vouchedBy)])
    found(fault);
  missingNumbers(
    "signed head",
    heads.map(({ number }) => number),
  ).forEach(found);
  for (const { ship: other } of await office.ask<{ ship: string }>("office.same_ledger", [ship]))
    found(`the ship ${other} has the same ledger`);
  const { proven, waiting } = comparedHeads(heads, { leaves, found });
  const others = heads.filter(({ key }) => !proven.has(key));
  // The keys are unknown until the first of the ledger's statements has arrived.
  const isBegun = stated.leaves.length > 0;
  const awaited = new Set<string>();
  for (const { key: name, head, ...told } of isBegun ? others : []) {
    const signer = signerOf(
      head,
      keys.map(({ key }) => key),
      (fault) => found(`${told.name}: ${fault}`),
    );
    if (signer !== null && vouchedBy.has(signer)) awaited.add(name);
  }
  const names = new Set(heads.map(({ key }) => key));
  const waits = others.filter(({ key }) => waiting.has(key));
  const told = new Set(waits.map(({ key }) => key));
  const cover = coverOf({ heads, proven, waiting: awaited });
  const loose = stated.leaves.filter((leaf) => !cover.has(leaf));
  for (const leaf of loose) {
    const fault = cover.fault(leaf);
    if (fault !== null) found(fault);
  }
  const vouchedTrees = new Map([...proven].filter(([, trees]) => isVouched(trees, vouchedBy)));
  const vouched = coverOf({ heads, proven: vouchedTrees, waiting: new Set() });
  const marks = marksOf(stated.leaves, vouched);
  for (const [leaf] of stated.marked)
    if (!marks.has(leaf)) found(`${nameOf(leaf)}: is marked as proven, and no signed head has it`);
  const waits_for = waiting.get(waits[0]?.key ?? "") ?? null;
  return {
    ...{ heads: names.size, proven: proven.size, waiting: told.size, waits_for },
    keys: keys.map(({ key, number, before, isSignedBefore, reason, at }) => ({
      ...{ number, verifier_key: verifierKey(key), reason, at },
      is_signed_before: before === null || isSignedBefore,
    })),
    faults: [...faults],
    not_proven: [
      ...(waits_for === null ? [] : [`${told.size} signed heads, which wait for ${waits_for}`]),
      ...unprovenLeaves(leaves, { stated, cover, vouched, isTrusting: trusted.size === 0 }),
      ...(isRecording ? [] : staleMarks(stated.marked, marks)),
    ],
    marks,
    here: {
      statements: stated.newest,
      head: Math.max(0, ...heads.map(({ number }) => number)),
      roots: new Set(heads.map(({ head: { size, root } }) => `${size} ${base64(root)}`)),
    },
  };
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");

interface UnprovenAsked {
  readonly stated: StatementsAshore;
  readonly cover: Cover;
  /** The leaves covered by heads with a trusted key. */
  readonly vouched: Cover;
  /** True if the office names no key, so that the first one that arrived is trusted. */
  readonly isTrusting: boolean;
}

function unprovenLeaves(
  leaves: LeavesAshore,
  { stated, cover, vouched, isTrusting }: UnprovenAsked,
): readonly string[] {
  const { unnamed, keys } = stated;
  const loose = stated.leaves.filter((leaf) => !cover.has(leaf) && cover.fault(leaf) === null);
  const byOthers = stated.leaves.filter((leaf) => cover.has(leaf) && !vouched.has(leaf));
  return [
    ...(unnamed === 0 ? [] : [`the ship of ${unnamed} keys and verdicts: they don't name one`]),
    ...counted("statement", loose.map(nameOf)),
    ...counted("link", [...leaves.links()].filter((leaf) => !cover.has(leaf)).map(nameOf)),
    ...counted("statement by a key that nobody vouches for", byOthers.map(nameOf)),
    ...(keys.length > 0 && isTrusting ? ["the key that the ledger begins with (--key)"] : []),
  ];
}

/** Maximum number of names in a list. */
const NAMED_MAX = 5;

function counted(what: string, names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  const more = names.length > NAMED_MAX ? `, and ${names.length - NAMED_MAX} more` : "";
  return [`${what}: ${names.slice(0, NAMED_MAX).join(", ")}${more}`];
}

/** A leaf's kind and number. */
const nameOf = (leaf: string) => leaf.split(" ", 2).join(" ");

function marksOf(leaves: readonly string[], cover: ReturnType<typeof coverOf>): ProvenMarks {
  const verdicts = leaves.filter((leaf) => leaf.startsWith("verdict ") && cover.has(leaf));
  return new Map(verdicts.map((leaf) => [leaf, cover.isCurrent(leaf) ? 2 : 1]));
}

/**
 * Verdicts whose mark, which the views use, differs from what is proven now: it was made by an
 * earlier --record or by hand. None for an office that never recorded marks.
 */
function staleMarks(marked: ReadonlyMap<string, number>, marks: ProvenMarks): readonly string[] {
  if (marked.size === 0) return [];
  const stale = [...marks].filter(([leaf, mark]) => marked.get(leaf) !== mark);
  return counted(
    "mark that isn't what is proven now (--record)",
    stale.map(([leaf]) => nameOf(leaf)),
  );
}

function isVouched([tree]: readonly TreeState[], vouched: ReadonlySet<string>): boolean {
  const newest = tree.keys.at(-1);
  return newest !== undefined && vouched.has(verifierKey(newest.key));
}
