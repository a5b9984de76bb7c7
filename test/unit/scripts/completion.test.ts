// Completion of bash: what each command offers, from its own help.

import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { completion } from "../../../scripts/package/completion.ts";
import { completed } from "../../rig/completed.ts";
import { foldersOfTests } from "../../rig/folders.ts";

const newFolder = foldersOfTests(afterAll);
const folder = newFolder();
const script = path.join(folder, "completion");
const stick = path.join(folder, "backup.db");

const NAMES = [
  "backup",
  "check",
  "config",
  "export",
  "import",
  "quarantine",
  "restore",
  "token",
  "update",
];

beforeAll(async () => {
  const commands = [...NAMES, "verify", "version", "void"].map(async (name) => {
    const { help }: { help: string } = await import(`../../../src/cli/commands/${name}.ts`);
    return { name, help };
  });
  writeFileSync(script, completion(await Promise.all(commands)));
  writeFileSync(stick, "");
});

const after = (...words: readonly string[]) => completed(script, ...words);
const start = path.join(folder, "back");

test("commands, the words that follow them, and the options of each", () => {
  expect(after("ver")).toEqual(["verify", "version"]);
  expect(after("help", "ver")).toEqual(["verify", "version"]);
  expect(after("token", "re")).toEqual(["revoke"]);
  expect(after("export", "--col")).toEqual(["--columns"]);
  expect(after("check", "")).toContain("--thorough");
  expect(after("nonsense", "")).toEqual([]);
});

test("a word offers the options that it takes, and no other's", () => {
  expect(after("void", "--")).toEqual([
    "--from",
    "--to",
    "--reason",
    "--events",
    "--json",
    "--config",
    "--help",
  ]);
  expect(after("void", "list", "--")).toEqual(["--json", "--config", "--help"]);
  expect(after("token", "revoke", "--")).toEqual(["--config", "--help"]);
  expect(after("quarantine", "replay", "--dr")).toEqual(["--dry-run"]);
});

test("keys of the configuration are offered where they belong", () => {
  expect(after("config", "")).toEqual(["show", "set", "unset"]);
  expect(after("config", "set", "mqtt.u")).toEqual(["mqtt.url", "mqtt.username"]);
  const words = ["config", "set", "mqtt.username", "plc", "mqtt.password_file"];
  expect(after(...words.slice(0, 4), "mqtt.pass")).toEqual(["mqtt.password_file"]);
  expect(after(...words, start)).toEqual([stick]);
  expect(after("config", "unset", "map.")).toEqual(["map.unmapped"]);
  expect(after("config", "unset", "log.level", "--")).toEqual(["--json", "--config", "--help"]);
  expect(after("config", "show", "mqtt.")).toEqual([]);
});

test("where a file belongs files are offered", () => {
  for (const words of [["restore"], ["update"], ["import"], ["backup"], ["check", "--config"]])
    expect(after(...words, start)).toEqual([stick]);
  expect(after("restore", "backup.db", "--tr")).toEqual(["--try"]);
  expect(after("export", "--output", start)).toEqual([stick]);
  expect(after("check", start)).toEqual([]);
});
