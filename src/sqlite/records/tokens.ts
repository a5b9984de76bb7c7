// The stored tokens: names, roles, and hashes of secrets. A change is in one transaction with its
// entry in the audit log.

import type { Act } from "../../bwts/audit.ts";
import { type AddResult, type Holder, type StoredToken, TOKENS_MAX } from "../../bwts/token.ts";
import { type Connection, prepare } from "../file/open.ts";
import { closeSetUp } from "../file/set-up.ts";
import type { Append } from "./audit.ts";

/** Every valid token, by name. */
export function storedTokens(db: Connection): readonly StoredToken[] {
  return prepare<"token.all", StoredToken>(db, "token.all").all({});
}

/** Stores a token in the caller's transaction. */
export function addToken(
  db: Connection,
  append: Append,
  { token, act }: { readonly token: StoredToken; readonly act: Act },
): AddResult {
  if (storedTokens(db).length >= TOKENS_MAX) return "too_many";
  const { name, role, hash, added_ms } = token;
  if (prepare(db, "token.add").run({ name, role, hash, added_ms }).changes === 0)
    return "name_taken";
  append({ ...act, kind: "token_added", detail: { name, role } });
  if (role === "maintainer") closeSetUp(db);
  return "added";
}

/** Removes a token in the caller's transaction; false if there is none of that name. */
export function revokeToken(
  db: Connection,
  append: Append,
  { name, act }: { readonly name: string; readonly act: Act },
): boolean {
  const removed = prepare<"token.remove", Pick<Holder, "role">>(db, "token.remove").get({ name });
  if (removed === undefined) return false;
  append({ ...act, kind: "token_revoked", detail: { name, role: removed.role } });
  return true;
}
