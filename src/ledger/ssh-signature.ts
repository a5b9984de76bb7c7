// Ed25519 signatures in the format of `ssh-keygen -Y sign` (OpenSSH, PROTOCOL.sshsig), which any
// computer with OpenSSH can verify, and the line of an allowed_signers file that it needs.

import { createHash, type KeyObject, sign, verify } from "node:crypto";
import { keyObject, publicBytes } from "./note.ts";

/** The namespace of the signatures: `ssh-keygen -Y verify -n ballastd-ledger`. */
export const SSH_NAMESPACE = "ballastd-ledger";
const ALGORITHM = "ssh-ed25519";
const HASH = "sha512";
const LINE = 70;
const SIGNATURE_BYTES = 64;
const MAGIC = Buffer.from("SSHSIG");
const VERSION = Buffer.of(0, 0, 0, 1);

/** The armored signature of a message. */
export function sshSignature(message: string, secret: KeyObject): string {
  return armored(publicBytes(secret), sign(null, signedBytes(message), secret));
}

/** True if the text is exactly the key's armored signature of the message. */
export function isSshSignature(text: string, message: string, key: Uint8Array): boolean {
  const blob = Buffer.from(text.split("\n").slice(1, -2).join(""), "base64");
  const signature = blob.subarray(-SIGNATURE_BYTES);
  if (signature.length < SIGNATURE_BYTES || armored(key, signature) !== text) return false;
  return verify(null, signedBytes(message), keyObject(key), signature);
}

function signedBytes(message: string): Buffer {
  const digest = createHash(HASH).update(message).digest();
  return Buffer.concat([MAGIC, ...[SSH_NAMESPACE, "", HASH, digest].map(field)]);
}

function armored(key: Uint8Array, signature: Uint8Array): string {
  const typed = Buffer.concat([ALGORITHM, signature].map(field));
  const rest = [keyBlob(key), SSH_NAMESPACE, "", HASH, typed].map(field);
  const blob = Buffer.concat([MAGIC, VERSION, ...rest]);
  const lines = blob.toString("base64").match(new RegExp(`.{1,${LINE}}`, "g")) ?? [];
  return `-----BEGIN SSH SIGNATURE-----\n${lines.join("\n")}\n-----END SSH SIGNATURE-----\n`;
}

/** The line of an allowed_signers file that permits the key to sign heads of `origin`. */
export function allowedSigner(origin: string, key: Uint8Array): string {
  return `${origin} namespaces="${SSH_NAMESPACE}" ${ALGORITHM} ${keyBlob(key).toString("base64")}`;
}

function keyBlob(key: Uint8Array): Buffer {
  return Buffer.concat([ALGORITHM, key].map(field));
}

/** A field in SSH's format: the length, then the bytes. */
function field(content: string | Uint8Array): Buffer {
  const bytes = Buffer.from(content);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
