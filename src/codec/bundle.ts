// A bundle: the data that a ship sends ashore, in one file that is carried there. It has a mark,
// the head, the statements in order (bytes beside their JSON), and the seal: SHA-256 over all
// before, signed with the ship's key, so that a cut, damaged or foreign file is found before any of
// it is taken. It may exceed memory, so it is read twice; hashes of its blocks prove that the
// second reading has the same bytes.

import { createHash, hash as hashOf, sign, verify } from "node:crypto";
import { exactJson } from "../ground/exact-json.ts";

/** A value of a statement; bytes are stored after the JSON. */
export type BundledValue = string | number | Uint8Array | null;

export interface BundledStatement {
  /** Name of the statement in sql/office/ship.sql, without its `ship.`. */
  readonly kind: string;
  /** Arguments of the statement after the instance number. */
  readonly values: readonly BundledValue[];
}

const MARK = Buffer.from("ballastd bundle 1\n");
const SEAL_MARK = Buffer.from("\nsealed\n");
const DIGEST_BYTES = 32;
/** Length of a signature: ECDSA over P-256, both numbers one after the other. */
const SIGNATURE_BYTES = 64;
const SEAL_BYTES = SEAL_MARK.length + DIGEST_BYTES + SIGNATURE_BYTES;
/** Length of the two lengths of a part: of its JSON, and of the bytes after it. */
const LENGTHS_BYTES = 8;

const signedBytes = (digest: Uint8Array) => Buffer.concat([MARK, digest]);
const FORM = "ieee-p1363";

/** The bundle's file in pieces. Throws if the key isn't an ECDSA key over P-256. */
export function* bundlePieces(
  head: object,
  statements: Iterable<BundledStatement>,
  key: string,
): Generator<Uint8Array> {
  const hash = createHash("sha256");
  const hashed = (piece: Uint8Array) => {
    hash.update(piece);
    return piece;
  };
  yield hashed(MARK);
  yield hashed(frame(head, []));
  for (const { kind, values } of statements) {
    const bytes = values.filter((value) => value instanceof Uint8Array);
    const plain = values.map((value) =>
      value instanceof Uint8Array ? { bytes: value.length } : value,
    );
    yield hashed(frame([kind, plain], bytes));
  }
  const digest = hash.digest();
  const signature = sign("sha256", signedBytes(digest), { key, dsaEncoding: FORM });
  if (signature.length !== SIGNATURE_BYTES)
    throw new Error(`the key signs with ${signature.length} bytes, expected ${SIGNATURE_BYTES}`);
  yield Buffer.concat([SEAL_MARK, digest, signature]);
}

function frame(head: object, bytes: readonly Uint8Array[]): Uint8Array {
  const json = Buffer.from(exactJson(head));
  const lengths = Buffer.alloc(LENGTHS_BYTES);
  lengths.writeUInt32LE(json.length);
  lengths.writeUInt32LE(
    bytes.reduce((sum, { length }) => sum + length, 0),
    4,
  );
  return Buffer.concat([lengths, json, ...bytes]);
}

/** Reads `length` bytes of the file at `place`; fewer at its end. */
export type ReadAt = (place: number, length: number) => Uint8Array;

export interface SealedBundle {
  readonly head: unknown;
  statements(): Generator<BundledStatement>;
  /** True if the bundle was sealed with this public key's private key. */
  isSignedBy(publicKey: string): boolean;
}

/** Maximum length of the head's JSON: the ship's certificate and a few words. */
const HEAD_MAX_BYTES = 64 * 1024;
/** Maximum length of a part: a segment's payload, at most 64 MiB, and its JSON. */
const PART_MAX_BYTES = 80 * 1024 * 1024;

/** Length of a block. A file of 2 GB needs 4 MB of memory for the blocks' hashes. */
const BLOCK_BYTES = 16 * 1024;
const blockHash = (bytes: Uint8Array) => hashOf("sha256", bytes, "base64");

