// Integers that a double would round keep their digits, by every way through the built program.

import { expect, test } from "vitest";
import { type Appliance, startAppliance } from "../oracle/appliance.ts";
import { foldersOfTests } from "../rig/folders.ts";
import { runProgram } from "../rig/program.ts";

const newFolder = foldersOfTests();
const AT = "2026-05-01T10:00:00.000Z";
const TAGS = {
  N: "12345678901234567890",
  NEGATIVE: "-9007199254740993",
  SAFE: "9007199254740991",
  EVEN: "9007199254740994",
  LONG: "1".repeat(60),
};
const members = Object.entries(TAGS).map(([name, digits]) => `"${name}":${digits}`);
const telemetry = (more: string) => ({
  kind: "telemetry",
  payload: `{"timestamp":"${AT}",${more}}`,
});
const event = (digits: string) => ({
  kind: "events",
  payload: `{"timestamp":"${AT}","event_type":"ALARM_TRIGGERED","description":"X",
    "data":{"code":"X","value":${digits},"deep":[{"id":${digits}}]}}`,
});
const prediction = {
  kind: "predictions",
  payload: `{"timestamp":"${AT}","component_id":"LAMP_07","predictions":{"run":${TAGS.N}}}`,
};

async function text(appliance: Appliance, path: string): Promise<string> {
  const answer = await appliance.get(path);
  expect(answer.status).toBe(200);
  return answer.text;
}

test("in readings, events and predictions, in answers, files and identities", async () => {
  await using appliance = await startAppliance();
  const all = [telemetry(members.join()), event(TAGS.N), prediction];
  await appliance.publish([...all, ...all]);
  expect(await appliance.quarantine()).toEqual([]);
  const latest = await text(appliance, "/api/telemetry/latest");
  for (const member of members) expect(latest).toContain(member);
  const events = await text(appliance, "/api/events");
  expect(events).toContain(`"value":${TAGS.N},"deep":[{"id":${TAGS.N}}]`);
  expect(JSON.parse(events)).toHaveLength(1);
  expect(await text(appliance, "/api/alarms")).toContain(`"value":${TAGS.N}`);
  expect(await text(appliance, "/api/predictions")).toContain(`"run":${TAGS.N}`);

  // Its neighbour, which a double can't tell from it, is another.
  const neighbour = TAGS.N.replace(/0$/, "1");
  await appliance.publish([telemetry(`"SAFE":${TAGS.SAFE},"B":1,"C":2,"N":${neighbour}`)]);
  await appliance.publish([event(neighbour)]);
  expect(JSON.parse(await text(appliance, "/api/events"))).toHaveLength(2);
  const quarantined = await appliance.quarantine();
  expect(quarantined.map(({ detail }) => detail)).toEqual([
    expect.stringContaining(`N: got ${neighbour}, stored ${TAGS.N}`),
  ]);

  const { folder } = appliance.program;
  expect(await runProgram({ args: ["verify"], folder })).toMatchObject({ code: 0 });
  for (const format of ["ndjson", "csv", "sqlite"]) {
    const file = `${folder}/out.${format}`;
    const args = ["export", "--format", format, "--output", file];
    expect(await runProgram({ args, folder })).toMatchObject({ code: 0 });
    const other = newFolder();
    expect(await runProgram({ args: ["import", file], folder: other })).toMatchObject({ code: 0 });
    const again = await runProgram({ args: ["export", "--format", "ndjson"], folder: other });
    for (const member of members) expect(again.stdout).toContain(member);
  }
});
