// Detects alarms of the plant about a lamp whose own status doesn't show a failure. Each maker has
// its own codes and words, so the alarms' texts are searched: in most languages the word for a lamp
// begins alike. Pure.

import { LAMP_COUNT } from "../tags.ts";
import type { OverviewAnswer } from "./overview.ts";

type SentAlarm = Pick<
  OverviewAnswer["alerts"][number],
  "source" | "code" | "description" | "lamp" | "alert_state"
>;

type ReportedLamp = Pick<OverviewAnswer["lamps"][number], "lamp" | "state">;

/**
 * Words for a lamp in a text without accents: `lamp`, `Lampe`, `lampara`, `lampada`, `LMP_07`; not
 * `clamp`.
 */
const WORD = /(?<!c)lamp|lmp_?\d|ランプ|램프/i;
/** The lamp's number after such a word: `LAMP_07_FAULT`, `lamp no. 7`. */
const NUMBER = /(?:lamp[a-z]*|lmp|ランプ|램프)[^\d]{0,5}(\d{1,2})(?!\d)/i;

/**
 * True if an open alarm of the plant is about a lamp that hasn't failed by its status; for an alarm
 * without a lamp's number, if no lamp has failed.
 */
export function areLampsDoubted(
  alarms: readonly SentAlarm[],
  lamps: readonly ReportedLamp[],
): boolean {
  const failed = lamps.filter(({ state }) => state === "failed").map(({ lamp }) => lamp);
  return alarms.some(({ source, code, description, lamp, alert_state }) => {
    if (source !== "plc" || alert_state === "rectified") return false;
    const text = withoutAccents(`${code ?? ""} ${description}`);
    if (lamp === null && !WORD.test(text)) return false;
    const number = lamp ?? numberIn(text);
    return number === null ? failed.length === 0 : !failed.includes(number);
  });
}

const withoutAccents = (text: string) =>
  text
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC");

function numberIn(text: string): number | null {
  const number = Number(NUMBER.exec(text)?.[1] ?? 0);
  return number >= 1 && number <= LAMP_COUNT ? number : null;
}
