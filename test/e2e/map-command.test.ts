// `ballastd map try` with one message from a file: what a person sees of it, and what a program.

import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { MANUAL_MAP } from "../rig/manual-map.ts";
import { runProgram, temporaryFolder } from "../rig/program.ts";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true }));

const tryFile = async (topic: string, payload: string | Buffer, more: readonly string[] = []) => {
  writeFileSync(path.join(folder, "ballastd.toml"), MANUAL_MAP);
  const file = path.join(folder, "payload");
  writeFileSync(file, payload);
  return runProgram({
    args: ["map", "try", "--topic", topic, "--payload", file, ...more],
    folder,
  });
};

test("a message is shown tag by tag, with what is unusual, wrong or left as it is", async () => {
  const bad = String.raw`"\u001b[2J":"\u202e"`;
  const payload = `{"ts":1777629570,"PT101":{"value":350500},"mode":9,${bad}}`;
  const pressure = "plausible is -1 to 20 bar; usual is 0.02 to 0.8 bar";
  const name = "other characters, a tag's name has 1 to 64 of A-Z a-z 0-9 _ . -";
  const { code, stdout } = await tryFile("ship/uv1/process", payload);
  expect(code).toBe(0);
  expect(stdout.split("\n").slice(0, 8)).toEqual([
    "ship/uv1/process: reading of 2026-05-01T09:59:30.000Z",
    `  ${payload.replaceAll("\\", "\\\\")}`,
    '    ts          1777629570 -> timestamp "2026-05-01T09:59:30.000Z"',
    `    PT101.value 350500 -> FLT_DIFF_PRESSURE 350.5 bar  (not believed: ${pressure})`,
    "    mode        9  (not taken: got 9, expected 0, 3)",
    String.raw`    \u001b[2J   "\u202e"  (not taken: got ${name})`,
    "  quarantined: bad_value: PROCESS_STATE (mode): got 9, expected 0, 3",
    expect.stringContaining("  quarantined: bad_value: "),
  ]);
});

test("what isn't believed is shown with the reason, in words", async () => {
  const linesOf = async (content: object) => {
    const { stdout } = await tryFile("bwts/BWTS-001/telemetry", JSON.stringify(content));
    const lines = stdout.split("\n").map((line) => line.trim().replaceAll(/ +/g, " "));
    return lines.filter((line) => line.includes(" -> ") && !line.startsWith("timestamp"));
  };
  const time = { timestamp: "2026-05-01T09:59:30.000Z", SYS_FLOW_RATE: 800 };
  expect(await linesOf({ ...time, fault: true })).toEqual([
    "SYS_FLOW_RATE 800 -> SYS_FLOW_RATE 800 m3/h (not believed: its quality is Bad (true))",
    "fault true -> fault true (means bad: no value of this message is believed)",
  ]);
  const broken = "the raw code of a broken wire; usual is 200 to 760 W/m2";
  const own = { ...time, "SYS_FLOW_RATE.q": 0, UVR_INTENSITY: 32767 };
  expect(await linesOf(own)).toEqual([
    "SYS_FLOW_RATE 800 -> SYS_FLOW_RATE 800 m3/h (not believed: its quality isn't good)",
    "SYS_FLOW_RATE.q 0 -> SYS_FLOW_RATE.q 0 (means bad: SYS_FLOW_RATE isn't believed)",
    `UVR_INTENSITY 32767 -> UVR_INTENSITY 32767 W/m2 (not believed: ${broken})`,
  ]);
});

test("a message is shown as JSON, or refused with what was expected", async () => {
  const { stdout } = await tryFile("ship/uv1/lamp/16/minutes", "60", ["--json"]);
  expect(JSON.parse(stdout)).toMatchObject([
    {
      ...{ topic: "ship/uv1/lamp/16/minutes", payload: "60", records: 0, quarantined: [] },
      tags: [{ tag: "", given: 60, field: "LAMP_16_RUNTIME", value: 1, unit: "h", remark: null }],
    },
  ]);
  for (const [topic, more, words] of [
    ["ship/#", [], "expected --topic, without + and #"],
    ["ship/a+", [], "expected + and # to stand alone"],
    ["ship", ["--seconds", "0"], "--seconds 0: expected an integer from 1 to 86400"],
    ["ship", ["--payload", path.join(folder, "none")], "can't be read (ENOENT)"],
  ] as const) {
    const { code, stdout: none, stderr } = await tryFile(topic, "60", more);
    expect({ code: [1, 2].includes(code ?? 0), none }).toEqual({ code: true, none: "" });
    expect(stderr).toContain(words);
  }
});
