// Bearer tokens: a name for the audit log, and a role with its permissions. Only the SHA-256 of the
// secret is stored: a secret of 32 random bytes can't be guessed from it, and needs no slow hash.

import * as z from "zod";
import { Declined } from "../ground/errors.ts";
import { expectedFor, reason } from "../ground/reasons.ts";
import { ACTORS } from "./audit.ts";

/** The roles, ascending: each has the permissions of those before it. */
export const ROLES = ["viewer", "engineer", "maintainer"] as const;
export type Role = (typeof ROLES)[number];

/** The name of the token that is configured, or made on the first start. */
export const CONFIGURED = "configured";

const RESERVED: readonly string[] = [CONFIGURED, ...Object.values(ACTORS)];

const NAME = /^[A-Za-z0-9_.-]{1,64}$/;

/** Matches a token's own text, 32 bytes in Base64: pasted as a name it would be in every log. */
const NO_TOKEN = "expected a name, not a token itself";
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

export const TokenName = z
  .string("expected a name")
  .refine(
    (name) => NAME.test(name),
    expectedFor("token_name_unfit", "expected 1 to 64 letters, digits, _ . or -"),
  )
  .refine((name) => !TOKEN.test(name), expectedFor("token_name_secret", NO_TOKEN))
  .refine(
    (name) => !RESERVED.includes(name),
    expectedFor("token_name_kept", `expected a name other than ${RESERVED.join(", ")}`),
  )
  .meta({ pattern: NAME.source });

/** The refusal of a name that is a token. */
export const nameIsToken = (): Declined =>
  new Declined(`name: ${NO_TOKEN}`, reason("token_name_secret", {}));

/** The body of POST /admin/tokens. */
export const TokenBody = z
  .strictObject({
    name: TokenName,
    role: z.enum(ROLES, `expected ${ROLES.join(", ")}`),
  })
  .meta({ id: "NewToken", example: { name: "chief", role: "engineer" } });

export type TokenBody = z.output<typeof TokenBody>;

/** A token that was just made, also that of the first start. */
export const NewTokenAnswer = z
  .object({
    name: z.string(),
    role: z.enum(ROLES),
    token: z.string().meta({ description: "the secret, in no later answer" }),
  })
  .meta({
    id: "TokenMade",
    example: {
      name: "chief",
      role: "engineer",
      token: "Tu2xq0cZkq1vY7bq2J0kq7vC0m9Wn1s3e5u7y9a1c3E",
    },
  });
export type NewTokenAnswer = z.output<typeof NewTokenAnswer>;

/** The holder of a token. */
export interface Holder {
  readonly name: string;
  readonly role: Role;
  /** Time at which the token was added; null for the configured token. */
  readonly added_ms: number | null;
}

/** A stored token. */
export interface StoredToken extends Holder {
  /** SHA-256 of the secret. */
  readonly hash: Uint8Array;
  readonly added_ms: number;
}

/** Maximum number of valid tokens: each request's token is compared with all of them. */
export const TOKENS_MAX = 100;

/** The result of adding a token. */
export type AddResult = "added" | "name_taken" | "too_many";

/** True if `role` includes `needed`. */
export function mayAct(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** The refusal of a token that wasn't added. */
export function tokenRefusal(name: string, why: Exclude<AddResult, "added">): Declined {
  return why === "name_taken"
    ? new Declined(
        `token ${name}: is there already, expected a new name`,
        reason("token_name_taken", { name }),
      )
    : new Declined(
        `token ${name}: there are ${TOKENS_MAX} already, revoke some`,
        reason("tokens_many", { max: TOKENS_MAX }),
      );
}
