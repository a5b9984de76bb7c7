// One operation as text of at most 80 columns, for a terminal, a plain printer and the inspector's
// pack: the verdict with its reasons, the water, the UV, and the evidence. Times are UTC.

import { wrapped } from "../../ground/columns.ts";
import type { Operation } from "../operations/operation.ts";
import {
  LIMIT_WORDS,
  notRecordedText,
  printedUnit,
  REMARKS,
} from "../operations/operation-words.ts";
import { wholeMinimum } from "../operations/whole-minimum.ts";
import { ruleInWords, worstInWords } from "./sheet-lines.ts";
import {
  amountOf,
  counted,
  cubicMetres,
  dayAndMonth,
  directionOf,
  lengthOf,
  minuteOf,
  NOT_KNOWN,
  secondOf,
  VERDICT_SHAPES,
  VERDICT_WORDS,
} from "./sheet-words.ts";

/** The operation as text, without a line break at the end. */
export function operationText(one: Operation): string {
  const { id, operation_type, location, remarks } = one;
  const missing = notRecordedText(one.not_recorded);
  const sections = [
    [
      `OPERATION ${id}: ${directionOf(operation_type)}, ${location ?? "place not known"}`,
      `${timesOf(one)}; known by its ${KNOWN_BY[one.known_by]}`,
      ...verdictLines(one),
      ...(missing === null ? [] : [missing]),
      ...remarks.map((remark) => `Note: ${REMARKS[remark]}`),
    ],
    titled("WHY", one.reasons.flatMap(reasonLines)),
    titled("WHAT MAY HAVE LED TO IT (no findings)", one.indications.map(indicationLine)),
    ["WATER", volumeLine(one), ...one.parts.map(partLine)],
    titled("VALUES (least, mean, most)", valueLines(one)),
    titled("LIMITS IN FORCE", [
      ...one.limits.map(limitLine),
      `Source: ${one.limits_source ?? "not known"}`,
    ]),
    ["THE RECORD", ...recordLines(one)],
    titled("READINGS HIDDEN BY A VOID", one.voids.map(voidLine)),
    titled("VERSIONS OF THE VERDICT", one.versions.map(versionLine)),
  ].filter((section) => section.length > 0);
  return sections.map((section) => section.flatMap(wrapped).join("\n")).join("\n\n");
}

const titled = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [title, ...lines];

const KNOWN_BY: Readonly<Record<Operation["known_by"], string>> = {
  events: "events",
  readings: "readings",
};

/** True while an operation runs; a damaged one may have neither version nor end. */
export function isRunning({ version, end, remarks }: Operation): boolean {
  return version === 0 && end === null && !remarks.includes("damaged");
}

/** The stored verdict as text in lower case. */
export function storedVerdict(
  verdict: Operation["verdict"],
  remarks: Operation["remarks"] = [],
): string {
  if (remarks.includes("withdrawn")) return "withdrawn";
  if (remarks.includes("damaged")) return "damaged on disk";
  if (remarks.includes("waiting")) return "not judged yet";
  return verdict === null ? "not judged" : verdict.replaceAll("_", " ");
}

function verdictLines(one: Operation): readonly string[] {
  const { verdict, verdict_with_hidden: beside, remarks } = one;
  const stored = storedVerdict(verdict, remarks);
  const isPlain = verdict !== null && stored === storedVerdict(verdict);
  const words = isPlain ? `${VERDICT_SHAPES[verdict]} ${VERDICT_WORDS[verdict]}` : stored;
  return [
    `Verdict: ${isRunning(one) ? "it runs" : words}`,
    ...(beside === null ? [] : [`With the readings that a void hides: ${VERDICT_WORDS[beside]}`]),
  ];
}

