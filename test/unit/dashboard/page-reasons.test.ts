// The reasons of refusals and the page's sentences: each code has one in every language, which has
// the code's values and no others; the value that a form sends is among them, but never a secret.

import { readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import * as z from "zod";
import { settingOf } from "../../../src/app/settings-keys.ts";
import { NoteBody } from "../../../src/bwts/note.ts";
import { loadConfig } from "../../../src/config/load.ts";
import { type Areas, ENGLISH, speak } from "../../../src/dashboard/lang/area.ts";
import { settingName } from "../../../src/dashboard/lang/settings.ts";
import { reasonsWords } from "../../../src/dashboard/lang/words.ts";
import { Failure } from "../../../src/ground/errors.ts";
import { REFUSAL_REASONS, statedReasons } from "../../../src/ground/reasons.ts";
import { root } from "../../rig/sources.ts";

const LANGUAGES = ["en", "ja", "ko", "es", "pt"];
const Texts = z.record(z.string(), z.record(z.string(), z.unknown()));

const textsOf = (code: string): Areas =>
  JSON.parse(readFileSync(path.join(root, `src/dashboard/lang/${code}.json`), "utf8"));

afterEach(() => speak(ENGLISH));

test.each(LANGUAGES)("each code of a refusal has a sentence in %s, with its values", (language) => {
  const { reasons } = Texts.parse(textsOf(language));
  expect(Object.keys(reasons).toSorted()).toEqual(Object.keys(REFUSAL_REASONS).toSorted());
  const odd = Object.entries(REFUSAL_REASONS).flatMap(([code, names]) => {
    const holes = Array.from(String(reasons[code]).matchAll(/\{(\w+)\}/g), ([, name]) => name);
    return names.toSorted().join() === [...new Set(holes)].toSorted().join() ? [] : [code];
  });
  expect(odd).toEqual([]);
});

/** A value of a setting, and the reason of its refusal. */
const REFUSED = [
  ["system.imo", "9074720", "imo_digit", { given: "9074720", digit: 9 }],
  ["system.imo", "IMO 907", "imo_unfit", { given: "IMO 907" }],
  ["system.utc_offset", "+25:00", "zone_unfit", { given: "+25:00" }],
  ["limits.uv_imo", "0", "number_outside", { given: "0", low: 1, high: 100_000 }],
  ["limits.uv_imo", "1,000", "number_unclear", { given: "1,000" }],
  ["mqtt.listen", "0.0.0.0:99999", "address_unfit", { given: "0.0.0.0:99999" }],
  ["mqtt.listen", "", "address_missing", {}],
  ["mqtt.prefix", "a b", "prefix_unfit", {}],
  ["system.id", "a b", "id_unfit", {}],
  ["system.vessel", "a".repeat(200), "line_unfit", { max: 128 }],
] as const;

test.each(REFUSED)("%s = %s is refused with the reason %s", (key, value, code, values) => {
  const refused = settingOf({ key, value });
  if (!(refused instanceof Failure)) throw new Error(`${key} = ${value} was accepted`);
  expect(refused.reasons).toMatchObject([{ code, values }]);
  // The values that the code names, and no others.
  expect(Object.keys(refused.reasons[0].values).toSorted()).toEqual(
    REFUSAL_REASONS[code].toSorted(),
  );
});

/** Settings that contradict each other, by environment variables, and the reason. */
const CONTRADICTIONS = [
  [
    { BALLASTD_LIMITS_DP_WARN: "1", BALLASTD_LIMITS_DP_ALARM: "0.5" },
    "limit_order",
    { setting: "limits.dp_alarm", given: 0.5, other: "limits.dp_warn", limit: 1 },
  ],
  [{ BALLASTD_LIMITS_UV_TARGET: "100" }, "target_low", { given: 100, uv_imo: 252, uv_uscg: 530 }],
  [
    { BALLASTD_SYSTEM_CAPACITY: "500" },
    "flow_high",
    { setting: "limits.flow_max_imo", given: 1000, capacity: 500 },
  ],
  [{ BALLASTD_MQTT_LISTEN: "0.0.0.0:1883" }, "login_missing", { address: "0.0.0.0:1883" }],
  [{ BALLASTD_MQTT_USERNAME: "plc" }, "login_half", {}],
  [
    { BALLASTD_MQTT_LISTEN: "127.0.0.1:8080" },
    "address_shared",
    { setting: "mqtt.listen", address: "127.0.0.1:8080", other: "http.listen" },
  ],
] as const;

test.each(CONTRADICTIONS)("%j is refused with the reason %s", (env, code, values) => {
  expect(reasonsOf(() => loadConfig({ file: null, env, defaultFile: null }))).toEqual([
    { code, values },
  ]);
});

function reasonsOf(work: () => unknown) {
  try {
    work();
  } catch (error) {
    if (error instanceof Failure) return error.reasons;
    throw error;
  }
  return [];
}

test("a value that could be a secret is no value of a reason", () => {
  const secret = "6b1f0c2e9d4a4b3c8f7e";
  for (const key of ["limits.uv_imo", "mqtt.listen", "system.utc_offset", "mqtt.prefix"]) {
    const refused = settingOf({ key, value: `${secret} x` });
    if (!(refused instanceof Failure)) throw new Error(`${key} was accepted`);
    expect(refused.reasons.length).toBe(1);
    expect(JSON.stringify(refused.reasons)).not.toContain(secret);
  }
});

test("a setting has its name in the sentence, in the reader's language", () => {
  speak({ code: "ja", areas: textsOf("ja") });
  const setting = settingName("limits.uv_imo");
  const said = reasonsWords("number_outside", { setting, given: "0", low: 1, high: 100_000 });
  expect(said.replaceAll("\u202f", " ")).toBe(
    "UV 強度の最小値、IMO：「0」は使えません。1～100 000 の数値にしてください。",
  );
});

test("the check of a note states a known code", () => {
  const note = { from: "2026-05-01T06:30Z", text: " ", key: "b3f1c2d4a5968778" };
  const [issue] = NoteBody.safeParse(note).error?.issues ?? [];
  if (issue === undefined) throw new Error("the note was accepted");
  expect(statedReasons(issue, { given: " " })).toEqual([{ code: "text_missing", values: {} }]);
});
