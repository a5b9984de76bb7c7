// Configuration, read once at the start: one TOML file, every key also as an environment variable,
// which wins. Unknown keys and values are refused with the allowed ones, never ignored: a misspelt
// limit that silently kept its default would be trusted aboard.

import path from "node:path";
import { readConfigFile } from "./file.ts";
import { readMapRules } from "./map.ts";
import { type Environment, type Key, type ReadKeys, readKeys } from "./read.ts";
import { refuseContradictions } from "./rules.ts";
import {
  integerIn,
  numberIn,
  oneOf,
  readableListen,
  readBrokerUrl,
  readBytes,
  readFlag,
  readHostList,
  readListenList,
  readOriginList,
  readPrefix,
  readSystemId,
  readText,
  readToken,
  readUtcOffset,
} from "./values.ts";
import { versionedFile } from "./version.ts";

const key = <Value>(
  fallback: Key<Value>["fallback"],
  read: Key<Value>["read"],
  about: string,
): Key<Value> => ({ fallback, read, about });

const secret = <Value>(...given: Parameters<typeof key<Value>>): Key<Value> => ({
  ...key(...given),
  isSecret: true,
});

/**
 * Every key with its default, reader and description; docs/configuration.md is generated from this.
 */
export const KEYS = {
  system: {
    id: key("BWTS-001", readSystemId, "the treatment system's id, second level of every topic"),
    vessel: key("", readText, "the ship's name, shown on every page"),
    imo: key("", readText, "the ship's IMO number, shown on every page"),
    utc_offset: key("", readUtcOffset, "ship's time, such as +05:30: shown beside UTC, not stored"),
  },
  storage: {
    dir: key("", readText, "data folder; by default $STATE_DIRECTORY, else ./data"),
    retention_months: key(24, integerIn(1, 1200), "raw readings kept, months before the newest"),
    short_retention: key(false, readFlag, "true allows a retention of less than 24 months"),
    free_warn: key(2_147_483_648, readBytes, "free disk space below which it is loud"),
    free_stop: key(268_435_456, readBytes, "free disk space below which nothing is committed"),
  },
  http: {
    listen: key(["127.0.0.1:8080"], readListenList, "addresses to serve on, host:port"),
    tls_cert: key("", readText, "certificate chain, PEM: with it and its key HTTPS is spoken"),
    tls_key: key("", readText, "its private key, PEM without passphrase"),
    cors_origins: key([], readOriginList, "web origins that may read the API, * for every one"),
    allowed_hosts: key([], readHostList, "names this machine is asked by, beside its own"),
  },
  auth: {
    token: secret("", readToken, "the maintainer's bearer token; else the token file's"),
    token_file: key("", readText, "made on the first start; by default token in the data folder"),
    monitoring: key("open", oneOf("open", "token"), "who may read: open, or token"),
  },
  mqtt: {
    mode: key("embedded", oneOf("embedded", "client"), "embedded: be the broker; client: join one"),
    listen: key(["127.0.0.1:1883"], readListenList, "addresses of the embedded broker"),
    url: key("mqtt://127.0.0.1:1883", readBrokerUrl, "the ship's broker in client mode"),
    client_id: key("", readText, "client id in client mode; by default ballastd-<system id>"),
    prefix: key("bwts", readPrefix, "first level of every topic"),
    status: key(
      false,
      readFlag,
      "true publishes online and offline at the ship's broker (client mode)",
    ),
    merge_ms: key(0, integerIn(0, 60_000), "grid to which reading times are floored, 0 for none"),
    username: key("", readText, "user name, asked of publishers or given to the ship's broker"),
    password_file: key("", readText, "file whose first line is the password"),
    tls_cert: key("", readText, "certificate chain, PEM: the broker's own, or the client's"),
    tls_key: key("", readText, "its private key, PEM without passphrase"),
    tls_ca: key("", readText, "authority, PEM: it signs publishers, or the ship's broker"),
  },
  map: {
    unmapped: key(
      "keep",
      oneOf("keep", "drop"),
      "keep or drop tags that no rule names, on topics that one does",
    ),
    rule: key(
      [],
      readMapRules,
      "one rule: a topic and a tag to a field; as a variable a list in JSON",
    ),
  },
  limits: {
    uv_imo: key(252, numberIn(0, 100_000), "lowest UV intensity for IMO, W/m2"),
    uv_uscg: key(530, numberIn(0, 100_000), "lowest UV intensity for USCG, W/m2"),
    uv_target: key(650, numberIn(1, 100_000), "UV intensity that scores 100, W/m2"),
    flow_max_imo: key(1000, numberIn(1, 100_000), "highest flow for IMO, m3/h"),
    flow_max_uscg: key(1000, numberIn(1, 100_000), "highest flow for USCG, m3/h"),
    dp_warn: key(0.5, numberIn(0, 100), "filter differential pressure that warns, bar"),
    dp_alarm: key(1.0, numberIn(0, 100), "filter differential pressure that alarms, bar"),
    cabinet_warn: key(45, numberIn(-50, 200), "cabinet air that begins to cost health, degC"),
    cabinet_trip: key(60, numberIn(-50, 200), "cabinet air at which health is 0, degC"),
    source: key(
      "default, replace by the type approval certificate",
      readText,
      "where the limits come from, printed beside every verdict",
    ),
  },
  lamps: {
    rated_hours: key(3000, numberIn(1, 1_000_000), "rated life of a lamp, operating hours"),
    end_of_life_efficiency: key(70, numberIn(1, 99), "efficiency at which a lamp is worn, %"),
    horizon_hours: key(500, numberIn(1, 100_000), "failure probability is within these hours"),
  },
  alarms: {
    no_data_seconds: key(
      0,
      integerIn(0, 86_400),
      "silence in an operation that is an alarm; 0: five times the usual cadence, 120 s at least",
    ),
  },
  quarantine: {
    max_bytes: key(268_435_456, readBytes, "payloads kept in quarantine, bytes or 256 MiB"),
  },
  backup: {
    dir: key("", readText, "folder of backups; by default backup in the data folder"),
    keep_daily: key(7, integerIn(0, 366), "daily backups kept; 0: none are made"),
    keep_weekly: key(4, integerIn(0, 520), "weeks whose newest daily backup is kept as well"),
  },
  update: {
    prefix: key("/opt/ballastd", readText, "folder with the installed versions and current"),
    key_file: key("/etc/ballastd/update-key.pem", readText, "public key of those who sign updates"),
  },
  log: {
    level: key("info", oneOf("debug", "info", "warn", "error"), "least level that is logged"),
  },
} as const;

