// docs/ changes no file by a script: `ballastd config set` does. The commands of docs/operating.md
// are typed by test/whole/operating-typed.test.ts.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

test("no page of the manual changes a file by a script", () => {
  const docs = path.resolve(import.meta.dirname, "..", "..", "docs");
  const script = /\b(sed|perl|awk|ed|ex) (-|')|(>>?|\btee\b.*) *\S*\.toml\b/;
  const found = readdirSync(docs)
    .filter((file) => file.endsWith(".md"))
    .flatMap((file) => {
      const lines = readFileSync(path.join(docs, file), "utf8").split("\n");
      return lines.filter((line) => script.test(line)).map((line) => `${file}: ${line}`);
    });
  expect(found).toEqual([]);
});
