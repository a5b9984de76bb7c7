// The newest head that was signed here, in a small file outside of the database and its backups, on
// disk before the signature is made. By it the signer notices a database that was put back or
// copied, and never signs two different trees of one size under one origin.

import { closeSync, readFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { openFile, writeWholeLater } from "../../ground/durable.ts";
import type { TreeHead } from "../../ledger/checkpoint.ts";
import { isSameHash } from "../../ledger/merkle-proof.ts";
import { ledgerRoot, ledgerSize } from "../../sqlite/file/ledger.ts";
import { type Connection, prepare } from "../../sqlite/file/open.ts";

const SignedFile = z.object({
  /** The number of the box. */
  instance: z.string(),
  origin: z.string(),
  size: z.number().int().min(0),
  /** The root in base64. */
  root: z.base64(),
});

export interface Signed extends TreeHead {
  readonly instance: string;
}

export function signedFile(dir: string): string {
  return path.join(dir, "ledger-signed.json");
}

/** Null if nothing was signed in this folder, or if the file can't be read as one. */
export function readSigned(dir: string): Signed | null {
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

/** Notes what is about to be signed. */
export async function writeSigned(dir: string, { root, ...rest }: Signed): Promise<void> {
  const { instance, origin, size } = rest;
  const base64 = Buffer.from(root).toString("base64");
  const text = JSON.stringify({ instance, origin, size, root: base64 });
  await writeWholeLater(signedFile(dir), `${text}\n`);
}

/**
 * The reason why the newest head that was signed in a folder isn't one of its database; null if it
 * is, and if none is known. In the caller's transaction, of a tree that was verified.
 */
export function lostSigned(db: Connection, dir: string): string | null {
  const signed = readSigned(dir);
  if (signed === null || signed.size === 0) return null;
  const { size, root, origin } = signed;
  const name = `the head of ${size} leaves signed here`;
  if (size > ledgerSize(db) || !isSameHash(ledgerRoot(db, size), root)) return `it lacks ${name}`;
  const newest = prepare(db, "ledger_head.newest").get({});
  // Between its signature and its row a machine may have stopped; the next head mends that.
  const isStored = newest !== undefined && (newest.size >= size || newest.origin !== origin);
  return isStored ? null : `${name} isn't stored`;
}

/** The word on a head that was signed here, and that nothing here remembers; null for none. */
export function forgottenSigned(db: Connection, dir: string): string | null {
  if (readSigned(dir) !== null || prepare(db, "ledger_head.newest").get({}) === undefined)
    return null;
  const name = path.basename(signedFile(dir));
  return `the newest head signed here: ${name} is missing, or can't be read`;
}
