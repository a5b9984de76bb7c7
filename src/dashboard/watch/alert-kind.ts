// Alerts of one kind in words for the handover: `8 lamps are near their end: 05, 07, ...`. The code
// is shown separately beside them.

import { handoverWords as t } from "../lang/words.ts";
import { printLamp } from "../parts/numbers.ts";
import type { AlertGroup } from "./alert-groups.ts";
import { alertLine } from "./alert-lines.ts";
import { alertMeaning, alertPlace } from "./alert-words.ts";

interface AlertKind {
  readonly text: string;
  /** True for a text of the plant, and for a code unknown to this page. */
  readonly isEnglish: boolean;
}

/** Maximum number of places that are named; a broken card has many fields. */
const PLACES_MAX = 16;

/** Text and code for alerts of one kind; the text has no full stop. */
export function alertKind(alerts: AlertGroup): AlertKind {
  const [first, ...others] = alerts;
  const lamps = [...new Set(alerts.flatMap(({ lamp }) => (lamp === null ? [] : [lamp])))];
  const listed = { n: lamps.length, lamps: lamps.sort(ascending).map(printLamp).join(", ") };
  if (lamps.length > 0 && first.code === "LAMP_NEAR_END")
    return {
      text: t(first.isPastLife === true ? "lamps_past_life" : "lamps_near_end", listed),
      isEnglish: false,
    };
  if (lamps.length > 0 && first.code === "LAMP_FAILED")
    return { text: t("lamps_failed", listed), isEnglish: false };
  const line = alertLine(first, others);
  if (!line.isEnglish) return line;
  const meaning = alertMeaning(first);
  const said = (meaning ?? line.text).trim().replace(/[.。]$/, "");
  const places = [...new Set(alerts.map(alertPlace).filter((one) => one !== null))];
  const named = [...places.slice(0, PLACES_MAX), ...(places.length > PLACES_MAX ? ["…"] : [])];
  return {
    text: named.length === 0 ? said : `${said} (${named.join(", ")})`,
    isEnglish: meaning === null,
  };
}

const ascending = (one: number, other: number) => one - other;
