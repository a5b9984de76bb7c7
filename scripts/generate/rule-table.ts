// The table of rules by which operations are judged, for the manual: it is made of the table that
// judges them, so that both say the same.

import { RULES } from "../../src/bwts/operations/rules.ts";
import { indexOfTag, TAGS } from "../../src/bwts/tags.ts";
import { code, markdownTable } from "./markdown-table.ts";

export function ruleTable(): string {
  return markdownTable(
    ["rule", "makes it", "by", "unit", "it is broken if", "allowed"],
    RULES.map(({ rule, verdict, parameter, about, allowed }) => [
      ...[code(rule), code(verdict), parameter === null ? "" : code(parameter)],
      parameter === null ? "" : (TAGS[indexOfTag(parameter)].unit ?? ""),
      ...[about, allowed ?? ""],
    ]),
  );
}
