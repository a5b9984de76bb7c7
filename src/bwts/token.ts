// Bearer tokens: a name for the audit log, a role for what may be done with it. Of the secret only
// its SHA-256 is kept: 32 random bytes can't be guessed from it, and need no slow hash.

import * as z from "zod";
import { ACTORS } from "./audit.ts";

/** Each role may do what those before it may. */
export const ROLES = ["viewer", "engineer", "maintainer"] as const;
export type Role = (typeof ROLES)[number];

/** The name of the token that is configured, or made on the first start. */
export const CONFIGURED = "configured";

const RESERVED: readonly string[] = [CONFIGURED, ...Object.values(ACTORS)];

export const TokenName = z
  .string()
  .regex(/^[A-Za-z0-9_.-]{1,64}$/, "expected 1 to 64 letters, digits, _ . or -")
  .refine((name) => !RESERVED.includes(name), `expected a name other than ${RESERVED.join(", ")}`);

/** Whose a token is. */
export interface Holder {
  readonly name: string;
  readonly role: Role;
  /** Null for the configured one. */
  readonly added_ms: number | null;
}

/** A token as it is kept. */
export interface StoredToken extends Holder {
  /** SHA-256 of the secret. */
  readonly hash: Uint8Array;
  readonly added_ms: number;
}

/** Tokens that may be valid at a time: each request's is compared with all of them. */
export const TOKENS_MAX = 100;

/** What came of adding a token. */
export type TokenAdded = "added" | "name_taken" | "too_many";

/** Whether `role` is enough where `needed` is asked for. */
export function mayAct(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}
