// The configuration as one zod schema: each key with its type, its default and its description.
// From it follow the environment variables, the messages, the commented file that is installed,
// and the tables of docs/configuration.md.

import type * as z from "zod";
import { DEFAULT_LIMITS_SOURCE } from "./default-limits.ts";
import { ABOUT, type KeyAbout, key, secretFile } from "./key.ts";
import { profileKey } from "./lamp-profile.ts";
import { type MapConfig, ruleList } from "./map.ts";
import {
  brokerUrl,
  bytes,
  flag,
  hostList,
  integer,
  keyPin,
  listenList,
  name,
  noneOrListenList,
  number,
  objectsUrl,
  oneOf,
  originList,
  path,
  prefix,
  shoreList,
  spanList,
  sparkplugId,
  sparkplugUrl,
  systemId,
  table,
  token,
  utcOffset,
} from "./values.ts";

const SECTIONS = {
  system: table({
    id: key(systemId, "BWTS-001", "the treatment system's id, second level of every topic"),
    vessel: key(name(), "", "the ship's name, shown on every page", { example: "MV Example" }),
    imo: key(name(), "", "the ship's IMO number, shown on every page", { example: "9074729" }),
    utc_offset: key(utcOffset, "", "ship's time beside UTC, not stored", { example: "+05:30" }),
    type: key(name(), "", "maker and type of the treatment system, for the inspection sheet"),
    serial: key(name(), "", "its serial number, for the inspection sheet"),
    certificate: key(name(), "", "number of its type approval certificate, for the same"),
    capacity: key(number(0, 100_000), 0, "its rated capacity, m3/h; 0: not told"),
  }),
  storage: table({
    dir: key(path, "", "data folder; by default $STATE_DIRECTORY, else ./data"),
    retention_months: key(integer(1, 1200), 24, "raw readings kept, months before the newest"),
    short_retention: key(flag, false, "true allows a retention of less than 24 months"),
    free_warn: key(bytes, "2 GiB", "free disk space below which it is loud"),
    free_stop: key(bytes, "256 MiB", "free disk space below which nothing is committed"),
  }),
  http: table({
    listen: key(listenList, ["127.0.0.1:8080"], "addresses to serve on, host:port"),
    tls_cert: secretFile("certificate chain, PEM: with it and its key HTTPS is spoken"),
    tls_key: secretFile("its private key, PEM without passphrase"),
    cors_origins: key(originList, [], "web origins that may read the API, * for every one", {
      example: ["https://office.example"],
    }),
    allowed_hosts: key(hostList, [], "names this machine is asked by, beside its own", {
      example: ["ballast.example"],
    }),
  }),
  auth: table({
    token: key(token, "", "the maintainer's bearer token; else the token file's", {
      secret: "value",
    }),
    token_file: secretFile("made on the first start; by default token in the data folder"),
    monitoring: key(oneOf("open", "token"), "open", "who may read: open, or token"),
  }),
  mqtt: table({
    mode: key(oneOf("embedded", "client"), "embedded", "embedded: be the broker; client: join one"),
    listen: key(listenList, ["127.0.0.1:1883"], "addresses of the embedded broker"),
    url: key(brokerUrl, "mqtt://127.0.0.1:1883", "the ship's broker in client mode", {
      example: "mqtts://broker.example:8883",
    }),
    client_id: key(name(256), "", "client id in client mode; by default ballastd-<system id>"),
    prefix: key(prefix, "bwts", "first level of every topic"),
    status: key(flag, false, "true publishes online and offline at the broker (client mode)"),
    merge_ms: key(integer(0, 60_000), 0, "grid to which reading times are floored, 0 for none", {
      unit: "ms",
    }),
    plc_utc_offset: key(utcOffset, "", "zone of the PLC's times that come without one; else UTC", {
      example: "+08:00",
    }),
    username: key(name(256), "", "user name, asked of publishers or given to the ship's broker"),
    password_file: secretFile("file whose first line is the password"),
    tls_cert: secretFile("certificate chain, PEM: the broker's own, or the client's"),
    tls_key: secretFile("its private key, PEM without passphrase"),
    tls_ca: secretFile("authority, PEM: it signs publishers, or the ship's broker"),
  }),
  modbus: table({
    listen: key(noneOrListenList, [], "addresses of the read-only Modbus TCP server; none: off", {
      example: ["127.0.0.1:1502"],
    }),
  }),
  map: table({
    unmapped: key(
      oneOf("keep", "drop"),
      "keep",
      "keep or drop tags that no rule names, on topics that one does",
    ),
    rule: key(
      ruleList,
      [],
      "[[map.rule]] tables, each from a topic and a tag to a field; as a variable a list in JSON",
    ),
  }),
  limits: table({
    uv_imo: key(number(1, 100_000), 252, "lowest UV intensity for IMO", { unit: "W/m2" }),
    uv_uscg: key(number(1, 100_000), 530, "lowest UV intensity for USCG", { unit: "W/m2" }),
    uv_target: key(number(1, 100_000), 650, "UV intensity that scores 100", { unit: "W/m2" }),
    flow_max_imo: key(number(1, 100_000), 1000, "highest flow for IMO", { unit: "m3/h" }),
    flow_max_uscg: key(number(1, 100_000), 1000, "highest flow for USCG", { unit: "m3/h" }),
    dp_warn: key(number(0, 100), 0.5, "filter differential pressure that warns", { unit: "bar" }),
    dp_alarm: key(number(0, 100), 1, "filter differential pressure that alarms", { unit: "bar" }),
    cabinet_warn: key(number(-50, 200), 45, "cabinet air that warns, and begins to cost health", {
      unit: "degC",
    }),
    cabinet_trip: key(
      number(-50, 200),
      60,
      "cabinet air at which the plant may trip, and health is 0",
      { unit: "degC" },
    ),
    cip_hours: key(
      number(1, 100_000),
      720,
      "hours after which a cleaning in place is due; the default is our choice, set your maker's",
      { unit: "h" },
    ),
    beyond_seconds: key(
      number(0, 3600),
      60,
      "time in all that an operation may be beyond its limits, or water may move untreated; " +
        "the certificate's own delay",
      { unit: "s" },
    ),
    warmup_seconds: key(number(0, 3600), 60, "time that water may move in each warm-up", {
      unit: "s",
    }),
    stopping_seconds: key(number(0, 3600), 60, "time that water may move in each stopping", {
      unit: "s",
    }),
    source: key(
      name(256),
      DEFAULT_LIMITS_SOURCE,
      "where the limits come from, printed beside every verdict",
    ),
  }),
  sensors: table({
    spans: key(spanList, [], "plausible values: field, lowest, highest; XX is every lamp", {
      example: ["UVR_INTENSITY 0 1200", "LAMP_XX_RUNTIME 0 20000"],
    }),
  }),
  lamps: table({
    rated_hours: key(number(1, 1_000_000), 3000, "rated life of a lamp", {
      unit: "operating hours",
    }),
    end_of_life_efficiency: key(number(1, 99), 70, "efficiency at which a lamp is worn", {
      unit: "%",
    }),
    horizon_hours: key(number(1, 100_000), 500, "failure probability is within these hours"),
    part_number: key(name(64), "", "maker's part number of a lamp, for orders"),
    profile: profileKey,
    lead_days: key(integer(1, 730), 60, "days from the order of lamps until they are aboard"),
  }),
  alarms: table({
    no_data_seconds: key(
      integer(0, 86_400),
      0,
      "silence in an operation that is an alarm; 0: five times the usual cadence, 120 s at least",
    ),
  }),
  record_book: table({
    language: key(
      oneOf("en", "fr", "es"),
      "en",
      "language of draft entries: English, French or Spanish, which the Convention takes",
    ),
    time_tolerance_minutes: key(
      integer(0, 720),
      10,
      "minutes by which times of the record book may differ from the log's",
      { unit: "min" },
    ),
    volume_tolerance_percent: key(
      number(0, 100),
      5,
      "percent by which its volumes may differ from the log's",
      { unit: "%" },
    ),
  }),
  quarantine: table({
    max_bytes: key(bytes, "256 MiB", "payloads kept in quarantine"),
  }),
  shore: table({
    url: key(shoreList, [], "the fleet's servers, tried in turn; none: nothing is sent ashore", {
      example: ["postgres://ship_9074729_1@fleet.example.com:5432/fleet"],
    }),
    cert: secretFile("the ship's certificate for the shore, PEM"),
    key: secretFile("its private key, PEM without passphrase"),
    key_pin: key(keyPin, "", "SHA-256 of the server's public key, written by ballastd shore join"),
    objects: key(objectsUrl, "", "the office's store (S3) for readings; none: to the server", {
      example: "https://objects.example.com/fleet/9074729",
    }),
    objects_key: secretFile("the ship's key for it, in the form of AWS's credentials file"),
    objects_pin: key(keyPin, "", "SHA-256 of its public key; else authorities and the date decide"),
    raw: key(
      oneOf("always", "asked", "never"),
      "always",
      "raw readings: always, when the office asks, or never; the rest always goes",
    ),
    report_minutes: key(integer(1, 1440), 10, "interval of the report of the present state", {
      unit: "min",
    }),
    max_kbit: key(number(0, 1_000_000), 0, "highest rate of sending, 0: none", { unit: "kbit/s" }),
    max_mb_day: key(
      number(0, 1_000_000),
      0,
      "bytes a day (UTC), sent and received, beyond which only alerts, events and reports go; " +
        "0: no limit",
      { unit: "MB" },
    ),
    alarm_hours: key(integer(0, 8760), 24, "hours without an answer that are an alert; 0: none", {
      unit: "h",
    }),
  }),
  sparkplug: table({
    url: key(sparkplugUrl, "", "the broker of Sparkplug hosts, mqtts://host:port; none: off"),
    group: key(sparkplugId, "", "group id; by default system.imo, else ballastd"),
    node: key(sparkplugId, "", "edge node id; by default system.id"),
    host_id: key(sparkplugId, "", "primary host application whose STATE is waited for; none: no"),
    client_id: key(name(256), "", "client id; by default ballastd-sparkplug-<system id>"),
    username: key(name(256), "", "user name given to the broker"),
    password_file: secretFile("file whose first line is the password"),
    tls_cert: secretFile("certificate chain of the client, PEM"),
    tls_key: secretFile("its private key, PEM without passphrase"),
    tls_ca: secretFile("authority that signs the broker, PEM"),
  }),
  backup: table({
    dir: key(path, "", "folder of backups; by default backup in the data folder"),
    keep_daily: key(integer(0, 366), 7, "daily backups kept; 0: none are made"),
    keep_weekly: key(integer(0, 520), 4, "weeks whose newest daily backup is kept as well"),
  }),
  update: table({
    prefix: key(path, "/opt/ballastd", "folder with the installed versions and current"),
    key_file: key(path, "/etc/ballastd/update-key.pem", "public key of those who sign updates"),
  }),
  log: table({
    level: key(oneOf("debug", "info", "warn", "error"), "info", "least level that is logged"),
  }),
};

