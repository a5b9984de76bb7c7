// The evidence of an indication in words. The names of its members end with the unit. A name that
// this page doesn't know yet is shown as it is.

import { type TagName, tagNamed } from "../../bwts/tags.ts";
import { printLabel } from "../lang/fields.ts";
import { operationsWords as t } from "../lang/words.ts";
import { printNumber } from "../parts/numbers.ts";

const UNITS: Readonly<Record<string, string>> = {
  ...{ w_m2: "W/m²", percent: "%", bar: "bar", degc: "°C", h: "h" },
};

const FIELDS: Readonly<Record<string, TagName>> = {
  intensity: "UVR_INTENSITY",
  power: "UVR_POWER_OUTPUT",
  efficiency: "AVG_LAMP_EFFICIENCY",
  dp: "FLT_DIFF_PRESSURE",
  hours_since_cip: "CIP_HOURS_SINCE_LAST",
};

type Member = readonly [name: string, value: string | number | null];

/** A fact such as `UV intensity: 231 W/m²`; nothing for an unknown value. */
export function evidenceInWords([name, value]: Member): readonly string[] {
  if (value === null) return [];
  const [, stem = name, unit = ""] = /^(.*?)_(w_m2|percent|bar|degc|h)$/.exec(name) ?? [];
  const shown = typeof value === "number" ? printNumber(value) : value;
  const text = unit === "" ? shown : `${shown}\u00a0${UNITS[unit]}`;
  return [`${nameOf(stem)}: ${text}`];
}

function nameOf(stem: string): string {
  const field = FIELDS[stem.replace(/_mean(_before)?$/, "")];
  if (field !== undefined) {
    const label = printLabel(tagNamed(field));
    return stem.endsWith("_before") ? t("hour_before", { field: label }) : label;
  }
  switch (stem) {
    case "backflushes":
    case "lamps_out":
    case "readings":
    case "limit":
    case "lamp":
      return t(stem);
    case "highest":
      return t("greatest");
    default:
      return stem.replace(/_/g, " ");
  }
}
