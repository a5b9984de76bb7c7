// Finds limits that are possible but rare on a certificate: usually two fields were mixed up, or a
// value is in another unit. A start accepts them, since a plant may be the exception. A user who
// sets them is asked to compare them with the certificate again. Impossible limits are refused by
// load.ts.

import type { Config } from "./config.ts";

/** Usual range of the UV limits of IMO and USCG, in W/m2: that of all certificates that we know. */
const UV_MIN_W_M2 = 50;
const UV_MAX_W_M2 = 2000;
/** Maximum usual capacity in m3/h; the largest plants treat some 6,000. */
const CAPACITY_MAX_M3_H = 10_000;
/** Minimum usual ratio of the certified flow to the rated capacity; most have 1, some 0.8. */
const FLOW_SHARE_MIN = 0.5;
/** Maximum usual time beyond a limit, in seconds: certificates allow one minute, some three. */
const BEYOND_MAX_S = 300;

export interface UnusualLimit {
  readonly code: "uv_swapped" | "uv_high" | "uv_low" | "flow_low" | "capacity_high" | "beyond_long";
  readonly keys: string[];
  readonly text: string;
}

/** The unusual values; with `among` only those of these keys. */
export function limitDoubts(
  { limits, system }: Config,
  among: readonly string[] | null = null,
): readonly UnusualLimit[] {
  const { uv_imo, uv_uscg, beyond_seconds } = limits;
  const found: UnusualLimit[] = [];
  const doubt = (code: UnusualLimit["code"], keys: readonly string[], text: string) =>
    found.push({ code, keys: [...keys], text });
  if (uv_imo > uv_uscg)
    doubt(
      "uv_swapped",
      ["limits.uv_imo", "limits.uv_uscg"],
      `limits.uv_imo (${uv_imo}) is above limits.uv_uscg (${uv_uscg}): are the two swapped?`,
    );
  for (const name of ["uv_imo", "uv_uscg"] as const) {
    const [key, value] = [`limits.${name}`, limits[name]];
    if (value > UV_MAX_W_M2)
      doubt("uv_high", [key], `${key} (${value}) is above ${UV_MAX_W_M2} W/m2: is it in W/m2?`);
    if (value < UV_MIN_W_M2)
      doubt("uv_low", [key], `${key} (${value}) is below ${UV_MIN_W_M2} W/m2: is it in W/m2?`);
  }
  for (const name of ["flow_max_imo", "flow_max_uscg"] as const) {
    const [key, value] = [`limits.${name}`, limits[name]];
    if (value < system.capacity * FLOW_SHARE_MIN)
      doubt(
        "flow_low",
        [key, "system.capacity"],
        `${key} (${value}) is below half of system.capacity (${system.capacity}): is it the ` +
          "certified flow?",
      );
  }
  if (system.capacity > CAPACITY_MAX_M3_H)
    doubt(
      "capacity_high",
      ["system.capacity"],
      `system.capacity (${system.capacity}) is above ${CAPACITY_MAX_M3_H} m3/h: is it in m3/h?`,
    );
  if (beyond_seconds > BEYOND_MAX_S)
    doubt(
      "beyond_long",
      ["limits.beyond_seconds"],
      `limits.beyond_seconds (${beyond_seconds}) is above ${BEYOND_MAX_S} s: does the ` +
        "certificate allow that?",
    );
  return among === null
    ? found
    : found.filter(({ keys }) => keys.some((key) => among.includes(key)));
}
