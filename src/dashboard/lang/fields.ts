// English labels of the catalogue's fields: the description up to the first comma or semicolon, or
// of a text field, whose description lists values, its name in words; where neither is what people
// call it, a label of its own. The sixteen lamps share four labels: `LAMP_RUNTIME`.

import { TAGS, type Tag } from "../../bwts/tags.ts";
import { area } from "./area.ts";

const LABELS: Readonly<Record<string, string>> = {
  UVR_INTENSITY: "UV intensity",
  UVR_LEVEL: "UV level",
  LDC_FAN_STATUS: "Cooling fan state",
  FLT_MOTOR_STATUS: "Filter motor state",
  LAMP_STATUS: "Lamp state",
};

export const fieldsWords = area<Readonly<Record<string, string>>>(
  "fields",
  Object.fromEntries(TAGS.map((tag) => [fieldKey(tag), englishLabel(tag)])),
);

/** A field's label in the chosen language; the lamps share one, without the number. */
export function printLabel(tag: Tag): string {
  return fieldsWords(fieldKey(tag));
}

/** The key of a field's label. */
export function fieldKey({ name }: Tag): string {
  return name.replace(/^LAMP_\d\d_/, "LAMP_");
}

function englishLabel(tag: Tag): string {
  const own = LABELS[fieldKey(tag)];
  if (own !== undefined) return own;
  const label =
    tag.type === "string"
      ? fieldKey(tag).toLowerCase().replace(/_/g, " ")
      : tag.about.split(/[,;]/)[0];
  return label.charAt(0).toUpperCase() + label.slice(1);
}
