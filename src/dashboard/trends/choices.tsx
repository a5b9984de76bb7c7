// The controls above the curves: the fields, the range, what is laid over it, the axis. Both ends
// of the range are in the address, so that a copied one shows the same tomorrow, unless it says
// that new readings are followed.

import { TAGS, type Tag, tagIndex } from "../../bwts/tags.ts";
import type { Stretch } from "../chart/level.ts";
import { trendsWords as t } from "../lang/words.ts";
import { ChoiceInput, DayInput } from "../parts/choice.tsx";
import { clockName, dayEnd, dayStart, printDay } from "../parts/moments.ts";
import { printLabel } from "../parts/numbers.ts";

export const AXES = ["calendar", "hours"] as const;
export type AxisName = (typeof AXES)[number];

/** As many colours and dashes as there are. */
export const CURVES_MAX = 4;

const DAY_MS = 86_400_000;

const PRESETS = [
  { name: "day", length_ms: DAY_MS },
  { name: "week", length_ms: 7 * DAY_MS },
  { name: "month", length_ms: 30 * DAY_MS },
  { name: "year", length_ms: 365 * DAY_MS },
  { name: "two_years", length_ms: 731 * DAY_MS },
] as const;

/** A stretch up to an instant, which has some room beside it. */
export function upTo(at_ms: number, length_ms: number): Stretch {
  return { from_ms: at_ms - length_ms, to_ms: at_ms + length_ms / 50 };
}

const isNumeric = ({ type }: Tag) => type === "number" || type === "integer";

/** Numbers make curves; texts, true and false make bands of states. These tell no more. */
const NOT_DRAWN: readonly string[] = ["timestamp", "system_id", "month"];

const DRAWN = TAGS.filter(({ name }) => !NOT_DRAWN.includes(name));

/** True for a field of states. */
export const isState = (name: string) => !isNumeric(tagOf(name));

export function isDrawn(name: string): boolean {
  return DRAWN.some((tag) => tag.name === name);
}

/** A field's label with the number of its lamp. */
export function fieldLabel(tag: Tag): string {
  const lamp = /^LAMP_(\d\d)_/.exec(tag.name)?.[1];
  const field = printLabel(tag);
  return lamp === undefined ? field : t("lamp_field", { n: Number(lamp), field });
}

export function tagOf(name: string): Tag {
  return TAGS[tagIndex(name) ?? 0];
}

interface FieldChoiceProps {
  readonly fields: readonly string[];
  readonly choose: (fields: readonly string[]) => void;
}

export function FieldChoice({ fields, choose }: FieldChoiceProps) {
  const others = DRAWN.filter(({ name }) => !fields.includes(name));
  return (
    <div class="trend-choices">
      {fields.map((name) => {
        const field = fieldLabel(tagOf(name));
        const remove = () => choose(fields.filter((one) => one !== name));
        return (
          <button type="button" key={name} onClick={remove} aria-label={t("remove", { field })}>
            {field} ×
          </button>
        );
      })}
      {fields.length < CURVES_MAX && (
        <select
          aria-label={t("add")}
          value=""
          onChange={({ currentTarget }) => choose([...fields, currentTarget.value])}
        >
          <option value="">{t("add")}</option>
          {others.map((tag) => (
            <option key={tag.name} value={tag.name}>
              {fieldLabel(tag)}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}

interface StretchChoiceProps {
  readonly stretch: Stretch;
  /** The end of what a preset shows: the newest reading. */
  readonly newest_ms: number;
  readonly operation: Stretch | null;
  /** True while the stretch goes on with new readings. */
  readonly isLive: boolean;
  readonly choose: (stretch: Stretch, history?: "none") => void;
  readonly follow: (stretch: Stretch) => void;
}

export function StretchChoice(props: StretchChoiceProps) {
  const { stretch, newest_ms, operation, isLive, choose, follow } = props;
  const typed = (at_ms: number | null, then: (at_ms: number) => Stretch) => {
    const chosen = at_ms === null ? stretch : then(at_ms);
    // A day that is typed is one after each key.
    if (chosen.from_ms < chosen.to_ms) choose(chosen, "none");
  };
  const preset = isLive ? follow : choose;
  const clock = clockName();
  return (
    <div class="trend-choices">
      {PRESETS.map(({ name, length_ms }) => (
        <button type="button" key={name} onClick={() => preset(upTo(newest_ms, length_ms))}>
          {t(name)}
        </button>
      ))}
      {operation !== null && (
        <button type="button" onClick={() => choose(operation)}>
          {t("operation")}
        </button>
      )}
      <label class="tick">
        <input
          type="checkbox"
          checked={isLive}
          onChange={({ currentTarget: { checked } }) => (checked ? follow : choose)(stretch)}
        />{" "}
        {t("follow")}
      </label>
      <DayInput
        label={`${t("from")} (${clock})`}
        at_ms={stretch.from_ms}
        choose={(day) => typed(dayStart(day ?? ""), (at_ms) => ({ ...stretch, from_ms: at_ms }))}
      />
      <DayInput
        label={`${t("to")} (${clock})`}
        at_ms={stretch.to_ms}
        choose={(day) => typed(dayEnd(day ?? ""), (at_ms) => ({ ...stretch, to_ms: at_ms }))}
      />
    </div>
  );
}

interface WayChoiceProps {
  readonly stretch: Stretch;
  /** The start of the range laid over it. */
  readonly beside_ms: number | null;
  readonly axis: AxisName;
  readonly hasTables: boolean;
  readonly compare: (beside_ms: number | null) => void;
  readonly chooseAxis: (axis: AxisName) => void;
  readonly chooseTables: (hasTables: boolean) => void;
}

export function WayChoice(props: WayChoiceProps) {
  const { from_ms, to_ms } = props.stretch;
  const offers = [
    { text: t("compare_none"), at_ms: null },
    { text: t("compare_before"), at_ms: from_ms - (to_ms - from_ms) },
    { text: t("compare_year"), at_ms: from_ms - 365 * DAY_MS },
  ];
  const { beside_ms } = props;
  if (beside_ms !== null && !offers.some(({ at_ms }) => at_ms === beside_ms))
    offers.push({ text: t("compare_own", { day: printDay(beside_ms) }), at_ms: beside_ms });
  return (
    <div class="trend-choices">
      <ChoiceInput
        label={t("compare")}
        chosen={String(beside_ms)}
        choices={offers.map(({ text, at_ms }) => [String(at_ms), text] as const)}
        choose={(value) => props.compare(value === "null" ? null : Number(value))}
      />
      <ChoiceInput
        label={t("axis")}
        chosen={props.axis}
        choices={AXES.map((name) => [name, t(name)] as const)}
        choose={props.chooseAxis}
      />
      <label class="tick">
        <input
          type="checkbox"
          checked={props.hasTables}
          onChange={({ currentTarget }) => props.chooseTables(currentTarget.checked)}
        />{" "}
        {t("table")}
      </label>
    </div>
  );
}
