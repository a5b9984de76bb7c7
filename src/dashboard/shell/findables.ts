// All that the search can find except moments: pages, fields of the catalogue, lamps, alerts,
// operations and ports, and headings of the manual.

import { ALERTS } from "../../bwts/present/alert.ts";
import { LAMP_COUNT, TAGS, type Tag } from "../../bwts/tags.ts";
import { alertCodesWords } from "../lang/alert-codes.ts";
import { printLabel } from "../lang/fields.ts";
import { operationsWords, overviewWords, partsWords, searchWords as t } from "../lang/words.ts";
import { printSecond } from "../parts/moments.ts";
import { printLamp, printUnit } from "../parts/numbers.ts";
import type { OpenAlert } from "../store/answers.ts";
import { places } from "./places.ts";
import type { Findable } from "./ranking.ts";
import type { FoundOperation, Heading } from "./search-answers.ts";

interface KnownToSearch {
  readonly open: readonly OpenAlert[];
  readonly operations: readonly FoundOperation[];
  readonly headings: readonly Heading[];
  readonly now_ms: number;
}

export function findables(known: KnownToSearch): readonly Findable[] {
  return [
    ...[...places(), ...lamps(), ...alerts(known.open)],
    ...[...operations(known.operations, known.now_ms), ...fields(), ...headings(known.headings)],
  ];
}

/** Fields that Trends doesn't draw. */
const NOT_DRAWN: readonly string[] = ["timestamp", "system_id", "month"];

function fields(): readonly Findable[] {
  return TAGS.filter(({ name }) => !NOT_DRAWN.includes(name)).map((tag) => ({
    kind: "field",
    title: labelOf(tag),
    detail: printUnit(tag),
    code: tag.name,
    words: `${tag.about} ${SHORT_NAMES[tag.name] ?? ""}`,
    href: `#/trends?fields=${tag.name}`,
    isEnglish: false,
  }));
}

/** Abbreviations that engineers use in every language. */
const SHORT_NAMES: Readonly<Record<string, string>> = { FLT_DIFF_PRESSURE: "dp" };

function labelOf(tag: Tag): string {
  const lamp = /^LAMP_(\d\d)_/.exec(tag.name)?.[1];
  const label = printLabel(tag);
  return lamp === undefined ? label : `${partsWords("lamp", { lamp })} · ${label}`;
}

/** The lamps by number; each leads to its life. */
function lamps(): readonly Findable[] {
  return Array.from({ length: LAMP_COUNT }, (_, index) => ({
    kind: "page",
    title: partsWords("lamp", { lamp: printLamp(index + 1) }),
    detail: t("lamp_life"),
    ...{ code: "", words: t("words_lamps"), href: `#/lamps?lamp=${index + 1}`, isEnglish: false },
  }));
}

/** ballastd's own alerts by their codes, and the treatment system's open ones. */
function alerts(open: readonly OpenAlert[]): readonly Findable[] {
  const known = Object.keys(ALERTS);
  const isOpen = (code: string) => open.some((one) => one.code === code);
  const own = known.map((code) => ({
    ...({ kind: "alert", title: alertCodesWords(code), code, isEnglish: false } as const),
    detail: isOpen(code) ? t("alert_open") : "",
    words: alertCodesWords(`${code}.action`),
    href: isOpen(code) ? "#/alerts" : "#/alerts?list=past",
  }));
  const sent = open.filter(({ code }) => code === null || !known.includes(code));
  return [
    ...own,
    ...sent.map(({ code, description }) => ({
      ...({
        kind: "alert",
        title: description,
        detail: t("alert_open"),
        code: code ?? "",
      } as const),
      ...{ words: "", href: "#/alerts", isEnglish: true },
    })),
  ];
}

/** Each operation, each port with all its operations, and the last uptake and discharge. */
function operations(found: readonly FoundOperation[], now_ms: number): readonly Findable[] {
  const ports = [...new Set(found.map(({ place }) => place))].filter((place) => place !== null);
  const kinds = ["BALLAST", "DEBALLAST", "CIP"] as const;
  const last = kinds.flatMap((type) => found.find((one) => one.type === type) ?? []);
  const one = (operation: FoundOperation, title: string, words: string): Findable => ({
    ...{ kind: "operation", title, words, isEnglish: false },
    detail: [operation.place, printSecond(operation.start_ms, now_ms)].filter(Boolean).join(" · "),
    code: `#${operation.id}`,
    href: `#/operations?id=${operation.id}`,
  });
  return [
    ...last.map((operation) =>
      one(operation, t("last_of", { type: typeWord(operation) }), operation.type ?? ""),
    ),
    ...ports.map(
      (place): Findable => ({
        ...{ kind: "operation", title: place, detail: t("all_of_port"), code: "" },
        ...{ words: t("words_operations"), isEnglish: false },
        href: `#/operations?${new URLSearchParams({ place })}`,
      }),
    ),
    ...found.map((operation) =>
      one(
        operation,
        t("operation_of", { number: operation.id, type: typeWord(operation) }),
        `${operation.place ?? ""} ${operation.type ?? ""}`,
      ),
    ),
  ];
}

/** An operation older than the list, by its number; none if there can't be one. */
export function olderOperation(
  query: string,
  found: readonly FoundOperation[],
): readonly Findable[] {
  const number = Number(/^\D*(\d{1,9})$/.exec(query.trim())?.[1] ?? 0);
  const [newest] = found;
  if (number < 1 || newest === undefined || number > newest.id) return [];
  if (found.some(({ id }) => id === number)) return [];
  return [
    {
      ...{ kind: "operation", code: `#${number}`, words: "", detail: "", isEnglish: false },
      title: t("operation_of", { number, type: operationsWords("unknown") }),
      href: `#/operations?id=${number}`,
    },
  ];
}

function typeWord({ type }: FoundOperation): string {
  if (type === "BALLAST" || type === "DEBALLAST" || type === "CIP")
    return overviewWords(`type_${type}`);
  return type ?? operationsWords("unknown");
}

/** The manual's headings, which are English in every language. */
function headings(found: readonly Heading[]): readonly Findable[] {
  return found.map(({ page, of, anchor, text }) => ({
    ...{ kind: "manual", title: text, detail: of, code: "", words: "", isEnglish: true },
    href: `manual/${page}${anchor === "" ? "" : `#${anchor}`}`,
  }));
}
