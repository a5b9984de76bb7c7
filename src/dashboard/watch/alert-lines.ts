// Alerts of one kind as a short line in words, for the bar and for the list: `8 lamps are near
// their end, first lamp 05`. English of ballastd or of the plant is marked as such.

import { shellWords as t } from "../lang/words.ts";
import { MISSING, printLamp } from "../parts/numbers.ts";
import type { OpenAlert } from "../store/answers.ts";

const LINES = {
  UV_BELOW_LIMIT: "line_uv_below",
  FLOW_ABOVE_CERTIFIED: "line_flow_above",
  WATER_UNTREATED: "line_untreated",
  FILTER_DP_HIGH: "line_filter",
  FILTER_DP_ALARM: "line_filter",
  CABINET_HOT: "line_cabinet",
  CABINET_TRIP: "line_cabinet",
  CIP_DUE: "line_cip",
  NO_DATA: "line_no_data",
  PLC_LINK_LOST: "line_plc_lost",
  BROKER_LOST: "line_plc_lost",
  CLOCK_NOT_TRUSTED: "line_clock",
  PLC_CLOCK_WRONG: "line_plc_clock",
  MESSAGES_QUARANTINED: "line_quarantined",
  DATA_DAMAGED: "line_damaged",
  DISK_LOW: "line_disk",
} as const;

interface AlertLine {
  readonly text: string;
  /** True for a text of ballastd or of the plant, which is English. */
  readonly isEnglish: boolean;
}

/** The line for alerts of one code and priority; `first` is the first of them. */
export function alertLine(first: OpenAlert, others: readonly OpenAlert[]): AlertLine {
  const { code, description } = first;
  if (code === "LAMP_NEAR_END" || code === "LAMP_FAILED") {
    const near = first.isPastLife === true ? "line_lamps_past_life" : "line_lamps_near_end";
    const words = code === "LAMP_FAILED" ? "line_lamps_failed" : near;
    const given = { n: 1 + others.length, lamp: firstLamp([first, ...others]) };
    return { text: t(words, given), isEnglish: false };
  }
  if (isInWords(code)) return { text: t(LINES[code]), isEnglish: false };
  const text = code === null ? description : description.replace(`${code}: `, "");
  return { text, isEnglish: true };
}

const isInWords = (code: string | null): code is keyof typeof LINES =>
  code !== null && Object.keys(LINES).includes(code);

/** The number of the lamp with the fewest hours left, which are its value; the first of several. */
function firstLamp(lamps: readonly OpenAlert[]): string {
  const [first] = [...lamps].sort(
    (one, other) => (one.value ?? 0) - (other.value ?? 0) || (one.lamp ?? 99) - (other.lamp ?? 99),
  );
  return first?.lamp == null ? MISSING : printLamp(first.lamp);
}
