// The pin of a public key in curl's form: the SHA-256 of its SubjectPublicKeyInfo. Where a pin is
// given, it alone says who a server is: no authority, and no date that a wrong clock could miss.

import { createHash } from "node:crypto";
import type { TLSSocket } from "node:tls";

export function keyPinOf(der: Uint8Array): string {
  return `sha256//${createHash("sha256").update(der).digest("base64")}`;
}

/** True if the key of the server at the other end is the expected one. */
export function hasKey(socket: TLSSocket, expected: string): boolean {
  const found = socket.getPeerX509Certificate();
  const der = found?.publicKey.export({ type: "spki", format: "der" });
  return der !== undefined && keyPinOf(der) === expected;
}
