// English labels of the catalogue's fields, derived from it: the description up to the first comma
// or semicolon; of a text field, whose description lists values, its name in words. The sixteen
// lamps share four labels: `LAMP_RUNTIME`.

import { TAGS, type Tag } from "../../bwts/tags.ts";
import { area } from "./area.ts";

export const fieldsWords = area<Readonly<Record<string, string>>>(
  "fields",
  Object.fromEntries(TAGS.map((tag) => [fieldKey(tag), englishLabel(tag)])),
);

/** The key of a field's label. */
export function fieldKey({ name }: Tag): string {
  return name.replace(/^LAMP_\d\d_/, "LAMP_");
}

function englishLabel(tag: Tag): string {
  const label =
    tag.type === "string"
      ? fieldKey(tag).toLowerCase().replace(/_/g, " ")
      : tag.about.split(/[,;]/)[0];
  return label.charAt(0).toUpperCase() + label.slice(1);
}
