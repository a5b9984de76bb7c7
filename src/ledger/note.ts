// Signed notes in the format of c2sp.org/signed-note: a text, an empty line, and a line for each
// signature, with the name and the id of its key. Only Ed25519 is used. A text that isn't exactly
// of this format is refused.

import { createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { sha256 } from "../codec/merkle.ts";
import { messageOf } from "../ground/errors.ts";

/** The signature type of Ed25519 in key ids and verifier keys. */
const ED25519 = 1;
const KEY_BYTES = 32;
const ID_BYTES = 4;
const SIGNATURE_BYTES = 64;
/** Maximum number of signatures: no note needs more, and a stranger's may have any length. */
const SIGNATURES_MAX = 16;

/** A signer's name, and its Ed25519 public key of 32 bytes. */
export interface NoteKey {
  readonly name: string;
  readonly key: Uint8Array;
}

/** A key with its private half. */
export interface NoteSigner {
  readonly name: string;
  readonly secret: KeyObject;
}

interface Signature {
  readonly name: string;
  readonly id: Uint8Array;
  readonly signature: Uint8Array;
}

export interface Note {
  /** The text, with the end of its last line. */
  readonly text: string;
  readonly signatures: readonly Signature[];
}

/** Thrown for an invalid note, key or signature. */
export class BadNote extends Error {}

/** The 32 bytes of the public key. */
export function publicBytes(secret: KeyObject): Buffer {
  const spki = createPublicKey(secret).export({ type: "spki", format: "der" });
  return spki.subarray(spki.length - KEY_BYTES);
}

const SPKI = Buffer.from("302a300506032b6570032100", "hex");

export function keyObject(key: Uint8Array): KeyObject {
  const der = Buffer.concat([SPKI, key]);
  return createPublicKey({ key: der, format: "der", type: "spki" });
}

function keyId({ name, key }: NoteKey): Buffer {
  const typed = Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(ED25519), key]);
  return sha256(typed).subarray(0, ID_BYTES);
}

/** The key as text, which a verifier needs once. */
export function verifierKey(key: NoteKey): string {
  const typed = Buffer.concat([Buffer.of(ED25519), key.key]);
  return `${key.name}+${keyId(key).toString("hex")}+${typed.toString("base64")}`;
}

/** Reads a verifier key. Throws BadNote if it isn't an Ed25519 one. */
export function readVerifierKey(text: string): NoteKey {
  const [, name, id, base64] = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/.exec(text) ?? [];
  if (name === undefined) throw new BadNote(`${text}: expected name+id+key`);
  const typed = base64Bytes(base64, "a key");
  if (typed.length !== 1 + KEY_BYTES || typed[0] !== ED25519)
    throw new BadNote(`${text}: expected an Ed25519 key of 32 bytes`);
  const key = { name, key: typed.subarray(1) };
  if (keyId(key).toString("hex") !== id) throw new BadNote(`${text}: its id isn't that of its key`);
  return key;
}

/** Decodes base64 in its one canonical form. Throws BadNote for any other text. */
export function base64Bytes(base64: string, what: string): Buffer {
  const bytes = Buffer.from(base64, "base64");
  if (bytes.toString("base64") === base64) return bytes;
  throw new BadNote(`${what}: ${base64.slice(0, 60)} isn't base64`);
}

/** The note signed by each signer. `text` ends with a newline. */
export function signedNote(text: string, signers: readonly NoteSigner[]): string {
  const lines = signers.map(({ name, secret }) => {
    const id = keyId({ name, key: publicBytes(secret) });
    const signature = sign(null, Buffer.from(text), secret);
    return `\u2014 ${name} ${Buffer.concat([id, signature]).toString("base64")}\n`;
  });
  return `${text}\n${lines.join("")}`;
}

/** Parses a note. Throws BadNote. */
export function readNote(note: string): Note {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a note must not have them.
  if (/[\u0000-\u0009\u000b-\u001f]/.test(note))
    throw new BadNote("a note has no control characters but the ends of its lines");
  const at = note.lastIndexOf("\n\n");
  if (at < 0 || !note.endsWith("\n")) throw new BadNote("a note has an empty line, and signatures");
  const lines = note.slice(at + 2, -1).split("\n");
  if (lines.length > SIGNATURES_MAX)
    throw new BadNote(`${lines.length} signatures: expected ${SIGNATURES_MAX} at most`);
  return { text: note.slice(0, at + 1), signatures: lines.map(signatureOf) };
}

function signatureOf(line: string): Signature {
  const [, name, base64] = /^\u2014 ([^\s+]+) ([A-Za-z0-9+/=]+)$/.exec(line) ?? [];
  if (name === undefined) throw new BadNote(`${JSON.stringify(line)}: expected a signature's line`);
  const bytes = base64Bytes(base64, "a signature");
  return { name, id: bytes.subarray(0, ID_BYTES), signature: bytes.subarray(ID_BYTES) };
}

/**
 * The first of the keys that signed the note. Throws BadNote if none of them did, or if a signature
 * of one of them is wrong; signatures of other keys are ignored.
 */
export function verifiedBy(note: Note, keys: readonly NoteKey[]): NoteKey {
  const found = keys.filter((key) => isSignedBy(note, key));
  if (found.length > 0) return found[0];
  const names = note.signatures.map(({ name }) => name).join(", ");
  throw new BadNote(`signed by ${names}, and by no key that is known`);
}

/** True if the key signed the note. Throws BadNote for a wrong signature of it. */
export function isSignedBy({ text, signatures }: Note, key: NoteKey): boolean {
  const id = keyId(key);
  const own = signatures.filter(({ name, id: of }) => name === key.name && id.equals(of));
  for (const { signature } of own)
    if (!isSignature(text, signature, key))
      throw new BadNote(`the signature of ${key.name} doesn't fit the text`);
  return own.length > 0;
}

function isSignature(text: string, signature: Uint8Array, { key }: NoteKey): boolean {
  if (signature.length !== SIGNATURE_BYTES) return false;
  try {
    return verify(null, Buffer.from(text), keyObject(key), signature);
  } catch (error) {
    throw new BadNote(`the key can't be used (${messageOf(error)})`);
  }
}
