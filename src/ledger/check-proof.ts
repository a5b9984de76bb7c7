// Checks a proof: the head's signature and the keys that lead to its key, each leaf's place in the
// tree and its content, each line's place in its segment, and that the tree only grew since heads
// that were kept. The first fault found is thrown as a BadNote that names the faulty part.

import { hashOfLeaf, sha256 } from "../codec/merkle.ts";
import { readSegmentHead } from "../codec/segment-reader.ts";
import { messageOf } from "../ground/errors.ts";
import { type Checkpoint, readCheckpoint, signerOfHead } from "./checkpoint.ts";
import { type KeyStatement, readKeyStatement, shipOfVerdict } from "./key-statement.ts";
import {
  isConsistent,
  isSameHash,
  leafHash,
  rootOfInclusion,
  rootOfStretch,
} from "./merkle-proof.ts";
import { BadNote, base64Bytes, type NoteKey, verifierKey } from "./note.ts";
import { hashIn, type LeafAbout, type LedgerProof, pathHashes, readProof } from "./proof.ts";

export interface ProofInput {
  readonly proof: string;
  /** The lines to be proven, each with its line end. */
  readonly lines: Uint8Array;
  /** Signed heads that the verifier has kept. */
  readonly heads: readonly string[];
  /** Keys that the verifier trusts. */
  readonly trusted: readonly NoteKey[];
  /** Leaves that the proof must contain, such as `event 12`. */
  readonly claims: readonly string[];
  /** IMO number of the ship that the ledger must belong to; null: any. */
  readonly ship?: string | null;
}

/** Returns the proven facts, one per line. Throws BadNote. */
export function checkProof({
  proof,
  lines,
  heads,
  trusted,
  claims,
  ship = null,
}: ProofInput): readonly string[] {
  const given = readProof(proof);
  const head = readCheckpoint(given.head);
  const statements = checkKeys(given, head);
  requireTrust(statements, trusted);
  const signer = statements[statements.length - 1].key;
  signerOfHead(head, [signer]);
  if (ship !== null) requireShip(statements, given.leaves, ship);
  const leaves = given.leaves.map((leaf) => named(leaf.leaf, () => checkedLeaf(leaf, head)));
  const missing = claims.find((claim) => !leaves.some(({ name, says }) => name === claim && says));
  if (missing !== undefined) throw new BadNote(`${missing}: isn't in the proof`);
  return [
    `a head of ${head.size} leaves, signed by ${verifierKey(signer)}`,
    ...checkKept(given, head, { heads, keys: statements.map(({ key }) => key) }),
    ...leaves.flatMap(({ says }) => says ?? []),
    ...checkRows(given.rows, leaves, linesOf(lines)),
  ];
}

/** Runs `check`, and adds `name` to its error. */
function named<Result>(name: string, check: () => Result): Result {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof BadNote)) throw error;
    throw new BadNote(`${name}: ${messageOf(error)}`);
  }
}

/** A statement about a key, and the index of its leaf, from 0. */
export type PlacedKey = KeyStatement & { readonly index: number };

function checkKeys({ keys }: LedgerProof, head: Checkpoint): readonly PlacedKey[] {
  const placed: PlacedKey[] = [];
  for (const [at, { index, statement, path, grown }] of keys.entries())
    named(`key ${at + 1}`, () => {
      const said = { ...readKeyStatement(statement), index };
      const hash = sha256(Buffer.from(statement)).toString("hex");
      requirePlace(`key ${at + 1} ${hash}`, { index, path }, head);
      requireNext(placed.at(-1) ?? null, said);
      const { continues } = said;
      if ((continues === null) !== (grown === null))
        throw new BadNote("its path doesn't fit what it continues");
      if (continues !== null) requireGrowth(continues, head, grown ?? []);
      placed.push(said);
    });
  if (placed.length === 0) throw new BadNote("keys: there is none");
  return placed;
}

function requirePlace(
  leaf: string,
  { index, path }: { readonly index: number; readonly path: readonly string[] },
  head: Checkpoint,
): void {
  const inclusion = { index, size: head.size, path: pathHashes(path) };
  const root = rootOfInclusion(leafHash(leaf), inclusion);
  if (root === null || !isSameHash(root, head.root))
    throw new BadNote(`it isn't leaf ${index} of the head's tree`);
}

