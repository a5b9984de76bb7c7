// Any two of 1,000 signed heads: the proof that the one tree begins the other is short, right, and
// no proof of another tree.

import { expect, test } from "vitest";
import { BY_SELF } from "../../../src/bwts/audit.ts";
import { LedgerConsistency } from "../../../src/bwts/ledger.ts";
import { isConsistent } from "../../../src/ledger/merkle-proof.ts";
import { pathHashes } from "../../../src/ledger/proof.ts";
import { ledgerRoot, ledgerSize } from "../../../src/sqlite/file/ledger.ts";
import { ledgerConsistencyJson } from "../../../src/sqlite/records/ledger-answers.ts";
import { rigsOfTests } from "../../rig/database.ts";
import { AT_MS, RECEIVED_MS } from "../../rig/decoding.ts";
import { grownHead } from "../../rig/ledger-signer.ts";
import { printedRandom } from "../../rig/random.ts";
import { sized } from "../../rig/scale.ts";

const rigOf = rigsOfTests();
const HEADS = 1000;
const BYTES_MAX = 2048;

test("any two of 1,000 heads: a consistency proof of at most 2 KB that is right", async () => {
  const rig = rigOf();
  const { db, store } = rig;
  const random = printedRandom("thousand heads");
  const heads = Array.from({ length: HEADS }, () => {
    const entries = Array.from({ length: random.between(1, 12) }, (_, at) => ({
      ...{ ...BY_SELF, at_ms: AT_MS, kind: "login" as const, detail: { at } },
    }));
    store.audit(entries, RECEIVED_MS);
    const size = ledgerSize(db);
    return { size, root: ledgerRoot(db, size) };
  });
  await grownHead(rig, 1);
  let longest = 0;
  const compare = (one: number, other: number) => {
    const [before, after] = [Math.min(one, other), Math.max(one, other)].map((at) => heads[at]);
    const json = ledgerConsistencyJson(db, { from: before.size, to: after.size }) ?? "";
    longest = Math.max(longest, json.length);
    const { path } = LedgerConsistency.parse(JSON.parse(json));
    const sizes = { before: before.size, size: after.size, path: pathHashes(path) };
    const roots = { root_before: before.root, root: after.root };
    expect(isConsistent({ ...sizes, ...roots })).toBe(true);
    const another = heads[(Math.max(one, other) + 1) % HEADS].root;
    expect(isConsistent({ ...sizes, ...roots, root: another })).toBe(false);
  };
  for (let at = 0; at < HEADS; at += 1) {
    for (const other of [0, at, HEADS - 1]) compare(at, other);
    for (let more = 0; more < sized(1, 5); more += 1) compare(at, random.between(0, HEADS - 1));
  }
  expect(longest).toBeLessThanOrEqual(BYTES_MAX);
});
