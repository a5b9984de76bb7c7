// Builds the onboard page into static files that the program serves itself. The pages allow only
// their own origin (default-src 'self'), so nothing is inlined; tablets aboard are old, so the
// output is for browsers of 2020.

import { readFileSync } from "node:fs";
import path from "node:path";
import { defineConfig, type Plugin } from "vite";

interface Modules {
  getModuleInfo(
    id: string,
  ): { readonly isEntry: boolean; readonly importers: readonly string[] } | null;
}

/** The folders whose pages are only words and tables; the frame's first script is another file. */
const WRITTEN = [
  ...["alerts", "first-watch", "handover", "operations", "overview", "papers", "shell", "system"],
];

export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  plugins: [textsInParts(), withoutStatics()],
  // Without the automatic runtime, which writes `children` into every element: 0.6 KB.
  oxc: {
    jsx: { runtime: "classic", pragma: "createElement", pragmaFrag: "Fragment" },
    jsxInject: 'import { createElement, Fragment } from "preact";',
  },
  build: {
    outDir: path.join(import.meta.dirname, "..", "..", "dist", "dashboard"),
    emptyOutDir: true,
    // Chrome 80 and Safari 13.1 have all of this syntax. They aren't named as targets, since `?.`
    // and `??` would then be written out, because Chrome 80 fails at `call?.(...spread)`: 2 KB.
    target: "es2020",
    // Nothing inline: the content security policy refuses data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // No warning about slow plugins: on a busy machine every plugin is slow, and a warning fails
      // the build.
      checks: { pluginTimings: false },
      // No property here has a side effect when it is read, so unused reads can be removed.
      treeshake: { propertyReadSideEffects: false },
      // Five files, since a file for each page costs half a KB more: everything that the first
      // view needs, the parts that a touch opens, the date fields, the charts for pages that draw,
      // and the pages that don't.
      output: {
        codeSplitting: {
          groups: [
            { name: translationOf },
            { name: (id, modules) => (isNeededBy(FIRST, id, modules) ? "first" : null) },
            { name: (id, modules) => (isNeededBy(LATER, id, modules) ? "later" : null) },
            { name: "dates", test: /parts\/(calendar|popover|time-fields|typed-time)/ },
            { name: "chart", test: /\/(chart|lamps|trends|uplot)\/|handover\/note|drawn-pages/ },
            {
              name: "pages",
              test: new RegExp(`/dashboard/(${WRITTEN.join("|")})/|written-pages`),
            },
          ],
        },
      },
    },
  },
});

/**
 * The areas of texts in the first script, and those of the office's page; all others belong to the
 * pages.
 */
const AREAS_OF: Readonly<Record<string, readonly string[]>> = {
  first: ["shell", "parts", "overview", "later", "fields"],
  fleet: ["fleet"],
};

/**
 * Divides lang/ into modules. An import of words.ts becomes one module for each area, so that
 * English texts are in the script that needs them. A translation is loaded in parts, such as
 * `ja.json?pages`.
 */
function textsInParts(): Plugin {
  const words = /import \{([^}]+)\} from "([./]*\/lang\/words\.ts)";/g;
  return {
    name: "texts-in-parts",
    enforce: "pre",
    transform: {
      filter: { code: /\/lang\/words\.ts"/ },
      handler(code) {
        const split = code.replace(words, (_, names: string, from: string) =>
          names.replace(/(\w+)Words[^,]*,?/g, (name, area: string) => {
            const one = name.replace(",", "");
            return `import {${one}} from "${from}?${area}"; `;
          }),
        );
        // No source map, since each line stays at its number.
        return { code: split, map: null };
      },
    },
    load: {
      filter: { id: /\/lang\/(words\.ts|\w+\.json)\?\w+$/ },
      handler(id) {
        const [file, part] = id.split("?");
        if (file.endsWith(".json")) {
          const code = `export default ${JSON.stringify(partOf(file, part))};`;
          return { code, moduleType: "js" };
        }
        const name = part.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
        const texts = JSON.stringify(areasOf(path.join(path.dirname(file), "en.json"))[name]);
        return `import { area } from "./area.ts";
          export const ${part}Words = area("${name}", ${texts});`;
      },
    },
  };
}

function areasOf(file: string): Readonly<Record<string, object>> {
  return JSON.parse(readFileSync(file, "utf8"));
}

