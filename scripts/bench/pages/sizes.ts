// The bytes of the page as a browser loads them, compressed by gzip -9, in kB of 1,000. The
// overview's script is what index.html loads before anything is chosen, with its English texts.
// Another language is two files beside it: for the overview, and for the pages after it. All
// scripts are those of every page, uPlot included, with their English texts.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import type { Group, Row } from "./row.ts";

const KB = 1000;

export const sizes: Group = {
  name: "sizes",
  about: "bytes of scripts, styles and all files of the page, gzip -9",
  measure: async ({ program }) => {
    const files = filesOf(path.join(path.dirname(program), "dashboard"));
    const index = files.find(({ name }) => name === "index.html");
    const isFirst = (name: string) => index?.text.includes(path.basename(name)) === true;
    const scripts = files.filter(({ name }) => name.endsWith(".js"));
    const first = scripts.filter(({ name }) => isFirst(name));
    const styles = files.filter(({ name }) => name.endsWith(".css") && isFirst(name));
    const languages = scripts.filter(({ name }) =>
      /^(ja|ko|es|pt|pseudo)-/.test(path.basename(name)),
    );
    const ofOverview = languages.filter(({ name }) => !name.includes("-pages-"));
    const largest = [...ofOverview].sort((one, other) => other.gz - one.gz).slice(0, 1);
    const fonts = files.filter(({ name }) => /\.(woff2?|ttf|otf)$/.test(name));
    return [
      size("script of the overview", 40, first),
      size("style of the overview", 5, styles),
      size("the largest language for the overview", 7, largest),
      size("all scripts but the other languages", 130, without(scripts, languages)),
      size("all files", 230, files),
      size("the font", 50, fonts),
    ];
  },
};

function without(files: readonly PageFile[], left: readonly PageFile[]): readonly PageFile[] {
  return files.filter((file) => !left.includes(file));
}

interface PageFile {
  readonly name: string;
  readonly text: string;
  readonly gz: number;
}

function filesOf(folder: string): readonly PageFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => {
      const bytes = readFileSync(path.join(parentPath, name));
      return { name, text: bytes.toString("utf8"), gz: gzipSync(bytes, { level: 9 }).length };
    });
}

function size(what: string, most: number, files: readonly PageFile[]): Row {
  const measured = files.reduce((sum, { gz }) => sum + gz, 0) / KB;
  const note = files.length === 1 ? files[0].name : `${files.length} files`;
  return { what, unit: "kB", goal: { most }, measured, spread: null, isHard: false, note };
}
