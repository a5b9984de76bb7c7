// SHA256SUMS beside the packages, in the form of sha256sum, and its detached signature: Ed25519
// over the file's bytes, so that stock openssl checks it. The private key stays where it is; the
// public one is that of the updates.

import { createPrivateKey, hash, type KeyObject, sign } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

const NAME = "SHA256SUMS";

/** The key in a PEM file. Throws for anything but an Ed25519 private key. */
export function signingKey(file: string): KeyObject {
  const key = createPrivateKey(readFileSync(file));
  if (key.asymmetricKeyType === "ed25519") return key;
  throw new Error(`${file}: is ${key.asymmetricKeyType}, expected an Ed25519 private key`);
}

/** Writes the sums of `files`, and with a key their signature, into `folder`; answers its files. */
export function writeChecksums(
  folder: string,
  { files, key }: { readonly files: readonly string[]; readonly key: KeyObject | null },
): readonly string[] {
  const lines = files.map(
    (file) => `${hash("sha256", readFileSync(file))}  ${path.basename(file)}`,
  );
  const sums = path.join(folder, NAME);
  const signature = `${sums}.sig`;
  const text = `${lines.join("\n")}\n`;
  // A signature of an earlier build would say that this one was altered.
  rmSync(signature, { force: true });
  writeFileSync(sums, text);
  if (key === null) return [sums];
  writeFileSync(signature, sign(null, Buffer.from(text), key));
  return [sums, signature];
}
