// Whose token a request shows. Every valid one is compared, in constant time and to the last, so
// that the time it takes tells neither which was nearly right nor which it is.

import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { CONFIGURED, type Holder, type StoredToken } from "../bwts/token.ts";
import { EXIT, Failure } from "../errors.ts";

const SECRET_BYTES = 32;

/** A new token, and what is kept of it. */
export function newSecret(): { readonly secret: string; readonly hash: Buffer } {
  const secret = randomBytes(SECRET_BYTES).toString("base64url");
  return { secret, hash: hashOfSecret(secret) };
}

/**
 * Looks a secret up among the configured token ("" for none) and the stored ones. While `stored`
 * gives null, because the database is being opened, any secret but the configured is a Failure.
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
