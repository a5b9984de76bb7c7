// The kinds of faults between us and the ship's broker. The kind is counted, the reason is for a
// person. It follows from the errors of socket, TLS and broker, and from the stage reached.

import { codeOf, messageOf } from "../ground/errors.ts";

/** Every kind, met 0 times. */
const NO_FAULTS = {
  /** No TCP connection. */
  unreachable: 0,
  /** No trust: a certificate that expired, isn't known, or has another name. */
  tls: 0,
  /** No CONNACK, or no SUBACK. */
  unanswered: 0,
  /** A CONNACK with a refusal: credentials, client id, protocol. */
  refused: 0,
  /** SUBACK 0x80. */
  subscription_refused: 0,
  /** The link swallows everything, or the broker hangs. */
  silent: 0,
  /** Closed by the broker, or on the way. */
  closed: 0,
  /** Closed repeatedly, as if two programs had one client id. */
  taken_over: 0,
  /** The data isn't MQTT 3.1.1. */
  malformed: 0,
  /** A message couldn't be committed here, so it wasn't acknowledged. */
  withheld: 0,
};

export type FaultKind = keyof typeof NO_FAULTS;

/** A counter for each kind, at 0. */
export function noFaults(): Record<FaultKind, number> {
  return { ...NO_FAULTS };
}

export interface Fault {
  readonly kind: FaultKind;
  readonly reason: string;
}

/** The stage that a connection has reached. */
export type Stage = "connecting" | "greeting" | "subscribing" | "subscribed";

/** Prefixes of Node's and OpenSSL's codes about trust. */
const TLS_CODE =
  /^(CERT_|CRL_|ERR_TLS_|ERR_SSL_|ERR_OSSL_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO)/;
const TLS_CODES_MORE = [
  "HOSTNAME_MISMATCH",
  "INVALID_CA",
  "INVALID_PURPOSE",
  "PATH_LENGTH_EXCEEDED",
];

/** The fault for an error at `stage`. */
export function faultOf(error: Error, stage: Stage): Fault {
  const code = codeOf(error);
  const reason = messageOf(error) || (code ?? "unknown");
  // MQTT.js gives the number of CONNACK or of its own error; the system gives a text.
  if ("code" in error && typeof error.code === "number")
    return {
      kind: stage === "greeting" ? "refused" : "malformed",
      // The library has no text for a number that MQTT 3.1.1 doesn't know.
      reason: reason.replace(/: undefined$/, `: code ${error.code}`),
    };
  if (code === null) return { kind: "malformed", reason: `what came isn't MQTT: ${reason}` };
  if (TLS_CODE.test(code) || TLS_CODES_MORE.includes(code))
    return { kind: "tls", reason: `TLS: ${reason} (${code})` };
  return stage === "connecting" ? { kind: "unreachable", reason } : { kind: "closed", reason };
}

/** The fault of a connection that was closed at `stage` without a reason. */
export function closedAt(stage: Stage): Fault {
  return { kind: "closed", reason: `the connection was closed${CLOSED_INSTEAD[stage]}` };
}

const CLOSED_INSTEAD: Readonly<Record<Stage, string>> = {
  connecting: "",
  greeting: " by the broker instead of answering CONNECT",
  subscribing: " by the broker instead of answering SUBSCRIBE: may this user subscribe?",
  subscribed: " by the broker",
};

/** The fault for an answer that didn't come within `limit_ms`. */
export function overdueAt(stage: Stage, limit_ms: number): Fault {
  const within = `within ${limit_ms / 1000} s`;
  if (stage === "connecting")
    return { kind: "unreachable", reason: `no connection ${within}: nothing answers there` };
  const packet = stage === "greeting" ? "CONNACK" : "SUBACK";
  return { kind: "unanswered", reason: `no ${packet} ${within}: the broker accepts and is silent` };
}
