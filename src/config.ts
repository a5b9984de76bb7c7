// Configuration, read once at start: one TOML file, every key also as an environment variable, the
// environment wins. What isn't understood is refused with the key, the value and what is allowed,
// never ignored: a misspelt limit that silently keeps its default would be believed aboard.

import path from "node:path";
import { readConfigFile } from "./config-file.ts";
import { readMapRules } from "./config-map.ts";
import { place, type Spot, spotName } from "./config-place.ts";
import { refuseContradictions, refused, refusedValue } from "./config-rules.ts";
import {
  integerIn,
  numberIn,
  oneOf,
  readBrokerUrl,
  readBytes,
  readFlag,
  readHostList,
  readListenList,
  readOriginList,
  readPrefix,
  readSystemId,
  readText,
} from "./config-values.ts";
import { Failure, messageOf } from "./errors.ts";

interface Key<Value> {
  readonly fallback: string | number | boolean | readonly string[];
  /**
   * Reads a TOML value or an environment text; throws an Error that says what is expected, or, for
   * an item of a list of tables, a Failure that names the item by `whereIs`.
   */
  readonly read: (given: unknown, whereIs: WhereIs) => Value;
  readonly about: string;
  /** Its value is shown nowhere. */
  readonly isSecret?: true;
}

/** The place, in words, of an item of a list of tables, or of a key of it. */
type WhereIs = (part: Omit<Spot, "name">) => string;

type Environment = Readonly<Record<string, string | undefined>>;

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
 * Every key, its default, how it is read and what it is for: the README's table is made of this.
 */
