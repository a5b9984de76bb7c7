// Commands of README.md and docs/api.md, typed as they stand against the built program on ports of
// this test; and every example of a configuration in the manual, read as the program reads it.

import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { loadConfig } from "../../src/config/load.ts";
import { startAppliance } from "../oracle/appliance.ts";
import { temporaryFolder } from "../rig/program.ts";
import { readTexts, root } from "../rig/sources.ts";

/** The blocks of a language in a page, or in one section of it. */
function blocksOf(file: string, language: string, section = ""): readonly string[] {
  const text = readFileSync(path.join(root, file), "utf8");
  const [, from = text] = section === "" ? [] : text.split(`\n## ${section}\n`);
  const [part = ""] = section === "" ? [text] : from.split("\n## ");
  const blocks = part.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"));
  return [...blocks].map(([, block]) => block);
}

test("a reader of README.md gets what it says from each command", async () => {
  await using appliance = await startAppliance();
  const type = (block: string) => {
    const here = block
      .replaceAll("http://127.0.0.1:8080", appliance.url)
      .replaceAll("-p 1883", `-p ${appliance.mqtt_port}`);
    const typed = spawnSync("sh", ["-e", "-u", "-c", here], {
      cwd: appliance.program.folder,
      encoding: "utf8",
    });
    expect({ block, ...typed }).toMatchObject({ status: 0, stderr: "" });
    return typed.stdout;
  };
  const [, publishing = ""] = blocksOf("README.md", "sh", "Send it a reading");
  type(publishing);
  const [asking = ""] = blocksOf("README.md", "sh", "Ask it");
  const lines = asking.trimEnd().split("\n");
  expect(lines).toHaveLength(5);
  const [latest, history, days, lamps, readiness] = lines.map((line) => JSON.parse(type(line)));
  const reading = { UVR_INTENSITY: 648.5, LAMP_07_RUNTIME: 1204, PROCESS_STATE: "RUNNING" };
  expect(latest).toMatchObject({ timestamp: "2026-05-01T10:00:00.000Z", ...reading });
  expect(history).toMatchObject([reading]);
  expect(days).toMatchObject([{ recordCount: 1, UVR_INTENSITY: 648.5 }]);
  expect(lamps).toMatchObject({ lamps: expect.anything() });
  expect(readiness).toMatchObject({ ready: true });
  const [plant = ""] = blocksOf("docs/api.md", "sh");
  expect(type(plant)).toBe('{"name":"BWTS 1"}');
});

test("every configuration in the manual is one that ballastd takes", () => {
  const folder = temporaryFolder();
  try {
    const examples = readTexts()
      .filter(({ path: file }) => file.endsWith(".md"))
      .flatMap(({ path: page }) =>
        blocksOf(page, "toml").map((block) => ({ page, block, file: path.join(folder, "x.toml") })),
      );
    expect(examples.length).toBeGreaterThan(3);
    for (const { page, block, file } of examples) {
      writeFileSync(file, block);
      expect(() => loadConfig({ file, env: {} }), page).not.toThrow();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
