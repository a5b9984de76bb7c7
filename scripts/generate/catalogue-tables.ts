// Tables of what the code already describes: fields, configuration keys, routes, commands. Each
// cell is taken from the code.

import { LAMP_NUMBERS, TAGS, type Tag } from "../../src/bwts/tags.ts";
import { allCommands } from "../../src/cli/commands/commands.ts";
import { CONFIG_KEYS, type ConfigKey } from "../../src/config/config.ts";
import { aboutKey } from "../../src/config/key-text.ts";
import { openApiDocument, type Parameter } from "../../src/http/document.ts";
import { ROUTES } from "../../src/http/routes/routes.ts";
import { code, markdownTable } from "./markdown-table.ts";

const COMMANDS = await allCommands();

/** The catalogue of fields; what every lamp has is one row, as LAMP_XX. */
export function tagTable(): string {
  const [first, ...others] = LAMP_NUMBERS.map((number) => `LAMP_${number}_`);
  const rows = TAGS.filter(({ name }) => !others.some((prefix) => name.startsWith(prefix))).map(
    (tag) => [
      code(tag.name.replace(first ?? "", "LAMP_XX_")),
      tag.type,
      tag.unit ?? "",
      typicalValue(tag),
      plausibleSpan(tag),
      tag.aggregate ?? "",
      tag.about,
    ],
  );
  return markdownTable(
    ["field", "type", "unit", "typical", "plausible", "in buckets", "meaning"],
    rows,
  );
}

function typicalValue({ typical }: Tag): string {
  if (typical === null) return "";
  return typeof typical === "object" ? typical.join(" to ") : String(typical);
}

function plausibleSpan({ name, span }: Tag): string {
  if (name === "SYS_FLOW_RATE") return "0 to 3 x `limits.flow_max_imo`";
  return span === null ? "" : span.map((end) => end.toLocaleString("en")).join(" to ");
}

/** A table for each section of the configuration, by `config.<section>`. */
export function configTables(): Readonly<Record<string, string>> {
  const sections = Map.groupBy(CONFIG_KEYS, ({ section }) => `config.${section}`);
  return Object.fromEntries([...sections].map(([section, keys]) => [section, configTable(keys)]));
}

function configTable(keys: readonly ConfigKey[]): string {
  const rows = keys.map((key) => [
    code(key.key),
    code([key.fallback].flat().join(", ")),
    allowedIn(key),
    withoutLinks(aboutKey(key)),
  ]);
  return markdownTable(["key", "default", "allowed", "meaning"], rows);
}

/** As the message has it that refuses a text of no form, without what it says of that text. */
function allowedIn({ type }: ConfigKey): string {
  const message = type.safeParse("\0").error?.issues[0]?.message ?? "any text";
  return withoutLinks(message.replace(/^expected |, and it has .*$/g, ""));
}

/** Addresses are written as code, so that nothing makes links of them. */
function withoutLinks(text: string): string {
  return text.replace(/\["\w+:\/\/[^\]]*\]|"?\b\w+:\/\/[^\s,]*/g, code);
}

/** The operations of a group of routes, as the OpenAPI document has them. */
export function routeTable(group: string): string {
  const { paths } = openApiDocument(ROUTES, "open");
  const rows = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { tags }]) => tags.some((tag) => tag === group))
      .map(([method, { summary, parameters = [], security }]) => [
        code(method === "get" ? path : `${method.toUpperCase()} ${path}`),
        parameters
          .filter((parameter) => parameter.in === "query")
          .map(parameterOf)
          .join(", "),
        security[0]?.bearer?.join() ?? "",
        summary,
      ]),
  );
  return markdownTable(["operation", "parameters", "role", "answer"], rows);
}

/** Its name and default; a parameter that has to be given is bold. */
function parameterOf({ name, required, schema }: Parameter): string {
  const fallback = schema.default === undefined ? "" : `=${String(schema.default)}`;
  return required ? `**${code(name)}**` : code(name + fallback);
}

export function commandTable(): string {
  const rows = COMMANDS.map(([name, { summary }]) => [code(`ballastd ${name}`), summary]);
  return markdownTable(["command", "does"], rows);
}
