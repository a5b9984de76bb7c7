// The record book over the real program: an uptake with a bypass and a failed lamp becomes draft
// entries in three languages and three formats, and the officer's file is compared with the log.

import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Appliance, startAppliance } from "../oracle/appliance.ts";
import { runProgram } from "../rig/program.ts";

const START_MS = Date.parse("2026-05-01T05:00:00Z");
const MINUTE_MS = 60_000;
const JUDGED = "/api/operations?startDate=2026-05-01&endDate=2026-05-02";
const DRAFT = "/api/record-book?startDate=2026-05-01&endDate=2026-05-02";

let appliance: Appliance;
beforeAll(async () => {
  appliance = await startAppliance({ env: { BALLASTD_RECORD_BOOK_LANGUAGE: "en" } });
  const readings = Array.from({ length: 200 }, (_, minute) => ({
    timestamp: START_MS + minute * MINUTE_MS,
    PROCESS_STATE: stateAt(minute),
    ...{ operation_type: "BALLAST", COMPLIANCE_MODE: "IMO", UVR_INTENSITY: 600 },
    SYS_FLOW_RATE: minute > 180 ? 0 : 600,
    SYS_TOTAL_BALLAST_VOL: 1000 + Math.min(180, minute) * 10,
  }));
  const data = { operation_type: "BALLAST", location: "Busan" };
  const event = (minute: number, event_type: string, given: object = data) => ({
    kind: "events",
    payload: JSON.stringify({
      ...{ timestamp: START_MS + minute * MINUTE_MS, event_type, data: given },
    }),
  });
  const alarm = { code: "LAMP_FAILURE", parameter: "LAMP_07_STATUS" };
  await appliance.publish([
    event(0, "PROCESS_START"),
    ...readings.map((one) => ({ kind: "telemetry", payload: JSON.stringify(one) })),
    event(120, "ALARM_TRIGGERED", alarm),
    event(180, "PROCESS_STOP"),
  ]);
});
afterAll(() => appliance[Symbol.asyncDispose]());

function stateAt(minute: number): string {
  if (minute > 180) return "IDLE";
  return minute >= 60 && minute < 80 ? "BYPASS" : "RUNNING";
}

interface Draft {
  readonly mark: string;
  readonly entries: readonly {
    readonly code: string;
    readonly subject: string;
    readonly start: string;
    readonly volume_m3: number | null;
    readonly items: readonly { readonly text: string | null; readonly boxes: readonly string[] }[];
    readonly notes: readonly string[];
  }[];
  readonly form: {
    readonly codes: readonly {
      readonly code: string;
      readonly items: readonly { readonly item: number; readonly basis: string }[];
    }[];
  };
}

test("treated and bypassed water have an entry each, and the failure has its own", async () => {
  const verdicts = async () => {
    const answered: readonly { verdict: string | null }[] = await appliance.json(JUDGED);
    return answered.map(({ verdict }) => verdict);
  };
  await expect.poll(verdicts).toEqual(["outside_limits"]);
  const { entries, mark, form }: Draft = await appliance.json(DRAFT);
  expect(mark).toContain("draft: to be verified and signed by the officer");
  expect(mark).toContain("no electronic record book");
  expect(entries.map(({ code, subject }) => `${code} ${subject}`)).toEqual([
    ...["A treated", "A bypassed", "A treated", "F failure"],
  ]);
  const [before, bypassed, after] = entries.map(({ volume_m3 }) => volume_m3 ?? 0);
  expect(before + bypassed + after).toBeCloseTo(1800, 3);
  expect(Math.abs(bypassed - 200)).toBeLessThanOrEqual(10);
  const [first] = entries;
  expect(first.items[0].text).toBe("2026-05-01 05:00 UTC, Busan");
  expect(first.items[1].boxes).toEqual(["minimum depth of water, m"]);
  expect(first.items[2]).toMatchObject({ text: null, boxes: ["tanks"] });
  expect(first.items[3].boxes).toEqual(["final total quantity retained, m3"]);
  const [, untreated, , failure] = entries;
  expect(untreated.items[5]).toMatchObject({
    text: "None. Treatment system bypassed from 2026-05-01 06:00 UTC to 2026-05-01 06:20 UTC.",
    boxes: ["reason, and what was done"],
  });
  expect(untreated.notes.join()).toContain("enter it as E: 1 Ingress, uptake, discharge or loss");
  expect(failure.items.map(({ text }) => text)).toEqual([
    "2026-05-01 07:00 UTC, Busan",
    "A: Ballast water taken on board (uptake) (start 2026-05-01 05:00 UTC)",
    "Alarm LAMP_FAILURE at 2026-05-01 07:00 UTC.",
    null,
  ]);
  const confirmed = form.codes.flatMap(({ code, items }) =>
    items.filter(({ basis }) => basis === "read").map(({ item }) => `${code}.${item}`),
  );
  expect(confirmed).toEqual(["A.1", "A.2", "A.3", "A.4", "A.5", "A.6"]);
});

test.each([
  ["en", "draft: to be verified", "None. Treatment system bypassed", "minimum depth of water"],
  ["fr", "projet : à vérifier", "Aucun. Système de traitement contourné", "profondeur minimale"],
  [
    "es",
    "borrador: debe verificarlo",
    "Ninguno. Sistema de tratamiento en derivación",
    "profundidad mínima",
  ],
])("the draft in %s is text to print, and lines of CSV", async (language, ...words) => {
  const { text } = await appliance.get(`${DRAFT}&format=text&language=${language}`);
  for (const word of words) expect(text).toContain(word);
  const { text: csv } = await appliance.get(`${DRAFT}&format=csv&language=${language}`);
  expect(csv.trim().split("\r\n")).toHaveLength(5);
  expect(csv.match(new RegExp(words[0], "g"))).toHaveLength(4);
});

