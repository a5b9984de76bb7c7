// The limit of names of unknown tags: a name beyond it costs its field, not its reading; that is
// reported, and names go with the last readings that had them.

import { expect, test } from "vitest";
import { DAY_MS, printTime, SECOND_MS } from "../../../../src/ground/clock.ts";
import { write } from "../../../../src/sqlite/file/open.ts";
import { listQuarantine } from "../../../../src/sqlite/records/quarantine.ts";
import { openTagNames, TAG_NAMES_MAX } from "../../../../src/sqlite/sealed/tag-names.ts";
import { readingsIn } from "../../../../src/sqlite/sealed/timeline.ts";
import { startAppliance } from "../../../oracle/appliance.ts";
import { rigsOfTests } from "../../../rig/database.ts";
import { AT_MS, messageOf } from "../../../rig/decoding.ts";
import { foldersOfTests } from "../../../rig/folders.ts";
import { runProgram } from "../../../rig/program.ts";

const newFolder = foldersOfTests();
const rigOf = rigsOfTests();
const EVER = { start_ms: 0, end_ms: AT_MS + DAY_MS, limit: 100, offset: 0 };

/** Readings with 256 names each, as many as fill all the room there is. */
const filling = Array.from({ length: TAG_NAMES_MAX / 256 }, (_, part) => ({
  timestamp: printTime(AT_MS - (part + 1) * SECOND_MS),
  ...Object.fromEntries(Array.from({ length: 256 }, (_, tag) => [`T_${part}_${tag}`, 1])),
}));
const one = { timestamp: printTime(AT_MS), SYS_PRESSURE: 4, T_3_7: 2, INVENTED: 5 };

test("a name beyond the limit costs its field and names it, also after a restart", () => {
  const rig = rigOf();
  rig.store.commit(filling.map((content) => messageOf("telemetry", content)));
  expect(rig.store.tagNames()).toBe(TAG_NAMES_MAX);
  expect(listQuarantine(rig.db, 10)).toEqual([]);
  rig.close();
  const { db, store } = rigOf({}, rig.dir);
  expect(store.commit([messageOf("telemetry", one)])).toMatchObject({
    readings: 1,
    quarantined: 1,
  });
  const [newest] = [...readingsIn(db, EVER)].slice(-1);
  expect(Object.fromEntries(newest.extra)).toEqual({ T_3_7: 2 });
  expect(listQuarantine(db, 10)).toMatchObject([
    {
      reason: "too_many_tags",
      detail: `${one.timestamp}: INVENTED: no room, 4096 names of unknown tags are kept`,
    },
  ]);
  const line = { line: 1, received_ms: null, clock_trusted: null };
  const part = {
    at_ms: AT_MS + 1,
    values: newest.values,
    extra: new Map([["OTHER", 1]]),
    timed_by_receipt: false,
  };
  const { result } = store.importReadings([{ ...line, part }], AT_MS + SECOND_MS);
  expect(result.refused).toMatchObject([{ problem: expect.stringContaining("OTHER: no room") }]);
});

test("a reading keeps 256 tags of many messages, and what it has no room for takes no name", () => {
  const { db, store } = rigOf();
  const messages = Array.from({ length: 40 }, (_, message) => {
    const tags = Array.from({ length: 30 }, (_, tag) => [`T_${message}_${tag}`, 1]);
    return messageOf("telemetry", { timestamp: printTime(AT_MS), ...Object.fromEntries(tags) });
  });
  store.commit(messages.slice(0, 20));
  store.commit(messages.slice(20));
  expect([...readingsIn(db, EVER)].map(({ extra }) => extra.size)).toEqual([256]);
  expect(store.tagNames()).toBe(256);
  // 8 messages fit, the ninth in part.
  expect(listQuarantine(db, 100)).toHaveLength(32);
  expect(listQuarantine(db, 1)[0].detail).toContain("T_39_29: more than 256 unknown tags");
});

test("a batch that fails leaves no name in memory, and what expired makes room", () => {
  const { db } = rigOf();
  const names = openTagNames(db);
  const part = (at_ms: number, name: string) => ({
    ...{ at_ms, values: [], timed_by_receipt: false },
    extra: new Map([[name, 1]]),
  });
  const admit = (at_ms: number, name: string) => names.admit(part(at_ms, name), new Map()).beyond;
  expect(() =>
    write(db, () => {
      admit(AT_MS, "LOST");
      throw new Error("no");
    }),
  ).toThrow("no");
  expect(names.count()).toBe(0);
  write(db, () => {
    for (let name = 0; name < TAG_NAMES_MAX; name += 1) admit(AT_MS, `T_${name}`);
    expect(admit(AT_MS, "MORE")).toEqual(["MORE"]);
    expect(admit(AT_MS, "T_0")).toEqual([]);
    admit(AT_MS + 60 * DAY_MS, "T_1");
  });
  write(db, () => names.expire(AT_MS + 30 * DAY_MS));
  expect(names.count()).toBe(TAG_NAMES_MAX);
  write(db, () => names.expire(AT_MS + 60 * DAY_MS));
  expect(names.count()).toBe(1);
  expect(openTagNames(db).count()).toBe(1);
  expect(write(db, () => admit(AT_MS + 60 * DAY_MS, "MORE"))).toEqual([]);
});

test("that there is no room is an alarm, a metric and a finding of check", async () => {
  const folder = newFolder();
  await using appliance = await startAppliance({ folder });
  await appliance.publish([{ kind: "telemetry", payload: JSON.stringify(filling) }]);
  await appliance.program.waitUntil("the alarm", async () => {
    const alarms: { code: string }[] = await appliance.json("/api/alarms?state=active");
    return alarms.some(({ code }) => code === "TAG_NAMES_FULL");
  });
  expect(await (await fetch(`${appliance.url}/metrics`)).text()).toMatch(
    /^ballastd_tag_names 4096$/m,
  );
  const check = await runProgram({ args: ["check"], folder });
  expect(check.stdout).toMatch(/^warning +tags: 4096 names of unknown tags of 4096: further ones/m);
});
