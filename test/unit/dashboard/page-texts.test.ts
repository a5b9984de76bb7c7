// The page's texts: complete in every language, with the same things to put in, and none of them
// English; the pseudo-language longer; none in the code. A forgotten text would be read at night by
// somebody who can't read it.

import { readFileSync } from "node:fs";
import path from "node:path";
import { parseSync, Visitor } from "vite";
import { afterEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { loadConfig } from "../../../src/config/load.ts";
import { alertCodesWords } from "../../../src/dashboard/lang/alert-codes.ts";
import {
  type Areas,
  type AreaTexts,
  ENGLISH,
  speak,
  type Text,
  type Texts,
} from "../../../src/dashboard/lang/area.ts";
import { fieldsWords } from "../../../src/dashboard/lang/fields.ts";
import { PSEUDO } from "../../../src/dashboard/lang/pseudo.ts";
import { rulesWords } from "../../../src/dashboard/lang/rules.ts";
import * as words from "../../../src/dashboard/lang/words.ts";
import { beginningOf } from "../../../src/dashboard/parts/long-text.tsx";
import { limitSource } from "../../../src/dashboard/parts/numbers.ts";
import { readTexts, root } from "../../rig/sources.ts";

const TextFile = z.record(
  z.string(),
  z.record(
    z.string(),
    z.union([
      z.string(),
      z.strictObject({
        one: z.string().optional(),
        many: z.string().optional(),
        other: z.string(),
      }),
    ]),
  ),
);

const english: readonly AreaTexts<Texts>[] = [
  ...Object.values(words),
  ...[alertCodesWords, fieldsWords, rulesWords],
];
/** By language: of a term in English the words for it, the usual one first. */
const glossaries = z
  .record(z.string(), z.record(z.string(), z.array(z.string())))
  .parse(JSON.parse(readFileSync(path.join(root, "src/dashboard/lang/glossary.json"), "utf8")));
const languages = ["ja", "ko", "es", "pt"].map((code) => ({ code, areas: areasOf(code) }));

afterEach(() => speak(ENGLISH));

describe("every language", () => {
  test("has the keys of English and no others", () => {
    expect(english.length).toBeGreaterThan(8);
    const wanted = english.flatMap(({ area, source }) =>
      Object.keys(source).map((key) => `${area}.${key}`),
    );
    for (const { code, areas } of languages) {
      const given = Object.entries(areas).flatMap(([area, texts]) =>
        Object.keys(texts).map((key) => `${area}.${key}`),
      );
      const missing = wanted.filter((key) => !given.includes(key));
      const unknown = given.filter((key) => !wanted.includes(key));
      expect({ code, missing, unknown }).toEqual({ code, missing: [], unknown: [] });
    }
  });

  test("names no lamp in the labels that all sixteen share", () => {
    const odd = eachText(({ code, area, key, source, text }) =>
      area === "fields" && /^LAMP_[A-Z]+$/.test(key)
        ? [source, text]
            .flatMap(formsOf)
            .flatMap((form) => (/\b\d/.test(form) ? [`${code} ${form}`] : []))
        : [],
    );
    expect(odd).toEqual([]);
  });

  test("puts the same values into each text", () => {
    const odd = eachText(({ code, area, key, source, text }) =>
      formsOf(text).every((form) => holes(form).every((hole) => isIn(hole, source))) &&
      formsOf(source).every((form) => holes(form).every((hole) => isIn(hole, text)))
        ? []
        : [`${code} ${area}.${key}`],
    );
    expect(odd).toEqual([]);
  });

  test("has the plural forms that its rules ask for", () => {
    const odd = eachText(({ code, area, key, source, text }) => {
      if (typeof source === "string") return [];
      const rules = new Intl.PluralRules(code);
      const given: readonly string[] = typeof text === "string" ? [] : Object.keys(text);
      const needed = new Set([0, 1, 2, 5, 21, 100].map((n) => rules.select(n)));
      return [...needed].every((form) => given.includes(form)) ? [] : [`${code} ${area}.${key}`];
    });
    expect(odd).toEqual([]);
  });

  test("has the trade's terms by its glossary", () => {
    const astray = eachText(({ code, area, key, source, text }) => {
      const from = formsOf(source)
        .join("\n")
        .replace(/\{\w+\}/g, "");
      const to = formsOf(text).join("\n").toLowerCase();
      return Object.entries(glossaries[code] ?? {})
        .filter(([term]) => new RegExp(`\\b${term}s?\\b`, "i").test(from))
        .filter(([, allowed]) => !allowed.some((word) => to.includes(word.toLowerCase())))
        .map(([term, allowed]) => `${code} ${area}.${key}: ${term} is ${allowed.join(" or ")}`);
    });
    expect(Object.keys(glossaries)).toEqual(languages.map(({ code }) => code));
    expect(astray).toEqual([]);
  });

  test("has no text left in English", () => {
    // Units, names, and words that two languages share.
    const shared = new Set([
      ...[
        "UTC",
        "IMO {number}",
        "{n} s",
        "{n} min",
        "{n} h",
        "Token",
        "Manual",
        "PLC",
        "CSV",
        "UV",
        "Reactor",
        "Volume, m³",
      ],
    ]);
    const left = eachText(({ code, area, key, source, text }) => {
      const same = formsOf(text).some((form) => formsOf(source).includes(form));
      const form = formsOf(text)[0];
      const isWordless = !/[a-z]{2}/i.test(form.replace(/\{\w+\}/g, ""));
      const isKnown = shared.has(form) || (form === "no" && code === "es");
      return same && !isWordless && !isKnown ? [`${code} ${area}.${key}: ${form}`] : [];
    });
    expect(left).toEqual([]);
    const latin = eachText(({ code, area, key, text }) => {
      const isAsian = code === "ja" || code === "ko";
      const words = formsOf(text)
        .join(" ")
        .replace(/\{\w+\}/g, "");
      return isAsian && /[a-z]{3,} [a-z]{3,}/.test(words) ? [`${code} ${area}.${key}`] : [];
    });
    expect(latin).toEqual([]);
  });
});

test("a text is chosen by the number's form and written with the language's decimal sign", () => {
  const parts = english.find(({ area }) => area === "parts");
  const print = (key: string, given: Record<string, string | number>): string =>
    Reflect.apply(parts ?? String, null, [key, given]);
  const spanish = languages.find(({ code }) => code === "es");
  expect([print("days", { n: 1 }), print("days", { n: 2.5 })]).toEqual(["1 day", "2.5 days"]);
  speak(spanish ?? ENGLISH);
  expect([print("days", { n: 1 }), print("days", { n: 2.5 })]).toEqual(["1 día", "2,5 días"]);
  expect(print("silent", { path: "{n}" })).toBe("sin respuesta de {n}");
});

test("a text that a language lacks is English", () => {
  speak({ code: "es", areas: { parts: { utc: "UTC" } } });
  expect(words.partsWords("hours", { n: 2.5 })).toBe("2,5 h");
  expect(words.shellWords("lamps")).toBe(words.shellWords.source.lamps);
});

test("the source of the limits is translated as long as nobody has configured it", () => {
  const { source } = loadConfig({ file: null, env: {}, defaultFile: null }).config.limits;
  expect(limitSource(source)).toBe(source);
  for (const language of languages) {
    speak(language);
    expect(limitSource(source)).toBe(language.areas.parts?.default_source);
    expect(limitSource("TAC 4711, default")).toBe("TAC 4711, default");
  }
});

test("the pseudo-language is 40 % longer and keeps what is put in", () => {
  const short = eachEnglish().filter(
    (text) => (PSEUDO.change?.(text) ?? "").length < text.length * 1.35,
  );
  expect(short).toEqual([]);
  const lost = eachEnglish().filter((text) =>
    holes(text).some((hole) => !PSEUDO.change?.(text).includes(hole)),
  );
  expect(lost).toEqual([]);
});

describe("the code", () => {
  test("has no text of its own: each is a key of a language file", () => {
    const files = readTexts().filter(({ path: file }) =>
      /^src\/dashboard\/(?!lang\/).*\.tsx?$/.test(file),
    );
    expect(files.length).toBeGreaterThan(30);
    const found = files.flatMap((file) =>
      wordsIn(file.path, file.text).map((text) => `${file.path}: ${text}`),
    );
    // The names of languages are in themselves, those of parts are the code's.
    expect(found.filter((line) => !/(languages|parts-page)\.tsx?: /.test(line))).toEqual([]);
  });

  test("would be caught with a text, be it a child, a label or a sentence", () => {
    const shown = `const a = <p title="Lamp failed">Hello</p>;`;
    const sentence = `const b = "three lamps failed";`;
    expect(wordsIn("a.tsx", shown + sentence)).toEqual([
      "Lamp failed",
      "Hello",
      "three lamps failed",
    ]);
    const silent = `<p class="big old note"><code>ballastd x</code> ballastd</p>`;
    expect(wordsIn("a.tsx", silent)).toEqual([]);
  });
});

/** The words that a person would read in a source: children, labels, and strings of three words. */
function wordsIn(file: string, text: string): readonly string[] {
  const found: string[] = [];
  const silent: { start: number; end: number }[] = [];
  const add = (start: number, value: string) => {
    const isSilent = silent.some((span) => start >= span.start && start < span.end);
    const said = value.trim().replace(/^[^\p{L}]*ballastd[^\p{L}]*$/u, "");
    if (!isSilent && /\p{L}{2}/u.test(said)) found.push(said);
  };
  const labels = new Set(["title", "aria-label", "placeholder", "alt", "label"]);
  new Visitor({
    JSXElement(node) {
      const { name } = node.openingElement;
      if (name.type === "JSXIdentifier" && name.name === "code") silent.push(node);
    },
    JSXAttribute(node) {
      const name = node.name.type === "JSXIdentifier" ? node.name.name : "";
      if (!labels.has(name)) silent.push(node);
      else if (node.value?.type === "Literal") add(node.value.start, String(node.value.value));
    },
    // The messages of our own mistakes, for who mends them.
    NewExpression: (node) => void silent.push(node),
    JSXText: (node) => add(node.start, node.value),
    Literal(node) {
      if (typeof node.value !== "string" || !/\p{L}{2,} \p{L}{2,} \p{L}{2,}/u.test(node.value))
        return;
      if (!found.includes(node.value)) add(node.start, node.value);
    },
    TemplateElement(node) {
      if (/\p{L}{2,} \p{L}{2,} \p{L}{2,}/u.test(node.value.raw)) add(node.start, node.value.raw);
    },
  }).visit(parseSync(file, text).program);
  return found;
}

interface Translation {
  readonly code: string;
  readonly area: string;
  readonly key: string;
  readonly source: Text;
  readonly text: Text;
}

function eachText(check: (one: Translation) => readonly string[]): readonly string[] {
  return languages.flatMap(({ code, areas }) =>
    english.flatMap(({ area, source }) =>
      Object.entries(source).flatMap(([key, given]) => {
        const text = areas[area]?.[key];
        return text === undefined ? [] : check({ code, area, key, source: given, text });
      }),
    ),
  );
}

function eachEnglish(): readonly string[] {
  return english.flatMap(({ source }) => Object.values(source).flatMap(formsOf));
}

function formsOf(text: Text): readonly string[] {
  return typeof text === "string" ? [text] : Object.values(text);
}

function holes(text: string): readonly string[] {
  return text.match(/\{\w+\}/g) ?? [];
}

/** A number that chooses the form need not be in each form, such as "one lamp". */
function isIn(hole: string, text: Text): boolean {
  return hole === "{n}" || formsOf(text).some((form) => form.includes(hole));
}

function areasOf(code: string): Areas {
  const file = path.join(root, `src/dashboard/lang/${code}.json`);
  return TextFile.parse(JSON.parse(readFileSync(file, "utf8")));
}

test("a long text is cut by characters, and one that is shown whole has no ellipsis", () => {
  const emoji = "\u{1f6a2}".repeat(5);
  expect(beginningOf(emoji, 5)).toBe(emoji);
  expect(beginningOf(`${emoji}.`, 5)).toBe(`${emoji}…`);
  expect(beginningOf("abcdef", 5)).toBe("abcde…");
});
