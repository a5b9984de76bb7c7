// The configuration key by key. For display, each key has its value as in a file and its origin;
// for a secret only the fact that it is set. The audit log compares the configuration with that of
// the start before: secret values are marked for it, and never leave the writer.

import { type Config, type ConfigKey, configValues } from "../config/config.ts";
import type { LoadedConfig } from "../config/load.ts";
import { valueRefusal } from "../config/read.ts";
import { shownPath } from "../config/shown.ts";
import { printListen } from "../config/values.ts";
import { CONFIG_VERSION } from "../config/version.ts";
import type { Setting } from "../sqlite/records/runs.ts";

export interface ShownKey {
  readonly key: string;
  /** Any JSON value. */
  readonly value: unknown;
  /** `default`, the environment variable, or the file with its line. */
  readonly origin: string;
}

export function shownConfig({ config, origins }: LoadedConfig): readonly ShownKey[] {
  const version = shortOrigin("version", origins.get("version") ?? "default");
  const keys = configValues(config).map(({ key, value, secret }) => {
    const origin = origins.get(key) ?? "default";
    const isPath = secret === "file name" && origin !== "default" && value !== "";
    const told = isPath ? shownPath(String(value)) : shown(value);
    return {
      key,
      value: secret === "value" ? secretState(value) : told,
      origin: shortOrigin(key, origin),
    };
  });
  return [{ key: "version", value: CONFIG_VERSION, origin: version }, ...keys];
}

/** A key's value in a file, as far as it may be shown. */
export function shownInFile(key: ConfigKey, value: unknown): unknown {
  if (key.secret === "value") return secretState(value);
  if (valueRefusal(key, value) !== null) return "a value that can't be used";
  return key.secret === "file name" && value !== "" ? shownPath(String(value)) : value;
}

/** A shown value, with a list as a line of text. */
export function shownLine(shown: unknown): string | number | boolean {
  if (Array.isArray(shown)) return shown.join(", ");
  return typeof shown === "number" || typeof shown === "boolean" ? shown : String(shown);
}

function secretState(value: unknown): string {
  return value === "" ? "not set" : "set";
}

function shown(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((item) => (isListen(item) ? printListen(item) : item));
}

function isListen(item: unknown): item is Parameters<typeof printListen>[0] {
  return item !== null && typeof item === "object" && "host" in item && "port" in item;
}

// Shortens `http.listen (FILE line 3)` to the origin, since the key is shown beside it.
function shortOrigin(key: string, origin: string): string {
  return origin.startsWith(`${key} (`) ? origin.slice(key.length + 2, -1) : origin;
}

export function settingsOf(config: Config): readonly Setting[] {
  return configValues(config).map(({ key, value, secret }) => ({
    key,
    value: key === "map.rule" ? withoutPlaces(value) : value,
    isSecret: secret === "value",
  }));
}

// Removes the lines of map rules in the file, which have no effect.
function withoutPlaces(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, inner) => (key === "where" ? undefined : inner)));
}