/** The span of an operation, as `1 May 2026 04:00 to 06:00 UTC (2 h)`. */
function timesOf({ start, end }: Operation): string {
  if (end === null) return `${minuteOf(start)} UTC, until now`;
  const isOneDay = start.slice(0, 10) === end.slice(0, 10);
  const until = isOneDay ? minuteOf(end).slice(-5) : minuteOf(end);
  const seconds = (Date.parse(end) - Date.parse(start)) / 1000;
  return `${minuteOf(start)} to ${until} UTC${seconds < 0 ? "" : ` (${lengthOf(seconds)})`}`;
}

/** A span to the second, as `04:30:00 to 04:38:00`, with days if they differ. */
function secondsOf({ start, end }: { readonly start: string; readonly end: string }): string {
  const isOneDay = start.slice(0, 10) === end.slice(0, 10);
  const from = `${dayAndMonth(start)} ${secondOf(start)}`;
  return `${from} to ${isOneDay ? "" : `${dayAndMonth(end)} `}${secondOf(end)}`;
}

const withUnit = (value: number | string, unit: string | null) =>
  `${value} ${printedUnit(unit ?? "")}`.trim();

function reasonLines(reason: Operation["reasons"][number]): readonly string[] {
  const { verdict, seconds, limit, unit, worst, worst_at, volume_m3 } = reason;
  const isLow = worst !== null && limit !== null && worst < limit;
  const facts = [
    secondsOf(reason),
    ...(worst === null || worst_at === null
      ? []
      : [`${worstInWords(worst, { isLow, unit })} at ${secondOf(worst_at)}`]),
    ...(volume_m3 === null ? [] : [cubicMetres(volume_m3)]),
    ...(reason.readings === 0 ? [] : [counted(reason.readings, "reading")]),
    ...(reason.is_hidden ? ["hidden by a void"] : []),
  ];
  const length = seconds === 0 ? "" : ` for ${lengthOf(seconds)}`;
  return [`${VERDICT_SHAPES[verdict]} ${ruleInWords(reason)}${length}`, `    ${facts.join("; ")}`];
}

const INDICATION_WORDS: Readonly<Record<Operation["indications"][number]["indication"], string>> = {
  challenging_water: "The water may have been challenging",
  failing_equipment: "Equipment may have failed",
  lamp_out: "A lamp was out",
  filter_dp_high: "The filter's differential pressure was high",
  cabinet_hot: "The lamp drive cabinet was hot",
  cip_due: "A cleaning (CIP) was due",
};

/** Units by the ending of the name of an indication's evidence. */
const EVIDENCE_UNITS: Readonly<Record<string, string>> = {
  ...{ w_m2: "W/m2", percent: "%", bar: "bar", degc: "degC", h: "h" },
};

function indicationLine(one: Operation["indications"][number]): string {
  const told = Object.entries(one.evidence).flatMap(([name, value]) => {
    if (value === null) return [];
    const [, stem = name, unit = ""] = /^(.*?)_(w_m2|percent|bar|degc|h)$/.exec(name) ?? [];
    return [`${stem.replaceAll("_", " ")} ${withUnit(value, EVIDENCE_UNITS[unit] ?? null)}`];
  });
  return `${INDICATION_WORDS[one.indication]}: ${[secondsOf(one), ...told].join("; ")}`;
}

function volumeLine(one: Operation): string {
  const { volume_m3, volume_source, volume_totaliser_m3, volume_flow_m3 } = one;
  const difference = one.volume_difference_percent;
  const ways = [
    ["totaliser", volume_totaliser_m3],
    ["flow", volume_flow_m3],
  ] as const;
  const others = ways.filter(([way]) => volume_m3 === null || way !== volume_source);
  const told = [
    ...others.map(([way, value]) => `${SOURCES[way]} ${cubicMetres(value)}`),
    ...(difference === null ? [] : [`${rounded(Math.abs(difference))} % apart`]),
  ].join(", ");
  if (volume_m3 === null) return `Volume not known (${told})`;
  const source = volume_source === null ? "" : ` by ${SOURCES[volume_source]}`;
  return `Volume ${cubicMetres(volume_m3)}${source} (${told})`;
}

