// The newest head that was signed here, in a small file outside of the database and its backups, on
// disk before the signature is made. With it the signer notices a database that was put back or
// copied, and never signs two different trees of one size under one origin.

import { closeSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import * as z from "zod";
import { openFile, writeWholeLater } from "../../ground/durable.ts";
import type { TreeHead } from "../../ledger/checkpoint.ts";
import { isSameHash } from "../../ledger/merkle-proof.ts";
import { ledgerRoot, ledgerSize } from "../../sqlite/file/ledger.ts";
import { type Connection, prepare } from "../../sqlite/file/open.ts";
import { wasSalvaged } from "../../sqlite/records/ledger-heads.ts";

const SignedFile = z.object({
  /** The instance number of the box. */
  instance: z.string(),
  origin: z.string(),
  size: z.number().int().min(0),
  /** The root in base64. */
  root: z.base64(),
  /** Number of heads that were stored before this one. */
  heads: z.number().int().min(0).default(0),
});

export interface LastSignedHead extends TreeHead {
  readonly instance: string;
  readonly heads: number;
}

export function signedFile(dir: string): string {
  return path.join(dir, "ledger-signed.json");
}

/** The file's content; null if nothing was signed in this folder, or if the file can't be read. */
export function readSignedHead(dir: string): LastSignedHead | null {
  try {
    const { root, ...read } = SignedFile.parse(JSON.parse(textOf(signedFile(dir))));
    return { ...read, root: Buffer.from(root, "base64") };
  } catch {
    return null;
  }
}

function textOf(file: string): string {
  const handle = openFile(file);
  try {
    return readFileSync(handle, "utf8");
  } finally {
    closeSync(handle);
  }
}

/** Writes the head that is about to be signed. */
export async function writeSignedHead(
  dir: string,
  { root, ...rest }: LastSignedHead,
): Promise<void> {
  const { instance, origin, size, heads } = rest;
  const base64 = Buffer.from(root).toString("base64");
  const text = JSON.stringify({ instance, origin, size, root: base64, heads });
  await writeWholeLater(signedFile(dir), `${text}\n`);
}

/** The result of comparing a database with the newest head signed in its folder. */
export interface SignedHeadResult {
  /** The reason why that head isn't in the database; null if it is, or if no head is known. */
  readonly problem: string | null;
  /** Names the signed head if its file is missing or unreadable; else empty. */
  readonly not_proven: readonly string[];
}

/**
 * Maximum time that a running service needs from writing this file to storing the head, on a slow
 * disk.
 */
const SIGNING_MS = 30_000;
const PAUSE_MS = 100;

/**
 * Compares a verified tree while a running service may sign: a head is written to the file before
 * it is signed, and stored after that. If the file was written just now, this waits for the head.
 * `compare` reads the database's state at each call.
 */
export async function compareOnceSettled(
  dir: string,
  compare: () => SignedHeadResult,
): Promise<SignedHeadResult> {
  let compared = compare();
  for (let waited_ms = 0; waited_ms < SIGNING_MS; waited_ms += PAUSE_MS) {
    if (compared.problem === null || !isJustNoted(dir)) break;
    await setTimeout(PAUSE_MS);
    compared = compare();
  }
  return compared;
}

function isJustNoted(dir: string): boolean {
  const noted_ms = statSync(signedFile(dir), { throwIfNoEntry: false })?.mtimeMs;
  return noted_ms !== undefined && Math.abs(Date.now() - noted_ms) < SIGNING_MS;
}

/** Compares a verified tree with the file. */
export function compareSignedHead(db: Connection, dir: string): SignedHeadResult {
  const signed = readSignedHead(dir);
  const newest = prepare(db, "ledger_head.newest").get({});
  if (signed === null && newest !== undefined) {
    const file = path.basename(signedFile(dir));
    const lacks = `the newest head signed here: ${file} is missing, or can't be read`;
    return { problem: null, not_proven: [lacks] };
  }
  const isNone = signed === null || signed.size === 0;
  return { problem: isNone ? null : lostSigned(db, signed, newest), not_proven: [] };
}

function lostSigned(
  db: Connection,
  { size, root, origin, heads }: LastSignedHead,
  newest: Pick<LastSignedHead, "size" | "origin"> | undefined,
): string | null {
  const name = `the head of ${size} leaves signed here`;
  if (size > ledgerSize(db) || !isSameHash(ledgerRoot(db, size), root)) return `it lacks ${name}`;
  const stored = prepare(db, "ledger_head.count").get({})?.count ?? 0;
  if (stored < heads && !wasSalvaged(db))
    return `${heads - stored} of ${heads} heads signed here aren't stored`;
  // A machine may have stopped between signing and storing; the next head corrects that.
  const isStored = newest !== undefined && (newest.size >= size || newest.origin !== origin);
  return isStored ? null : `${name} isn't stored`;
}