interface Sized {
  readonly size: number;
  readonly root: Uint8Array;
}

function requireGrowth(before: Sized, { size, root }: Sized, path: readonly string[]): void {
  const sizes = { before: before.size, root_before: before.root, size, root };
  if (!isConsistent({ ...sizes, path: pathHashes(path) }))
    throw new BadNote(`the tree of ${before.size} leaves isn't the beginning of that of ${size}`);
}

/** Throws BadNote if a statement doesn't follow from the one before it. */
export function requireNext(last: PlacedKey | null, said: PlacedKey): void {
  const { before, continues, index } = said;
  if (last === null) {
    if (before !== null || continues !== null)
      throw new BadNote("it isn't the first, and the one before is missing");
    return;
  }
  if (before === null || verifierKey(before) !== verifierKey(last.key))
    throw new BadNote("it names another key before than the statement before it");
  if (index <= last.index) throw new BadNote("it stands before the statement before it");
  if (said.key.name === last.key.name) {
    if (!said.isSignedBefore)
      throw new BadNote("the key was exchanged, and the key before didn't sign that");
    if (continues !== null) throw new BadNote("the origin stays, and continues another");
  } else if (continues?.origin !== last.key.name || continues.size !== index)
    throw new BadNote("it doesn't continue the origin before");
}

/** Throws BadNote unless the newest key, and every verdict that names a ship, name this one. */
function requireShip(
  statements: readonly KeyStatement[],
  leaves: LedgerProof["leaves"],
  imo: string,
): void {
  const named = statements.at(-1)?.ship?.imo;
  if (named === undefined) throw new BadNote("the ledger doesn't name the ship");
  if (named !== imo) throw new BadNote(`it is the ledger of the ship ${named}, not of ${imo}`);
  for (const { leaf, about } of leaves) {
    const said = about !== null && "statement" in about ? shipOfVerdict(about.statement) : null;
    if (leaf.startsWith("verdict ") && said !== null && said !== imo)
      throw new BadNote(`${leaf.split(" ", 2).join(" ")}: is of the ship ${said}, not of ${imo}`);
  }
}

/** Throws BadNote if no trusted key leads to the head's, each next key signed by the one before. */
function requireTrust(statements: readonly KeyStatement[], trusted: readonly NoteKey[]): void {
  const known = new Set(trusted.map(verifierKey));
  let isTrusted = false;
  for (const { key, isSignedBefore } of statements)
    isTrusted = known.has(verifierKey(key)) || (isTrusted && isSignedBefore);
  if (!isTrusted) throw new BadNote("no trusted key is the head's, or leads to it");
}

function checkKept(
  { earlier }: LedgerProof,
  head: Checkpoint,
  { heads, keys }: { readonly heads: readonly string[]; readonly keys: readonly NoteKey[] },
): readonly string[] {
  const grown = earlier && { size: earlier.size, root: hashIn(earlier.root) };
  if (earlier !== null && grown !== null)
    named("earlier", () => requireGrowth(grown, head, earlier.path));
  return heads.map((text) => {
    const kept = readCheckpoint(text);
    signerOfHead(kept, keys);
    const isHead = kept.size === head.size;
    if (isHead && !isSameHash(kept.root, head.root))
      throw new BadNote(`two trees of ${kept.size} leaves were signed: ${kept.origin} is a fork`);
    if (!isHead && grown?.size !== kept.size)
      throw new BadNote(`the proof has no path from the head of ${kept.size} leaves`);
    if (!isHead && grown !== null && !isSameHash(kept.root, grown.root))
      throw new BadNote(`the head of ${kept.size} leaves that was kept is no head of this tree`);
    return `the tree only grew since the head of ${kept.size} leaves that was kept`;
  });
}

const LEAF = /^([a-z]+) ([1-9]\d{0,14}) ([0-9a-f]{64})(?: ([1-9]\d{0,5}) ([0-9a-f]{64}))?$/;

interface CheckedLeaf {
  readonly name: string;
  /** The rows of a segment; null for other leaves. */
  readonly rows: { readonly count: number; readonly root: Uint8Array } | null;
  /** A line about the leaf; null for a segment of which only rows are proven. */
  readonly says: string | null;
}

