// The statement "from here on heads of this origin are signed by this key": the first of an
// installation, after a restore or a copy, and after a change of the key. It is a signed note, of
// the new key and, where that is still there, of the key before, so that a stranger can follow who
// signed from the first head to the last.

import { readTreeHead, type TreeHead } from "./checkpoint.ts";
import {
  BadNote,
  isSignedBy,
  type NoteKey,
  type NoteSigner,
  publicBytes,
  readNote,
  readVerifierKey,
  signedNote,
  verifierKey,
} from "./note.ts";

/** Nothing that a checkpoint could begin with: its second line would be a number. */
const TITLE = "ballastd ledger key";

export interface KeyStatement {
  readonly key: NoteKey;
  /** The key before; null for the first. */
  readonly before: NoteKey | null;
  /** True if the key before signed this too. */
  readonly isSignedBefore: boolean;
  /** The tree that goes on under the new origin; null if the origin stays, or is the first. */
  readonly continues: TreeHead | null;
  /** A tree that didn't survive, as its newest known head; null if the leaves go on. */
  readonly follows: TreeHead | null;
  readonly reason: string;
  readonly at: string;
}

/** Reasons for a statement that take nothing away from what was signed before. */
export const FIRST_START = "first start";
export const ROTATED = "rotated";
export const SHIP_NAMED = "the ship is named, or another system";
const ORDINARY: readonly string[] = [FIRST_START, ROTATED, SHIP_NAMED];

/** True if the database isn't the one that was signed here before: put back, copied or rewritten. */
export function isReplaced({ reason, follows }: KeyStatement): boolean {
  return !ORDINARY.includes(reason) || follows !== null;
}

type Stated = Pick<KeyStatement, "before" | "continues" | "follows" | "reason" | "at">;

/** The statement's text. `old` signs too if the key before is still there. */
export function keyStatement(said: Stated, signer: NoteSigner, old: NoteSigner | null): string {
  const { before, continues, follows, reason, at } = said;
  const key = { name: signer.name, key: publicBytes(signer.secret) };
  const text = [
    TITLE,
    `key ${verifierKey(key)}`,
    `before ${before === null ? "none" : verifierKey(before)}`,
    `continues ${headText(continues)}`,
    `follows ${headText(follows)}`,
    `reason ${reason}`,
    `at ${at}`,
    "",
  ].join("\n");
  return signedNote(text, old === null ? [signer] : [signer, old]);
}

function headText(head: TreeHead | null): string {
  if (head === null) return "none";
  return `${head.origin} ${head.size} ${Buffer.from(head.root).toString("base64")}`;
}

const NAMES = ["key", "before", "continues", "follows", "reason", "at"] as const;

/** Reads a statement, and proves that its new key signed it. Throws BadNote. */
export function readKeyStatement(content: string): KeyStatement {
  const note = readNote(content);
  const [title, ...lines] = note.text.split("\n");
  if (title !== TITLE || lines.length !== NAMES.length + 1)
    throw new BadNote("it isn't a statement about a key");
  const [key, before, continues, follows, reason, at] = NAMES.map((name, index) => {
    if (lines[index].startsWith(`${name} `)) return lines[index].slice(name.length + 1);
    throw new BadNote(`${JSON.stringify(lines[index])}: expected ${name}`);
  });
  const signer = readVerifierKey(key);
  const old = before === "none" ? null : readVerifierKey(before);
  if (!isSignedBy(note, signer)) throw new BadNote("its own key didn't sign it");
  return {
    key: signer,
    before: old,
    isSignedBefore: old !== null && isSignedBy(note, old),
    continues: readHead(continues),
    follows: readHead(follows),
    reason,
    at,
  };
}

function readHead(text: string): TreeHead | null {
  return text === "none" ? null : readTreeHead(text.split(" "));
}
