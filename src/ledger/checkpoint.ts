// Heads of the ledger in the format of c2sp.org/tlog-checkpoint: the origin, the number of leaves,
// and the root, a line each, as a signed note. The origin is the name of the key. Extension lines
// are refused: ballastd writes none.

import { HASH_BYTES } from "../codec/merkle.ts";
import { isSameHash } from "./merkle-proof.ts";
import {
  BadNote,
  base64Bytes,
  type Note,
  type NoteKey,
  type NoteSigner,
  readNote,
  signedNote,
  verifiedBy,
} from "./note.ts";

/** A tree's size and root, under the name of its signer. */
export interface TreeHead {
  readonly origin: string;
  readonly size: number;
  readonly root: Uint8Array;
}

export interface Checkpoint extends TreeHead {
  readonly note: Note;
}

/** Form of an origin: printable characters, without blank and plus. */
const ORIGIN = /^[!-*,-~]{1,200}$/;

/** The signed checkpoint; the signer's name is the origin. */
export function signedCheckpoint(
  { size, root }: Pick<TreeHead, "size" | "root">,
  signer: NoteSigner,
): string {
  const base64 = Buffer.from(root).toString("base64");
  return signedNote(`${signer.name}\n${size}\n${base64}\n`, [signer]);
}

/** Reads a checkpoint without checking its signatures. Throws BadNote. */
export function readCheckpoint(text: string): Checkpoint {
  const note = readNote(text);
  const lines = note.text.split("\n");
  if (lines.length !== 4)
    throw new BadNote(`a head has ${lines.length - 1} lines, expected origin, size and root`);
  return { ...readTreeHead(lines), note };
}

/** The key of the head's own origin, if it signed the head. Throws BadNote as `verifiedBy` does. */
export function signerOfHead({ note, origin }: Checkpoint, keys: readonly NoteKey[]): NoteKey {
  return verifiedBy(
    note,
    keys.filter(({ name }) => name === origin),
  );
}

/** Throws BadNote if two of the heads have the same origin and size, but different roots. */
export function requireNoFork(heads: readonly TreeHead[]): void {
  const known = new Map<string, TreeHead>();
  for (const head of heads) {
    const name = `${head.origin} ${head.size}`;
    const same = known.get(name) ?? head;
    if (!isSameHash(same.root, head.root))
      throw new BadNote(`two trees of ${head.size} leaves were signed: ${head.origin} is a fork`);
    known.set(name, same);
  }
}

/** Reads origin, size and root from their lines. Throws BadNote. */
export function readTreeHead([origin, size, base64]: readonly string[]): TreeHead {
  if (!ORIGIN.test(origin ?? "")) throw new BadNote(`origin ${origin}: expected a name`);
  if (!/^(0|[1-9]\d{0,14})$/.test(size ?? "")) throw new BadNote(`size ${size}: expected a number`);
  const root = base64Bytes(base64 ?? "", "the root");
  if (root.length !== HASH_BYTES)
    throw new BadNote(`the root has ${root.length} bytes, expected ${HASH_BYTES}`);
  return { origin, size: Number(size), root };
}
