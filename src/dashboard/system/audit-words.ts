// An entry of the audit log in words: the act, the person, and the facts; a change as `before →
// after`. A fact or a kind without words here is shown in the stored entry, folded below the line.

import type { ACTORS, AuditKind } from "../../bwts/audit.ts";
import { TAGS, tagIndex } from "../../bwts/tags.ts";
import { commandUser } from "../lang/actors.ts";
import { alertCodesWords } from "../lang/alert-codes.ts";
import { printLabel } from "../lang/fields.ts";
import { settingWords } from "../lang/settings.ts";
import { partsWords, systemWords as t } from "../lang/words.ts";
import { printMoment } from "../parts/moments.ts";
import { printLamp, printNumber } from "../parts/numbers.ts";
import { instant, isLike } from "../store/checks.ts";

type Detail = Readonly<Record<string, unknown>>;

type ActKey = `did_${AuditKind | "damaged"}`;
const isAct = (key: string): key is ActKey => key in t.source;

/** The act in words; for a kind that this page doesn't know, its name. */
export function auditAct(kind: string): string {
  const key = `did_${kind}`;
  return isAct(key) ? t(key) : kind;
}

const SELF: (typeof ACTORS)["self"] = "ballastd";
const STRANGER: (typeof ACTORS)["stranger"] = "unknown";

/** The actor as people name it: a token by its name, a command by its user. */
export function auditActor(actor: string): string {
  const user = commandUser(actor);
  if (user !== null) return t("audit_local", { user });
  if (actor === SELF) return t("audit_self");
  if (actor === STRANGER) return t("audit_stranger");
  return actor === "configured" ? t("audit_configured") : actor;
}

/** The members with words, in the order of display. */
const FACTS = [
  ...(["version", "name", "role", "client", "path", "status", "code", "what", "format"] as const),
  ...(["file", "at", "serial", "hours", "entries", "stored", "left", "refused"] as const),
  ...(["operations", "until", "reason", "problem", "note", "text", "who", "repeated"] as const),
];

/** All facts of an entry's detail that have words. */
export function auditFacts(kind: string, detail: Detail, now_ms: number): readonly string[] {
  const { lamp, replaced, from, to } = detail;
  const shown = (value: unknown) => printFact(value, now_ms);
  return [
    ...(typeof lamp === "number" ? [partsWords("lamp", { lamp: printLamp(lamp) })] : []),
    ...(typeof replaced === "boolean" ? [t(replaced ? "audit_fitted" : "audit_unfitted")] : []),
    ...changesIn(kind, detail).map(({ key, before, after }) => {
      const { label = key, unit = "" } = settingWords(key) ?? {};
      if (before === undefined) return `${label}: ${t("audit_secret")}`;
      const change = `${shown(before)} → ${shown(after)}${unit === "" ? "" : ` ${unit}`}`;
      return label === "" ? change : `${label}: ${change}`;
    }),
    ...(from == null && to == null ? [] : [t("audit_range", { from: shown(from), to: shown(to) })]),
    ...FACTS.flatMap((name) => {
      const value = detail[name];
      if (value === null || value === undefined || value === "") return [];
      return [`${t(`fact_${name}`)}: ${name === "code" ? codeWords(value) : shown(value)}`];
    }),
  ];
}

interface AuditChange {
  /** Key of the setting; empty if the act itself says what changed. */
  readonly key: string;
  /** Undefined for a secret, of which only the change is known. */
  readonly before: unknown;
  readonly after: unknown;
}

function changesIn(kind: string, detail: Detail): readonly AuditChange[] {
  const { changes, before, after } = detail;
  if (Array.isArray(changes))
    return changes.flatMap((one: unknown) =>
      isLike<Record<"key" | "old" | "new", unknown>>(one)
        ? [{ key: String(one.key), before: one.old ?? null, after: one.new }]
        : [],
    );
  if (kind === "config_change")
    return Object.entries(detail).map(([key, change]) => {
      const isShown = isLike<Record<"before" | "after", unknown>>(change);
      const values = isShown ? { before: change.before ?? null, after: change.after } : null;
      return { key, before: values?.before, after: values?.after };
    });
  return after === undefined ? [] : [{ key: "", before: before ?? null, after }];
}

/** One of ballastd's own alerts by its meaning, one of the plant as it was sent. */
function codeWords(code: unknown): string {
  const text = String(code);
  return text in alertCodesWords.source ? alertCodesWords(text) : text;
}

function printFact(value: unknown, now_ms: number): string {
  if (value === null || value === undefined || value === "") return t("audit_none");
  if (typeof value === "number") return printNumber(value);
  if (Array.isArray(value)) return value.map((one) => printFact(one, now_ms)).join(", ");
  const at_ms =
    typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value) ? instant(value) : null;
  if (at_ms !== null) return printMoment(at_ms, now_ms);
  if (typeof value !== "string") return JSON.stringify(value);
  const tag = tagIndex(value);
  return tag === null ? value : printLabel(TAGS[tag]);
}