/** Verifies the seal over the whole file. Throws an Error that says what is wrong with it. */
export function openBundle(readOnce: ReadAt, size: number): SealedBundle {
  if (size === 0) throw new Error("is empty");
  const mark = Buffer.from(readOnce(0, MARK.length));
  if (!mark.equals(MARK.subarray(0, mark.length)))
    throw new Error("isn't a file of ballastd shore bundle, or is of another version");
  const end = size - SEAL_BYTES;
  const seal = Buffer.from(readOnce(Math.max(0, end), SEAL_BYTES));
  if (end < MARK.length || !seal.subarray(0, SEAL_MARK.length).equals(SEAL_MARK))
    throw new Error("was cut off: it has no seal at its end; carry it anew");
  const hash = createHash("sha256");
  const blocks: string[] = [];
  for (let place = 0; place < end; place += BLOCK_BYTES) {
    const block = readOnce(place, Math.min(BLOCK_BYTES, end - place));
    hash.update(block);
    blocks.push(blockHash(block));
  }
  const read = readAgain(readOnce, blocks, end);
  const digest = hash.digest();
  const sealed = seal.subarray(SEAL_MARK.length);
  if (!digest.equals(sealed.subarray(0, DIGEST_BYTES)))
    throw new Error("was damaged or altered: it isn't what its seal says; carry it anew");
  const first = frameAt(read, MARK.length, end, HEAD_MAX_BYTES);
  return {
    head: first.json,
    *statements() {
      for (let place = first.next; place < end; ) {
        const { json, bytes, next } = frameAt(read, place, end, PART_MAX_BYTES);
        yield statementOf(json, bytes);
        place = next;
      }
    },
    isSignedBy: (key) =>
      verify(
        "sha256",
        signedBytes(digest),
        { key, dsaEncoding: FORM },
        sealed.subarray(DIGEST_BYTES),
      ),
  };
}

/** Reads again, and verifies the blocks by their hashes. Throws an Error for altered bytes. */
function readAgain(read: ReadAt, blocks: readonly string[], end: number): ReadAt {
  let last: { readonly index: number; readonly bytes: Uint8Array } | null = null;
  const blockAt = (index: number) => {
    if (index === last?.index) return last.bytes;
    const place = index * BLOCK_BYTES;
    const bytes = read(place, Math.min(BLOCK_BYTES, end - place));
    if (blockHash(bytes) !== blocks[index]) throw new Error("was altered while it was read");
    last = { index, bytes };
    return bytes;
  };
  return (place, length) => {
    const pieces: Uint8Array[] = [];
    const until = Math.min(place + length, end);
    for (let at = place; at < until; ) {
      const index = Math.floor(at / BLOCK_BYTES);
      const from = at - index * BLOCK_BYTES;
      const piece = blockAt(index).subarray(from, from + until - at);
      pieces.push(piece);
      at += piece.length;
    }
    return Buffer.concat(pieces);
  };
}

function frameAt(read: ReadAt, place: number, end: number, max_bytes: number) {
  const lengths = Buffer.from(read(place, LENGTHS_BYTES));
  const [json_bytes, bytes_bytes] =
    lengths.length < LENGTHS_BYTES
      ? [end, end]
      : [lengths.readUInt32LE(0), lengths.readUInt32LE(4)];
  const next = place + LENGTHS_BYTES + json_bytes + bytes_bytes;
  if (next > end) throw new Error(`has a part of ${next - place} bytes, expected an end before`);
  if (json_bytes + bytes_bytes > max_bytes)
    throw new Error(
      `has a part of ${json_bytes + bytes_bytes} bytes, expected at most ${max_bytes}`,
    );
  const content = read(place + LENGTHS_BYTES, json_bytes + bytes_bytes);
  const json: unknown = JSON.parse(Buffer.from(content.subarray(0, json_bytes)).toString());
  return { json, bytes: content.subarray(json_bytes), next };
}

function statementOf(json: unknown, bytes: Uint8Array): BundledStatement {
  const [kind, plain]: readonly unknown[] = Array.isArray(json) ? json : [];
  if (typeof kind !== "string" || !Array.isArray(plain)) throw new Error("has an odd part");
  let place = 0;
  const values = plain.map((value): BundledValue => {
    if (value === null || typeof value === "string" || typeof value === "number") return value;
    const length = Number(Object(value).bytes);
    place += length;
    return bytes.subarray(place - length, place);
  });
  return { kind, values };
}
