// The settings that the page asks for, in the order of its forms: those of the ship, those on the
// type approval certificate, and further limits whose values the maker knows.

import { isImoNumber } from "../../bwts/documents/imo-number.ts";
import { firstWatchWords as t } from "../lang/words.ts";
import { isDefaultSource } from "../parts/numbers.ts";
import type { InForce, ShownSettings } from "./settings-answer.ts";

export interface SettingField {
  readonly key: string;
  readonly label: string;
  /** The unit in usual writing; empty for none. */
  readonly unit: string;
  /** An example, for a text whose form isn't obvious. */
  readonly example: string;
  readonly kind: "text" | "number" | "address" | "secret";
}

const text = (key: string, label: string, example = ""): SettingField => ({
  ...{ key, label, example, unit: "", kind: "text" },
});
const figure = (key: string, label: string, unit: string): SettingField => ({
  ...{ key, label, unit, example: "", kind: "number" },
});
const address = (key: string, label: string, example: string): SettingField => ({
  ...{ key, label, example, unit: "", kind: "address" },
});

export const PLC_USER = "mqtt.username";
export const PLC_PASSWORD = "mqtt.password";
/** The key whose change shows a new password; its values are names of files. */
export const PLC_PASSWORD_FILE = "mqtt.password_file";

export const plcFields = (): readonly SettingField[] => [
  address("mqtt.listen", t("listen"), "0.0.0.0:1883"),
  text(PLC_USER, t("user"), "plc"),
  { ...text(PLC_PASSWORD, t("password")), kind: "secret" },
  text("mqtt.prefix", t("prefix"), "bwts"),
  text("system.id", t("system_id"), "BWTS-001"),
  text("mqtt.plc_utc_offset", t("plc_offset"), "+09:00"),
];

export const dashboardFields = (): readonly SettingField[] => [
  address("http.listen", t("listen"), "0.0.0.0:8080"),
];

export const backupFields = (): readonly SettingField[] => [
  text("backup.dir", t("backup_folder"), "/media/stick"),
];

export const shipFields = (): readonly SettingField[] => [
  text("system.vessel", t("vessel"), "MV Example"),
  text("system.imo", t("imo"), "9074729"),
  text("system.utc_offset", t("utc_offset"), "+09:00"),
];

/** Fields that must all be given before the step has its tick: no default is the ship's. */
export const certificateFields = (): readonly SettingField[] => [
  text("system.certificate", t("certificate")),
  text("limits.source", t("source")),
  figure("system.capacity", t("capacity"), "m³/h"),
  figure("limits.uv_imo", t("uv_imo"), "W/m²"),
  figure("limits.uv_uscg", t("uv_uscg"), "W/m²"),
  figure("limits.flow_max_imo", t("flow_max_imo"), "m³/h"),
  figure("limits.flow_max_uscg", t("flow_max_uscg"), "m³/h"),
  figure("limits.beyond_seconds", t("beyond_seconds"), "s"),
];

export const furtherFields = (): readonly SettingField[] => [
  figure("limits.uv_target", t("uv_target"), "W/m²"),
  figure("limits.dp_warn", t("dp_warn"), "bar"),
  figure("limits.dp_alarm", t("dp_alarm"), "bar"),
  figure("limits.cabinet_warn", t("cabinet_warn"), "°C"),
  figure("limits.cabinet_trip", t("cabinet_trip"), "°C"),
  figure("limits.cip_hours", t("cip_hours"), "h"),
  figure("limits.warmup_seconds", t("warmup_seconds"), "s"),
  figure("limits.stopping_seconds", t("stopping_seconds"), "s"),
];

/** The state of a step; only `done` has a tick. */
export type StepState = "done" | "open" | "caution" | "unknown";

/**
 * State of the ship's step: done if the present run has all three values, and the file has the
 * same; unknown without a token that may read the file.
 */
export function shipState(inForce: InForce | null, settings: ShownSettings | null): StepState {
  if (inForce === null) return "unknown";
  const given = ["system.vessel", "system.imo", "system.utc_offset"].map((key) => {
    const value = String(inForce.get(key) ?? "");
    return key === "system.imo" ? isImoNumber(value) : value.trim() !== "";
  });
  if (given.includes(false)) return "open";
  if (settings === null) return "unknown";
  return areInForce(shipFields(), inForce, settings) ? "done" : "open";
}

/**
 * State of the limits' step: a caution until each value of the certificate was given and is in
 * force.
 */
export function limitsState(inForce: InForce | null, settings: ShownSettings | null): StepState {
  if (inForce === null || settings === null) return "unknown";
  const fields = certificateFields();
  if (missingOf(fields, settings).length > 0) return "caution";
  return areInForce([...fields, ...furtherFields()], inForce, settings) ? "done" : "caution";
}

/** Fields that are absent or empty in the file, or marked there as not the certificate's. */
export function missingOf(
  fields: readonly SettingField[],
  { values }: ShownSettings,
): readonly SettingField[] {
  return fields.filter(({ key }) => {
    const setting = values.get(key);
    if (setting === undefined || !setting.set) return true;
    const { value } = setting;
    const isEmpty = typeof value === "string" && !/[\p{L}\p{N}]/u.test(value);
    return isEmpty || isDefaultSource(value) || (key === "system.capacity" && value === 0);
  });
}

/** True if the present run has the file's values; false for example before a restart. */
export function areInForce(
  fields: readonly SettingField[],
  inForce: InForce,
  { values }: ShownSettings,
): boolean {
  return fields.every(({ key }) => {
    const [running, stored] = [inForce.get(key), values.get(key)];
    return running === undefined || stored === undefined || running === stored.value;
  });
}