export const KEYS = {
  system: {
    id: key("BWTS-001", readSystemId, "the treatment system's id, second level of every topic"),
    vessel: key("", readText, "the ship's name, shown on every page"),
    imo: key("", readText, "the ship's IMO number, shown on every page"),
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
    token: secret("", readText, "the maintainer's bearer token; else the token file's"),
    token_file: key("", readText, "made on the first start; by default token in the data folder"),
    monitoring: key("open", oneOf("open", "token"), "who may read: open, or token"),
  },
  mqtt: {
    mode: key("embedded", oneOf("embedded", "client"), "embedded: be the broker; client: join one"),
    listen: key(["127.0.0.1:1883"], readListenList, "addresses of the embedded broker"),
    url: key("mqtt://127.0.0.1:1883", readBrokerUrl, "the ship's broker in client mode"),
    client_id: key("", readText, "client id in client mode; by default ballastd-<system id>"),
    prefix: key("bwts", readPrefix, "first level of every topic"),
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
    rule: key([], readMapRules, "topic and tag to field, see above; as a variable a list in JSON"),
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

/** The configuration, and the file it was read from (null: none, defaults and environment only). */
export interface LoadedConfig {
  readonly config: Config;
  readonly file: string | null;
  /** By `section.key`: `default`, its environment variable, or its place in the file. */
  readonly origins: ReadonlyMap<string, string>;
}

const DEFAULT_FILE = "/etc/ballastd/ballastd.toml";

/**
 * Reads `--config`, else `$BALLASTD_CONFIG`, else /etc/ballastd/ballastd.toml if it is there, and
 * the environment over it. Throws a Failure (exit 78) that names the key, its line and what is
 * allowed.
 */
export function loadConfig(options: {
  readonly file: string | null;
  readonly env: Environment;
  /** Read when no other is named and it is there; null for none. */
  readonly defaultFile?: string | null;
}): LoadedConfig {
  const { defaultFile = DEFAULT_FILE } = options;
  const named = options.file ?? (options.env.BALLASTD_CONFIG || null);
  const { file, text, values: fromFile } = readConfigFile(named, defaultFile);
  const values: Record<string, Record<string, unknown>> = {};
  const origins = new Map<string, string>();
  refuseUnknown(fromFile, text, file ?? "");
  refuseUnknownVariables(options.env);
  for (const [section, keys] of Object.entries(KEYS)) {
    const read: Record<string, unknown> = {};
    for (const [name, spec] of Object.entries(keys)) {
      const variable = variableOf(section, name);
      const given = options.env[variable];
      const inFile = sectionOf(fromFile, section)?.[name];
      const whereIs = (part: Omit<Spot, "name">) =>
        given === undefined
          ? place({ name: `${section}.${name}`, ...part }, text, file ?? "")
          : spotName({ name: variable, ...part });
      read[name] = readKey(spec, given ?? inFile ?? spec.fallback, whereIs);
      const isDefault = given === undefined && inFile === undefined;
      origins.set(`${section}.${name}`, isDefault ? "default" : whereIs({}));
    }
    values[section] = read;
  }
  return { config: withDerived(values, options.env), file, origins };
}

/** Whether a key's value must be shown nowhere. */
export function isSecret(section: string, name: string): boolean {
  const keys: Readonly<Record<string, Key<unknown>>> | undefined = Object.entries(KEYS).find(
    ([known]) => known === section,
  )?.[1];
  return keys?.[name]?.isSecret === true;
}

/** The environment variable of a key: `http.listen` is `BALLASTD_HTTP_LISTEN`. */
export function variableOf(section: string, name: string): string {
  return `BALLASTD_${section}_${name}`.toUpperCase();
}

// The values were read key by key from KEYS, which is what Config is inferred from.
function withDerived(values: Record<string, Record<string, unknown>>, env: Environment): Config {
  const config: Config = JSON.parse(JSON.stringify(values));
  const dir = path.resolve(config.storage.dir || env.STATE_DIRECTORY || "data");
  const derived: Config = {
    ...config,
    storage: { ...config.storage, dir },
    backup: { ...config.backup, dir: path.resolve(config.backup.dir || path.join(dir, "backup")) },
    auth: { ...config.auth, token_file: config.auth.token_file || path.join(dir, "token") },
    mqtt: { ...config.mqtt, client_id: config.mqtt.client_id || `ballastd-${config.system.id}` },
  };
  refuseContradictions(derived);
  return derived;
}

function readKey(spec: Key<unknown>, given: unknown, whereIs: WhereIs): unknown {
  try {
    return spec.read(given, whereIs);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw refusedValue(whereIs({}), given, messageOf(error));
  }
}

function refuseUnknown(fromFile: Record<string, unknown>, text: string, file: string): void {
  for (const [section, value] of Object.entries(fromFile)) {
    const keys: Record<string, unknown> | undefined = Object.entries(KEYS).find(
      ([known]) => known === section,
    )?.[1];
    if (keys === undefined)
      throw refused(place({ name: section }, text, file), `is unknown, expected ${list(KEYS)}`);
    const given = sectionOf(fromFile, section);
    if (given === null)
      throw refused(place({ name: section }, text, file), `is ${typeof value}, expected a table`);
    for (const name of Object.keys(given))
      if (!Object.hasOwn(keys, name))
        throw refused(
          place({ name: `${section}.${name}` }, text, file),
          `is unknown, expected ${list(keys)}`,
        );
  }
}

// These say how the program is started, not what is configured.
const OTHER_VARIABLES = ["BALLASTD_CONFIG"];

function refuseUnknownVariables(env: Environment): void {
  const known = new Set(OTHER_VARIABLES);
  for (const [section, keys] of Object.entries(KEYS))
    for (const name of Object.keys(keys)) known.add(variableOf(section, name));
  for (const variable of Object.keys(env))
    if (variable.startsWith("BALLASTD_") && !known.has(variable))
      throw refused(variable, "is an unknown variable, expected BALLASTD_<SECTION>_<KEY>");
}

function sectionOf(from: Record<string, unknown>, section: string): Record<string, unknown> | null {
  const value = from[section];
  if (value === null || typeof value !== "object" || Array.isArray(value)) return null;
  return Object.fromEntries(Object.entries(value));
}

const list = (keys: object): string => Object.keys(keys).join(", ");
