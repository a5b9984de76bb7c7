// 1,000 signed heads of a ledger of 20,000 leaves, which is two years of a busy ship: the longest
// proof that one begins another, as it is answered, and what a head costs.

import { isConsistent } from "../../../src/ledger/merkle-proof.ts";
import { pathHashes } from "../../../src/ledger/proof.ts";
import { ledgerRoot, ledgerSize } from "../../../src/sqlite/file/ledger.ts";
import { ledgerConsistencyJson } from "../../../src/sqlite/records/ledger-answers.ts";
import { openRig, type Rig, removeFolders } from "../../../test/rig/database.ts";
import { grownHead } from "../../../test/rig/ledger-signer.ts";
import type { TableRow } from "../table-rows.ts";

const HEADS = 1000;
/** Leaves from one head to the next. */
const LEAVES = 20;
/** Each head is compared with every so many. */
const STEP = 7;

export async function measureHeads(): Promise<readonly TableRow[]> {
  const rig = openRig();
  const sizes: number[] = [];
  const before = process.cpuUsage();
  for (let head = 0; head < HEADS; head += 1) {
    await grownHead(rig, LEAVES);
    sizes.push(ledgerSize(rig.db));
  }
  const { user, system } = process.cpuUsage(before);
  const longest = longestProof(rig, sizes);
  rig.close();
  removeFolders();
  const head_ms = (user + system) / 1000 / HEADS;
  return [
    {
      what:
        `a consistency proof between two of ${HEADS} heads, each right, at most; ` +
        `a head with ${LEAVES} entries, processor`,
      goal: "2,048 bytes",
      measured: `${longest.toLocaleString("en")} bytes; ${head_ms.toFixed(1)} ms`,
    },
  ];
}

/** Bytes of the longest answer. Throws if one of them proves nothing. */
function longestProof({ db }: Rig, sizes: readonly number[]): number {
  const roots = sizes.map((size) => ledgerRoot(db, size));
  let longest = 0;
  for (const [at, size] of sizes.entries())
    for (let other = at % STEP; other < at; other += STEP) {
      const from = sizes[other];
      const json = ledgerConsistencyJson(db, { from, to: size }) ?? "";
      longest = Math.max(longest, Buffer.byteLength(json));
      const path = pathHashes(JSON.parse(json).path);
      const grown = { before: from, size, path, root_before: roots[other], root: roots[at] };
      if (!isConsistent(grown)) throw new Error(`heads of ${from} and ${size}: no proof`);
    }
  return longest;
}