function checkedLeaf(
  { leaf, index, path, about }: LedgerProof["leaves"][number],
  head: Checkpoint,
): CheckedLeaf {
  const [, kind, number, hash, count, root] = LEAF.exec(leaf) ?? [];
  if (hash === undefined || (kind === "segment") !== (count !== undefined))
    throw new BadNote("it isn't a leaf");
  requirePlace(leaf, { index, path }, head);
  const name = `${kind} ${number}`;
  const rows =
    count === undefined ? null : { count: Number(count), root: Buffer.from(root, "hex") };
  if (about === null) {
    if (rows === null) throw new BadNote("nothing tells what it is about");
    return { name, rows, says: null };
  }
  const { made, shown, chain } = partsOf(about, rows);
  if (chain !== (CHAIN_KINDS.has(kind) ? kind : null) || made.toString("hex") !== hash)
    throw new BadNote("what it is about isn't what the leaf says");
  return { name, rows, says: `${name} is in it as leaf ${index}: ${shown}` };
}

interface AboutParts {
  readonly made: Buffer;
  readonly shown: string;
  /** The chain of a link; null for a statement. */
  readonly chain: string | null;
}

function partsOf(about: LeafAbout, rows: CheckedLeaf["rows"]): AboutParts {
  const joined = (...parts: readonly Uint8Array[]) => sha256(Buffer.concat(parts));
  if ("statement" in about) {
    const bytes = Buffer.from(about.statement);
    return { made: sha256(bytes), shown: about.statement, chain: null };
  }
  const previous = hashIn(about.previous);
  if ("entry" in about)
    return {
      made: joined(Buffer.from(about.entry), previous),
      shown: about.entry,
      chain: "audit",
    };
  if ("identity" in about) {
    const identity = sha256(Buffer.from(about.identity));
    const made = joined(identity, Buffer.from(about.facts), previous);
    return { made, shown: about.identity, chain: "event" };
  }
  const header = base64Bytes(about.header, "a header");
  const made = joined(header, hashIn(about.payload_hash), previous);
  const said = headOf(header);
  if (said.count !== rows?.count || !isSameHash(said.root, rows.root))
    throw new BadNote("it has another root or other rows than its header");
  return { made, shown: `${said.count} readings`, chain: "segment" };
}

/** The kinds of links; all others are statements. */
const CHAIN_KINDS: ReadonlySet<string> = new Set(["segment", "event", "audit"]);

function headOf(header: Uint8Array) {
  try {
    return readSegmentHead(header);
  } catch (error) {
    throw new BadNote(messageOf(error));
  }
}

/**
 * Throws BadNote unless every line is a sealed reading, in the order of the proof and without
 * repetition.
 */
function checkRows(
  rows: LedgerProof["rows"],
  leaves: readonly CheckedLeaf[],
  lines: readonly Uint8Array[],
): readonly string[] {
  let at = 0;
  const ends = new Map<string, number>();
  for (const { leaf, from, count, path } of rows) {
    const { name, rows: segment } = leaves[leaf] ?? { name: "", rows: null };
    if (segment === null) throw new BadNote(`rows: leaf ${leaf} of the proof isn't a segment`);
    if (from < (ends.get(name) ?? 0))
      throw new BadNote(`rows: row ${from} of ${name} stands twice, or before another`);
    ends.set(name, from + count);
    const known = lines.slice(at, at + count).map(hashOfLeaf);
    if (known.length < count) throw new BadNote(`line ${at + known.length + 1} is missing`);
    const stretch = { from, size: segment.count, path: pathHashes(path) };
    const root = rootOfStretch(known, stretch);
    if (root === null || !isSameHash(root, segment.root))
      throw new BadNote(
        `lines ${at + 1} to ${at + count} aren't rows ${from} to ${from + count - 1} of ${name}`,
      );
    at += count;
  }
  if (at < lines.length) throw new BadNote(`line ${at + 1} isn't in the proof`);
  return at === 0 ? [] : [`${at} lines are readings that were sealed`];
}

function linesOf(bytes: Uint8Array): readonly Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(10, from);
    if (end < 0) throw new BadNote("the last line has no end");
    lines.push(bytes.subarray(from, end));
    from = end + 1;
  }
  return lines;
}
