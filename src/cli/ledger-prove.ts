// `ballastd ledger prove`: has a head signed, and writes a proof of it. The lines of readings go to
// a file of their own, byte for byte as an export as NDJSON has them.

import { signedHead } from "../app/instance.ts";
import { LEAF_KINDS } from "../bwts/ledger.ts";
import type { Config } from "../config/config.ts";
import { EXIT, Failure, messageOf } from "../ground/errors.ts";
import { proofText } from "../ledger/proof.ts";
import type { ClosedRange } from "../sqlite/file/query.ts";
import {
  makeProof,
  NotProvable,
  type ProofQuery,
  requireProvable,
} from "../sqlite/records/ledger-proofs.ts";
import { type SegmentRows, sealedRuns, unsealedIn } from "../sqlite/records/sealed-rows.ts";
import { configOf, readDatabase, withDatabase } from "./instance-data.ts";
import type { LedgerOptions } from "./ledger-options.ts";
import { readRange } from "./options.ts";
import { refuseOverwriting, STDOUT, writeTexts } from "./output-file.ts";

export async function prove(values: LedgerOptions, rest: readonly string[]): Promise<void> {
  const { output = STDOUT, lines } = values;
  const since = values.since === undefined ? null : numberOf("--since", values.since);
  const leaves = rest[0] === "readings" ? [] : [leafOf(rest)];
  const range = rangeOf(values, rest);
  for (const file of [output, lines ?? STDOUT]) refuseOverwriting(file, values);
  const config = configOf(values);
  // Checked before the head is signed, because signing records for good that the data was given
  // out.
  readDatabase(config, (db) => provable(() => requireProvable(db, { leaves, since })));
  const rows = range === null ? [] : await writeLines(config, range, lines ?? "");
  await signedHead(config, (instance) => instance.sign("export"));
  const proof = readDatabase(config, (db) =>
    provable(() => db.transaction(() => makeProof(db, { leaves, rows, since }))()),
  );
  await writeTexts(output, [proofText(proof)]);
}

function leafOf([kind, number, ...more]: readonly string[]): ProofQuery["leaves"][number] {
  const known = LEAF_KINDS.find((one) => one === kind);
  if (known === undefined || number === undefined || more.length > 0)
    throw new Failure(
      EXIT.usage,
      `ledger prove ${[kind, number, ...more].join(" ").trim()}: ` +
        `expected readings, or ${LEAF_KINDS.join(", ")} with a number`,
    );
  return { kind: known, number: numberOf(known, number) };
}

function numberOf(name: string, text: string): number {
  if (/^[1-9]\d{0,11}$/.test(text)) return Number(text);
  throw new Failure(EXIT.usage, `${name} ${text}: expected a number from 1`);
}

/** The range of readings to prove; null if something else is to be proven. */
function rangeOf(values: LedgerOptions, rest: readonly string[]): ClosedRange | null {
  const { from, to, lines } = values;
  if (rest[0] === "readings") {
    if (rest.length > 1)
      throw new Failure(EXIT.usage, `ledger prove ${rest.join(" ")}: expected options only`);
    if (lines === undefined || lines === STDOUT)
      throw new Failure(EXIT.usage, "ledger prove readings: expected --lines FILE");
    return readRange(from, to);
  }
  const odd = Object.entries({ from, to, lines }).find(([, value]) => value !== undefined);
  if (odd === undefined) return null;
  throw new Failure(EXIT.usage, `ledger prove ${rest[0]} --${odd[0]}: is an option of readings`);
}

async function writeLines(
  config: Config,
  range: ClosedRange,
  file: string,
): Promise<readonly SegmentRows[]> {
  const rows: SegmentRows[] = [];
  const unsealed = await withDatabase(config, async (db) => {
    const texts = function* () {
      for (const { lines, ...run } of sealedRuns(db, range)) {
        rows.push(run);
        yield* lines;
      }
    };
    await writeTexts(file, texts());
    return unsealedIn(db, range);
  });
  if (unsealed > 0)
    process.stderr.write(`${unsealed} readings aren't sealed yet, and not in ${file}\n`);
  if (rows.length === 0)
    throw new Failure(EXIT.failed, "there is no sealed reading in this range, expected some");
  return rows;
}

function provable<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof NotProvable) throw new Failure(EXIT.failed, messageOf(error));
    throw error;
  }
}
