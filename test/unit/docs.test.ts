// The manual holds together: README.md is short, each page of docs/ names its reader first, and all
// links, anchors, pictures, files and tests that a page names are there. docs/ goes aboard by
// itself, so its pages link to nothing outside it but the web.

import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { testFiles } from "../../scripts/run-tests.ts";
import { PAGE_NAMES } from "../../src/dashboard/shell/page-names.ts";
import { readTexts, root, type TextFile } from "../rig/sources.ts";

const texts = readTexts();
const pages = texts.filter(({ path: file }) => file.endsWith(".md"));
const manual = pages.filter(({ path: file }) => file.startsWith("docs/"));
const README_LINES_MAX = 150;

/** The text without its blocks of code. */
function proseOf({ text }: TextFile): string {
  return text.replaceAll(/^```.*?^```$/gms, "");
}

/** The anchors of a page's titles, as GitHub makes them. */
function anchorsOf(page: TextFile): ReadonlySet<string> {
  const titles = [...proseOf(page).matchAll(/^#{1,6} (.+)$/gm)].map(([, title]) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
  // Every release of the changelog has the same ones.
  if (page.path !== "CHANGELOG.md")
    expect(titles, `${page.path}: titles`).toEqual([...new Set(titles)]);
  return new Set(titles);
}

function textOf(file: string): string {
  const page = pages.find((one) => one.path === file);
  if (page === undefined) throw new Error(`${file}: expected it to be there`);
  return page.text;
}

function linksOf(page: TextFile): readonly string[] {
  const targets = [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target);
  return targets.filter((target) => !/^https?:/.test(target));
}

test("links, anchors and pictures lead to what is there", () => {
  const anchors = new Map(pages.map((page) => [page.path, anchorsOf(page)]));
  const broken = pages.flatMap((page) =>
    linksOf(page)
      .filter((target) => {
        const [file = "", anchor] = target.split("#");
        const to = file === "" ? page.path : path.posix.join(path.posix.dirname(page.path), file);
        if (!existsSync(path.join(root, to))) return true;
        return anchor !== undefined && anchors.get(to)?.has(anchor) !== true;
      })
      .map((target) => `${page.path}: ${target}`),
  );
  expect(broken).toEqual([]);
  expect(pages.flatMap(linksOf).length).toBeGreaterThan(50);
});

test("the pages that go aboard link to each other and the web only", () => {
  const strays = manual.flatMap((page) =>
    linksOf(page)
      .filter((target) => target.startsWith("/") || target.includes(".."))
      .map((target) => `${page.path}: ${target}`),
  );
  expect(strays).toEqual([]);
});

test("files that a page names are there", () => {
  const named = pages.flatMap((page) =>
    [...proseOf(page).matchAll(/`\.?\/?((?:src|test|scripts|sql|systemd|docs)\/[\w./-]*)`/g)].map(
      ([, file]) => ({ page: page.path, file }),
    ),
  );
  expect(named.filter(({ file }) => !existsSync(path.join(root, file)))).toEqual([]);
  expect(named.length).toBeGreaterThan(30);
});

test("whoever finds a hole has an address, one in both places", () => {
  const { bugs } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  expect(bugs.email).toMatch(/^\S+@\S+$/);
  expect(textOf("SECURITY.md")).toContain(`\`${bugs.email}\``);
});

test("every promise names tests that are there", () => {
  const rows = [...textOf("docs/promises.md").matchAll(/^\| (.+) \| (`.+`) \|$/gm)];
  expect(rows.length).toBeGreaterThan(30);
  const tests = testFiles();
  for (const [row, , heldBy] of rows) {
    const names = heldBy.split(", ").map((name) => `/${name.replaceAll("`", "")}.test.ts`);
    expect(
      names.filter((name) => !tests.some((file) => `/${file}`.endsWith(name))),
      row,
    ).toEqual([]);
  }
});

test("every table of the database stands in docs/storage.md once, with what protects it", () => {
  const migrations = texts.filter(({ path: file }) =>
    /^sql\/(migrations\/|schema-table)/.test(file),
  );
  const tables = migrations.flatMap(({ text }) =>
    [...text.matchAll(/^create table (?:if not exists )?(\w+)/gm)].map(([, name]) => name),
  );
  const [, section = ""] = textOf("docs/storage.md").split("## What is proven, table by table\n");
  const rows = section.split("\n## ")[0].match(/^\|.*$/gm) ?? [];
  const named = rows.flatMap((row) => [...row.matchAll(/`(\w+)`/g)].map(([, name]) => name));
  // A migration may make a table of an earlier one anew.
  expect(named.toSorted()).toEqual([...new Set(tables)].toSorted());
});

test("each page of the dashboard has its chapter, to which its list of keys leads", () => {
  const chapters = [...textOf("docs/dashboard.md").matchAll(/^## ([\w ]+)$/gm)].map(([, title]) =>
    title.toLowerCase().replaceAll(" ", "-"),
  );
  expect(chapters).toEqual(expect.arrayContaining([...PAGE_NAMES]));
});

test("each page says first who reads it", () => {
  const silent = manual.filter(({ text }) => !/^# .+\n\n\*For .+\*\n\n/.test(text));
  expect(silent.map((page) => page.path)).toEqual([]);
});

test(`README.md has at most ${README_LINES_MAX} lines, and leads to every page`, () => {
  const readme = pages.find((page) => page.path === "README.md");
  expect(readme?.text.trimEnd().split("\n").length).toBeLessThanOrEqual(README_LINES_MAX);
  const linked = new Set(readme === undefined ? [] : linksOf(readme).map((to) => to.split("#")[0]));
  expect(manual.map((page) => page.path).filter((file) => !linked.has(file))).toEqual([]);
});

test("the printed sheets name the signs as the pages do", () => {
  const { link, messages, data } = JSON.parse(
    readFileSync(path.join(root, "src/dashboard/lang/en.json"), "utf8"),
  ).shell;
  const rows = [...textOf("docs/sheet-engineer.md").matchAll(/^\| (\w+) \| /gm)];
  const words = rows.map(([, word]) => word);
  const first = words.indexOf("Sign") + 1;
  expect(words.slice(first, first + 3)).toEqual([link, messages, data]);
  expect(textOf("docs/sheet-electrician.md")).toContain(`The sign **${messages}** at the top`);
});
