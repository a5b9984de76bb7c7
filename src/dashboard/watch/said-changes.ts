// The sentences of the handover about ballastd itself and its data: starts, changed limits and
// other settings, spare lamps, and readings that somebody hid. Equal changes share a sentence.

import type { ChangeAnswer } from "../../bwts/audit.ts";
import { actorName } from "../lang/actors.ts";
import { settingWords } from "../lang/settings.ts";
import { handoverWords as t } from "../lang/words.ts";
import { printMoment, printSecond } from "../parts/moments.ts";
import { MISSING, printNumber } from "../parts/numbers.ts";
import type { Read } from "../store/checks.ts";
import {
  aNumber,
  aText,
  aTime,
  each,
  membersOf,
  orNull,
  type ValueOf,
  wordFrom,
} from "../store/shapes.ts";
import type { ReportedGap } from "./handover-answers.ts";
import type { ReportedChange, ReportedSpan } from "./said.ts";

/** The kinds of changes. Unlike the API's table they need no zod. */
const KINDS: readonly ChangeAnswer["kind"][] = [
  ...(["start", "unclean_stop", "settings", "config_change", "lamp_spares", "void"] as const),
];

type ChangePart<Name extends "spares" | "hidden"> = NonNullable<ChangeAnswer[Name]>;
type LimitValue = string | number | boolean | null;

const aSetting: Read<LimitValue> = (given) =>
  given === null ||
  typeof given === "string" ||
  typeof given === "number" ||
  typeof given === "boolean"
    ? { value: given }
    : null;
const limit = membersOf<ChangeAnswer["limits"][number]>()({
  ...{ key: aText, before: aSetting, after: aSetting },
});
const spares = membersOf<ChangePart<"spares">>()({
  ...{ before: orNull(aNumber), after: orNull(aNumber), lamp: orNull(aNumber) },
});
const hidden = membersOf<ChangePart<"hidden">>()({
  ...{ id: aNumber, what: aText, from_ms: aTime, to_ms: aTime, reason: orNull(aText) },
});
const change = membersOf<ChangeAnswer>()({
  ...{ id: aNumber, at_ms: aTime, kind: wordFrom(KINDS), by: aText, limits: each(limit) },
  ...{ others: aNumber, spares: orNull(spares), hidden: orNull(hidden) },
});
type ShownChange = ValueOf<typeof change>;

/** Reads the changes, newest first. */
export const readRecorded = each(change);

/** The ranges of hidden readings, from the listed changes. */
export function hiddenBy(changes: readonly ShownChange[]): readonly ReportedGap[] {
  const last = new Map<number, NonNullable<ShownChange["hidden"]>>();
  for (const { hidden: one } of [...changes].reverse()) if (one !== null) last.set(one.id, one);
  return [...last.values()]
    .filter(({ what, reason }) => what === "readings" && reason !== null)
    .map(({ from_ms, to_ms }) => ({ start_ms: from_ms, end_ms: to_ms }));
}

export function saidOfChanges(
  changes: readonly ShownChange[],
  span: ReportedSpan,
): readonly ReportedChange[] {
  const settings = givenOnce(changes);
  return [
    ...saidOfStarts(changes, span),
    ...saidOfLimits(settings, span),
    ...saidOfOthers(settings, span),
    ...changes.flatMap((one) => [...saidOfSpares(one, span), ...saidOfHidden(one, span)]),
  ];
}

/** Sentences about starts. An unclean stop is recorded just before the start that follows it. */
function saidOfStarts(changes: readonly ShownChange[], { now_ms }: ReportedSpan) {
  const ofKind = (asked: ShownChange["kind"]) => changes.filter(({ kind }) => kind === asked);
  const cut = new Set(ofKind("unclean_stop").map(({ at_ms }) => at_ms));
  const starts = ofKind("start");
  const say = (key: "started" | "started_cut", found: readonly ShownChange[]): ReportedChange[] => {
    if (found.length === 0) return [];
    const at_ms = newestOf(found);
    const text = t(key, { n: found.length, moment: printSecond(at_ms, now_ms) });
    return [{ section: "ballastd", at_ms, text }];
  };
  return [
    ...say(
      "started",
      starts.filter(({ at_ms }) => !cut.has(at_ms)),
    ),
    ...say(
      "started_cut",
      starts.filter(({ at_ms }) => cut.has(at_ms)),
    ),
  ];
}

/**
 * The changes of settings, each once: those found at a start are left out if they were made over
 * HTTP before.
 */
