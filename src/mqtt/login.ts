// Who may connect to the embedded broker: with a user configured, only that one. Compared so that
// the time it takes tells a guesser nothing.

import { createHash, timingSafeEqual } from "node:crypto";

/** User name and password; a name of "" means that nobody is asked. */
export interface Login {
  readonly username: string;
  readonly password: string;
}

/** What a client gave; undefined: nothing. */
export interface GivenLogin {
  readonly username: string | undefined;
  readonly password: Buffer | undefined;
}

/** Whether what a client gave is `login`, or nobody is asked. */
export function mayEnter(login: Login, given: GivenLogin): boolean {
  if (login.username === "") return true;
  // Both are compared, whatever the first gave.
  const userIsRight = sameSecret(given.username ?? "", login.username);
  const passwordIsRight = sameSecret(given.password ?? "", login.password);
  return userIsRight && passwordIsRight;
}

// Hashed first, so that the lengths are the same and tell nothing either.
function sameSecret(given: string | Uint8Array, expected: string): boolean {
  const digest = (secret: string | Uint8Array) => createHash("sha256").update(secret).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