function partOf(file: string, part: string): Readonly<Record<string, object>> {
  const named = Object.values(AREAS_OF).flat();
  const isIn = (name: string) => AREAS_OF[part]?.includes(name) ?? !named.includes(name);
  return Object.fromEntries(Object.entries(areasOf(file)).filter(([name]) => isIn(name)));
}

/**
 * The name of the script for a part of a translation, `ja` or `ja-pages`; null for other modules.
 */
function translationOf(id: string): string | null {
  const [, code, part] = /\/lang\/(\w+)\.json\?(\w+)$/.exec(id) ?? [];
  if (code === undefined) return null;
  return part === "first" ? code : `${code}-${part}`;
}

const LATER_PARTS = /\/(menu|ask-token|evidence-panel|lamp-about|machine-controls|refused)\.tsx$/;

type Start = (id: string, isEntry: boolean) => boolean;
/** The page's script itself, and the parts that the first view draws by Later. */
const FIRST: Start = (_, isEntry) => isEntry;
const LATER: Start = (id) => LATER_PARTS.test(id);

/** True if the start imports the module, directly or through others, before a page is chosen. */
function isNeededBy(start: Start, id: string, modules: Modules, seen = new Set<string>()): boolean {
  const info = modules.getModuleInfo(id);
  if (info === null || seen.has(id)) return false;
  seen.add(id);
  if (start(id, info.isEntry)) return true;
  return info.importers.some((importer) => isNeededBy(start, importer, modules, seen));
}

/**
 * Parts of uPlot that the page replaces or doesn't use: time axis, legend, focused curve, ways to
 * draw curves and points, gestures, synchronised cursors, values under the cursor.
 */
const UPLOT_UNUSED = [
  [/const showLegend = legend\.show;/, "const showLegend = false;"],
  [/const cursorFocus = focus\.prox >= 0;/, "const cursorFocus = false;"],
  [/ = genTimeStuffs\(1\);/, " = [];"],
  [/ = genTimeStuffs\(1e-3\);/, " = [];"],
  [/const _fmtDate = .*;/, "const _fmtDate = null;"],
  [/const _timeAxisSplits = .*;/, "const _timeAxisSplits = null;"],
  [/const _timeAxisVals {3}= .*;/, "const _timeAxisVals = null;"],
  [/const _timeSeriesVal {2}= .*;/, "const _timeSeriesVal = null;"],
  [/const mode = self\.mode;/, "const mode = 1;"],
  [/const xScaleDistr = scaleX\.distr;/, "const xScaleDistr = 1;"],
  [/const linearPath = linear\(\) ;/, "const linearPath = null;"],
  [/const pointsPath = points\(\) ;/, "const pointsPath = null;"],
  [/drawOrderMap\[key\]\)/, "drawAxesGrid)"],
  [/series: drawSeries,/, ""],
  [/if \(mouseLeft1 < 0 \|\| dataLen == 0 \|\| noDataInRange\)/, "if (true)"],
  [/if \(select\.show && dragging\)/, "if (false)"],
  [/if \(cursor\.dataIdx == null\)/, "if (false)"],
  [/(\tevents.*= .*;\s+){4}events\["setSeries"\] = [\s\S]*?\n\t\};/, ""],
  [/(onMouse\(mouse(down|move), .*\s+){2}onMouse[\s\S]*dblClick\);/, ""],
] as const;

/**
 * Removes uPlot's static members, which are ways to draw curves and helpers, and the parts above. A
 * bundler can't know that nothing reads them: 5 KB of 20.
 */
function withoutStatics(): Plugin {
  return {
    name: "uplot-without-statics",
    transform: {
      filter: { id: /uPlot\.esm\.js$/ },
      handler(code) {
        const begin = code.indexOf("\nuPlot.assign = ");
        const end = code.indexOf("\nexport", begin);
        if (begin === -1 || end === -1) throw new Error("uPlot: expected its static members last");
        let left = code.slice(0, begin) + code.slice(end);
        for (const [part, instead] of UPLOT_UNUSED) {
          if (!part.test(left)) throw new Error(`uPlot: expected ${part}`);
          left = left.replace(part, instead);
        }
        // An empty source map, since the lines before the cut keep their numbers.
        return { code: left, map: { mappings: "" } };
      },
    },
  };
}
