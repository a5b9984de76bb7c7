// Access control of routes: the token of a request, its role, and the entry in the audit log. It
// runs before the body is read. For a refused token only the address is recorded: the text may be a
// valid token with a typing error.

import type { IncomingMessage } from "node:http";
import { ACTORS, type By, type Happening } from "../bwts/audit.ts";
import { type Holder, mayAct, ROLES, type Role } from "../bwts/token.ts";
import { clientAddress, isLoopback } from "../ground/admission.ts";
import { type Attempts, openAttempts } from "../ground/attempts.ts";
import { HOUR_MS } from "../ground/clock.ts";
import type { Log } from "../ground/log.ts";
import { type RefusalReason, reason } from "../ground/reasons.ts";
import { openRepeatFilter } from "../ground/repeat-filter.ts";
import { Refusal } from "./refusal.ts";
import { requestIdOf } from "./request-id.ts";

/** Access to a route: `reader` is anybody unless auth.monitoring demands a token of any role. */
export type Access = "anybody" | "reader" | "engineer" | "maintainer";

export interface GateOptions {
  readonly monitoring: "open" | "token";
  /**
   * The holder of a token; null if it is unknown. Throws a Failure while that can't be decided yet.
   */
  readonly holderOf: (secret: string) => Holder | null;
  /** Writes into the audit log; repetitions become a count. */
  readonly note: (happening: Happening) => void;
  readonly log: Log;
}

/** The facts of a request that the gate needs. */
interface AccessRequest {
  readonly request: IncomingMessage;
  readonly path: string;
  readonly access: Access;
}

export interface Gate {
  /** Admits a request. Throws a Refusal (401, 403, 429) otherwise. */
  admit(asked: AccessRequest): By;
}

/** The minimum role for a route; null if it needs no token. */
export function neededRole(access: Access, monitoring: GateOptions["monitoring"]): Role | null {
  switch (access) {
    case "anybody":
      return null;
    case "reader":
      return monitoring === "token" ? "viewer" : null;
    case "engineer":
    case "maintainer":
      return access;
  }
}

export function openGate(options: GateOptions): Gate {
  const { log, note } = options;
  const tools = { attempts: openAttempts(() => performance.now()), options };
  const isFirstLogin = openRepeatFilter(Number.POSITIVE_INFINITY);
  const isFirstInPlain = openRepeatFilter(HOUR_MS);

  return {
    admit(asked) {
      const address = clientAddress(asked.request.socket);
      if (showsInPlain(asked.request, address) && isFirstInPlain(address))
        log.warn("a token crosses the network unencrypted, where others can read and use it", {
          address,
        });
      const needed = neededRole(asked.access, options.monitoring);
      if (needed === null)
        return { actor: nameShown(asked.request, { address, ...tools }), address };
      let actor: string = ACTORS.stranger;
      try {
        const holder = holderAt(asked.request, { address, ...tools });
        actor = holder.name;
        // A token that was revoked and added again counts as another one.
        if (isFirstLogin(`${actor} ${holder.added_ms} ${address}`))
          note({ actor, address, kind: "login", detail: { role: holder.role }, fold: "" });
        if (!mayAct(holder.role, needed)) throw tooLittle(holder, needed);
        return { actor, address };
      } catch (refusal) {
        if (refusal instanceof Refusal) note(refusalNote(refusal, { ...asked, address, actor }));
        throw refusal;
      }
    },
  };
}

/**
 * Name of the token's holder on a route that needs no token; a wrong token is counted and ignored.
 */
function nameShown(request: IncomingMessage, tools: Parameters<typeof holderAt>[1]): string {
  if (request.headers.authorization === undefined) return ACTORS.stranger;
  try {
    return holderAt(request, tools).name;
  } catch {
    return ACTORS.stranger;
  }
}

/** The holder of the request's token. Throws a Refusal (401, 429). */
function holderAt(
  request: IncomingMessage,
  tools: { address: string; attempts: Attempts; options: GateOptions },
): Holder {
  const { address, attempts, options } = tools;
  const { authorization } = request.headers;
  if (authorization === undefined) throw unauthorized("is missing", reason("token_missing", {}));
  const secret = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
  const holder = secret === undefined ? null : options.holderOf(secret);
  if (holder !== null) return holder;
  // Only wrong tokens wait: many clients with right ones may be behind one proxy.
  const wait_s = attempts.wait_s(address);
  if (wait_s !== null)
    throw new Refusal(
      429,
      `too many wrong tokens from ${address}, try again in ${wait_s} s`,
      { "Retry-After": String(wait_s) },
      [reason("attempts_many", { seconds: wait_s })],
    );
  attempts.failed(address);
  options.log.warn("a token was refused", { address, request_id: requestIdOf(request) });
  throw unauthorized("is not valid", reason("token_wrong", {}));
}

function unauthorized(was: string, why: RefusalReason): Refusal {
  const headers = { "WWW-Authenticate": "Bearer" };
  return new Refusal(401, `Authorization ${was}, expected Bearer <token>`, headers, [why]);
}

function tooLittle({ name, role }: Holder, needed: Role): Refusal {
  const enough = ROLES.filter((other) => mayAct(other, needed)).join(" or ");
  const message = `the token ${name} has the role ${role}, expected ${enough}`;
  return new Refusal(403, message, {}, [reason("role_small", { name, role, needed })]);
}

function refusalNote(
  { status }: Refusal,
  { request, path, address, actor }: AccessRequest & { address: string; actor: string },
): Happening {
  return {
    kind: "refusal",
    actor,
    address,
    detail: { status, method: request.method ?? "", path },
    fold: String(status),
  };
}

function showsInPlain({ headers, socket }: IncomingMessage, address: string): boolean {
  return headers.authorization !== undefined && !("encrypted" in socket) && !isLoopback(address);
}
