// The statement "from here on heads of this origin are signed by this key": the first of an
// installation, and one after a restore, a copy or a change of the key. It is a signed note, of the
// new key and, if it still exists, of the key before, so that a stranger can follow the signers
// from the first head to the last.

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

/** First line of a statement. No checkpoint begins so: its second line would be a number. */
const TITLE = "ballastd ledger key";

export interface KeyStatement {
  readonly key: NoteKey;
  /** The key before this one; null for the first. */
  readonly before: NoteKey | null;
  /** True if the key before signed this statement too. */
  readonly isSignedBefore: boolean;
  /** The tree that goes on under the new origin; null if the origin stays, or is the first. */
  readonly continues: TreeHead | null;
  /** The newest known head of a tree that was lost; null if the leaves continue. */
  readonly follows: TreeHead | null;
  readonly reason: string;
  readonly at: string;
  /**
   * The ship; null in statements from before ships were named, and for a ship without IMO number.
   */
  readonly ship: NamedShip | null;
}

/** The ship and its treatment system, as configured. */
export interface NamedShip {
  readonly imo: string;
  readonly vessel: string;
  readonly system: string;
}

export function isSameShip(one: NamedShip | null, other: NamedShip | null): boolean {
  return SHIP_NAMES.every((name) => one?.[name] === other?.[name]);
}

/** The IMO number in a verdict's statement; null if it names no ship. */
export function shipOfVerdict(statement: string): string | null {
  try {
    const imo: unknown = Object(Object(Object(JSON.parse(statement)).operation).ship).imo;
    return typeof imo === "string" ? imo : null;
  } catch {
    return null;
  }
}

/** Reasons for a statement that don't invalidate anything signed before. */
export const FIRST_START = "first start";
export const ROTATED = "rotated";
export const SHIP_NAMED = "the ship is named, or another system";
const ORDINARY: readonly string[] = [FIRST_START, ROTATED, SHIP_NAMED];

/** True if the database isn't the one signed here before: put back, copied or rewritten. */
export function isReplaced({ reason, follows }: KeyStatement): boolean {
  return !ORDINARY.includes(reason) || follows !== null;
}

type Stated = Pick<KeyStatement, "before" | "continues" | "follows" | "reason" | "at" | "ship">;

/** The statement's text. `old` signs too if the key before is still there. */
export function keyStatement(said: Stated, signer: NoteSigner, old: NoteSigner | null): string {
  const { before, continues, follows, reason, at, ship } = said;
  const key = { name: signer.name, key: publicBytes(signer.secret) };
  const text = [
    TITLE,
    `key ${verifierKey(key)}`,
    `before ${before === null ? "none" : verifierKey(before)}`,
    `continues ${headText(continues)}`,
    `follows ${headText(follows)}`,
    `reason ${reason}`,
    `at ${at}`,
    ...(ship === null ? [] : SHIP_NAMES.map((name) => `${name} ${ship[name]}`)),
    "",
  ].join("\n");
  return signedNote(text, old === null ? [signer] : [signer, old]);
}

function headText(head: TreeHead | null): string {
  if (head === null) return "none";
  return `${head.origin} ${head.size} ${Buffer.from(head.root).toString("base64")}`;
}

const NAMES = ["key", "before", "continues", "follows", "reason", "at"] as const;
/** Lines that a statement about a named ship has in addition. */
const SHIP_NAMES = ["imo", "vessel", "system"] as const;

/** Reads a statement, and proves that its new key signed it. Throws BadNote. */
export function readKeyStatement(content: string): KeyStatement {
  const note = readNote(content);
  const [title, ...lines] = note.text.split("\n");
  const isNamed = lines.length === NAMES.length + SHIP_NAMES.length + 1;
  if (title !== TITLE || !(isNamed || lines.length === NAMES.length + 1))
    throw new BadNote("it isn't a statement about a key");
  const valueAt = (name: string, index: number) => {
    if (lines[index].startsWith(`${name} `)) return lines[index].slice(name.length + 1);
    throw new BadNote(`${JSON.stringify(lines[index])}: expected ${name}`);
  };
  const [key, before, continues, follows, reason, at] = NAMES.map(valueAt);
  const [imo, vessel, system] = isNamed
    ? SHIP_NAMES.map((name, index) => valueAt(name, NAMES.length + index))
    : [];
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
    ship: isNamed ? { imo, vessel, system } : null,
  };
}

function readHead(text: string): TreeHead | null {
  return text === "none" ? null : readTreeHead(text.split(" "));
}
