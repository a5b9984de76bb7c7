// The private key of the ledger: a PEM file with mode 0600 beside the database, never in it, in a
// backup or in a report. A new key waits under another name until the ledger has the statement
// about it, so that a power cut between the two leaves the one that the ledger names.

import { createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import {
  closeSync,
  existsSync,
  fchmodSync,
  fstatSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import path from "node:path";
import { openFile, syncPath, writeWhole } from "../../ground/durable.ts";
import { codeOf, EXIT, Failure } from "../../ground/errors.ts";
import { isSameHash } from "../../ledger/merkle-proof.ts";
import { publicBytes } from "../../ledger/note.ts";

export function ledgerKeyFile(dir: string): string {
  return path.join(dir, "ledger-key.pem");
}

const nextFile = (dir: string) => `${ledgerKeyFile(dir)}.next`;

/** The key in use, `stated` being the one that the ledger names; null if there is none to read. */
export function keyInUse(dir: string, stated: Uint8Array | null): KeyObject | null {
  const next = keyIn(nextFile(dir));
  if (next !== null && stated !== null && isSameHash(publicBytes(next), stated)) placeNext(dir);
  else rmSync(nextFile(dir), { force: true });
  return keyIn(ledgerKeyFile(dir));
}

/** Makes a key that waits for its statement. */
export function makeNextKey(dir: string): KeyObject {
  const { privateKey } = generateKeyPairSync("ed25519");
  writeWhole(nextFile(dir), privateKey.export({ type: "pkcs8", format: "pem" }));
  return privateKey;
}

/** Puts the key that waited in the place of the one before. */
export function placeNext(dir: string): void {
  const file = ledgerKeyFile(dir);
  // One that can't be read may still be mended by somebody.
  if (existsSync(file) && keyIn(file) === null) renameSync(file, `${file}.unreadable`);
  renameSync(nextFile(dir), file);
  syncPath(dir);
}

/**
 * Null if it isn't there, or isn't an Ed25519 key. Throws a Failure if it can't be read. A mode by
 * which others may read it, as a copying hand may leave it, is set right.
 */
function keyIn(file: string): KeyObject | null {
  if (!existsSync(file)) return null;
  const pem = bytesOf(file);
  try {
    const key = createPrivateKey(pem);
    return key.asymmetricKeyType === "ed25519" ? key : null;
  } catch {
    return null;
  }
}

function bytesOf(file: string): Buffer {
  try {
    const handle = openFile(file);
    try {
      const { mode, uid } = fstatSync(handle);
      if ((mode & 0o077) !== 0 && uid === process.geteuid?.()) fchmodSync(handle, 0o600);
      return readFileSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(EXIT.permission, `${file}: can't be read (${codeOf(error) ?? "?"})`);
  }
}
