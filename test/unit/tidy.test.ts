// The rules that a machine can check: how long things are, what stands where. Each test lists every
// offence as `file:line`, so that one run shows them all.

import { describe, expect, test } from "vitest";
import { generated } from "../../scripts/generate.ts";
import { AREAS, filesOf, testFiles } from "../../scripts/run-tests.ts";
import { readModules, readTexts, written } from "../rig/sources.ts";

const texts = readTexts();
const modules = readModules(texts);
const sources = modules.filter((file) => file.path.startsWith("src/"));

const FUNCTION_LINES_MAX = 70;
const COLUMNS_MAX = 100;

describe("sizes", () => {
  test(`a function has at most ${FUNCTION_LINES_MAX} lines`, () => {
    const long = modules.flatMap((file) =>
      file.functions
        .filter(({ lines }) => lines > FUNCTION_LINES_MAX)
        .map(({ line, lines }) => `${file.path}:${line} has ${lines}`),
    );
    expect(long).toEqual([]);
  });

  test(`a line has at most ${COLUMNS_MAX} columns, but for expressions`, () => {
    const wide = written(texts).flatMap((file) =>
      file.lines.flatMap((text, index) =>
        text.length > COLUMNS_MAX && !/^\s*\/(?!\*).*\/[a-z]*[;,]?$/.test(text)
          ? [`${file.path}:${index + 1} has ${text.length}`]
          : [],
      ),
    );
    expect(wide).toEqual([]);
  });
});

