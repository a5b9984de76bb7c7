// Reads the answers of /admin/config: the settings as they are in the file, the address for the
// PLC, the differences of a dry run. Reads also the values of the present run from /readyz.

import type { LimitDoubt, SettingsAnswer, SettingsNow } from "../../bwts/settings.ts";
import { flagOrNull, isLike, listOf, type Read, textOrNull } from "../store/checks.ts";

export const CONFIG_PATH = "/admin/config";

type SettingValue = string | number | boolean;

export interface ShownSetting {
  readonly key: string;
  readonly value: SettingValue;
  /** True if the value was given; false for a default. */
  readonly set: boolean;
}

export interface PlcAccess {
  /** Host and port of each address. */
  readonly addresses: readonly string[];
  /** False if no other machine can reach the addresses. */
  readonly isLan: boolean;
  /** True if the addresses are those of the ship's broker. */
  readonly isClient: boolean;
  readonly topic: string | null;
  readonly user: string | null;
  readonly password: boolean;
  readonly tls: boolean;
  /** Reason why the address can't be reached now, in ballastd's words. */
  readonly problem: string | null;
}

export interface ShownSettings {
  /** Path of the configuration's file; null for none. */
  readonly file: string | null;
  readonly writable: boolean;
  /** Reason why the file isn't writable or the last change was refused, in ballastd's words. */
  readonly problem: string | null;
  /** The reasons of `problem`, which are read where they are shown. */
  readonly reasons: unknown;
  readonly values: ReadonlyMap<string, ShownSetting>;
  /** The rules of the map. */
  readonly rules: readonly ShownRule[];
  /** The address for the PLC; null for an unknown shape. */
  readonly plc: PlcAccess | null;
  /** Host and port of the dashboard on the ship's network, for each address. */
  readonly dashboard: readonly string[];
}

export const readSettings: Read<ShownSettings> = (body) => {
  if (!isLike<SettingsNow>(body)) return null;
  const values = listOf(body.values, settingIn);
  if (values === null) return null;
  return {
    value: {
      file: textOrNull(body.file),
      ...{ problem: textOrNull(body.problem), writable: body.writable === true },
      reasons: body.reasons,
      values: new Map(values.value.map((one) => [one.key, one])),
      rules: listOf(body.rules, ruleIn)?.value ?? [],
      plc: plcIn(body.plc),
      dashboard: listOf(body.dashboard, textOrNull)?.value ?? [],
    },
  };
};

/** A rule, with all its other members, which the page shows and sends back. */
export type ShownRule = Pick<SettingsNow["rules"][number], "topic" | "tag" | "field"> &
  Readonly<Record<string, unknown>>;

function ruleIn(given: unknown): ShownRule | null {
  if (!isLike<ShownRule>(given)) return null;
  const [topic, tag, field] = [given.topic, given.tag, given.field].map(textOrNull);
  return tag === null || field === null ? null : { ...given, topic, tag, field };
}

function settingIn(given: unknown): ShownSetting | null {
  if (!isLike<ShownSetting>(given)) return null;
  const [key, set, value] = [textOrNull(given.key), flagOrNull(given.set), scalar(given.value)];
  return key === null || set === null || value === null ? null : { key, set, value };
}

function scalar(given: unknown): SettingValue | null {
  const isOne = typeof given === "string" || typeof given === "boolean";
  return isOne || (typeof given === "number" && Number.isFinite(given)) ? given : null;
}

function plcIn(given: unknown): PlcAccess | null {
  if (!isLike<SettingsNow["plc"]>(given)) return null;
  const addresses = listOf(given.addresses, textOrNull);
  const [password, tls] = [flagOrNull(given.password), flagOrNull(given.tls)];
  if (addresses === null || password === null || tls === null) return null;
  const reach = { isLan: given.is_lan === true, isClient: given.mode !== "embedded" };
  const [topic, user] = [textOrNull(given.topic), textOrNull(given.user)];
  const problem = textOrNull(given.problem);
  return { addresses: addresses.value, ...reach, topic, user, password, tls, problem };
}

export interface ShownSettingChange {
  readonly key: string;
  readonly old: SettingValue;
  readonly new: SettingValue;
}

export interface ShownChanges {
  readonly changes: readonly ShownSettingChange[];
  /** Codes of unusual limits among the changes, each once. */
  readonly doubts: readonly DoubtCode[];
  /** False if nothing differed, and after a dry run. */
  readonly stored: boolean;
  /**
   * Name of the copy of the previous file; null if nothing was stored, or if the unit writes the
   * file.
   */
  readonly before: string | null;
  /** True if one of the changes takes effect only at the next start. */
  readonly restart: boolean;
  /** True if ballastd restarts now. */
  readonly restarting: boolean;
}

export const readChanges: Read<ShownChanges> = (body) => {
  if (!isLike<SettingsAnswer>(body)) return null;
  const changes = listOf(body.changes, changeIn);
  const doubts = listOf(body.doubts, doubtIn);
  const restart = flagOrNull(body.restart);
  if (changes === null || doubts === null || restart === null) return null;
  const [before, restarting] = [textOrNull(body.before), body.restarting === true];
  const once = [...new Set(doubts.value)];
  const stored = body.stored === true;
  return { value: { changes: changes.value, doubts: once, stored, before, restart, restarting } };
};

/** Keys of the texts about unusual limits. */
export const DOUBT_WORDS = {
  uv_swapped: "doubt_uv_swapped",
  uv_high: "doubt_uv_high",
  uv_low: "doubt_uv_low",
  flow_low: "doubt_flow_low",
  capacity_high: "doubt_capacity_high",
  beyond_long: "doubt_beyond_long",
} as const satisfies Record<LimitDoubt["code"], string>;

type DoubtCode = keyof typeof DOUBT_WORDS;

const isDoubt = (code: string | null): code is DoubtCode =>
  code !== null && Object.keys(DOUBT_WORDS).includes(code);

function doubtIn(given: unknown): DoubtCode | null {
  const code = isLike<LimitDoubt>(given) ? textOrNull(given.code) : null;
  return isDoubt(code) ? code : null;
}

function changeIn(given: unknown): ShownSettingChange | null {
  if (!isLike<ShownSettingChange>(given)) return null;
  const [key, old, next] = [textOrNull(given.key), scalar(given.old), scalar(given.new)];
  return key === null || old === null || next === null ? null : { key, old, new: next };
}

/** The values of the present run in /readyz, by the key of the setting. */
export type InForce = ReadonlyMap<string, string | number>;

interface RunShape {
  readonly system: unknown;
  readonly limits: unknown;
}

export const readInForce: Read<InForce> = (body) => {
  if (!isLike<RunShape>(body)) return null;
  const [system, limits] = [valuesIn("system", body.system), valuesIn("limits", body.limits)];
  return system === null || limits === null ? null : { value: new Map([...system, ...limits]) };
};

function valuesIn(section: string, given: unknown) {
  if (!isLike<Record<string, unknown>>(given)) return null;
  return Object.entries(given).flatMap(([name, value]) =>
    typeof value === "string" || typeof value === "number"
      ? [[`${section}.${name}`, value] as const]
      : [],
  );
}
