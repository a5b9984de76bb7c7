// Checks the login of a publisher at the embedded broker: with a configured user, only that one may
// connect. The comparison's time tells a guesser nothing.

import { createHash, timingSafeEqual } from "node:crypto";

/** User name and password; a name of "" accepts anybody. */
export interface Login {
  readonly username: string;
  readonly password: string;
}

/** The login that a client sent; undefined members weren't sent. */
export interface GivenLogin {
  readonly username: string | undefined;
  readonly password: Buffer | undefined;
}

/** True if the sent login is `login`, or if none is required. */
export function mayEnter(login: Login, given: GivenLogin): boolean {
  if (login.username === "") return true;
  // Both are compared, whatever the first result.
  const userIsRight = sameSecret(given.username ?? "", login.username);
  const passwordIsRight = sameSecret(given.password ?? "", login.password);
  return userIsRight && passwordIsRight;
}

// Hashed first, so that lengths are equal and tell nothing either.
function sameSecret(given: string | Uint8Array, expected: string): boolean {
  const digest = (secret: string | Uint8Array) => createHash("sha256").update(secret).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
