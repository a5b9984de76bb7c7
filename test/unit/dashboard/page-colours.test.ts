// The colours of the four palettes, read from their style sheet: text and graphics stand out from
// their ground, night lights up no bridge, and red is kept for alarms.

import { describe, expect, test } from "vitest";
import { readTexts } from "../../rig/sources.ts";

const sheets = readTexts().filter(({ path }) => /^src\/dashboard\/.*\.css$/.test(path));
const palettes = new Map(
  ["day", "dusk", "night", "bright"].map((name) => [name, tokensOf(name)] as const),
);

/** The contrast that WCAG asks of text, and of shapes that tell something. */
const TEXT_MIN = 4.5;
const GRAPHICS_MIN = 3;
const TEXTS = ["ink", "muted", "faint", "link", "alarm-ink", "warning-ink", "caution-ink"];
const GRAPHICS = ["control", "alarm", "running", "series-1", "series-2", "series-3", "series-4"];
const FILLED = ["alarm", "warning", "caution", "running", "accent"];
/** Cards of a state or a choice, and the texts on them. */
const TINTS = ["alarm", "warning", "caution", "running"] as const;
const ON_TINTS = ["ink", "muted", "link"];

describe.each([...palettes])("%s", (name, colours) => {
  test("has every token, and text that can be read on ground and card and in filled areas", () => {
    expect(Object.keys(colours).sort()).toEqual(Object.keys(tokensOf("day")).sort());
    const weak = ["ground", "card", "sunk"].flatMap((ground) => [
      ...[...TEXTS, "running-ink"].map((ink) => [ink, ground, TEXT_MIN] as const),
      ...GRAPHICS.map((shape) => [shape, ground, GRAPHICS_MIN] as const),
    ]);
    const filled = FILLED.map((area) => [`on-${area}`, area, TEXT_MIN] as const);
    const tinted = TINTS.flatMap((tint) =>
      [...ON_TINTS, `${tint}-ink`].map((ink) => [ink, `${tint}-tint`, TEXT_MIN] as const),
    );
    const chosen = ON_TINTS.map((ink) => [ink, "selected", TEXT_MIN] as const);
    const bad = [...weak, ...filled, ...tinted, ...chosen].flatMap(([ink, ground, least]) => {
      const found = contrast(colours[ink], colours[ground]);
      return found >= least ? [] : [`${name} ${ink} on ${ground}: ${found.toFixed(2)}`];
    });
    expect(bad).toEqual([]);
  });

  test("is red in the tokens of alarms alone", () => {
    const red = Object.entries(colours).filter(([, colour]) => isRed(colour));
    const others = red.filter(([token]) => !/^alarm(-ink|-tint)?$/.test(token));
    expect(others).toEqual([]);
  });
});

test("night has black grounds and nothing brighter than amber", () => {
  const night = palettes.get("night") ?? {};
  expect(night.ground).toBe("#000000");
  const grounds = Object.entries(night).filter(([token]) => /card|sunk|tint|selected/.test(token));
  expect(grounds.filter(([, colour]) => luminance(colour) > 0.01)).toEqual([]);
  const bright = Object.entries(night).filter(([, colour]) => luminance(colour) > 0.46);
  expect(bright).toEqual([]);
});

test("no colour stands beside the palettes, and each token that is used is in them", () => {
  const scales = sheets.find(({ path }) => path.endsWith("/dashboard/base.css"))?.text ?? "";
  const sizes = [...scales.matchAll(/--([\w-]+): [\d.]+rem;/g)].map(([, token]) => token);
  const known = new Set([...Object.keys(tokensOf("day")), ...sizes, "shadow"]);
  const others = sheets.filter(({ path }) => !path.endsWith("/palettes.css"));
  const loose = others.flatMap(({ path, lines }) =>
    lines.flatMap((line, index) =>
      /#[0-9a-f]{3,8}\b(?!.*\{)|\brgba?\(|\bhsla?\(/i.test(line) && !/#000000/.test(line)
        ? [`${path}:${index + 1} ${line.trim()}`]
        : [],
    ),
  );
  expect(loose).toEqual([]);
  const unknown = others.flatMap(({ path, text }) =>
    [...text.matchAll(/var\(--([\w-]+)\)/g)]
      .filter(([, token]) => !known.has(token))
      .map(([use]) => `${path} ${use}`),
  );
  expect(unknown).toEqual([]);
});

function tokensOf(palette: string): Readonly<Record<string, string>> {
  const sheet = sheets.find(({ path }) => path.endsWith("/palettes.css"))?.text ?? "";
  const block = new RegExp(`data-palette="${palette}"\\]\\s*\\{([^}]*)\\}`).exec(sheet)?.[1] ?? "";
  return Object.fromEntries(
    [...block.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6});/g)].map(([, token, colour]) => [
      token,
      colour,
    ]),
  );
}

function channels(colour = "#ffffff"): readonly number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255);
}

/** Relative luminance, as WCAG 2.2 defines it. */
function luminance(colour?: string): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((share) =>
    share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one?: string, other?: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** More red than three times of each other colour: amber has half as much green. */
function isRed(colour: string): boolean {
  const [red = 0, green = 0, blue = 0] = channels(colour);
  return red > 0.5 && red > 3 * green && red > 3 * blue;
}
