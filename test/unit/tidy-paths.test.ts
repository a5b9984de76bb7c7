// Each path that a comment or a page names is there: whoever follows one finds the file. Of
// migrations, which never change, and of the changelog, which tells of what was, nothing is asked.

import { existsSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { readModules, readTexts, root, type TextFile } from "../rig/sources.ts";

const texts = readTexts();
const modules = new Map(readModules(texts).map((module) => [module.path, module]));

/** A file's name, with folders or without: of sources in any comment, of others in no page. */
const FILE =
  /(?<![\w./<>…*-])(?:\.\/)?((?:[\w-]+\/)*[a-z\d][\w.-]*\.(?:tsx?|sql|css|py))(?![\w/])/g;
/** A path from the top. */
const FROM_TOP = /(?<![\w./<-])((?:src|test|scripts|sql|docs|systemd)\/(?:[\w.-]*\w|(?=[\s`)])))/g;

interface Prose {
  readonly line: number;
  readonly text: string;
}

/** The text that people read in a file beside its code. */
function proseOf(file: TextFile): readonly Prose[] {
  const numbered = (mark: RegExp) =>
    file.lines.flatMap((text, index) => {
      const found = mark.exec(text);
      return found === null ? [] : [{ line: index + 1, text: found[1] }];
    });
  const module = modules.get(file.path);
  if (module !== undefined) return module.comments;
  if (file.path === "CHANGELOG.md" || file.path.startsWith("sql/migrations/")) return [];
  // Without blocks of code: they name files of the reader's own.
  if (file.path.endsWith(".md")) return pageProse(file);
  if (file.path.endsWith(".sql")) return numbered(/--(.*)$/);
  if (file.path.endsWith(".css")) return numbered(/\/\*(.*)$/);
  if (file.path.endsWith(".py")) return numbered(/#(.*)$/);
  return [];
}

function pageProse({ lines }: TextFile): readonly Prose[] {
  let isCode = false;
  return lines.flatMap((text, index) => {
    if (text.startsWith("```")) isCode = !isCode;
    return isCode ? [] : [{ line: index + 1, text }];
  });
}

/** A path may begin at the top, or leave folders before it out. */
function isThere(name: string): boolean {
  return texts.some(({ path: file }) => file === name || file.endsWith(`/${name}`));
}

test("each path that a comment or a page names is there", () => {
  const named = texts.flatMap((file) =>
    proseOf(file).flatMap(({ line, text }) => [
      ...[...text.matchAll(FILE)].map(([, name]) => ({ file, line, name, isKnown: isThere(name) })),
      ...[...text.matchAll(FROM_TOP)].map(([, name]) => ({
        ...{ file, line, name, isKnown: existsSync(path.join(root, name)) || isThere(name) },
      })),
    ]),
  );
  expect(named.length).toBeGreaterThan(200);
  const missing = named.filter(({ isKnown }) => !isKnown);
  expect(missing.map(({ file, line, name }) => `${file.path}:${line} names ${name}`)).toEqual([]);
});
