// The log as a process writes it: one line an entry on stderr, floods counted.

import { spawnSync } from "node:child_process";
import { type BigIntStats, closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { foldersOfTests } from "../../rig/folders.ts";

const newFolder = foldersOfTests();

const source = path.resolve(import.meta.dirname, "..", "..", "..", "src", "ground", "log.ts");

/** Lines on stderr of a process that runs `statements` with a `log` of `level`. */
function linesOf(level: string, statements: string): readonly Record<string, unknown>[] {
  const script = `import { openLog } from ${JSON.stringify(source)};
    const log = openLog(${JSON.stringify(level)}); ${statements}`;
  const program = ["--input-type=module", "--eval", script];
  const { stderr, stdout } = spawnSync(process.execPath, program, { encoding: "utf8" });
  expect(stdout).toBe("");
  return stderr
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

test("an entry is one JSON line with its time, whatever its fields hold", () => {
  const [first, ...rest] = linesOf("info", 'log.warn("disk is low", { free: 5, text: "a\\nb" });');
  expect(rest).toEqual([]);
  expect(first).toEqual({
    level: 40,
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    message: "disk is low",
    free: 5,
    text: "a\nb",
  });
});

test("to the journal each line says its priority, elsewhere none does", () => {
  const script = `import { openLog } from ${JSON.stringify(source)};
    const log = openLog("debug");
    for (const level of ["debug", "info", "warn", "error"]) log[level]("entry");
    process.stdout.write(log.memory.lines().join(""));`;
  const file = path.join(newFolder(), "stderr");
  const startsWith = (env: (stderr: BigIntStats) => NodeJS.ProcessEnv) => {
    const stderr = openSync(file, "w");
    const program = ["--input-type=module", "--eval", script];
    const options = { env: env(fstatSync(stderr, { bigint: true })), encoding: "utf8" } as const;
    const { stdout } = spawnSync(process.execPath, program, {
      ...options,
      stdio: ["ignore", "pipe", stderr],
    });
    closeSync(stderr);
    expect(stdout).not.toContain("<");
    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    return lines.map((line) => line.slice(0, line.indexOf("{")));
  };
  const journal = startsWith(({ dev, ino }) => ({ JOURNAL_STREAM: `${dev}:${ino}` }));
  expect(journal).toEqual(["<7>", "<6>", "<4>", "<3>"]);
  expect(startsWith(() => ({ JOURNAL_STREAM: "8:1" }))).toEqual(["", "", "", ""]);
  expect(startsWith(() => ({}))).toEqual(["", "", "", ""]);
});

test("entries below the level aren't written, and the last line before a kill is", () => {
  const lines = linesOf(
    "warn",
    `log.debug("d"); log.info("i"); log.warn("w"); log.error("e");
     process.kill(process.pid, "SIGKILL");`,
  );
  expect(lines.map(({ message }) => message)).toEqual(["w", "e"]);
});

test("the same entry is written ten times a minute, then counted; others aren't held up", () => {
  const lines = linesOf(
    "info",
    `let now_ms = Date.now(); Date.now = () => now_ms;
     for (let n = 0; n < 25; n += 1) log.warn("flood", { n });
     log.info("other");
     now_ms += 60_000;
     log.info("next");`,
  );
  const counts = Object.groupBy(lines, ({ message }) => String(message));
  expect(counts.flood).toHaveLength(10);
  expect(lines.slice(10)).toMatchObject([
    { message: "other" },
    { message: "repeated log entries were counted", entry: "flood", unwritten: 15 },
    { message: "next" },
  ]);
});

test("entries below the level aren't counted either", () => {
  const lines = linesOf(
    "info",
    `let now_ms = Date.now(); Date.now = () => now_ms;
     for (let n = 0; n < 25; n += 1) log.debug("flood", { n });
     now_ms += 60_000;
     log.info("next");`,
  );
  expect(lines.map(({ message }) => message)).toEqual(["next"]);
});

test("a clock that is set back doesn't silence the log", () => {
  const lines = linesOf(
    "info",
    `let now_ms = Date.now(); Date.now = () => now_ms;
     for (let n = 0; n < 12; n += 1) log.info("entry");
     now_ms -= 3_600_000;
     log.info("entry");`,
  );
  expect(lines.filter(({ message }) => message === "entry")).toHaveLength(11);
});
