// The trusted keys of a ship's ledger: those that the office names, or else the first one that
// arrived, and each key signed with a trusted one. A ledger that begins with another key may be a
// thief's; so may a key that the one before didn't sign.

import { type NoteKey, verifierKey } from "../../ledger/note.ts";
import type { NumberedKey } from "./statements.ts";

/** The trusted verifier keys; `trusted` are those that the office names, possibly none. */
export function vouchedKeys(
  keys: readonly NumberedKey[],
  trusted: ReadonlySet<string>,
): ReadonlySet<string> {
  const [first] = keys.filter(({ before }) => before === null).map(({ key }) => verifierKey(key));
  const vouched = new Set(trusted.size > 0 || first === undefined ? trusted : [first]);
  const own = new Set<string>();
  for (let known = -1; known < vouched.size; ) {
    known = vouched.size;
    for (const { key, before, isSignedBefore } of keys) {
      // A new tree after a salvage begins with the key that signed the tree before.
      const isHeir = before !== null && isSignedBefore && vouched.has(verifierKey(before));
      if (isHeir || (before === null && own.has(bytesOf(key)))) vouched.add(verifierKey(key));
      if (vouched.has(verifierKey(key))) own.add(bytesOf(key));
    }
  }
  return vouched;
}

const bytesOf = ({ key }: NoteKey) => Buffer.from(key).toString("hex");

/** Ledgers that begin with a key that isn't trusted. */
export function otherLedgers(
  keys: readonly NumberedKey[],
  vouched: ReadonlySet<string>,
): readonly string[] {
  const first = keys.filter(({ before }) => before === null).map(({ key }) => verifierKey(key));
  const [known = "none"] = vouched;
  return [...new Set(first)]
    .filter((key) => !vouched.has(key))
    .map((key) => `another ledger begins with the key ${key}, known is ${known}`);
}