/** All sections of a file; its version is in version.ts, because the environment has none. */
export const CONFIG = table(SECTIONS);

type Output = z.output<typeof CONFIG>;
export type Section = keyof Output;
export type Config = {
  readonly [S in Section]: S extends "map" ? MapConfig : Readonly<Output[S]>;
};

/** A key, with all that follows from its schema. */
export interface ConfigKey extends KeyAbout {
  /** `section.name` */
  readonly key: string;
  readonly section: string;
  readonly name: string;
  /** The environment variable for the key. */
  readonly variable: string;
  readonly type: z.ZodType;
  readonly fallback: unknown;
}

export const CONFIG_KEYS: readonly ConfigKey[] = Object.entries(SECTIONS).flatMap(
  ([section, { shape }]) =>
    Object.entries(shape).map(([name, type]: [string, z.ZodPrefault<z.ZodType>]) => ({
      key: `${section}.${name}`,
      section,
      name,
      variable: variableOf(section, name),
      type,
      fallback: type.def.defaultValue,
      ...(ABOUT.get(type) ?? { description: "" }),
    })),
);

/** The value of every key, by `section.name`, and how secret it is. */
export function configValues(config: Config) {
  return Object.entries(config).flatMap(([section, values]) =>
    Object.entries(values).map(([name, value]: [string, unknown]) => {
      const key = `${section}.${name}`;
      return { key, value, secret: CONFIG_KEYS.find((one) => one.key === key)?.secret ?? null };
    }),
  );
}

/** The environment variable of a key: `http.listen` is `BALLASTD_HTTP_LISTEN`. */
export function variableOf(section: string, name: string): string {
  return `BALLASTD_${section}_${name}`.toUpperCase();
}
