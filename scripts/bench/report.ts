// The measurements as a table in Markdown, for docs/measured.md, and as JSON for other programs:
// one line a measure, one column a contender.

import { type Contender, type Figure, MEASURES, type Unit } from "./measures.ts";

export interface Report {
  readonly machine: string;
  readonly readings: number;
  readonly cadence_s: number;
  readonly seed: number;
  /** ballastd first, then what one would write by hand. */
  readonly contenders: readonly Contender[];
}

/** The table, what was measured on, and the notes of its cells. */
export function printReport(report: Report): string {
  const { readings, cadence_s, machine, contenders } = report;
  const present = contenders.filter(({ absent }) => absent === null);
  const notes: string[] = [];
  const rows = Object.entries(MEASURES).flatMap(([key, { what, unit, better }]) => {
    const figures = present.map((contender) => figureOf(contender, key));
    if (figures.every((figure) => figure === null)) return [];
    const cells = figures.map((figure, index) => cell(figure, unit, present[index].name, notes));
    return [[`${what}, ${unit}`, ...cells, ratio(figures, better)]];
  });
  const [first = "", ...others] = present.map(({ name }) => name);
  const head = ["what", first, ...others, "by hand : ballastd"];
  const lines = [head, head.map((_, column) => (column === 0 ? "---" : "---:")), ...rows];
  return [
    `${readings.toLocaleString("en")} readings of 101 fields, one every ${cadence_s} s.`,
    `Measured on ${machine}.`,
    "",
    ...lines.map((cells) => `| ${cells.join(" | ")} |`),
    "",
    "Medians, in brackets the 95th percentile; the last column says how many times better.",
    ...contenders.map(({ name, about, absent }) => `${name}: ${absent ?? about}.`),
    ...others.map((name) => betterThan(first, name, present)),
    "",
    ...notes.map((note, index) => `${index + 1}. ${note}`),
    "",
  ].join("\n");
}

function figureOf({ figures }: Contender, key: string): Figure | null {
  const found = Object.entries(figures).find(([name]) => name === key);
  return found?.[1] ?? null;
}

function cell(figure: Figure | null, unit: Unit, name: string, notes: string[]): string {
  if (figure === null) return "";
  const p95 = figure.p95 === null ? "" : ` (${number(figure.p95, unit)})`;
  const note = figure.note === null ? "" : ` [${noteNumber(`${name}: ${figure.note}`, notes)}]`;
  return `${number(figure.value, unit)}${p95}${note}`;
}

function noteNumber(note: string, notes: string[]): number {
  if (!notes.includes(note)) notes.push(note);
  return notes.indexOf(note) + 1;
}

function number(value: number, unit: Unit): string {
  const digits = unit.endsWith("/s") || value >= 100 ? 0 : 1;
  return value.toLocaleString("en", {
    maximumFractionDigits: value < 1 ? 2 : digits,
    minimumFractionDigits: value < 1 ? 2 : digits,
  });
}

/** A line with all that a peer does better than ballastd, whatever it leaves out. */
function betterThan(first: string, name: string, contenders: readonly Contender[]): string {
  const of = (who: string) => contenders.find((contender) => contender.name === who);
  const [ours, peer] = [of(first), of(name)];
  const better = Object.entries(MEASURES).flatMap(([key, measure]) => {
    const [mine, theirs] = [ours, peer].map((one) => (one ? figureOf(one, key)?.value : null));
    if (mine == null || theirs == null) return [];
    const isBetter = measure.better === "less" ? theirs < mine : theirs > mine;
    return isBetter ? [measure.what] : [];
  });
  return `${name} is better than ${first} at: ${better.join("; ") || "nothing"}.`;
}

/** The factor by which the first is better than the second, a hand-written program. */
function ratio(figures: readonly (Figure | null)[], better: "less" | "more"): string {
  const [ours, hand] = figures;
  if (!ours || !hand) return "";
  const times = better === "less" ? hand.value / ours.value : ours.value / hand.value;
  return times >= 10 ? `${Math.round(times)}` : times.toFixed(times < 1 ? 2 : 1);
}
