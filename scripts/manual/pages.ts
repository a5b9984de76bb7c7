// The manual's pages, docs/*.md, in the order in which they are read. They are the same files on a
// Git host, in /usr/share/doc/ballastd and, as HTML, at /manual.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** By reader: who runs it, who connects and programs it, who checks it, who changes it. */
const ORDER = [
  ...[
    "dashboard",
    "operating",
    "alerts",
    "sheet-engineer",
    "sheet-electrician",
    "connecting-a-plc",
    "configuration",
    "api",
    "lamps",
    "modbus",
    "sparkplug",
    "fleet",
    "fleet-office",
  ],
  ...[
    "security",
    "storage",
    "operations",
    "inspection",
    "record-book",
    "ledger",
    "promises",
    "lamp-forecasts",
    "measured",
    "evaluation",
    "architecture",
    "glossary",
  ],
];

export interface Page {
  /** The file's name without its ending; it is the last part of the page's path on the wire. */
  readonly name: string;
  readonly markdown: string;
}

/** Every page of `root`/docs. Throws when ORDER and the folder differ. */
export function readPages(root: string): readonly Page[] {
  const folder = path.join(root, "docs");
  const found = readdirSync(folder).filter((file) => file.endsWith(".md"));
  const expected = ORDER.map((name) => `${name}.md`);
  if (found.toSorted().join() !== expected.toSorted().join())
    throw new Error(`docs/ has ${found.join(", ")}; expected ${expected.join(", ")} (pages.ts)`);
  return ORDER.map((name) => ({
    name,
    markdown: readFileSync(path.join(folder, `${name}.md`), "utf8"),
  }));
}