const HEADER = "Code;Début;Fin;Lieu;Volume (m3);Citernes";
const RIGHT = [
  HEADER,
  "A;01/05/2026 05:00;01/05/2026 06:00;Port of Busan;600,5;WBT 1",
  "A;01/05/2026 06:00;01/05/2026 06:20;Pusan;198,0;WBT 1",
  "A;01/05/2026 06:20;01/05/2026 08:00;Busan;1.000,0;WBT 1",
  "F;01/05/2026 07:00;;Busan;;",
  "H;31/05/2026 07:00;;Busan;;",
];

async function sent(body: string | Uint8Array<ArrayBuffer>, query = "", type = "text/csv") {
  const response = await fetch(`${appliance.url}/admin/reconcile${query}`, {
    ...{ method: "POST", headers: { "Content-Type": type }, body },
  });
  return { status: response.status, answer: await response.json() };
}

test("a right book agrees, and one line each tells what doesn't", async () => {
  const latin1 = Uint8Array.from(Buffer.from(RIGHT.join("\r\n"), "latin1"));
  const right = await sent(latin1);
  expect(right.answer.problems).toEqual([]);
  expect(right.answer.faults).toEqual([]);
  expect(right.answer.counts).toMatchObject({ match: 4, not_compared: 1, differs: 0 });
  expect(right.answer.agrees).toBe(true);
  const accident = RIGHT.map((line) => line.replace(/^A(.*198,0)/, "E$1"));
  expect((await sent(accident.join("\n"))).answer.agrees).toBe(true);
  const whole = [
    HEADER,
    "A;01/05/2026 05:00;01/05/2026 08:00;Ulsan;1800;WBT 1",
    "B;30/02/2026;;;;",
  ];
  const { answer } = await sent(whole.join("\n"), "?startDate=2026-05-01&endDate=2026-05-01");
  expect(answer.counts).toMatchObject({ differs: 1, no_failure_entry: 2 });
  const [one] = answer.results;
  expect(one.differences.map(({ differs }: { differs: string }) => differs)).toEqual([
    ...["split", "place"],
  ]);
  expect(answer.faults).toContainEqual(
    expect.objectContaining({ line: 3, fault: "no_such_date", got: "30/02/2026" }),
  );
});

test("a file that is no book is refused with what is allowed", async () => {
  expect(await sent("a,b\n1,2")).toMatchObject({
    status: 400,
    answer: { message: expect.stringContaining("expected a line with names of columns") },
  });
  expect((await sent("{}", "", "application/json")).status).toBe(415);
  expect((await sent(new Uint8Array(1024 * 1024 + 1))).status).toBe(413);
  const zone = await sent(RIGHT.join("\n"), "?zone=Mars");
  expect(zone).toMatchObject({
    status: 400,
    answer: { message: expect.stringContaining("expected UTC, or an offset such as +09:00") },
  });
  const { agrees, shift } = (await sent(RIGHT.join("\n"), "?zone=%2B09:00")).answer;
  expect(agrees).toBe(false);
  expect(shift).toMatchObject({ minutes: -540, entries: 3 });
});

test("the commands give the same, and their exit codes tell the outcome", async () => {
  const { folder } = appliance.program;
  const file = path.join(folder, "book.csv");
  writeFileSync(file, RIGHT.join("\n"));
  const good = await runProgram({ args: ["reconcile", file], folder });
  expect(good.stderr).toBe("");
  expect(good.stdout).toContain("5 entries read, 4 match");
  expect(good.code).toBe(0);
  writeFileSync(file, RIGHT.slice(0, 2).join("\n"));
  const bad = await runProgram({ args: ["reconcile", file], folder });
  expect(bad.stdout).toContain("no F entry for a malfunction: F 2026-05-01T07:00:00.000Z, Busan");
  expect(bad.code).toBe(1);
  const line = "A,2026-05-01 05:00,2026-05-01 06:00,Busan";
  writeFileSync(file, `code,start,end,place,Amt\n${line},600\n`);
  const partly = await runProgram({ args: ["reconcile", file], folder });
  expect(partly.code).toBe(1);
  expect(partly.stdout).toContain("the volume wasn't compared (the book has none)");
  expect(partly.stdout).toContain("columns that aren't known, and weren't used: \"Amt\"");
  expect(partly.stdout).toContain("times were read as UTC (no zone is told)");
  const local = line.replaceAll(/ (\d\d):(\d\d)/g, " $1$2 LT");
  writeFileSync(file, `code,start,end,place,volume\n${local},600\n`);
  const late = await runProgram({ args: ["reconcile", file, "--zone", "+02:00"], folder });
  expect(late.stdout).toContain("1 entry is 2 h behind the log: is this ship's time?");
  const unsaid = await runProgram({ args: ["reconcile", file], folder });
  expect(unsaid.stdout).toContain("LT is no offset");
  expect(unsaid.code).toBe(1);
  writeFileSync(file, RIGHT.slice(0, 2).join("\n"));
  const json = await runProgram({ args: ["reconcile", file, "--json"], folder });
  expect(JSON.parse(json.stdout)).toMatchObject({ agrees: false, counts: { match: 1 } });
  const draft = await runProgram({ args: ["record-book", "--language", "fr"], folder });
  expect(draft.stdout).toContain("A.1  Début : heure, lieu: 2026-05-01 05:00 UTC, Busan");
  expect(draft.code).toBe(0);
  const odd = await runProgram({ args: ["record-book", "--language", "ja"], folder });
  expect(odd.stderr).toContain("--language ja: expected en, fr, es");
});