describe("files", () => {
  test("have names that say what is in them", () => {
    const vague = /(^|\/)(utils?|index|types?|helpers?|common|misc|constants)\.(tsx?|sql|css)$/;
    expect(texts.map((file) => file.path).filter((file) => vague.test(file))).toEqual([]);
  });

  test("of the program and its scripts open with a comment of two to six lines", () => {
    const unexplained = modules
      .filter((file) => /^(src|scripts)\//.test(file.path))
      .map((file) => ({ file, opening: file.lines.findIndex((line) => !line.startsWith("//")) }))
      .filter(({ opening }) => opening < 2 || opening > 6)
      .map(({ file, opening }) => `${file.path} opens with ${opening}`);
    expect(unexplained).toEqual([]);
  });

  test("that are generated are current: npm run generate", () => {
    const stale = generated().filter(({ file, text }) => textOf(file) !== text);
    expect(stale.map(({ file }) => file)).toEqual([]);
  });

  test("of tests belong to an area each, and every area has some", () => {
    const named = new Set(Object.values(AREAS).flatMap(filesOf));
    expect(testFiles().filter((file) => !named.has(file))).toEqual([]);
    const idle = Object.values(AREAS).flatMap((area) =>
      area.begins.filter((begin) => filesOf({ ...area, begins: [begin] }).length === 0),
    );
    expect(idle).toEqual([]);
  });

  test("hold no unfinished business", () => {
    const mark = /\b(TO{1}DO|FIX{1}ME|X{3}|HA{1}CK)\b/;
    expect(ours().flatMap((file) => linesWith(file, mark))).toEqual([]);
  });

  test("name no folder of the machine they were written on and no package registry", () => {
    const foreign =
      /(^|[\s"'`(=])\/(home|Users|work|builds|workspace)\/|registr[y]\.[a-z]+|_auth[T]oken/;
    const locked = texts.filter((file) => file.path === "package-lock.json");
    expect(ours().flatMap((file) => linesWith(file, foreign))).toEqual([]);
    expect(locked.flatMap((file) => linesWith(file, /"resolved": "http/))).toEqual([]);
  });
});

describe("code", () => {
  test("asserts no type: `as const` is the only `as`", () => {
    const asserting = modules
      .filter((file) => !file.path.startsWith("test/"))
      .flatMap((file) => file.casts.map((line) => `${file.path}:${line}`));
    expect(asserting).toEqual([]);
  });

  test("gives no two types, exported functions or constants one name", () => {
    // Each command exports the same three.
    const shared = (file: string) => file.startsWith("src/cli/commands/");
    const named = sources.flatMap((file) =>
      [...file.types, ...(shared(file.path) ? [] : file.exports)].map(({ name, line }) => ({
        ...{ name, path: file.path, place: `${file.path}:${line}` },
      })),
    );
    const double = [...Map.groupBy(named, ({ name }) => name)].filter(
      ([, all]) => new Set(all.map((one) => one.path)).size > 1,
    );
    expect(double.map(([name, all]) => [name, all.map(({ place }) => place)])).toEqual([]);
  });

  test("has comments that open with a statement, not with a word that must be decoded", () => {
    const opening = /^\s*(\/\*\*|\*|\/\/) (What|Whether|Who|Where|Of|Those|How|That|Which)\b/;
    const within = /^\s*(\*|\/\/) \S/;
    const riddles = modules.flatMap((file) =>
      file.lines.flatMap((text, index) =>
        opening.test(text) && !within.test(file.lines[index - 1] ?? "")
          ? [`${file.path}:${index + 1} ${text.trim()}`]
          : [],
      ),
    );
    expect(riddles).toEqual([]);
  });

  test("silences neither the compiler nor the linter without a reason", () => {
    const silenced = /@ts-(ignore|nocheck)|@ts-expect-error\s*$|biome-ignore(?![^:]*: \S+ \S+)/;
    expect(sources.flatMap((file) => linesWith(file, silenced))).toEqual([]);
  });

  test("of the tests is run: none is skipped, left for later or alone", () => {
    const idle = /\b(it|test|describe)\.(skip|only|todo|fails)\b/;
    const tests = modules.filter((file) => file.path.startsWith("test/"));
    expect(tests.flatMap((file) => linesWith(file, idle))).toEqual([]);
  });

  // The global one throws once the test that it takes for its own has ended.
  test("polls in concurrent tests by their own `expect`", () => {
    const concurrent = modules.filter(({ lines }) =>
      lines.some((line) => /\.concurrent\b/.test(line)),
    );
    const polling = concurrent.flatMap(({ path, lines }) =>
      lines
        .join("\n")
        .split(/^(?=test\b)/m)
        .filter((text) => /^test\b/.test(text) && /\bexpect\s*\.poll\(/.test(text))
        .filter((text) => !/^[^{]*\{\s*expect\b/.test(text))
        .map((text) => `${path}: ${text.split("\n")[0]}`),
    );
    expect(polling).toEqual([]);
  });
});

describe("the pages' English", () => {
  const inEnglish = texts
    .filter((file) => file.path === "src/dashboard/lang/en.json")
    .flatMap((file) => file.lines.map((line) => line.replace(/^\s*"[^"]*": /, "")))
    .map((line) => line.replace(/\{\w+\}/g, ""));

  test("has the trade's words, and a machine that reports, but doesn't tell", () => {
    const strained = new RegExp(
      [
        String.raw`\b(tells|told|untold|says|said|she|hers?|silence|put away|set aside)\b`,
        String.raw`\b(laid over|nine in ten|(?<!at )least|greatest|of them|what (is|was|came))\b`,
        String.raw`\b((is|are) over|over since|voided|gaps?|shore|runtime|cumulative)\b`,
        String.raw`\b(light|raw UV sensor|RUL|(DE)?BALLAST)\b(?! water)`,
      ].join("|"),
      "i",
    );
    expect(inEnglish.length).toBeGreaterThan(500);
    expect(inEnglish.filter((text) => strained.test(text))).toEqual([]);
  });

  test("has no key of the configuration and no member of the API", () => {
    const key = /[a-z]_[a-z]|\b[a-z]+\.[a-z]/;
    expect(inEnglish.filter((text) => key.test(text))).toEqual([]);
  });
});

describe("SQL", () => {
  const statements = texts
    .filter((file) => /^sql\/[^/]+\.sql$/.test(file.path))
    .flatMap((file) => file.lines.map((line) => /^-- name: (\S+)$/.exec(line)?.[1]))
    .filter((name) => name !== undefined);
  const prefixes = new Set(statements.map((name) => name.split(".")[0]));
  const strings = sources
    .filter((file) => file.path.startsWith("src/sqlite/"))
    .flatMap((file) =>
      file.strings.map(({ line, text }) => ({ place: `${file.path}:${line}`, text })),
    );

  test("stands in sql/, none in TypeScript", () => {
    const sql = new RegExp(
      [
        String.raw`^\s*(begin(\s+\w+)?|(commit|rollback|vacuum)(\s+\w+)?\s*;)\s*$`,
        String.raw`\bselect\s[\s\S]*\sfrom\s|^\s*select\s+[\w.]+\(`,
        String.raw`\binsert\s+(or\s+\w+\s+)?into\s|\bdelete\s+from\s|\bupdate\s+\w+\s+set\s`,
        String.raw`\b(create|drop|alter)\s+(table|index|view|trigger)\s|^\s*pragma\s`,
      ].join("|"),
      "i",
    );
    const found = sources
      .filter((file) => !/^src\/(dashboard|office\/page)\//.test(file.path))
      // Its help shows what people may type.
      .filter((file) => file.path !== "src/cli/commands/sql.ts")
      .flatMap((file) => [
        ...file.strings.filter(({ text }) => sql.test(text)).map(placeIn(file)),
        ...linesWith(file, /\.pragma\(/),
      ]);
    expect(found).toEqual([]);
  });

  test("has each name once", () => {
    expect(statements.filter((name, index) => statements.indexOf(name) !== index)).toEqual([]);
  });

  test("has migrations numbered one after the other", () => {
    const numbers = texts
      .map((file) => /^sql\/migrations\/(\d{3})-[^/]+\.sql$/.exec(file.path)?.[1])
      .filter((number) => number !== undefined);
    expect(numbers.map(Number)).toEqual(numbers.map((_, index) => index + 1));
  });

  test("has no statement that nothing runs", () => {
    const used = new Set(strings.map(({ text }) => text));
    expect(statements.filter((name) => !used.has(name))).toEqual([]);
  });

  test("has every statement that the program asks for", () => {
    const known = new Set(statements);
    const asked = strings.filter(
      ({ text }) => /^[a-z]+\.[a-z_]+$/.test(text) && prefixes.has(text.split(".")[0]),
    );
    const missing = asked.filter(({ text }) => !known.has(text));
    expect(missing.map(({ place, text }) => `${place} asks for ${text}`)).toEqual([]);
  });
});

/** All texts but those that others wrote. */
function ours() {
  return texts.filter(({ path: file }) => file !== "package-lock.json" && file !== "LICENSE");
}

function textOf(file: string): string | null {
  return texts.find((text) => text.path === file)?.text ?? null;
}

function linesWith(file: { path: string; lines: readonly string[] }, pattern: RegExp) {
  return file.lines.flatMap((text, index) =>
    pattern.test(text) ? [`${file.path}:${index + 1} ${text.trim()}`] : [],
  );
}

function placeIn(file: { path: string }): (part: { line: number }) => string {
  return ({ line }) => `${file.path}:${line}`;
}
