// The counts of the last line of scripts/test: from reports that its reporter wrote of runs that
// ended, failed to load, threw outside of tests, or were killed in the middle; and the script that
// is ended by a signal.

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { foldersOfTests } from "../../rig/folders.ts";
import { root } from "../../rig/sources.ts";
import { until } from "../../rig/until.ts";

const newFolder = foldersOfTests();

/** A project with these test files, and the start of its tests with a report. */
function project(files: Readonly<Record<string, string>>) {
  const folder = newFolder();
  symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  for (const [name, text] of Object.entries(files))
    writeFileSync(path.join(folder, `${name}.test.js`), `import { test } from "vitest";\n${text}`);
  const report = path.join(folder, "report");
  const vitest = path.join(root, "node_modules", "vitest", "vitest.mjs");
  const reporter = path.join(root, "scripts", "report-tests.ts");
  const options = ["--root", folder, "--reporter", reporter, "--maxWorkers=1"];
  const start = (): ChildProcess =>
    spawn(process.execPath, [vitest, "run", ...options], {
      env: { ...process.env, TEST_REPORT: report, VITEST: undefined, VITEST_WORKER_ID: undefined },
      stdio: "ignore",
    });
  return { folder, report, start };
}

/** The lines that the count prints of reports. */
function count(...reports: readonly string[]): readonly string[] {
  const script = path.join(root, "scripts", "count-tests.ts");
  const { stdout, stderr } = spawnSync(process.execPath, [script, ...reports], {
    encoding: "utf8",
  });
  return `${stdout}${stderr}`.trimEnd().split("\n");
}

test("each test counts once, and what can't be loaded or throws outside is a failure", async () => {
  const { report, start } = project({
    good: `test("a", () => {}); test["skip"]("b", () => {}); test["todo"]("c");`,
    bad: `test("a", () => {}); test("b", () => { throw new Error("b"); });`,
    unloadable: `throw new Error("no");`,
    unprepared: `import { beforeAll } from "vitest";
      beforeAll(() => { throw new Error("no"); }); test("a", () => {}); test("b", () => {});`,
    outside: `test("a", () => { setTimeout(() => { throw new Error("late"); }); });
      test("b", () => new Promise((resolve) => setTimeout(resolve, 500)));`,
  });
  await once(start(), "close");
  const lines = count(report);
  expect(lines.at(-1)).toBe("4 4 4");
  expect(lines.filter((line) => line.endsWith(".test.js"))).toHaveLength(5);
});

test("a runner that is killed leaves its results, and names the files without one", async () => {
  const { folder, report, start } = project({
    a: `test("a", () => {});`,
    b: `import { writeFileSync } from "node:fs";
      test("b", () => new Promise(() => writeFileSync(import.meta.dirname + "/began", "")), 1e9);`,
    c: `test("c", () => {});`,
  });
  const runner = start();
  const began = path.join(folder, "began");
  await until("the test that never ends", async () => existsSync(began));
  runner.kill("SIGKILL");
  await once(runner, "close");
  const lines = count(report);
  const [passed, failed, skipped] = (lines.at(-1) ?? "").split(" ").map(Number);
  expect(passed + failed).toBe(3);
  expect({ isUnreached: failed > 0, skipped }).toEqual({ isUnreached: true, skipped: 0 });
  expect(lines.filter((line) => line.startsWith("never reached: "))).toHaveLength(failed);
  expect(lines).toContain("test runners that ended before their tests: 1");
});

test("a run without a report, or whose last line is torn, is a failure", () => {
  const folder = newFolder();
  expect(count(path.join(folder, "none")).at(-1)).toBe("0 1 0");
  const torn = path.join(folder, "torn");
  writeFileSync(torn, `{"planned":["/x/a.test.ts"]}\n{"file":"/x/a.test.ts","pas`);
  expect(count(torn).at(-1)).toBe("0 1 0");
  appendFileSync(torn, '\n{"status":137}\n');
  expect(count(torn).at(-1)).toBe("0 1 0");
});

test("reports are added up; an exit status that nothing explains is a failure", async () => {
  const one = project({ a: `test("a", () => {});` });
  await once(one.start(), "close");
  expect(count(one.report, one.report).at(-1)).toBe("2 0 0");
  appendFileSync(one.report, '{"status":1}\n');
  expect(count(one.report).at(-1)).toBe("1 1 0");
});

test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
  "scripts/test ended by %s says so, has a failure in its last line, and leaves no process",
  async (signal) => {
    // A copy, so that what it starts can't meet what this run made.
    const folder = newFolder();
    mkdirSync(path.join(folder, "scripts"));
    for (const file of ["scripts/test", "scripts/install-packages", "package-lock.json"])
      writeFileSync(path.join(folder, file), readFileSync(path.join(root, file)));
    // As this process sees it: the script may mount the copy over the path of this checkout.
    const seen = path.join(`/proc/${process.pid}/root`, root, "node_modules");
    symlinkSync(seen, path.join(folder, "node_modules"));
    const pid = path.join(folder, "pid");
    const bundle = `pwd >${pid}.folder; echo $$ >${pid}; while :; do sleep 1; done`;
    const manifest = { name: "x", type: "module", scripts: { bundle } };
    writeFileSync(path.join(folder, "package.json"), JSON.stringify(manifest));
    const script = spawn("bash", [path.join(folder, "scripts/test")], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    for (const stream of [script.stdout, script.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        said += text;
      });
    const started = () => (existsSync(pid) ? Number(readFileSync(pid, "utf8")) : 0);
    const hasEnded = () => script.exitCode !== null;
    await until("the first check", async () => started() > 0 || hasEnded());
    expect(hasEnded(), said).toBe(false);
    // A temporary folder is closed to other accounts, as root's home is.
    const place = process.getuid?.() === 0 ? "/run/ballastd-checkout" : folder;
    expect(readFileSync(`${pid}.folder`, "utf8").trim()).toBe(place);
    script.kill(signal);
    const [code] = await once(script, "close");
    expect(code, said).toBe(1);
    expect(said).toContain(`ended by ${signal}`);
    expect(said.trimEnd().split("\n").at(-1)).toBe("0 passed, 1 failed");
    const isGone = async () => !existsSync(`/proc/${started()}`);
    await until("the end of what it had started", isGone, () => said);
  },
);
