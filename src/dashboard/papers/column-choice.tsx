// The choice of columns for a file of readings: all, or the ticked ones. The sixteen lamps are
// ticked together, one field at a time.

import { BESIDE } from "../../bwts/export-kind.ts";
import { TAGS, type Tag } from "../../bwts/tags.ts";
import { fieldKey, printLabel } from "../lang/fields.ts";
import { exportWords as t } from "../lang/words.ts";
import { printUnit } from "../parts/numbers.ts";
import { TIME_COLUMN } from "./choice.ts";

interface ColumnGroup {
  readonly name: string;
  readonly label: string;
  readonly columns: readonly string[];
}

interface ColumnChoiceProps {
  /** Names of the ticked columns; an empty list means all. */
  readonly columns: readonly string[];
  readonly choose: (columns: readonly string[]) => void;
}

export function ColumnChoice({ columns, choose }: ColumnChoiceProps) {
  const isAll = columns.length === 0;
  return (
    <fieldset class="column-choice">
      <legend>{t("columns")}</legend>
      <label class="tick">
        <input type="radio" name="columns" checked={isAll} onChange={() => choose([])} />{" "}
        {t("all_columns")}
      </label>
      <label class="tick">
        <input
          type="radio"
          name="columns"
          checked={!isAll}
          onChange={() => choose([TIME_COLUMN])}
        />{" "}
        {t("some_columns")}
      </label>
      {!isAll && (
        <div class="ticks">
          {columnGroups().map((group) => (
            <GroupTick key={group.name} {...{ group, columns, choose }} />
          ))}
        </div>
      )}
    </fieldset>
  );
}

function GroupTick(props: ColumnChoiceProps & { readonly group: ColumnGroup }) {
  const { group, columns, choose } = props;
  const ticked = group.columns.filter((name) => columns.includes(name)).length;
  const isWhole = ticked === group.columns.length;
  const toggle = () => {
    const others = columns.filter((name) => !group.columns.includes(name));
    choose(isWhole ? others : [...others, ...group.columns]);
  };
  return (
    <label class="tick">
      <input
        type="checkbox"
        checked={isWhole}
        indeterminate={ticked > 0 && !isWhole}
        onChange={toggle}
      />{" "}
      {group.label} <small class="quiet">{group.name}</small>
    </label>
  );
}

/** Every column except the time, in groups, in the order of the file. */
function columnGroups(): readonly ColumnGroup[] {
  const groups = new Map<string, { tag: Tag; columns: string[] }>();
  for (const tag of TAGS.slice(1)) {
    const group = groups.get(fieldKey(tag)) ?? { tag, columns: [] };
    group.columns.push(tag.name);
    groups.set(fieldKey(tag), group);
  }
  const ofCatalogue = [...groups].map(([name, { tag, columns }]) => {
    const label =
      columns.length > 1 ? t("of_all_lamps", { label: printLabel(tag) }) : printLabel(tag);
    const unit = printUnit(tag);
    return { name, label: unit === "" ? label : `${label} [${unit}]`, columns };
  });
  const beside = ([key, name]: readonly [keyof typeof BESIDE, string]) => ({
    ...{ name, label: t(key), columns: [name] },
  });
  return [
    ...ofCatalogue,
    beside(["received", BESIDE.received]),
    beside(["trusted", BESIDE.trusted]),
    beside(["extra", BESIDE.extra]),
  ];
}
