// Rules for the page's sources: nothing that browsers of 2020 lack, nothing that plain HTTP or the
// content security policy refuses. Each offence is listed as `file:line`.

import { posix } from "node:path";
import { describe, expect, test } from "vitest";
import { readModules, readTexts } from "../../rig/sources.ts";

const files = readTexts().filter(({ path }) => /^src\/(dashboard|office\/page)\//.test(path));
const sheets = files.filter(({ path }) => path.endsWith(".css"));
const scripts = files.filter(
  ({ path }) => /\.tsx?$/.test(path) && !path.endsWith("vite.config.ts"),
);

/** Chrome 80 and Safari 13.1 lack these in style sheets. */
const SHEET_RULES: Readonly<Record<string, RegExp>> = {
  ":has()": /:has\(/,
  ":is() and :where()": /:(is|where)\(/,
  "container queries": /@container|container-(type|name)\s*:/,
  "aspect-ratio": /(^|[\s;{])aspect-ratio\s*:/,
  inset: /(^|[\s;{])inset(-\w+)*\s*:/,
  nesting: /^\s*&/,
  layers: /@layer/,
  "color-mix and friends": /\b(color-mix|oklch|oklab|lab|lch)\(/,
  "dynamic viewport units": /\d(dvh|svh|lvh|dvw|svw|lvw)\b/,
  "other origins": /url\(\s*["']?(https?:)?\/\//,
};

/** Not there in Chrome 80, in Safari 13.1, or on plain HTTP; or refused by the policy. */
const SCRIPT_RULES: Readonly<Record<string, RegExp>> = {
  "top-level await": /^await /,
  "what needs a secure context":
    /\b(crypto\.subtle|randomUUID|navigator\.(clipboard|locks|wakeLock|serviceWorker|storage))\b/,
  "methods of later years":
    /\.(at|replaceAll|findLast|findLastIndex|toSorted|toReversed|toSpliced|with)\(|\.groupBy\(/,
  "functions of later years": /\b(structuredClone|Object\.hasOwn|Promise\.any|AbortSignal\.\w+)\(/,
  "Intl of later years":
    /Intl\.(RelativeTimeFormat|DurationFormat|ListFormat|DisplayNames|Segmenter)/,
  "classes of later years": /\b(OffscreenCanvas|WeakRef)\b/,
  "dates and times as the browser's language has them": /type="(date|time|datetime-local)"/,
  "a channel without a look if there is one":
    /^(?!.*typeof BroadcastChannel).*new BroadcastChannel/,
  "a spread in an optional call": /\?\.\(.*\.\.\./,
  "inline style": /\sstyle=[{"]/,
  "markup from text": /dangerouslySetInnerHTML|\.innerHTML\b|\beval\(|new Function\(/,
  "other origins": /["'`]https?:\/\//,
};

test("style sheets have nothing that a browser of 2020 lacks", () => {
  expect(offences(sheets, SHEET_RULES)).toEqual([]);
});

test("a gap is a grid's or a text's in columns, for in flex boxes those browsers have none", () => {
  const flexed = sheets.flatMap(({ path, text }) =>
    [...text.replace(/\/\*[\s\S]*?\*\//g, "").matchAll(/([^{}]+)\{([^{}]*)\}/g)]
      .filter(([, , body]) => /(^|[\s;])((row|column)-)?gap\s*:/.test(body ?? ""))
      .filter(([, , body]) => !/(^|[\s;])columns\s*:/.test(body ?? ""))
      .map(([, selector]) => `${path} ${selector?.trim()}: grid-gap in a grid, or margins`),
  );
  expect(flexed).toEqual([]);
});

test("a page's sheet stays in force on the next page, so no two pages style one name", () => {
  const rooms = new Map<string, Set<string>>();
  const bare: string[] = [];
  for (const { path, text } of sheets) {
    const room = path.split("/")[2] ?? "";
    const rules = text.replace(/\/\*[\s\S]*?\*\//g, "").matchAll(/([^{}]+)\{/g);
    for (const selector of [...rules].flatMap(([, list]) => (list ?? "").split(","))) {
      const first = /^\s*([^\s>+~]+)/.exec(selector)?.[1] ?? "";
      const name = /\.([\w-]+)/.exec(first)?.[1];
      // Sheets beside the entries are every page's.
      if (room.endsWith(".css") || /^[@%\d]|^(from|to)$/.test(first)) continue;
      if (name === undefined) bare.push(`${path}: ${selector.trim()}`);
      else rooms.set(name, (rooms.get(name) ?? new Set()).add(room));
    }
  }
  expect(bare.filter((line) => !line.includes(":root["))).toEqual([]);
  const shared = [...rooms].filter(([, found]) => found.size > 1);
  expect(shared.map(([name, found]) => `${name}: ${[...found].join(", ")}`)).toEqual([]);
});

test("the office's page has the sheets of all components that it draws", () => {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const imports = new Map(readModules(files).map((module) => [module.path, module.imports]));
  // It imports words from the list of lamps, and draws none of it.
  const drawn = new Set(["src/office/page/main.tsx"]);
  for (const file of drawn)
    for (const { from, typeOnly } of imports.get(file) ?? [])
      if (!typeOnly && texts.has(from) && !from.endsWith("/lamp-list.tsx")) drawn.add(from);
  const html = texts.get("src/office/page/fleet.html") ?? "";
  for (const [, sheet] of html.matchAll(/href="([\w./-]+\.css)"/g))
    drawn.add(posix.join("src/office/page", sheet ?? ""));
  const isStyled = (name: string, among: typeof sheets) =>
    among.some(({ text }) => new RegExp(`^\\.${name}(?![\\w-])`, "m").test(text));
  const missing = [...drawn].flatMap((file) =>
    [...(texts.get(file) ?? "").matchAll(/ class="([\w -]+)"/g)]
      .flatMap(([, names]) => (names ?? "").split(" "))
      .filter((name) => isStyled(name, sheets))
      .filter(
        (name) =>
          !isStyled(
            name,
            sheets.filter(({ path }) => drawn.has(path)),
          ),
      )
      .map((name) => `${file}: ${name}`),
  );
  expect(missing).toEqual([]);
});

test("scripts have nothing that such a browser, plain HTTP or the policy refuses", () => {
  expect(offences(scripts, SCRIPT_RULES)).toEqual([]);
});

describe("the rules", () => {
  test.each([
    ["a:has(b) {}", SHEET_RULES],
    ["  aspect-ratio: 1;", SHEET_RULES],
    ["  inset: 0;", SHEET_RULES],
    ["await start();", SCRIPT_RULES],
    ['<p style="color: red">', SCRIPT_RULES],
    ["void navigator.clipboard.writeText(text);", SCRIPT_RULES],
    ["const last = list.at(-1);", SCRIPT_RULES],
    ["listener?.(...given);", SCRIPT_RULES],
  ])("catch %s", (line, rules) => {
    expect(offences([{ path: "x", lines: [line] }], rules)).toHaveLength(1);
  });
});

interface Lines {
  readonly path: string;
  readonly lines: readonly string[];
}

function offences(
  among: readonly Lines[],
  rules: Readonly<Record<string, RegExp>>,
): readonly string[] {
  return among.flatMap(({ path, lines }) =>
    lines.flatMap((line, index) =>
      Object.entries(rules)
        .filter(([, rule]) => rule.test(line))
        .map(([name]) => `${path}:${index + 1} ${name}: ${line.trim()}`),
    ),
  );
}