const SOURCES: Readonly<Record<NonNullable<Operation["volume_source"]>, string>> = {
  totaliser: "totaliser",
  flow: "flow over time",
};

function partLine(part: Operation["parts"][number]): string {
  const word = part.part.replaceAll("_", " ");
  return `  ${word}: ${secondsOf(part)}, ${lengthOf(part.seconds)}, ${cubicMetres(part.volume_m3)}`;
}

type ValueName = keyof Operation["values"];

const VALUE_WORDS: Readonly<Record<ValueName, string>> = {
  UVR_INTENSITY: "UV intensity",
  SYS_FLOW_RATE: "flow",
  UVR_POWER_OUTPUT: "lamp power",
  SYS_PRESSURE: "pressure",
  UVR_WATER_TEMP: "water temperature",
  FLT_DIFF_PRESSURE: "filter, differential pressure",
  LDC_AIR_TEMP: "air in the lamp drive cabinet",
};

function valueLines({ values }: Operation): readonly string[] {
  return VALUE_NAMES.flatMap((name) => {
    const { unit, readings, min, mean, max } = values[name];
    if (readings === 0) return [];
    const least = name === "UVR_INTENSITY" && min !== null ? wholeMinimum(min) : rounded(min);
    const spread = [least, rounded(mean), rounded(max)].join(" / ");
    return [`${VALUE_WORDS[name]}: ${withUnit(spread, unit)}`];
  });
}

const VALUE_NAMES = Object.keys(VALUE_WORDS).filter(
  (name): name is ValueName => name in VALUE_WORDS,
);

/** A value with three significant digits, as on the sheet. */
const rounded = (value: number | null) =>
  value === null ? NOT_KNOWN : String(Number(value.toPrecision(3)));

function limitLine({ key, value, unit, from, seconds_beyond }: Operation["limits"][number]) {
  const words = LIMIT_WORDS[key] ?? key;
  const since = from === null ? "" : `, from ${dayAndMonth(from)} ${secondOf(from)}`;
  const beyond =
    seconds_beyond === null || seconds_beyond === 0
      ? ""
      : `; beyond it ${lengthOf(seconds_beyond)}`;
  return `${words} ${withUnit(amountOf(value), unit)}${since}${beyond}`;
}

function recordLines(one: Operation): readonly string[] {
  const { mode, readings, readings_hidden, bypass_seconds, hours_since_cip, backflushes } = one;
  const cip = hours_since_cip === null ? "not known" : `${amountOf(hours_since_cip)} h before`;
  return [
    `Mode ${mode ?? "not known"}; ${counted(readings, "reading")}, ${readings_hidden} hidden; ` +
      `bypassed ${bypass_seconds === 0 ? "never" : lengthOf(bypass_seconds)}`,
    `Last cleaning (CIP) ${cip}; backflushes of the filter ${backflushes ?? "not known"}`,
    `Gaps in the data ${one.gaps.length}; alerts ${one.alerts.length}; ` +
      `clocks set ${one.clock_steps.length}`,
    ...(one.readings_root === null ? [] : [`Root of its readings ${one.readings_root}`]),
  ];
}

function voidLine({ id, start, end, readings, reason }: Operation["voids"][number]): string {
  return `Void ${id}: ${secondsOf({ start, end })}, ${counted(readings, "reading")}: ${reason}`;
}

function versionLine(version: Operation["versions"][number]): string {
  const { given_out, given_out_number: number, made } = version;
  const proof = number === null ? "noted aboard only" : `given ${number} of the ledger`;
  const out = given_out === null ? "" : `; given out ${minuteOf(given_out)} UTC (${proof})`;
  return (
    `${version.version}, ${minuteOf(made)} UTC: ${storedVerdict(version.verdict)}; verdict ` +
    `${version.ledger_number} of the ledger${out}; because ${version.because}`
  );
}
