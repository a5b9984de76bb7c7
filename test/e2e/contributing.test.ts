// The commands of CONTRIBUTING.md do what it says of them. `npm ci`, `npm test` and the checks are
// what runs this test (scripts/test); the recipes have a test of their own (recipes.test.ts).

import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { testFiles } from "../../scripts/run-tests.ts";
import { foldersOfTests } from "../rig/folders.ts";
import { type Process, startProcess } from "../rig/process.ts";
import { LONG } from "../rig/scale.ts";
import { root } from "../rig/sources.ts";

const text = readFileSync(path.join(root, "CONTRIBUTING.md"), "utf8");
const { scripts } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
const newFolder = foldersOfTests();

function npm(...args: readonly string[]): Process {
  return startProcess({ file: "npm", args, folder: root });
}

test("npm run dev builds with source maps, and serves the simulated ship", async () => {
  // As package.json has it; npm itself may end before the program does.
  const env = {
    BALLASTD_HTTP_LISTEN: "127.0.0.1:0",
    BALLASTD_MQTT_LISTEN: "127.0.0.1:0",
    BALLASTD_STORAGE_DIR: newFolder(),
  };
  const args = ["scripts/dev.ts"];
  expect(scripts.dev).toBe(`node ${args[0]}`);
  const dev = startProcess({ file: process.execPath, args, folder: root, env });
  try {
    const url = () => /^web: (http:\/\/\S+)\/$/m.exec(dev.stdout() + dev.stderr())?.[1];
    await dev.waitUntil("its address", () => url() !== undefined);
    const answer = await fetch(`${url()}/version`);
    expect(await answer.json()).toMatchObject({ version: expect.any(String) });
    expect(readFileSync(path.join(root, "out", "dev", "main.cjs.map"), "utf8")).toContain(
      "src/main.ts",
    );
  } finally {
    await dev.stop("SIGINT");
  }
});

test(
  "every npm script that it names is there, and each long one prints its options",
  LONG,
  async () => {
    const named = new Set([...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name));
    expect([...named].filter((name) => scripts[name] === undefined)).toEqual([]);
    const [, long = ""] = text.split(
      "The long ones are commands of their own, each with `--help`: ",
    );
    const names = [...long.split(". ")[0].matchAll(/npm run (\w+)/g)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(5);
    for (const name of names) {
      const help = npm("run", "--silent", name, "--", "--help");
      expect(await help.ended, `${name}: ${help.stderr()}`).toEqual({ code: 0, signal: null });
      expect(help.stdout()).toContain(`npm run ${name}`);
    }
  },
);

test("each area or file that is named after npm test is there", async () => {
  const listed = npm("test", "--", "--areas");
  expect(await listed.ended).toEqual({ code: 0, signal: null });
  const areas = listed
    .stdout()
    .split("\n")
    .map((line) => line.split(" ")[0]);
  const named = [...text.matchAll(/npm (?:test --|run test:watch --) ([a-z]+)(?=[ `\n])/g)].map(
    ([, area]) => area,
  );
  expect(named.length).toBeGreaterThan(2);
  const isKnown = (name: string) =>
    areas.includes(name) || testFiles().some((file) => file.includes(name));
  expect(named.filter((name) => !isKnown(name))).toEqual([]);
});
