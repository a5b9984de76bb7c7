// If an alarm of the plant speaks of a lamp whose own status says nothing of it. Alarms have codes
// and words of each maker, so that they are read by their text: a lamp is named in most languages
// by a word that begins alike. Pure.

import { LAMP_COUNT } from "../tags.ts";
import type { OverviewAnswer } from "./overview.ts";

type SentAlarm = Pick<
  OverviewAnswer["alerts"][number],
  "source" | "code" | "description" | "lamp" | "alert_state"
>;

type ReportedLamp = Pick<OverviewAnswer["lamps"][number], "lamp" | "state">;

/** `lamp`, `Lampe`, `lámpara`, `lâmpada`, `LMP_07`, without accents; not `clamp`. */
const WORD = /(?<!c)lamp|lmp_?\d|ランプ|램프/i;
/** The number after it: `LAMP_07_FAULT`, `lamp no. 7`. */
const NUMBER = /(?:lamp[a-z]*|lmp|ランプ|램프)[^\d]{0,5}(\d{1,2})(?!\d)/i;

/** True if one of the alarms that last names a lamp, and that lamp, or none at all, has failed. */
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