type Section = keyof typeof KEYS;
type ValueOf<K> = K extends Key<infer Value> ? Value : never;
export type Config = {
  readonly [S in Section]: { readonly [K in keyof (typeof KEYS)[S]]: ValueOf<(typeof KEYS)[S][K]> };
};

/** The configuration, and its file (null: none, defaults and environment only). */
export interface LoadedConfig {
  readonly config: Config;
  readonly file: string | null;
  /** By `section.key`, or `version`: `default`, its environment variable, or its place. */
  readonly origins: ReadonlyMap<string, string>;
}

export const DEFAULT_FILE = "/etc/ballastd/ballastd.toml";

/** The places from which a configuration is read. */
export interface ConfigSource {
  /** `--config`; null for the usual places. */
  readonly file: string | null;
  readonly env: Environment;
  /** Read if no other is named and it exists; null for none. */
  readonly defaultFile?: string | null;
}

/**
 * Reads `--config`, else `$BALLASTD_CONFIG`, else /etc/ballastd/ballastd.toml if it is there, and
 * the environment over it. Throws a Failure (exit 78) that names the key, its line and what is
 * allowed.
 */
export function loadConfig(source: ConfigSource): LoadedConfig {
  const { file, values, origins, problems } = readSource(source);
  if (problems[0] !== undefined) throw problems[0].failure;
  const config = withDerived(values, source.env);
  refuseContradictions(config);
  return { config, file, origins };
}

/** The keys of a configuration that can be read, even if others can't. */
export interface ReadableConfig {
  readonly config: Config;
  /** The file, which needn't be readable. */
  readonly file: string | null;
  /** True if the value is the configured one; false if it is a default for an unreadable key. */
  isSure<S extends Section>(section: S, name: keyof Config[S] & string): boolean;
}

/** Reads each key on its own, to use those that can be read. Never throws. */
export function readableConfig(source: ConfigSource): ReadableConfig {
  const { file, values, origins, problems } = readSource(source);
  const read = withDerived(values, source.env);
  const refusedListen = problems.find((one) => one.section === "http" && one.name === "listen");
  const listen = readableListen(refusedListen?.given);
  return {
    config: listen.length === 0 ? read : { ...read, http: { ...read.http, listen } },
    file,
    isSure(section, name) {
      const about = problems.filter((one) => one.section === null || one.section === section);
      if (about.some((one) => one.name === name)) return false;
      const isGiven = origins.get(`${section}.${name}`) !== "default";
      return isGiven || about.every((one) => one.name !== null);
    },
  };
}

function readSource({ file, env, defaultFile = DEFAULT_FILE }: ConfigSource) {
  const from = versionedFile(readConfigFile(file ?? (env.BALLASTD_CONFIG || null), defaultFile));
  const { values, origins, problems } = readKeys(KEYS, from, env);
  // First: in a newer file, unknown keys are expected.
  const failure = from.versionProblem;
  const first = failure === null ? [] : [{ failure, section: null, name: null, given: null }];
  return {
    file: from.file,
    values,
    origins: new Map([["version", from.versionOrigin], ...origins]),
    problems: [...first, ...problems],
  };
}

/** True if a key's value must not be shown. */
export function isSecret(section: string, name: string): boolean {
  const keys: Readonly<Record<string, Key<unknown>>> | undefined = Object.entries(KEYS).find(
    ([known]) => known === section,
  )?.[1];
  return keys?.[name]?.isSecret === true;
}

// The values were read key by key from KEYS, which is what Config is inferred from.
function withDerived(values: ReadKeys["values"], env: Environment): Config {
  const config: Config = JSON.parse(JSON.stringify(values));
  const dir = path.resolve(config.storage.dir || env.STATE_DIRECTORY || "data");
  return {
    ...config,
    storage: { ...config.storage, dir },
    backup: { ...config.backup, dir: path.resolve(config.backup.dir || path.join(dir, "backup")) },
    auth: { ...config.auth, token_file: config.auth.token_file || path.join(dir, "token") },
    mqtt: { ...config.mqtt, client_id: config.mqtt.client_id || `ballastd-${config.system.id}` },
  };
}
