// The command line of the built program: what it prints where, and how it ends.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { newestSchema } from "../../src/sqlite/file/migrate.ts";
import { PROGRAM, runProgram, temporaryFolder } from "../rig/program.ts";

const COMMANDS = [
  "serve",
  "demo",
  "simulate",
  "operations",
  "export",
  "sql",
  "import",
  "quarantine",
  "void",
  "clock",
  "map",
  "lamp",
  "alarm",
  "record-book",
  "reconcile",
  "verify",
  "ledger",
  "inspection",
  "backup",
  "restore",
  "update",
  "rollback",
  "salvage",
  "token",
  "check",
  "config",
  "log",
  "support",
  "shore",
  "fleet",
  "completion",
  "version",
  "licenses",
];

test("--help lists every command on stdout", async () => {
  for (const args of [["--help"], ["-h"]]) {
    const { code, stdout, stderr } = await runProgram({ args });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    for (const name of COMMANDS) expect(stdout).toMatch(new RegExp(`^  ${name} +\\S`, "m"));
  }
});

test("help shows the same, of all or of one command", async () => {
  expect(await runProgram({ args: ["help"] })).toEqual(await runProgram({ args: ["--help"] }));
  const ofOne = await runProgram({ args: ["help", "void"] });
  expect(ofOne).toEqual(await runProgram({ args: ["void", "--help"] }));
  const { code, stderr } = await runProgram({ args: ["help", "sevre"] });
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /^ballastd: unknown command sevre \(did you mean serve\?\), expected serve/,
  );
});

test("no command at all is a usage error that shows the commands", async () => {
  const { code, stdout, stderr } = await runProgram({ args: [] });
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(/^ballastd: a command is missing\n\nusage: ballastd <command>/);
});

test("a wrong option is named in one line with the way to the help", async () => {
  const wrong = {
    "import --bogus file.csv": "Unknown option '--bogus'",
    "void --from": "Option '--from <value>' argument missing",
    "version --json extra":
      "Unexpected argument 'extra'. This command does not take positional arguments",
  };
  for (const [line, problem] of Object.entries(wrong)) {
    const args = line.split(" ");
    const { code, stderr } = await runProgram({ args });
    expect(code, line).toBe(2);
    expect(stderr).toBe(`ballastd: ${problem}; see ballastd ${args[0]} --help\n`);
  }
});

test("an unknown command is named on one line with those that exist", async () => {
  const { code, stdout, stderr } = await runProgram({ args: ["sevre"] });
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  const expected = `expected ${COMMANDS.join(", ")}\n`;
  expect(stderr).toBe(`ballastd: unknown command sevre (did you mean serve?), ${expected}`);
  const far = await runProgram({ args: ["navigate"] });
  expect(far.stderr).toBe(`ballastd: unknown command navigate, ${expected}`);
});

test("a long argument isn't repeated whole by the refusal of it", async () => {
  const long = "x".repeat(100_000);
  for (const args of [[long], ["log", "--level", long], ["version", long]]) {
    const { code, stderr } = await runProgram({ args });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^ballastd: .*xxx \.\.\. x*.*\n$/);
    expect(stderr.length).toBeLessThan(1100);
  }
});

test.each(COMMANDS)("%s --help shows its usage and does nothing else", async (name) => {
  const { code, stdout, stderr } = await runProgram({ args: [name, "--help"] });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(new RegExp(`^usage: ballastd ${name}`));
});

test.each(COMMANDS)("%s refuses an option that it doesn't know", async (name) => {
  const { code, stdout, stderr } = await runProgram({ args: [name, "--no-such-option"] });
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(/^ballastd: .*--no-such-option.*\n$/);
});

test.each(["quarantine", "map", "config"])("%s alone says what it expects", async (name) => {
  const { code, stderr } = await runProgram({ args: [name] });
  expect(code).toBe(2);
  expect(stderr).toMatch(new RegExp(`^ballastd: ${name}: expected ${name} `));
});

test("version says the same as --version, and as JSON under six names", async () => {
  const words = await runProgram({ args: ["version"] });
  expect(await runProgram({ args: ["--version"] })).toEqual(words);
  const json = await runProgram({ args: ["version", "--json"] });
  const { version, commit, node, sqlite, build, ...others } = JSON.parse(json.stdout);
  expect(others).toEqual({ schema: newestSchema() });
  expect(words.stdout).toBe(
    `ballastd ${version} (commit ${commit}, Node ${node}, SQLite ${sqlite}, build ${build})\n`,
  );
});

test("an output that nobody reads any more is no failure", async () => {
  const child = spawn(process.execPath, [PROGRAM, "--help"], { stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.destroy();
  const stderr: string[] = [];
  child.stderr.setEncoding("utf8").on("data", (text) => stderr.push(text));
  expect(await once(child, "close")).toEqual([0, null]);
  expect(stderr).toEqual([]);
});

test.each(["main.cjs", "worker.cjs"])("%s ends with one line on an older Node", async (name) => {
  const folder = temporaryFolder();
  const pretence = path.join(folder, "older-node.cjs");
  const versions = '{ value: { ...process.versions, node: "20.9.0" } }';
  writeFileSync(pretence, `Object.defineProperty(process, "versions", ${versions});`);
  const program = path.join(path.dirname(PROGRAM), name);
  const child = spawn(process.execPath, ["--require", pretence, program, "version"]);
  const stderr: string[] = [];
  child.stderr.setEncoding("utf8").on("data", (text) => stderr.push(text));
  expect(await once(child, "close")).toEqual([1, null]);
  const major = process.versions.node.split(".")[0];
  expect(stderr.join("")).toBe(`ballastd: this is Node 20.9.0, expected Node ${major} or later\n`);
  rmSync(folder, { recursive: true });
});
