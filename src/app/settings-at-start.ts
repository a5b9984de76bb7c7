// Settings that the service may not write: its unit lets it change nothing in /etc. It leaves them
// in its state folder and ends; the unit's take-settings (systemd/) writes them as root before the
// next start. Root trusts neither the file nor what is in it: its keys and values are judged again.

import { existsSync, rmSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { LeftSettings } from "../bwts/settings.ts";
import type { KeySetting } from "../config/change.ts";
import type { Config } from "../config/config.ts";
import type { RuleChanges } from "../config/edit-rules.ts";
import type { Environment } from "../config/read.ts";
import { readSmall, writeWhole } from "../ground/durable.ts";
import { EXIT, Failure, messageOf } from "../ground/errors.ts";
import { asOwner } from "../ground/owner.ts";
import { PASSWORD_FILE, passwordFiles, settingOf } from "./settings-keys.ts";

/** The place of the file; null where no unit takes it. */
export function settingsAtStart(env: Environment): string | null {
  const dir = env.STATE_DIRECTORY;
  return env.SETTINGS_AT_START === "1" && dir ? path.join(dir, "settings.json") : null;
}

/** Settings, and rules of the map. */
export interface SettingsChange {
  readonly settings: readonly KeySetting[];
  readonly rules: RuleChanges;
}

/** Leaves them for the unit. */
export function leaveSettings(file: string, { settings, rules }: SettingsChange): void {
  const changes = settings.map(({ key, value }) => ({ key: key.key, value: asText(value) }));
  writeWhole(file, `${JSON.stringify({ changes, rules }, null, 2)}\n`);
}

const asText = (value: KeySetting["value"]) => (Array.isArray(value) ? value.join(", ") : value);

/** The settings in the file. Throws a Failure for others than may be changed over HTTP. */
export function settingsLeftIn(file: string, config: Config): SettingsChange {
  const text = textIn(file);
  const left = z.string().transform(parsed).pipe(LeftSettings).safeParse(text);
  if (!left.success) throw new Failure(EXIT.config, `${file}: isn't a list of settings`);
  const settings = left.data.changes.map((change) => {
    const setting =
      change.key === PASSWORD_FILE.key
        ? passwordSetting(change.value, [config.storage.dir, path.dirname(file)])
        : settingOf(change);
    if (typeof setting === "string") throw new Failure(EXIT.config, `${file}: ${setting}`);
    return setting;
  });
  return { settings, rules: left.data.rules };
}

function textIn(file: string): string {
  try {
    return asOwner(() => readSmall(file)).toString();
  } catch (error) {
    throw new Failure(EXIT.config, `${file}: ${messageOf(error)}`);
  }
}

/**
 * One of the two files that the service makes itself, so that root names it no other. Where the
 * file says no data folder it is the state folder, of which root's environment doesn't say.
 */
function passwordSetting(value: unknown, dirs: readonly string[]): KeySetting | string {
  if (value === null) return { key: PASSWORD_FILE, value };
  const known = dirs.flatMap(passwordFiles).find((one) => one === value);
  return known === undefined
    ? `${PASSWORD_FILE.key}: is no file that ballastd has made`
    : { key: PASSWORD_FILE, value: known };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Removes what wasn't taken before this start, and returns the reason; null if there was nothing.
 * The unit alone knows it for certain: this judges the file again, as far as the service can.
 */
export function removeUntaken(env: Environment, config: Config): string | null {
  const file = settingsAtStart(env);
  if (file === null || !existsSync(file)) return null;
  const reason = untakenReason(file, config);
  rmSync(file, { force: true });
  return reason;
}

function untakenReason(file: string, config: Config): string {
  try {
    settingsLeftIn(file, config);
    return "the configuration's file couldn't be written; it or its disk may be read-only, or full";
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return error.message.replace(`${file}: `, "");
  }
}
