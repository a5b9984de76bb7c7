// `ballastd ledger check`: verifies the ledger aboard, or proofs and heads that left the ship.
// Trusted keys are the given ones, or else those in the ledger aboard.

import { existsSync } from "node:fs";
import {
  compareOnceSettled,
  compareSignedHead,
  type SignedHeadResult,
} from "../app/control/signed-file.ts";
import type { Config } from "../config/config.ts";
import { readSmall } from "../ground/durable.ts";
import { codeOf, EXIT, Failure, messageOf } from "../ground/errors.ts";
import { atPath } from "../ground/owner.ts";
import { checkProof } from "../ledger/check-proof.ts";
import { readCheckpoint, requireNoFork, signerOfHead } from "../ledger/checkpoint.ts";
import { isSameHash } from "../ledger/merkle-proof.ts";
import { BadNote, type NoteKey, readVerifierKey } from "../ledger/note.ts";
import { verifyChains } from "../sqlite/care/verify.ts";
import { ledgerRoot, ledgerSize } from "../sqlite/file/ledger.ts";
import { type Connection, databaseFile } from "../sqlite/file/open.ts";
import { ledgerKeys } from "../sqlite/records/ledger-answers.ts";
import { givenUnproven } from "../sqlite/records/operation-faults.ts";
import { printResult } from "./document.ts";
import { configOf, readDatabase } from "./instance-data.ts";
import type { LedgerOptions } from "./ledger-options.ts";

export async function checkLedger(values: LedgerOptions, files: readonly string[]): Promise<void> {
  const config = configOf(values);
  if (files.length === 0) refuseUnused(values, ["lines", "key", "claim", "ship"], "expected files");
  const checked = files.length === 0 ? await aboard(config) : given(config, values, files);
  const { proven, problem, not_proven } = checked;
  const last = problem === null ? "all of this is proven" : `WRONG: ${problem}`;
  const unproven = not_proven === undefined ? [] : [`not proven: ${not_proven.join("; ")}`];
  printResult(values.json, checked, [...proven, last, ...unproven].join("\n"));
  if (problem !== null) process.exitCode = EXIT.failed;
}

/** Throws a Failure for a given option that this check has no use for. */
function refuseUnused(
  values: LedgerOptions,
  options: readonly ("lines" | "key" | "claim" | "ship")[],
  expected: string,
): void {
  const unused = options.find((name) => values[name] !== undefined);
  if (unused !== undefined) throw new Failure(EXIT.usage, `ledger check --${unused}: ${expected}`);
}

interface Checked {
  readonly proven: readonly string[];
  readonly problem: string | null;
  /** The unproven data aboard; undefined for a check of files. */
  readonly not_proven?: readonly string[];
}

async function aboard(config: Config): Promise<Checked> {
  const checked = readDatabase(config, (db) =>
    db.transaction((): Checked => {
      const judging = { judging: config };
      const found = verifyChains(db, () => {}, judging);
      const { ledger: leaves, ledger_root, problem, not_proven } = found;
      if (problem !== null) return { proven: [], problem, not_proven };
      const unproven = givenUnproven(db);
      const noted = `${unproven} versions of verdicts were given out before the ledger stated it`;
      const proven = [
        `${leaves} leaves, root ${ledger_root}`,
        ...(unproven === 0 ? [] : [`${noted}: noted only, not proven`]),
      ];
      return { proven, problem, not_proven };
    })(),
  );
  if (checked.problem !== null) return checked;
  const { problem, not_proven } = await signedAboard(config);
  const hasNewest = problem === null && not_proven.length === 0;
  return {
    proven: [...checked.proven, ...(hasNewest ? ["it has the newest head signed here"] : [])],
    problem,
    not_proven: [...not_proven, ...(checked.not_proven ?? [])],
  };
}

/** Compares the ledger aboard, a tree that was verified, with the newest head signed here. */
export function signedAboard(config: Config): Promise<SignedHeadResult> {
  const { dir } = config.storage;
  return compareOnceSettled(dir, () => readDatabase(config, (db) => compareSignedHead(db, dir)));
}

function hasHead(
  db: Connection,
  { size, root }: { readonly size: number; readonly root: Uint8Array },
  leaves: number,
): boolean {
  return size <= leaves && isSameHash(ledgerRoot(db, size), root);
}

/** Checks the given files: one proof or none, and kept heads. */
function given(config: Config, values: LedgerOptions, files: readonly string[]): Checked {
  const texts = files.map((file) => contentOf(file).toString());
  const proofs = texts.filter((text) => text.startsWith("{"));
  const heads = texts.filter((text) => !text.startsWith("{")).map(keptHead);
  if (proofs.length > 1)
    throw new Failure(EXIT.usage, `ledger check: got ${proofs.length} proofs, expected one`);
  const [proof] = proofs;
  if (proof === undefined)
    refuseUnused(values, ["lines", "claim", "ship"], "expected the proof of it");
  const lines = values.lines === undefined ? new Uint8Array() : contentOf(values.lines);
  try {
    const trusted = trustedKeys(config, values.key ?? []);
    const proven =
      proof === undefined
        ? checkHeads(config, heads, trusted)
        : checkProof({
            proof,
            lines,
            heads,
            trusted,
            claims: values.claim ?? [],
            ship: values.ship ?? null,
          });
    return { proven, problem: null };
  } catch (error) {
    if (!(error instanceof BadNote)) throw error;
    return { proven: [], problem: messageOf(error) };
  }
}

/** The signed text of a head as a QR scanner or an editor saved it, with its original line ends. */
function keptHead(text: string): string {
  const lines = text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
  return `${lines.replace(/\n+$/, "")}\n`;
}

function contentOf(file: string): Buffer {
  try {
    return atPath(file, () => readSmall(file));
  } catch (error) {
    throw new Failure(
      EXIT.failed,
      `${file}: expected a file that can be read (${codeOf(error) ?? messageOf(error)})`,
    );
  }
}

/** The given keys, or else those in the ledger aboard. */
function trustedKeys(config: Config, keys: readonly string[]): readonly NoteKey[] {
  if (keys.length > 0) return keys.map(readVerifierKey);
  if (existsSync(databaseFile(config.storage.dir))) return readDatabase(config, ledgerKeys);
  throw new Failure(EXIT.usage, "ledger check: there is no ledger aboard, expected --key KEY");
}

/** Checks given heads without a proof; returns a line of text for each. */
function checkHeads(config: Config, heads: readonly string[], trusted: readonly NoteKey[]) {
  const proven = heads.map((head) => checkHead(config, head, trusted));
  requireNoFork(heads.map(readCheckpoint));
  if (existsSync(databaseFile(config.storage.dir))) {
    const { problem } = readDatabase(config, (db) => verifyChains(db, () => {}));
    if (problem !== null) throw new BadNote(`the ledger aboard is damaged: ${problem}`);
  }
  return proven;
}

/**
 * Checks one head: its signature, and its tree if there is a ledger aboard. Returns a line of text.
 */
function checkHead(config: Config, text: string, trusted: readonly NoteKey[]): string {
  const head = readCheckpoint(text);
  const { name } = signerOfHead(head, trusted);
  const says = `a head of ${head.size} leaves, signed by ${name}`;
  if (!existsSync(databaseFile(config.storage.dir))) return says;
  return readDatabase(config, (db) => {
    const isOwn = ledgerKeys(db).some((key) => key.name === head.origin);
    if (isOwn && !hasHead(db, head, ledgerSize(db)))
      throw new BadNote(`the head of ${head.size} leaves is no head of the ledger aboard`);
    return isOwn ? `${says}; the ledger aboard has it` : says;
  });
}
