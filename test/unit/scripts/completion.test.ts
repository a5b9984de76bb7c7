// Completion of bash, zsh and fish, each by the shell itself: what a command offers, from its help.

import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bashCompletion } from "../../../src/cli/bash.ts";
import { fishCompletion } from "../../../src/cli/fish.ts";
import { SHELLS } from "../../../src/cli/words.ts";
import { zshCompletion } from "../../../src/cli/zsh.ts";
import { completed } from "../../rig/completed.ts";
import { foldersOfTests } from "../../rig/folders.ts";

const newFolder = foldersOfTests(afterAll);
const folder = newFolder();
const stick = path.join(folder, "backup.db");
const start = path.join(folder, "back");

const NAMES = [
  "backup",
  "check",
  "completion",
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
  const helped = await Promise.all(commands);
  writeFileSync(path.join(folder, "bash"), bashCompletion(helped));
  writeFileSync(path.join(folder, "zsh"), zshCompletion(helped));
  writeFileSync(path.join(folder, "fish"), fishCompletion(helped));
  writeFileSync(stick, "");
});

describe.each(SHELLS)("%s", (shell) => {
  const offered = (...words: readonly string[]) =>
    completed(shell, path.join(folder, shell), ...words);

  test("commands, the words that follow them, and the options of each", () => {
    expect(offered("ver")).toEqual(["verify", "version"]);
    expect(offered("help", "ver")).toEqual(["verify", "version"]);
    expect(offered("token", "re")).toEqual(["revoke"]);
    expect(offered("export", "--col")).toEqual(["--columns"]);
    expect(offered("completion", "")).toEqual(["bash", "fish", "zsh"]);
    expect(offered("check", "")).toContain("--thorough");
    expect(offered("nonsense", "")).toEqual([]);
  });

  test("a word offers the options that it takes, and no other's", () => {
    expect(offered("void", "--")).toEqual([
      "--config",
      "--events",
      "--from",
      "--help",
      "--json",
      "--reason",
      "--to",
    ]);
    expect(offered("void", "list", "--")).toEqual(["--config", "--help", "--json"]);
    expect(offered("token", "revoke", "--")).toEqual(["--config", "--help"]);
    expect(offered("quarantine", "replay", "--dr")).toEqual(["--dry-run"]);
  });

  test("keys of the configuration are offered where they belong", () => {
    expect(offered("config", "")).toEqual(["set", "show", "take", "unset"]);
    expect(offered("config", "take", start)).toEqual([stick]);
    expect(offered("config", "set", "mqtt.u")).toEqual(["mqtt.url", "mqtt.username"]);
    const words = ["config", "set", "mqtt.username", "plc", "mqtt.password_file"];
    expect(offered(...words.slice(0, 4), "mqtt.pass")).toEqual(["mqtt.password_file"]);
    expect(offered(...words, start)).toEqual([stick]);
    expect(offered("config", "unset", "map.")).toEqual(["map.unmapped"]);
    expect(offered("config", "unset", "log.level", "--")).toEqual(["--config", "--help", "--json"]);
    expect(offered("config", "show", "mqtt.")).toEqual([]);
  });

  test("where a file belongs files are offered", () => {
    for (const words of [["restore"], ["update"], ["import"], ["backup"], ["check", "--config"]])
      expect(offered(...words, start)).toEqual([stick]);
    expect(offered("restore", "backup.db", "--tr")).toEqual(["--try"]);
    expect(offered("export", "--output", start)).toEqual([stick]);
    expect(offered("check", start)).toEqual([]);
  });
});
