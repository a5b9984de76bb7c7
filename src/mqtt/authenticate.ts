// Checks logins at the embedded broker, and limits how often an address may try: as with tokens,
// after FAILURES_MAX wrong logins in a minute an address is slowed down. Its further logins, right
// or wrong, are checked one every SLOW_MS. (Refusing them all would let one publisher with an old
// password lock out the others behind the same gateway.) A client id that has logged in from that
// address before has its own queue there, which wrong logins under other ids can't fill.

import { createHash, timingSafeEqual } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { ConnectPacket } from "aedes";
import { LRUCache } from "lru-cache";
import { ACTORS, type Happening } from "../bwts/audit.ts";
import { countedAddress } from "../ground/admission.ts";
import { openAttempts } from "../ground/attempts.ts";
import { type Clock, MINUTE_MS, SECOND_MS } from "../ground/clock.ts";
import type { Log } from "../ground/log.ts";
import { openRepeatFilter } from "../ground/repeat-filter.ts";
import type { MqttStatus } from "./endpoint.ts";

/** Interval between two checked logins of a slowed address: 30 a minute. */
const SLOW_MS = 2 * SECOND_MS;

/** Maximum number of logins that wait in a queue; more are refused unchecked. */
const WAITING_MAX = 8;

/** Maximum number of slowed addresses remembered; the oldest is forgotten. */
const ADDRESSES_MAX = 1000;

/** Maximum number of logged-in clients remembered; the oldest is forgotten. */
const CLIENTS_MAX = 1000;

/**
 * Maximum length of a client id, in characters. MQTT asks for 23, but gateways use names and paths;
 * at most 4,096 ids are kept.
 */
const CLIENT_ID_MAX = 256;

/** Return codes of CONNACK in MQTT 3.1.1. */
const BAD_CLIENT_ID = 2;
const UNAVAILABLE = 3;
const BAD_CREDENTIALS = 4;

export interface AuthenticateOptions extends Login {
  /** Writes into the audit log; repetitions become a count. */
  readonly note: (happening: Happening) => void;
  readonly clock: Clock;
  readonly log: Log;
}

/** A CONNECT that is to be checked. */
export interface ConnectRequest {
  readonly packet: ConnectPacket;
  readonly address: string;
  readonly isGone: () => boolean;
}

/** The return code for CONNACK, and the reason. */
export interface RefusedLogin {
  readonly returnCode: number;
  readonly reason: string;
  /**
   * True if the log needs no line of this refusal: it has a warning once a minute, or needs none.
   */
  readonly isSaid: boolean;
}

/** Checks one CONNECT; null accepts it. */
type Authenticate = (asking: ConnectRequest) => Promise<RefusedLogin | null>;

export interface Logins {
  readonly check: Authenticate;
  /** The newest wrong login, for the endpoint's status. */
  readonly refused: () => MqttStatus["login_refused"];
}

export function openLogins(options: AuthenticateOptions): Logins {
  const check = openAuthenticate(options);
  let newest: MqttStatus["login_refused"] = null;
  return {
    async check(asking) {
      const { address } = asking;
      const refused = await check(asking);
      if (refused?.returnCode === BAD_CREDENTIALS)
        newest = { at_ms: options.clock.now_ms(), address };
      else if (refused === null && newest?.address === address) newest = null;
      return refused;
    },
    refused: () => newest,
  };
}

function openAuthenticate(options: AuthenticateOptions): Authenticate {
  const { log, note, username } = options;
  const attempts = openAttempts(() => performance.now());
  const turns = openTurns();
  const known = new LRUCache<string, true>({ max: CLIENTS_MAX });
  const isFirstLogin = openRepeatFilter(Number.POSITIVE_INFINITY);
  const isFirstRefusal = openRepeatFilter(MINUTE_MS);

  const refuse = (returnCode: number, reason: string, { address, packet }: ConnectRequest) => {
    const client = shortName(packet.clientId);
    const detail = { protocol: "mqtt", reason, client };
    note({ kind: "refusal", actor: ACTORS.stranger, address, detail, fold: `mqtt ${returnCode}` });
    return { returnCode, reason, isSaid: returnCode === UNAVAILABLE };
  };
  return async (asking) => {
    const { address, packet } = asking;
    const { clientId: client_id, clean = true } = packet;
    const badId = problemOfId(client_id, { clean });
    if (badId !== null) return { returnCode: BAD_CLIENT_ID, reason: badId, isSaid: false };
    if (username === "") return null;
    const counted = countedAddress(address);
    const client = `${counted} ${client_id}`;
    const queue = known.has(client) ? client : counted;
    const wait_ms = attempts.wait_s(address) === null ? 0 : turns.wait_ms(queue);
    if (wait_ms === null) {
      if (isFirstRefusal(counted))
        log.warn("too many failed logins, most are refused unseen", { address });
      return refuse(UNAVAILABLE, `too many failed logins from ${address}`, asking);
    }
    if (wait_ms > 0) await pause(wait_ms, null, { ref: false });
    if (asking.isGone())
      return { returnCode: UNAVAILABLE, reason: "the client has gone", isSaid: true };
    if (!mayEnter(options, packet)) {
      attempts.failed(address);
      return refuse(BAD_CREDENTIALS, "bad user name or password", asking);
    }
    known.set(client, true);
    if (isFirstLogin(address)) {
      const detail = { protocol: "mqtt", client: shortName(client_id) };
      note({ kind: "login", actor: username, address, detail, fold: "mqtt" });
    }
    return null;
  };
}

/**
 * A client's name cut for the log: the network allows 64 KiB, with which a stranger could fill the
 * disk.
 */
export const shortName = (name: string): string => name.slice(0, 100);

function problemOfId(client_id: string, { clean }: { readonly clean: boolean }): string | null {
  if (client_id === "" && !clean)
    return "an empty client id with clean session 0, expected a client id or clean session 1";
  if (client_id.length <= CLIENT_ID_MAX) return null;
  return `client id of ${client_id.length} characters, at most ${CLIENT_ID_MAX} are taken`;
}

/** Queues of logins, one login every SLOW_MS: for an address, or for a client id known there. */
function openTurns() {
  const due = new LRUCache<string, number>({ max: ADDRESSES_MAX });
  return {
    /** Takes the next turn of the queue; returns the wait in ms, null if too many already wait. */
    wait_ms(queue: string): number | null {
      const now_ms = performance.now();
      const at_ms = Math.max(now_ms, due.get(queue) ?? 0) + SLOW_MS;
      if (at_ms - now_ms > WAITING_MAX * SLOW_MS) return null;
      due.set(queue, at_ms);
      return at_ms - now_ms;
    },
  };
}

/** The configured user name and password; a name of "" accepts anybody. */
interface Login {
  readonly username: string;
  readonly password: string;
}

/** True if the sent login is `login`, or if none is required. */
function mayEnter(login: Login, given: ConnectPacket): boolean {
  if (login.username === "") return true;
  // Both are compared, whatever the first result, so that the time reveals nothing.
  const userIsRight = sameSecret(given.username ?? "", login.username);
  const passwordIsRight = sameSecret(given.password ?? "", login.password);
  return userIsRight && passwordIsRight;
}

// Compares hashes: these have equal lengths, so the time taken doesn't reveal the secret's length.
function sameSecret(given: string | Uint8Array, expected: string): boolean {
  const digest = (secret: string | Uint8Array) => createHash("sha256").update(secret).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
