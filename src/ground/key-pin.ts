// The pin of a public key in curl's form: the SHA-256 of its SubjectPublicKeyInfo. If a pin is
// given, it alone identifies a server: no authority, and no date that a wrong clock could miss.

import { createHash } from "node:crypto";
import type { TLSSocket } from "node:tls";

export function keyPinOf(der: Uint8Array): string {
  return `sha256//${createHash("sha256").update(der).digest("base64")}`;
}

/** True if the server at the other end has the expected key. */
export function hasKey(socket: TLSSocket, expected: string): boolean {
  const found = socket.getPeerX509Certificate();
  const der = found?.publicKey.export({ type: "spki", format: "der" });
  return der !== undefined && keyPinOf(der) === expected;
}
