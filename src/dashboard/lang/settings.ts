// A setting in words, as First watch asks for it, by the last part of its key, with its unit: the
// handover, the audit log and a refusal name a limit alike.

import { firstWatchWords } from "../lang/words.ts";

const UNITS = {
  ...({ vessel: "", imo: "", utc_offset: "", certificate: "", source: "", listen: "" } as const),
  ...({ capacity: "m³/h", uv_imo: "W/m²", uv_uscg: "W/m²", uv_target: "W/m²" } as const),
  ...({ flow_max_imo: "m³/h", flow_max_uscg: "m³/h", beyond_seconds: "s" } as const),
  ...({ dp_warn: "bar", dp_alarm: "bar", cabinet_warn: "°C", cabinet_trip: "°C" } as const),
  ...({ cip_hours: "h", warmup_seconds: "s", stopping_seconds: "s" } as const),
} as const;
const isAsked = (name: string): name is keyof typeof UNITS => name in UNITS;

/** The words of a setting; null for one that the form doesn't have. */
export function settingWords(
  key: string,
): { readonly label: string; readonly unit: string } | null {
  const name = key.slice(key.lastIndexOf(".") + 1);
  return isAsked(name) ? { label: firstWatchWords(name), unit: UNITS[name] } : null;
}

/** Settings without a unit that only a refusal names, by the last part of their key. */
const OTHERS = {
  ...({ id: "system_id", username: "user", password_file: "password", prefix: "prefix" } as const),
  ...({ plc_utc_offset: "plc_offset", dir: "backup_folder" } as const),
} as const;
const isOther = (name: string): name is keyof typeof OTHERS => name in OTHERS;

/** The name of a setting; its key if First watch doesn't ask for it. */
export function settingName(key: string): string {
  const name = key.slice(key.lastIndexOf(".") + 1);
  return settingWords(key)?.label ?? (isOther(name) ? firstWatchWords(OTHERS[name]) : key);
}
