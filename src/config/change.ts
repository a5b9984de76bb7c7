// Changes keys of a configuration file. The whole resulting configuration is tried first, by the
// code that reads it at a start: a configuration that a start would refuse is never written.

import { isDeepStrictEqual } from "node:util";
import { Failure } from "../ground/errors.ts";
import type { Config, ConfigKey } from "./config.ts";
import { configTextAt, replaceConfig, withConfigLock } from "./config-file.ts";
import { type WrittenValue, withKeys } from "./edit.ts";
import { NO_RULES, type RuleChanges, withRules } from "./edit-rules.ts";
import { loadConfig } from "./load.ts";
import { type Environment, tablesIn, valueRefusal } from "./read.ts";
import { isTable } from "./values.ts";

/** A key and its new value; null removes it from the file, so that its default counts. */
export interface KeySetting {
  readonly key: ConfigKey;
  readonly value: WrittenValue | null;
}

/** A key's value in the file before and after; null where the file doesn't have it. */
export interface ChangedKey extends KeySetting {
  readonly old: unknown;
  /** False if the file has the same value already. */
  readonly isNew: boolean;
}

export interface ConfigTrial {
  readonly env: Environment;
  /** Throws a Failure for a configuration that a start would refuse after it was read. */
  readonly refuse: (config: Config) => void;
  /** True for a dry run: nothing is written. */
  readonly isDry?: boolean;
  /** Rules of the map to add and to remove. */
  readonly rules?: RuleChanges;
}

/**
 * Changes these keys in the file at `place`; if that is a link, in its target. Throws a Failure,
 * with nothing changed, if the configuration can't be used with them.
 */
export async function changeKeys(
  place: string,
  settings: readonly KeySetting[],
  trial: ConfigTrial,
): Promise<readonly ChangedKey[]> {
  for (const { key, value } of settings) {
    const refusal = value === null ? null : valueRefusal(key, value);
    if (refusal !== null) throw refusal;
  }
  return withConfigLock(place, () => {
    const before = configTextAt(place);
    const tables = tablesIn(before, place);
    const changed = settings.map((setting) => changeOf(tables, setting));
    const changes = changed.filter(({ isNew }) => isNew);
    const { rules = NO_RULES } = trial;
    if (changes.length === 0 && isDeepStrictEqual(rules, NO_RULES)) return changed;
    const text = withRules(withKeys(before, changes), rules);
    requireUsable(place, text, trial);
    if (!trial.isDry) replaceConfig(place, before, text);
    return changed;
  });
}

function changeOf(tables: ReturnType<typeof tablesIn>, { key, value }: KeySetting): ChangedKey {
  const table = tables[key.section];
  const old = (isTable(table) ? table[key.name] : null) ?? null;
  const isSame =
    old === null || value === null
      ? old === value
      : valueRefusal(key, old) === null && used(key, old) === used(key, value);
  return { key, value, old, isNew: !isSame };
}

/** A value as the program uses it, written as JSON for comparing. */
function used({ type }: ConfigKey, value: unknown): string {
  return JSON.stringify(type.parse(value));
}

function requireUsable(file: string, text: string, { env, refuse }: ConfigTrial): void {
  try {
    refuse(loadConfig({ file, env, text }).config);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const reason = error.message.replace(/^configuration: /, "");
    throw new Failure(
      error.exitCode,
      `configuration: nothing was changed, a start would refuse this: ${reason}`,
      ...error.reasons,
    );
  }
}
