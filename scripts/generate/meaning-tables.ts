// Tables of the words that ballastd answers with: alarms, reasons, faults, exit codes, entries of
// the audit log. The code knows the words; what they mean to a person, and what to do, stands here.
// The types hold the two together: a word without a meaning is an error of types.

import { AUDIT_KINDS, type AuditKind } from "../../src/bwts/audit.ts";
import type { Reason } from "../../src/bwts/message.ts";
import { type AboutAlert, ALERTS } from "../../src/bwts/present/alert.ts";
import { WATCHED } from "../../src/bwts/present/watched.ts";
import { ROLES, type Role } from "../../src/bwts/token.ts";
import { MINUTE_MS } from "../../src/ground/clock.ts";
import { EXIT } from "../../src/ground/errors.ts";
import type { FaultKind } from "../../src/mqtt/fault.ts";
import type { TOPIC_KINDS } from "../../src/payload/decode.ts";
import { code, markdownTable } from "./markdown-table.ts";

type Meaning = readonly [meaning: string, action: string];

/** ballastd's own alerts. */
export function alarmTable(): string {
  const rows = keysOf(ALERTS).map((key) => {
    const { priority, meaning, action, manual }: AboutAlert = ALERTS[key];
    const see = manual === undefined ? "" : ` See [${manual.split("#")[0]}](${manual}).`;
    return [code(key), priority, meaning, action + see];
  });
  return markdownTable(["code", "priority", "meaning", "what to do"], rows);
}

/** The values that have a limit, and how long they must be out of it. */
export function watchedTable(): string {
  const limited = WATCHED.filter(({ limits }) => limits.length > 0);
  const rows = limited.map(({ code: alert, parameter, side, limits, during, margin, rule }) => {
    const minutes = rule.settled_ms / MINUTE_MS;
    const keys = limits.map((key) => code(`limits.${key}`)).join(" or ");
    const lasts = minutes === 0 ? "at once" : `${minutes} min`;
    return [
      code(alert),
      code(parameter),
      `${side} ${keys}`,
      WHEN[during],
      lasts,
      `${margin * 100} %`,
    ];
  });
  return markdownTable(["code", "field", "out of its limit", "while", "for", "well within"], rows);
}

const WHEN = {
  treatment: "water is treated",
  filtering: "water is treated, not on DEBALLAST, nor during a backflush",
  always: "always",
} as const;

const REASONS: Readonly<Record<Reason, string>> = {
  bad_json: "The payload is no JSON object or array of objects, or has more than 32 levels.",
  bad_value:
    "A value has the wrong type, can't be read without guessing, or is a text of over 1,024 " +
    "characters.",
  bad_time: "The time can't be read, or lies before the year 2000.",
  future: "The time is more than 5 minutes ahead of a trusted clock.",
  conflict: "Another value is stored for this field and this time.",
  clock_repeat: "Half or more of the message contradicts what is stored: a clock was put back.",
  other_system: "The topic or the message names another system than `system.id`.",
  unknown_topic: "The topic is none that ballastd takes.",
  retained: "A retained message without a time: it may be years old.",
  too_large:
    "A payload over 1 MiB or 70,000 commas, an array of over 40,000, a record of over 1,000 " +
    "members or 16,384 characters.",
  too_many_tags: "No further name of an unknown tag is kept.",
  expired: "Raw readings of that time have expired.",
  damaged: "The stored reading with which it belongs is damaged.",
  fault: "ballastd itself failed on it.",
};

/** Why a message, or a part of it, is in quarantine. */
export function reasonTable(): string {
  return markdownTable(
    ["reason", "meaning"],
    keysOf(REASONS).map((reason) => [code(reason), REASONS[reason]]),
  );
}

const LAMP = '"status", "efficiency", "power", "runtime"';
const PAYLOADS: Readonly<Record<(typeof TOPIC_KINDS)[number] | "lamps/<1-16>", string>> = {
  telemetry:
    "an object with any of the [fields](#fields) and tags of your own, or an array of objects",
  lamps:
    `${code(`{"timestamp", "lamps": [{"lamp": 1, ${LAMP}}, ...]}`)}, or flat members such as ` +
    code("LAMP_07_POWER"),
  "lamps/<1-16>": code(`{"timestamp", ${LAMP}}`),
  events: `${code('{"timestamp", "event_type", "description", "data"}')}, or an array`,
  health: "health records made elsewhere, in the form that the [API](api.md) answers, or an array",
  predictions: "forecasts made elsewhere, in the form that the [API](api.md) answers, or an array",
};

