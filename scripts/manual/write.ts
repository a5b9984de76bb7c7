// The manual's files: the whole of it on one page, which a browser searches by its own means; each
// subject alone, for printing; one style sheet with the dashboard's colours; and the script that
// takes up the dashboard's palette. All links are relative: the pages may lie below any path.

import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import * as z from "zod";
import { alonePage, wholePage } from "./frame.ts";
import { headingsJson } from "./headings.ts";
import { type Places, pageHtml } from "./page-html.ts";
import { readPages } from "./pages.ts";

/** The dashboard's font, of which the manual has a copy beside its sheet. */
const FONT = "node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2";

/** All pages in one, at /manual: an anchor is preceded by its page's name. */
const WHOLE: Places = {
  id: (name, anchor) => (anchor === "" ? name : `${name}-${anchor}`),
  page: (name, anchor) => `#${WHOLE.id(name, anchor)}`,
  file: (name) => `manual/${name}`,
};

/** A page of its own, at /manual/<name>, with the anchors of its file. */
const ALONE: Places = {
  id: (_name, anchor) => anchor,
  page: (name, anchor) => (anchor === "" ? name : `${name}#${anchor}`),
  file: (name) => name,
};

/** Writes the manual of `root`/docs into the folder `target`. */
export async function writeManual(root: string, target: string): Promise<void> {
  const pages = readPages(root);
  const about = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  const { version } = z.object({ version: z.string() }).parse(about);
  mkdirSync(target, { recursive: true });
  const write = (file: string, text: string) => writeFileSync(path.join(target, file), text);
  const whole = pages.map((page) => pageHtml(page, WHOLE));
  write("index.html", wholePage(whole, version));
  for (const page of pages)
    write(`${page.name}.html`, alonePage(pageHtml(page, ALONE), whole, version));
  write("headings.json", headingsJson(whole));
  for (const file of whole.flatMap(({ files }) => files))
    cpSync(path.join(root, "docs", file), path.join(target, file));
  cpSync(path.join(root, "src/dashboard/icon.svg"), path.join(target, "icon.svg"));
  cpSync(path.join(root, FONT), path.join(target, path.basename(FONT)));
  const shared = ["palettes.css", "base.css"];
  const sheets = [...shared.map((name) => `src/dashboard/${name}`), "scripts/manual/manual.css"];
  const sheet = sheets.map((file) => readFileSync(path.join(root, file), "utf8")).join("\n");
  write("manual.css", sheet.replace(/url\("[^"]*\/([^"/]+)"\)/g, 'url("$1")'));
  await writeScript(root, target);
}

async function writeScript(root: string, target: string): Promise<void> {
  await build({
    entryPoints: [path.join(root, "scripts", "manual", "palette.ts")],
    outfile: path.join(target, "palette.js"),
    bundle: true,
    format: "iife",
    target: ["chrome80", "safari13.1"],
    logLevel: "warning",
  });
}
