// Adds rules of the map to the text of a configuration file and removes others, changing nothing
// else. Each rule is a table of its own, [[map.rule]], so a new one is put at the end, where it is
// valid whatever precedes it. The result is parsed and compared with the intended one.

import { parse as parseToml } from "smol-toml";
import { EXIT, Failure } from "../ground/errors.ts";
import { bounded } from "../ground/quoted.ts";
import { type RefusalReason, reason } from "../ground/reasons.ts";
import { haveSameLeaves, leavesIn, lineEndOf, tomlLeaves, writtenToml } from "./edit.ts";
import { type Comma, fractionText, type MapRule, type MapValue } from "./map.ts";
import { type TomlStatement, tomlStatements } from "./toml-text.ts";
import { isTable } from "./values.ts";

/** A rule as it is written; a rule to remove is identified by its topic, tag and field. */
export interface PlainRule {
  /** Null: the topics on which ballastd expects readings. */
  readonly topic: string | null;
  readonly tag: string;
  readonly field: string;
  readonly factor?: number | string;
  readonly offset?: number | string;
  readonly comma?: Comma;
  readonly values?: Readonly<Record<string, MapValue>>;
  readonly quality?: string;
  readonly good?: readonly MapValue[];
}

export interface RuleChanges {
  readonly add: readonly PlainRule[];
  readonly remove: readonly PlainRule[];
}

export const NO_RULES: RuleChanges = { add: [], remove: [] };

/** `plc/1: PT101 = SYS_PRESSURE, factor = 0.001`, for a line of a list. */
export function ruleLine({ topic, tag, field, ...more }: PlainRule): string {
  const rest = Object.entries(more).map(([name, value]) => `, ${name} = ${writtenToml(value)}`);
  return `${topic === null ? "" : `${topic}: `}${tag} = ${field}${rest.join("")}`;
}

/** A rule of the configuration as it is written, without members that have no value. */
export function plainRule({ where: _, topic, tag, field, ...more }: MapRule): PlainRule {
  const { factor, offset, ...others } = more;
  const scale = { factor: fractionText(factor), offset: fractionText(offset) };
  const given = Object.entries({ ...scale, ...others }).filter(([, value]) => value !== null);
  return { topic, tag, field, ...Object.fromEntries(given) };
}

/** The changes, in which each rule to remove has all its members from the file. */
export function foundRules({ add, remove }: RuleChanges, inFile: readonly MapRule[]): RuleChanges {
  const plain = inFile.map(plainRule);
  return { add, remove: remove.map((one) => plain.find((rule) => isRule(rule, one)) ?? one) };
}

/**
 * The changes in the form of changed keys: a new rule has no old value, a removed one no new value.
 */
export function ruleChanges({ add, remove }: RuleChanges) {
  const line = (old: string, now: string) => ({ key: "map.rule", old, new: now });
  return [
    ...remove.map((rule) => line(ruleLine(rule), "")),
    ...add.map((rule) => line("", ruleLine(rule))),
  ];
}

/**
 * The text with these changes. Throws a Failure (exit 78) if a rule to remove isn't there, or if
 * rules have another form than [[map.rule]].
 */
export function withRules(text: string, { add, remove }: RuleChanges): string {
  const rules = rulesIn(text);
  const blocks = blocksIn(text);
  if (blocks.length !== rules.length) throw oddForm();
  const gone = remove.map((one) => {
    const at = rules.findIndex((rule) => isRule(rule, one));
    if (at < 0)
      throw refused(
        `there is no rule ${bounded(ruleLine(one))} in the file`,
        reason("rule_absent", { rule: ruleLine(one) }),
      );
    return at;
  });
  const kept = rules.filter((_, at) => !gone.includes(at));
  const without = blocks
    .filter((_, at) => gone.includes(at))
    .reduceRight((left, { start, end }) => left.slice(0, start) + left.slice(end), text);
  const edited = add.reduce(withRule, without);
  const wanted = [...kept, ...add.map(tableOf)];
  if (!haveSameLeaves(leavesIn(edited), tomlLeaves(documentWith(text, wanted)))) throw oddForm();
  return edited;
}

const refused = (problem: string, told: RefusalReason) =>
  new Failure(EXIT.config, `configuration: map.rule: ${problem}`, told);

const oddForm = () =>
  refused(
    "can't be changed without changing something else of the file: change it by hand",
    reason("rules_unfit", {}),
  );

const tableOf = ({ topic, ...rule }: PlainRule) => (topic === null ? rule : { topic, ...rule });

/** True if the file's rule `given` has the same topic, tag and field, whatever else it has. */
function isRule(given: unknown, rule: PlainRule): boolean {
  if (!isTable(given)) return false;
  const { topic = null, tag, field } = given;
  return topic === rule.topic && tag === rule.tag && field === rule.field;
}

function rulesIn(text: string): readonly unknown[] {
  const { map } = parseToml(text);
  const rule = isTable(map) ? map.rule : undefined;
  return Array.isArray(rule) ? rule : [];
}

function documentWith(text: string, rules: readonly unknown[]): unknown {
  const { map, ...others } = parseToml(text);
  const { rule: _, ...own } = isTable(map) ? map : {};
  const now = rules.length === 0 ? own : { ...own, rule: rules };
  return map === undefined && rules.length === 0 ? others : { ...others, map: now };
}

/** The places of the rules in the text: each from its head to the end of its last key. */
function blocksIn(text: string) {
  const blocks: { start: number; end: number }[] = [];
  let isWithin = false;
  for (const one of tomlStatements(text)) {
    if (one.kind === "head") isWithin = isOfRule(one);
    if (one.kind === "comment" || !isWithin) continue;
    const isNew = one.kind === "head" && one.table.length === 2;
    if (isNew) blocks.push({ start: one.start, end: one.end });
    else blocks[blocks.length - 1].end = one.end;
  }
  return blocks;
}

const isOfRule = ({ table: [section, name] }: TomlStatement) =>
  section === "map" && name === "rule";

function withRule(text: string, rule: PlainRule): string {
  const end = lineEndOf(text);
  const before = text === "" || text.endsWith("\n") ? text : `${text}${end}`;
  const lines = Object.entries(tableOf(rule)).map(
    ([name, value]) => `${name} = ${writtenToml(value)}`,
  );
  return before + ["", "[[map.rule]]", ...lines, ""].join(end);
}
