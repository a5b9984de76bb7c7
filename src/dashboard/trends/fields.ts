// The fields that Trends can draw, in the groups of the choice: reactor, water, filter, and so on,
// then those of the sixteen lamps.

import { TAGS, type Tag, tagIndex } from "../../bwts/tags.ts";
import { printLabel } from "../lang/fields.ts";
import { trendsWords as t } from "../lang/words.ts";

/** Maximum number of curves: as many as there are colours and dashes. */
export const CURVES_MAX = 4;

const isNumeric = ({ type }: Tag) => type === "number" || type === "integer";

/**
 * Fields that can't be drawn. Numbers are drawn as curves, texts and truth values as bands of
 * states.
 */
const NOT_DRAWN: readonly string[] = ["timestamp", "system_id", "month"];

const DRAWN = TAGS.filter(({ name }) => !NOT_DRAWN.includes(name));

/** True for a field that is drawn as states. */
export const isState = (name: string) => !isNumeric(tagOf(name));

export function isDrawn(name: string): boolean {
  return DRAWN.some((tag) => tag.name === name);
}

export function tagOf(name: string): Tag {
  return TAGS[tagIndex(name) ?? 0];
}

/** A field's label with the number of its lamp. */
export function fieldLabel(tag: Tag): string {
  const lamp = /^LAMP_(\d\d)_/.exec(tag.name)?.[1];
  const field = printLabel(tag);
  return lamp === undefined ? field : t("lamp_field", { n: Number(lamp), field });
}

/** Groups in the order of the choice; the last one takes every field that is in no other. */
const GROUPS = [
  { name: "group_reactor", of: /^(UVR_(?!POWER|LEVEL)|WATER_QUALITY_FACTOR)/ },
  { name: "group_water", of: /^SYS_(FLOW|PRESSURE|VALVE)/ },
  { name: "group_filter", of: /^FLT_(DIFF|BACKFLUSH_COUNT)/ },
  { name: "group_power", of: /^(UVR_POWER|POWER_|LDC_(AIR|FAN_SPEED)|PLC_)/ },
  { name: "group_totals", of: /^(SYS_TOTAL_|CIP_)/ },
  { name: "group_lamps", of: /^(AVG_LAMP|FAILED_LAMP|DEGRADATION|LAMP_\d\d_(?!STATUS))/ },
  { name: "group_state", of: /./ },
] as const;

export interface FieldGroup {
  readonly name: (typeof GROUPS)[number]["name"];
  readonly fields: readonly Tag[];
}

/** The fields, by groups, whose label, group or wire name contains every word of `search`. */
export function groupedFields(search: string): readonly FieldGroup[] {
  const words = plain(search).split(/\s+/);
  return GROUPS.map(({ name }) => {
    const fields = DRAWN.filter((tag) => groupOf(tag) === name).filter((tag) => {
      const text = plain(`${fieldLabel(tag)} ${t(name)} ${tag.name}`);
      return words.every((word) => text.includes(word));
    });
    return { name, fields };
  }).filter(({ fields }) => fields.length > 0);
}

const groupOf = (tag: Tag) => GROUPS.find(({ of }) => of.test(tag.name))?.name;

/** A text in lower case and without accents, as users type it. */
const plain = (text: string) =>
  text
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .trim();
