// The past of alerts: what the overview of a moment tells of them is what was told at that moment,
// however often they rose, were acknowledged and ended since; within bounds.

import { expect, test } from "vitest";
import { BY_SELF } from "../../../../src/bwts/audit.ts";
import { ownAlarm } from "../../../../src/bwts/event.ts";
import type { OwnCode } from "../../../../src/bwts/present/alert.ts";
import { MINUTE_MS } from "../../../../src/ground/clock.ts";
import { mostUrgent, openPlaces } from "../../../../src/sqlite/answers/overview-alerts.ts";
import { recreateAlerts } from "../../../../src/sqlite/care/lost-tables.ts";
import type { Connection } from "../../../../src/sqlite/file/open.ts";
import { acknowledgeAlarm } from "../../../../src/sqlite/records/alarm-acts.ts";
import { rigsOfTests } from "../../../rig/database.ts";
import { RECEIVED_MS } from "../../../rig/decoding.ts";
import { printedRandom } from "../../../rig/random.ts";

const rigOf = rigsOfTests();
type Rig = ReturnType<typeof rigOf>;

function raise({ store }: Rig, code: OwnCode, at_ms: number, about = ""): boolean {
  const none = { parameter: null, limit: null, unit: null };
  const event = ownAlarm(at_ms, { code, text: `at ${at_ms}`, value: at_ms, ...none });
  return store.raiseAlarm(event, about, RECEIVED_MS);
}

const clear = ({ store }: Rig, code: OwnCode, at_ms: number) =>
  store.clearAlarm({ code, about: "" }, at_ms);

const acknowledge = ({ db, store }: Rig, id: string, at_ms: number) =>
  store.audited((append) => {
    return acknowledgeAlarm(db, append, { id, note: null, act: { ...BY_SELF, at_ms } });
  });

const pastRows = ({ db }: Rig) => db.prepare("select id from alarm_past").all().length;

/** Everything that the overview shows of them. */
const openAlerts = (db: Connection, at_ms: number | null) =>
  mostUrgent(db, openPlaces(db, at_ms), { at_ms, now_ms: RECEIVED_MS });

/** The same by id. */
const told = (db: Connection, at_ms: number | null) =>
  openAlerts(db, at_ms).sort((one, other) => one.id.localeCompare(other.id));

test("each moment of a random past is told as it was told then", () => {
  const random = printedRandom("the past of alerts");
  const rig = rigOf();
  // A warning stays until it is acknowledged, a caution doesn't.
  const codes = ["NO_DATA", "DISK_LOW", "FILTER_DP_HIGH"] as const;
  const moments: { at_ms: number; alerts: ReturnType<typeof told> }[] = [];
  let at_ms = RECEIVED_MS;
  for (let step = 0; step < 250; step += 1) {
    at_ms += 1 + Math.floor(random.next() ** 6 * 150 * MINUTE_MS);
    const code = random.pick(codes);
    const open = openAlerts(rig.db, null);
    const act = random.next();
    if (act < 0.4) raise(rig, code, at_ms);
    else if (act < 0.75) clear(rig, code, at_ms);
    else if (open.length > 0) acknowledge(rig, random.pick(open).id, at_ms);
    moments.push({ at_ms, alerts: told(rig.db, null) });
  }
  expect(pastRows(rig)).toBeGreaterThan(0);
  for (const moment of moments)
    expect({ ...moment, alerts: told(rig.db, moment.at_ms) }).toEqual(moment);
});

test("an alert that flaps keeps its last 100 states, and lasts before them", () => {
  const rig = rigOf();
  const at = (rise: number) => RECEIVED_MS + rise * MINUTE_MS;
  for (let rise = 0; rise < 150; rise += 1) {
    raise(rig, "DISK_LOW", at(rise));
    clear(rig, "DISK_LOW", at(rise) + 1000);
  }
  expect(pastRows(rig)).toBe(100);
  // 149 times it rose again; the first 49 of these rows are gone.
  expect(told(rig.db, at(120))).toMatchObject([{ count: 121, value: at(120) }]);
  expect(told(rig.db, at(120) + 1000)).toEqual([]);
  expect(told(rig.db, at(10) + 1000)).toMatchObject([{ count: 50, alert_state: "unacknowledged" }]);
  // A salvage after a loss of alerts forgets the past of those that are lost.
  rig.db.exec("delete from alarm");
  const loss = { what: "table", name: "alarm", why: "test" } as const;
  const losses = [{ ...loss, readings: null, from: null, to: null }];
  recreateAlerts(rig.db, { losses, plc_offset_ms: 0 });
  expect(pastRows(rig)).toBe(0);
});

test("a warning that nobody has seen comes before any number of newer cautions", () => {
  const rig = rigOf();
  const at = (minute: number) => RECEIVED_MS + minute * MINUTE_MS;
  raise(rig, "NO_DATA", at(0));
  for (let minute = 1; minute <= 60; minute += 1)
    raise(rig, "CERTIFICATE_ENDS", at(minute), `certificate ${minute}`);
  for (const at_ms of [null, at(60)]) {
    expect(openPlaces(rig.db, at_ms)).toHaveLength(61);
    const shown = openAlerts(rig.db, at_ms);
    expect(shown).toHaveLength(50);
    expect(shown[0]).toMatchObject({ code: "NO_DATA" });
    expect(shown[1]).toMatchObject({ code: "CERTIFICATE_ENDS", value: at(60) });
  }
  // It ended, and still waits for somebody; acknowledged as well, it is over.
  clear(rig, "NO_DATA", at(61));
  const [first] = openAlerts(rig.db, null);
  expect(first).toMatchObject({ code: "NO_DATA", alert_state: "rectified" });
  acknowledge(rig, first?.id ?? "", at(62));
  expect(openAlerts(rig.db, null)[0]).toMatchObject({ code: "CERTIFICATE_ENDS" });
  expect(openAlerts(rig.db, at(61))[0]).toMatchObject({ code: "NO_DATA" });
});
