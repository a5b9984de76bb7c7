// The private key of the ledger: a PEM file with mode 0600 beside the database, never in it, in a
// backup or in a report. A new key has another file name until its statement is in the ledger, so
// that after a power cut in between, the key named by the ledger is still in use.

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

/** The key in use; `stated` is the public key that the ledger names. Null if no key can be read. */
export function keyInUse(dir: string, stated: Uint8Array | null): KeyObject | null {
  const next = keyIn(nextFile(dir));
  if (next !== null && stated !== null && isSameHash(publicBytes(next), stated)) placeNext(dir);
  else rmSync(nextFile(dir), { force: true });
  return keyIn(ledgerKeyFile(dir));
}

/** Makes a new key, which waits for its statement. */
export function makeNextKey(dir: string): KeyObject {
  const { privateKey } = generateKeyPairSync("ed25519");
  writeWhole(nextFile(dir), privateKey.export({ type: "pkcs8", format: "pem" }));
  return privateKey;
}

/** Puts the waiting key in the place of the one before. */
export function placeNext(dir: string): void {
  const file = ledgerKeyFile(dir);
  // A key that can't be read is kept, since somebody may still repair it.
  if (existsSync(file) && keyIn(file) === null) renameSync(file, `${file}.unreadable`);
  renameSync(nextFile(dir), file);
  syncPath(dir);
}

/**
 * The key in the file; null without a file or without an Ed25519 key in it. Throws a Failure if the
 * file can't be read. A mode that lets others read it, as after copying, is corrected.
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