/** The kinds of topics, and what a PLC sends there. */
export function payloadTable(): string {
  const rows = keysOf(PAYLOADS).map((kind) => [code(kind), PAYLOADS[kind]]);
  return markdownTable(["kind", "payload"], rows);
}

const RIGHTS: Readonly<Record<Role, string>> = {
  viewer: 'read, where `auth.monitoring = "token"`',
  engineer:
    "also store a plant, say that a lamp was replaced, acknowledge and shelve alerts, print the " +
    "inspection sheet, and read the audit log",
  maintainer:
    "whatever a token can do; the configured token, or that of the first start, is of this role",
};

/** The permissions of each role. */
export function roleTable(): string {
  const rows = ROLES.map((role) => [role, RIGHTS[role]]);
  return markdownTable(["role", "may"], rows);
}

const FAULTS: Readonly<Record<FaultKind, Meaning>> = {
  unreachable: ["The broker is down, or the network has no way to it.", "20 s"],
  closed: ["The broker ended, restarted, or cut the connection.", "at once"],
  silent: ["Nothing comes and nothing is taken: a black hole, a broker that hangs.", "25 s"],
  unanswered: ["The broker accepts and sends no CONNACK, or no SUBACK.", "20 s each"],
  refused: ["User, password, client id or protocol are refused.", "at once"],
  tls: ["The broker's certificate has ended, isn't trusted, or has another name.", "at once"],
  subscription_refused: [
    "A subscription is refused. ballastd asks again every 30 s and uses the others.",
    "at once",
  ],
  taken_over: [
    "Another program has the same client id.",
    "the third time that it pushes ballastd out within a minute of connecting",
  ],
  malformed: ["What comes isn't MQTT 3.1.1.", "at once"],
  withheld: ["A message can't be committed here, so it isn't acknowledged.", "at once"],
};

/** The faults of the link to the ship's broker, and the time in which each is found. */
export function faultTable(): string {
  const rows = keysOf(FAULTS).map((kind) => [code(kind), ...FAULTS[kind]]);
  return markdownTable(["kind", "fault", "found within"], rows);
}

const EXIT_CODES: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: "done",
  failed: "failed, or something that was looked at isn't well",
  usage: "wrong usage",
  unavailable: "a broker, an instance or a port can't be had",
  cannot_create: "a file can't be made",
  io: "a file or the disk fails, or data is damaged",
  temporary: "another instance uses the data folder; try again",
  permission: "not permitted",
  config: "the configuration can't be used",
};

export function exitTable(): string {
  const rows = keysOf(EXIT_CODES).map((name) => [String(EXIT[name]), EXIT_CODES[name]]);
  return markdownTable(["exit code", "meaning"], rows);
}

const AUDITED: Readonly<Record<AuditKind, string>> = {
  start: "ballastd started",
  stop: "ballastd stopped",
  unclean_stop:
    "the run before ended without a stop: power, kill or crash; found at the next start",
  config_change: "a key of the configuration changed, with before and after; no secret's value",
  login: "a token was used from an address for the first time since the start",
  refusal: "a token or an MQTT login was refused",
  clock_step: "the PC's or the PLC's clock was set",
  disowned: "receipts under a wrong clock no longer count for trust in the clock",
  export: "data was exported",
  printed:
    "the inspection sheet was printed; which verdicts were given out with it for the first time",
  import: "readings were imported",
  replay: "messages were taken in from quarantine",
  void: "readings or events were hidden, or shown again",
  update: "a version was installed, or taken back",
  salvage: "what was saved from a damaged database, and what was lost",
  shore_fork: "the shore has links that this box hasn't: of which chain, and from where on",
  backup: "a backup was made, with its SHA-256",
  restore: "a backup was restored",
  token_added: "a token was added",
  token_revoked: "a token was revoked",
  plant_added: "a plant was stored",
  lamp_replacement: "the engineer's word on a lamp",
  lamp_spares: "the number of spare lamps was set, or one was fitted",
  alarm_acknowledged: "an alert was acknowledged",
  alarm_shelved: "an alert was shelved until a time, or no longer",
  note: "a note on a moment or a range, with its text; a later one corrects it",
  settings: "settings were changed over HTTP: which keys, from what to what",
  handover: "a watch was handed over, by whom and to whom, with a remark",
};

/** The kinds of entries in the audit log. */
export function auditTable(): string {
  const rows = AUDIT_KINDS.map((kind) => [code(kind), AUDITED[kind]]);
  return markdownTable(["kind", "what happened"], rows);
}

function keysOf<Key extends string>(record: Readonly<Record<Key, unknown>>): readonly Key[] {
  const keys: Key[] = [];
  for (const key in record) keys.push(key);
  return keys;
}
