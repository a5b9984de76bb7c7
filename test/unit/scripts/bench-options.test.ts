// The options of `npm run bench` as its users meet them: nothing is measured here.

import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";
import { LONG } from "../../rig/scale.ts";
import { root } from "../../rig/sources.ts";

function bench(...options: readonly string[]) {
  const script = path.join(root, "scripts", "bench.ts");
  return spawnSync(process.execPath, [script, ...options], { encoding: "utf8" });
}

test("--help names the groups of --pages, and no other name is taken", LONG, () => {
  const help = bench("--help");
  expect(help.status).toBe(0);
  const listed = [...help.stdout.matchAll(/^ {4}(\w+) +\w/gm)].map(([, name]) => name);
  expect(listed).toEqual(expect.arrayContaining(["sizes", "opening", "link", "memory"]));
  const unknown = bench("--pages", "sizes", "speed");
  expect(unknown.status).toBe(2);
  expect(unknown.stderr).toContain(`got speed, expected some of ${listed.join(", ")}`);
  const without = bench("sizes");
  expect(without.status).toBe(2);
  expect(without.stderr).toContain("got sizes, expected options alone without --pages");
});

test("--operations takes the names of its groups that --help lists", () => {
  const wrong = bench("--operations", "judging", "speed");
  expect(wrong.status).toBe(2);
  expect(wrong.stderr).toContain("got speed, expected of ingest, judging, heads, file");
  const { stdout } = bench("--help");
  for (const name of ["ingest", "judging", "heads", "file"]) expect(stdout).toContain(`${name} (`);
});
