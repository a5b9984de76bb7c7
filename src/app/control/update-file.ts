// An update is one file: three lines of text with a manifest and its signature, then the
// executable. Ed25519 signs the manifest's line, which holds the executable's SHA-256, so that
// exactly the signed file is installed.

import { createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { closeSync, existsSync, fstatSync, readSync } from "node:fs";
import * as z from "zod";
import { openFile, readSmall } from "../../ground/durable.ts";
import { codeOf, EXIT, Failure, messageOf } from "../../ground/errors.ts";
import { atPath } from "../../ground/owner.ts";
import { Version } from "./versions.ts";

const MAGIC = "ballastd update 1";
/** First bytes of ar archives, and so of every Debian package. */
const DEBIAN_MAGIC = "!<arch>";
/** Maximum size of the head: ten times the three lines of text. */
const HEAD_MAX_BYTES = 4096;

/** The facts about an update. Members that a later version adds are ignored. */
export const Manifest = z.object({
  version: Version,
  platform: z.literal("linux"),
  arch: z.enum(["x64", "arm64"]),
  /** Number of the program's newest migration. */
  schema: z.number().int().min(1),
  bytes: z.number().int().min(1),
  sha256: z.string().regex(/^[0-9a-f]{64}$/, "expected 64 hexadecimal digits"),
});
export type Manifest = z.output<typeof Manifest>;

export interface UpdateFile {
  readonly file: string;
  readonly manifest: Manifest;
  /** The signed line, and its signature; null for a file that isn't signed. */
  readonly line: string;
  readonly signature: Buffer | null;
  /** Offset of the executable, in bytes. */
  readonly start: number;
}

/** Reads the head of an update. Throws a Failure for any other file, and for a truncated one. */
export function readUpdate(file: string): UpdateFile {
  const { head, bytes } = readHead(file);
  const [magic, line, signed] = head.split("\n", 3);
  if (magic === DEBIAN_MAGIC)
    throw new Failure(
      EXIT.failed,
      `${file}: is a Debian package; install it with: dpkg -i ${file}`,
    );
  if (magic !== MAGIC || line === undefined || signed === undefined)
    throw new Failure(EXIT.failed, `${file}: is no update of ballastd`);
  const manifest = parseManifest(file, line);
  const start = Buffer.byteLength(`${magic}\n${line}\n${signed}\n`, "latin1");
  if (bytes !== start + manifest.bytes)
    throw new Failure(
      EXIT.failed,
      `${file}: has ${bytes} bytes, expected ${start + manifest.bytes}; copy it again`,
    );
  const signature = signed === "-" ? null : Buffer.from(signed, "base64");
  return { file, manifest, line, signature, start };
}

function readHead(file: string): { readonly head: string; readonly bytes: number } {
  try {
    const handle = atPath(file, () => openFile(file));
    try {
      const buffer = Buffer.alloc(HEAD_MAX_BYTES);
      const length = readSync(handle, buffer, 0, buffer.length, 0);
      return { head: buffer.toString("latin1", 0, length), bytes: fstatSync(handle).size };
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(EXIT.failed, `${file}: can't be read (${codeOf(error) ?? messageOf(error)})`);
  }
}

function parseManifest(file: string, line: string): Manifest {
  const refuse = (problem: string) =>
    new Failure(EXIT.failed, `${file}: its manifest can't be read: ${problem}`);
  let given: unknown;
  try {
    given = JSON.parse(line);
  } catch {
    throw refuse("it is no JSON");
  }
  const read = Manifest.safeParse(given);
  if (read.success) return read.data;
  const [{ path, message }] = read.error.issues;
  throw refuse(path.length === 0 ? message : `${path.join(".")}: ${message}`);
}

/** Throws a Failure if `key_file` is missing, or if its key didn't sign the update. */
export function refuseUnsigned(update: UpdateFile, key_file: string): void {
  const { file, signature, line } = update;
  const otherwise = "--unsigned installs it all the same";
  if (!existsSync(key_file))
    throw new Failure(
      EXIT.config,
      `update.key_file ${key_file}: isn't there, so that no signature can be checked; ${otherwise}`,
    );
  const key = publicKey(key_file);
  if (signature === null) throw new Failure(EXIT.failed, `${file}: isn't signed; ${otherwise}`);
  if (!verify(null, Buffer.from(line, "latin1"), key, signature))
    throw new Failure(EXIT.failed, `${file}: isn't signed with the key in ${key_file}`);
}

function publicKey(key_file: string): KeyObject {
  const refuse = (problem: string) =>
    new Failure(EXIT.config, `update.key_file ${key_file}: ${problem}`);
  let text: string;
  try {
    text = atPath(key_file, () => readSmall(key_file)).toString("latin1");
  } catch (error) {
    throw refuse(messageOf(error));
  }
  // Whoever has it can sign updates: it must not be aboard.
  if (text.includes("PRIVATE KEY-----"))
    throw refuse(
      "holds a private key, expected the public one; which openssl pkey -pubout makes of it",
    );
  const key = parsedKey(text);
  if (key?.asymmetricKeyType !== "ed25519") throw refuse("expected an Ed25519 public key in PEM");
  return key;
}

function parsedKey(text: string): KeyObject | null {
  try {
    return createPublicKey(text);
  } catch {
    return null;
  }
}

/** The head of an update, signed with a private key; null leaves it unsigned. */
export function updateHead(manifest: Manifest, key: KeyObject | null): Buffer {
  const line = JSON.stringify(manifest);
  const signature = key === null ? "-" : sign(null, Buffer.from(line), key).toString("base64");
  return Buffer.from(`${MAGIC}\n${line}\n${signature}\n`);
}
