// Interface B's journey through the built program: the token from its file, plants of every id an
// int64 has, and what is stored being there after the program was killed.

import { readFileSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { type Appliance, startAppliance } from "../oracle/appliance.ts";
import { openValidator } from "../rig/http-validator.ts";
import { temporaryFolder } from "../rig/program.ts";

const MAX = "9223372036854775807";
const MIN = "-9223372036854775808";

/** The token that the first start has written. */
function tokenOf({ program }: Appliance): string {
  return readFileSync(path.join(program.folder, "data", "token"), "utf8").trim();
}

async function post(appliance: Appliance, body: string, headers: Record<string, string> = {}) {
  const answer = await fetch(`${appliance.url}/plants`, {
    method: "POST",
    headers: {
      ...{ "content-type": "application/json", authorization: `Bearer ${tokenOf(appliance)}` },
      ...headers,
    },
    body,
  });
  const text = await answer.text();
  const { status } = answer;
  const type = answer.headers.get("content-type") ?? "";
  const validator = openValidator(await appliance.json("/openapi.json"));
  const checked = { method: "POST", path: "/plants", status, type, body: text };
  expect(validator.answerProblems(checked)).toBeNull();
  expect(answer.headers.get("cache-control")).toBe("no-store");
  return { status, headers: answer.headers, answer: JSON.parse(text) };
}

test("ids are kept to the last digit, a retry is a success, another plant is refused", async () => {
  const folder = temporaryFolder();
  const plants = [
    { id: MAX, name: "north" },
    { id: "9223372036854775806", name: "south", tag: "UV" },
    { id: MIN, name: "west", tag: "" },
    { id: "-9223372036854775807", name: "  east é🚢 " },
    { id: "9007199254740993", name: "odd" },
    { id: "9007199254740992", name: "even" },
    { id: "0", name: "zero" },
  ];
  const bodyOf = ({ id, ...rest }: { id: string; name: string }) =>
    `{"id":${id},${JSON.stringify(rest).slice(1)}`;
  for (const ending of ["SIGKILL", "SIGTERM"] as const) {
    await using appliance = await startAppliance({ folder });
    for (const plant of plants) {
      const { id: _, ...answer } = plant;
      expect(await post(appliance, bodyOf(plant))).toMatchObject({ status: 200, answer });
      const other = await post(appliance, bodyOf({ ...plant, name: "other" }));
      expect(other).toMatchObject({ status: 400, answer: { error: 400 } });
      expect(other.answer.message).toContain(plant.id);
    }
    const untagged = await post(appliance, `{"id":${MIN},"name":"west"}`);
    expect(untagged.status).toBe(400);
    await appliance.program.stop(ending);
  }
  rmSync(folder, { recursive: true });
});

test("the token is in a file that only its owner can read, and in no line of the log", async () => {
  const folder = temporaryFolder();
  const tokens: string[] = [];
  for (let start = 0; start < 2; start += 1) {
    await using appliance = await startAppliance({ folder, env: { BALLASTD_LOG_LEVEL: "debug" } });
    const file = path.join(folder, "data", "token");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    tokens.push(tokenOf(appliance));
    expect(await post(appliance, '{"id":1,"name":"a"}')).toMatchObject({ status: 200 });
    const output = appliance.program.stdout() + appliance.program.stderr();
    if (start === 0) expect(output).toContain(file);
    expect(output).not.toContain(tokens[0]);
  }
  expect(tokens[0]).toBe(tokens[1]);
  expect(tokens[0].length).toBeGreaterThan(30);
  rmSync(folder, { recursive: true });
});

test("without the token nothing is read or stored, and what isn't a plant is refused", async () => {
  await using appliance = await startAppliance();
  const plant = '{"id":7,"name":"a"}';
  for (const authorization of ["", "Bearer", "Bearer x", `Basic ${tokenOf(appliance)}`]) {
    const { status, headers, answer } = await post(appliance, plant, { authorization });
    expect({ status, error: answer.error }).toEqual({ status: 401, error: 401 });
    expect(headers.get("www-authenticate")).toMatch(/^Bearer/);
  }
  const bodies = [
    "",
    "null",
    "[]",
    "7",
    '"x"',
    "{",
    '{"id":7}',
    '{"name":"a"}',
    '{"id":7,"name":""}',
    '{"id":7,"name":" \\t"}',
    '{"id":7,"name":1}',
    '{"id":7,"name":"a","tag":1}',
    '{"id":7,"name":"a","tag":null}',
    '{"id":7,"name":"\\ud800"}',
    ...[
      "9223372036854775808",
      "-9223372036854775809",
      "1.5",
      "7.0",
      "1e2",
      '"7"',
      "null",
      "07",
    ].map((id) => `{"id":${id},"name":"a"}`),
  ];
  for (const body of bodies) {
    const { status, answer } = await post(appliance, body);
    expect({ body, status, error: answer.error }).toEqual({ body, status: 400, error: 400 });
  }
  const large = `{"id":7,"name":"${"a".repeat(64 * 1024)}"}`;
  expect(await post(appliance, large)).toMatchObject({ status: 413 });
  for (const [name, value] of [
    ["content-encoding", "gzip"],
    ["content-type", "text/plain"],
  ])
    expect(await post(appliance, plant, { [name]: value })).toMatchObject({ status: 415 });
  const first = '{"id":7,"name":"first","unknown":[1],"tag":"t"}';
  expect(await post(appliance, first)).toMatchObject({
    ...{ status: 200, answer: { name: "first", tag: "t" } },
  });
});
