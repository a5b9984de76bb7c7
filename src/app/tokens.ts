// Finds the token of a request. Its secret is compared with every valid token in constant time, so
// that the duration reveals neither a near match nor the matching token.

import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { CONFIGURED, type Holder, type StoredToken } from "../bwts/token.ts";
import { EXIT, Failure } from "../ground/errors.ts";

const SECRET_BYTES = 32;

/** A new token, and the hash to store. */
export function newSecret(): { readonly secret: string; readonly hash: Buffer } {
  const secret = randomSecret();
  return { secret, hash: hashOfSecret(secret) };
}

/**
 * Random characters without a `-` at the beginning, which a command line would take for an option.
 */
export function randomSecret(): string {
  const secret = randomBytes(SECRET_BYTES).toString("base64url");
  return secret.startsWith("-") ? randomSecret() : secret;
}

/**
 * Looks up a secret among the configured token ("" for none) and the stored ones. While the
 * database is being opened, `stored` returns null, and any secret but the configured one is a
 * Failure.
 */
export function holderLookup(
  configured: string,
  stored: () => readonly StoredToken[] | null,
): (secret: string) => Holder | null {
  const own =
    configured === ""
      ? []
      : [
          {
            name: CONFIGURED,
            role: "maintainer",
            added_ms: null,
            hash: hashOfSecret(configured),
          } as const,
        ];
  return (secret) => {
    const given = hashOfSecret(secret);
    const known = stored();
    let found: Holder | null = null;
    for (const token of [...own, ...(known ?? [])])
      if (timingSafeEqual(given, token.hash)) found = token;
    if (found === null && known === null)
      throw new Failure(EXIT.temporary, "the database is being opened");
    return found;
  };
}

function hashOfSecret(secret: string): Buffer {
  return hash("sha256", secret, "buffer");
}
