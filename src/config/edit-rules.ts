// Adds rules of the map to the text of a configuration file, and takes some out, and changes
// nothing else in it. Rules have a table each, [[map.rule]], so a new one stands at the end, where
// it is valid whatever is before it. The result is parsed and compared with what was meant.

import { parse as parseToml } from "smol-toml";
import { EXIT, Failure } from "../ground/errors.ts";
import { haveSameLeaves, leavesIn, lineEndOf, tomlLeaves, writtenToml } from "./edit.ts";
import { type Comma, fractionText, type MapRule, type MapValue } from "./map.ts";
import { type TomlStatement, tomlStatements } from "./toml-text.ts";
import { isTable } from "./values.ts";

/** A rule as it is written; a rule to take out is known by its topic, tag and field. */
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

/** A rule of the configuration as it is written, with what it has alone. */
export function plainRule({ where: _, topic, tag, field, ...more }: MapRule): PlainRule {
  const { factor, offset, ...others } = more;
  const scale = { factor: fractionText(factor), offset: fractionText(offset) };
  const given = Object.entries({ ...scale, ...others }).filter(([, value]) => value !== null);
  return { topic, tag, field, ...Object.fromEntries(given) };
}

/** The rules with those to take out as they stand in the file, which may say more of them. */
export function foundRules({ add, remove }: RuleChanges, inFile: readonly MapRule[]): RuleChanges {
  const plain = inFile.map(plainRule);
  return { add, remove: remove.map((one) => plain.find((rule) => isRule(rule, one)) ?? one) };
}

/** The changes as those of a key: a rule has no value before, one that is taken out none after. */
export function ruleChanges({ add, remove }: RuleChanges) {
  const line = (old: string, now: string) => ({ key: "map.rule", old, new: now });
  return [
    ...remove.map((rule) => line(ruleLine(rule), "")),
    ...add.map((rule) => line("", ruleLine(rule))),
  ];
}

/**
 * The text with these changes. Throws a Failure (exit 78) for a rule to take out that isn't there,
 * and for rules in another form than [[map.rule]].
 */
export function withRules(text: string, { add, remove }: RuleChanges): string {
  const rules = rulesIn(text);
  const blocks = blocksIn(text);
  if (blocks.length !== rules.length) throw oddForm();
  const gone = remove.map((one) => {
    const at = rules.findIndex((rule) => isRule(rule, one));
    if (at < 0) throw refused(`there is no rule ${ruleLine(one)} in the file`);
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

const refused = (problem: string) =>
  new Failure(EXIT.config, `configuration: map.rule: ${problem}`);

const oddForm = () =>
  refused("can't be changed without changing something else of the file: change it by hand");

const tableOf = ({ topic, ...rule }: PlainRule) => (topic === null ? rule : { topic, ...rule });

/** True for a rule of the file with these three members, whatever it has besides. */
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

/** The places of the rules: from each head to the end of its last key. */
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
