// Configuration, read once at the start: one TOML file, every key also as an environment variable,
// which wins. Unknown keys and values are refused with the allowed ones, never ignored: a misspelt
// limit that silently kept its default would be trusted aboard. A start stops at the first problem;
// recovery mode uses the keys that can be read.

import path from "node:path";
import type { Config, Section } from "./config.ts";
import { type Environment, readKeys } from "./read.ts";
import { refuseContradictions } from "./rules.ts";
import { readableListen } from "./values.ts";

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
  const { config, file, origins, problems } = readSource(source);
  if (problems[0] !== undefined) throw problems[0].failure;
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
  const { config, file, origins, problems } = readSource(source);
  const refusedListen = problems.find((one) => one.section === "http" && one.name === "listen");
  const listen = readableListen(refusedListen?.given);
  return {
    config: listen.length === 0 ? config : { ...config, http: { ...config.http, listen } },
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
  const read = readKeys(file ?? (env.BALLASTD_CONFIG || null), defaultFile, env);
  return { ...read, config: withDerived(read.values, env) };
}

/** With the defaults that follow from other keys. */
function withDerived(values: Config, env: Environment): Config {
  const { storage, backup, auth, mqtt } = values;
  const dir = path.resolve(storage.dir || env.STATE_DIRECTORY || "data");
  return {
    ...values,
    storage: { ...storage, dir },
    backup: { ...backup, dir: path.resolve(backup.dir || path.join(dir, "backup")) },
    auth: { ...auth, token_file: auth.token_file || path.join(dir, "token") },
    mqtt: { ...mqtt, client_id: mqtt.client_id || `ballastd-${values.system.id}` },
  };
}