function givenOnce(changes: readonly ShownChange[]): readonly ShownChange[] {
  const given = changes.filter(({ kind }) => kind === "settings");
  return changes
    .filter(({ kind }) => kind === "settings" || kind === "config_change")
    .map((one) => {
      if (one.kind === "settings") return one;
      const before = given.filter(({ id }) => id < one.id);
      const limits = one.limits.filter(
        ({ key }) => !before.some((known) => known.limits.some((other) => other.key === key)),
      );
      const others = one.others - before.reduce((sum, known) => sum + known.others, 0);
      return { ...one, limits, others: Math.max(0, others) };
    });
}

/** Sentences about limits, with the values of each in their order: `252 → 300 → 0 W/m²`. */
function saidOfLimits(changes: readonly ShownChange[], { now_ms }: ReportedSpan) {
  const ascending = [...changes].reverse();
  const keys = new Set(ascending.flatMap(({ limits }) => limits.map(({ key }) => key)));
  return [...keys].map((asked): ReportedChange => {
    const of = ascending.filter(({ limits }) => limits.some(({ key }) => key === asked));
    const steps = of.flatMap(({ limits }) => limits.filter(({ key }) => key === asked));
    // A limit that First watch doesn't ask for is shown by its key.
    const { label, unit } = settingWords(asked) ?? {
      label: asked.replace("limits.", ""),
      unit: "",
    };
    const values = steps.flatMap(({ before, after }, index) =>
      index === 0 ? [before, after] : [after],
    );
    const course = `${values.map(printShown).join(" → ")}${unit === "" ? "" : `\u00a0${unit}`}`;
    const at_ms = newestOf(of);
    const given = { moment: printSecond(at_ms, now_ms), label, course };
    return { section: "ballastd", at_ms, text: changedBy(of, given) };
  });
}

function changedBy(
  changes: readonly ShownChange[],
  given: { readonly moment: string; readonly label: string; readonly course: string },
): string {
  const names = namesIn(changes);
  return names === "" ? t("limit_by_file", given) : t("limit_changed", { ...given, by: names });
}

/** Names of those who changed something over HTTP; changes found at a start have no name. */
const namesIn = (changes: readonly ShownChange[]) =>
  [
    ...new Set(changes.filter(({ kind }) => kind === "settings").map(({ by }) => actorName(by))),
  ].join(", ");

function saidOfOthers(changes: readonly ShownChange[], { now_ms }: ReportedSpan): ReportedChange[] {
  const found = changes.filter(({ others }) => others > 0);
  if (found.length === 0) return [];
  const at_ms = newestOf(found);
  const n = found.reduce((sum, { others }) => sum + others, 0);
  const by = namesIn(found);
  const given = { n, moment: printSecond(at_ms, now_ms) };
  const text = by === "" ? t("settings_by_file", given) : t("settings_changed", { ...given, by });
  return [{ section: "ballastd", at_ms, text }];
}

function saidOfSpares({ at_ms, by, spares: told }: ShownChange, { now_ms }: ReportedSpan) {
  if (told === null) return [];
  const { before, after, lamp } = told;
  const given = {
    ...{ moment: printSecond(at_ms, now_ms), by: actorName(by) },
    ...{ before: before ?? MISSING, after: after ?? MISSING },
  };
  const counted = t(before === null ? "spares_first" : "spares_counted", given);
  const text = lamp === null ? counted : t("spares_lamp", { ...given, lamp });
  return [{ section: "lamps", at_ms, text } as const];
}

function saidOfHidden({ at_ms, by, hidden: told }: ShownChange, { now_ms }: ReportedSpan) {
  if (told === null) return [];
  const { what, from_ms, to_ms, reason } = told;
  const given = {
    ...{ moment: printSecond(at_ms, now_ms), by: actorName(by) },
    ...{ from: printMoment(from_ms, now_ms), to: printMoment(to_ms, now_ms) },
  };
  const ofWhat = what === "events" ? "events" : "readings";
  const text =
    reason === null ? t(`${ofWhat}_shown`, given) : t(`${ofWhat}_hidden`, { ...given, reason });
  return [{ section: "data", at_ms, text } as const];
}

const newestOf = (changes: readonly ShownChange[]) =>
  Math.max(...changes.map(({ at_ms }) => at_ms));

function printShown(value: LimitValue): string {
  if (value === null || value === "") return MISSING;
  return typeof value === "number" ? printNumber(value) : String(value);
}
